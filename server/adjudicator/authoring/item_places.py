"""Where in a text the items of a list stand: where more of them go, and what to cut out for one less."""

from collections.abc import Sequence

import yaml

Span = tuple[int, int]
"""Where something begins in a text, and where it ends, by characters from 0."""


def span(node: yaml.Node) -> Span:
    """Where a node stands."""
    return int(node.start_mark.index), int(node.end_mark.index)


def line_end(text: str, index: int) -> int:
    """Where the line ends in which this character is; the end of a last line that nothing ends."""
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def behind_last(text: str, items: yaml.SequenceNode, new: Sequence[str]) -> tuple[int, str]:
    """The place behind the last item of a list of words, and what to put there for these as well."""
    if not items.value:
        return span(items)[0] + 1, ", ".join(new)
    end = span(items.value[-1])[1]
    if items.flow_style:
        return end, "".join(f", {item}" for item in new)
    indent = " " * items.start_mark.column
    return line_end(text, end), "".join(f"\n{indent}- {item}" for item in new)


def between_commas(spans: Sequence[Span], place: int) -> Span:
    """What to cut out so that one of several things between commas is gone, with one of its commas."""
    start, end = spans[place]
    if place + 1 < len(spans):
        return start, spans[place + 1][0]
    return (spans[place - 1][1], end) if place else (start, end)
