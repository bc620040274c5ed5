"""Casbin's globMatch as stock pycasbin has it: `*` in one segment, `**` over segments, no dot files."""

import re
from dataclasses import dataclass
from typing import Any

import re2

_SEGMENT = "[^/.][^/]*"
"""A name that a wildcard at its beginning may stand for: not empty, and no dot file."""
_PARTS = re.compile(r"\*+|\?|\[[^\]]*\]|\[|[^*?\[]+")
_CLASS = re.compile(r"\[([!^]?)((?:[A-Za-z0-9_](?:-[A-Za-z0-9_])?)+)\]")
_RANGE = re.compile(r"(.)-(.)")
_REFUSED = re.compile(r"[{}\\]|//|\*\*/\*\*|\*{3}")


@dataclass(frozen=True, slots=True)
class Glob:
    """One glob. `empty` says whether it matches the empty text.

    `start` is the text that every match begins with once repeated slashes are one.
    """

    regex: Any
    start: str
    empty: bool = False

    def matches(self, value: str) -> bool:
        """Whether the whole value matches; repeated slashes and last ones do not count."""
        return self.regex.fullmatch(value) is not None if value else self.empty


def parse_glob(pattern: str) -> Glob:
    """The glob of a pattern. Raises ValueError, with advice, for what Casbins read differently."""
    found = _REFUSED.search(pattern)
    if found is not None:
        raise ValueError(f"`{found[0]}` in {pattern!a} means different things to Casbins; leave it out")
    while pattern.startswith("*/"):  # stock pycasbin drops this `*`
        pattern = pattern[1:]
    segments = [re.sub(r"\*{2,}", "*", part) if part != "**" else part for part in pattern.split("/")]
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    try:
        regex = re2.compile(_regex(segments), options)
    except re2.error as error:
        raise ValueError(f"{pattern!a} is too large, or a range in it runs backwards") from error
    return Glob(regex, _start(segments), segments in ([""], ["**"]))


def _regex(segments: list[str]) -> str:
    """Each `**` takes the slash after it along, or the one before it at the end."""
    pieces: list[str] = []
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment == "**":
            if index == last:
                pieces.append(f"(?:{_SEGMENT})?/*" if index == 0 else f"(?:/+{_SEGMENT})*/*")
                if index == 0:
                    pieces.insert(0, f"(?:(?:{_SEGMENT})?/)*")
            elif index == 0:
                pieces.append(f"(?:(?:{_SEGMENT})?/)*")
            else:
                pieces.append(f"/+(?:{_SEGMENT}/+)*")
            continue
        if index and segments[index - 1] != "**":
            pieces.append("/+")
        pieces.append(_segment(segment))
    return "".join(pieces) + ("" if segments == [""] or segments[-1] == "**" else "/*")


def _segment(segment: str) -> str:
    """A wildcard that a segment begins with stands for no dot."""
    parts = _PARTS.findall(re.sub(r"(\*+)(\?+)", r"\2*", segment))
    pieces: list[str] = []
    for index, part in enumerate(parts):
        if part.startswith("*"):
            following = parts[index + 1] if index + 1 < len(parts) else "."
            optional = "" if following.startswith(".") else "?"
            pieces.append("[^/]*" if index else f"(?:{_SEGMENT}){optional}")
        elif part.startswith("["):
            after_star = index == 1 and parts[0].startswith("*")
            if after_star:  # where the star stands for nothing, the class begins the segment
                pieces[0] = f"(?:{_SEGMENT}{_class(part, fresh=False)}|{_class(part, fresh=True)})"
            else:
                pieces.append(_class(part, fresh=not index))
        elif part == "?":
            pieces.append("[^/]" if index else "[^/.]")
        else:
            pieces.append(re.escape(part))
    return "".join(pieces)


def _class(part: str, *, fresh: bool) -> str:
    found = _CLASS.fullmatch(part)
    if found is None or any(first > last for first, last in _RANGE.findall(found[2])):
        raise ValueError(
            f"`{part}` is not understood; write letters, digits and ranges of them in the brackets"
        )
    if not found[1]:
        return part
    return f"[^{found[2]}/{'.' if fresh else ''}]"


def _start(segments: list[str]) -> str:
    literal = re.split(r"[*?[]", "/".join(segments), maxsplit=1)[0]
    return re.sub("/+", "/", literal).rstrip("/")
