"""Edits of a YAML text by its nodes, which leave every other character as its author wrote it."""

import yaml

from adjudicator.authoring.item_places import Span, behind_last, between_commas, line_end, span
from adjudicator.authoring.mutants.mutant import TextEdit


def replaced(node: yaml.Node, new: str) -> TextEdit:
    """Another value in the place of this one."""
    return TextEdit(node.start_mark.line + 1, node.start_mark.index, node.end_mark.index, new)


def without_entry(text: str, mapping: yaml.MappingNode, place: int) -> TextEdit:
    """The mapping without its key and value of that place."""
    key, value = mapping.value[place]
    if not mapping.flow_style:
        return _blank(text, key, value)
    return _cut(
        key, [(first.start_mark.index, last.end_mark.index) for first, last in mapping.value], place
    )


def without_item(text: str, items: yaml.SequenceNode, place: int) -> TextEdit:
    """The list without its item of that place; it has others."""
    item = items.value[place]
    if not items.flow_style:
        return _blank(text, item, item)
    return _cut(item, [span(each) for each in items.value], place)


def with_item(text: str, items: yaml.SequenceNode, new: str) -> TextEdit:
    """The list with one item more behind its last; it has others."""
    place, added = behind_last(text, items, [new])
    return TextEdit(_last_line(items.value[-1]) + 1, place, place, added)


def with_entry(mapping: yaml.MappingNode, new: str) -> TextEdit:
    """The mapping with these `key: value` texts before its first key."""
    first = mapping.value[0][0].start_mark
    between = ", " if mapping.flow_style else f"\n{' ' * first.column}"
    return TextEdit(first.line + 1, first.index, first.index, f"{new}{between}")


def both(text: str, one: TextEdit, other: TextEdit) -> TextEdit:
    """Two edits of different places as one."""
    first, second = sorted((one, other), key=lambda edit: edit.start)
    new = f"{first.new}{text[first.end : second.start]}{second.new}"
    return TextEdit(first.line, first.start, second.end, new)


def _blank(text: str, first: yaml.Node, last: yaml.Node) -> TextEdit:
    """All lines of something emptied, so that no other line moves."""
    start = text.rfind("\n", 0, first.start_mark.index) + 1
    count = _last_line(last) - first.start_mark.line
    end = line_end(text, first.start_mark.index)
    for _ in range(count):
        end = line_end(text, end + 1)
    return TextEdit(first.start_mark.line + 1, start, end, "\n" * count)


def _cut(node: yaml.Node, spans: list[Span], place: int) -> TextEdit:
    return TextEdit(node.start_mark.line + 1, *between_commas(spans, place), "")


def _last_line(node: yaml.Node) -> int:
    """The line of the last character, from 0: where a block ends the mark is already on what follows."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    ends_below = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    return int(node.end_mark.line) - int(ends_below)
