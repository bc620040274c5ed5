"""Edits of YAML documents by position: an item more or less, another value, a key more or less.

All else in the file stays as it is, with its comments. What cannot be edited like that is not edited.
"""

import yaml

from adjudicator.authoring.explanation.changes import TextEdit
from adjudicator.authoring.item_places import behind_last, between_commas, line_end, span
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Sources


class Documents:
    """The YAML files of a bundle, each parsed when it is first asked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._roots: dict[str, Field | None] = {}

    def entry(self, file: str, *keys: str) -> Field | None:
        """The value below these keys, or None when there is none."""
        if file not in self._roots:
            source = self._sources.files.get(file)
            self._roots[file] = parse_document(source, Problems()) if source else None
        field = self._roots[file]
        for key in keys:
            if field is None or not isinstance(field.node, yaml.MappingNode):
                return None
            field = field.entries().get(key)
        return field


def with_value(field: Field, value: str) -> TextEdit | None:
    """Another word in the place of this one."""
    if not isinstance(field.node, yaml.ScalarNode):
        return None
    start, end = span(field.node)
    return TextEdit(field.file, start, end, value)


def with_item(field: Field, item: str) -> TextEdit | None:
    """One more item at the end of this list."""
    node, text = field.node, field.source.text
    if not isinstance(node, yaml.SequenceNode):
        return None
    if node.value and not isinstance(node.value[-1], yaml.ScalarNode):
        return None
    place, new = behind_last(text, node, [item])
    return TextEdit(field.file, place, place, new)


def without_item(field: Field, item: str) -> TextEdit | None:
    """This list without one of its items; of a list in lines the item is not the only one."""
    node, text = field.node, field.source.text
    if not isinstance(node, yaml.SequenceNode):
        return None
    items = node.value
    at = next((n for n, each in enumerate(items) if getattr(each, "value", None) == item), None)
    if at is None:
        return None
    if not node.flow_style:
        return TextEdit(field.file, *_line(text, items[at]), "") if len(items) > 1 else None
    start, end = between_commas([span(each) for each in items], at)
    return None if "#" in text[start:end] else TextEdit(field.file, start, end, "")


def with_entry(field: Field, key: str, value: str) -> TextEdit | None:
    """One more key at the end of this mapping."""
    node, text = field.node, field.source.text
    if not isinstance(node, yaml.MappingNode) or not node.value:
        return None
    if node.flow_style:
        end = span(node.value[-1][1])[1]
        return TextEdit(field.file, end, end, f", {key}: {value}")
    # Behind the first key, whose line has nothing but it and its value, where that value is a word.
    first, anchor = node.value[0]
    if not isinstance(anchor, yaml.ScalarNode) or anchor.start_mark.line != anchor.end_mark.line:
        return None
    end = line_end(text, span(anchor)[1])
    return TextEdit(field.file, end, end, f"\n{' ' * first.start_mark.column}{key}: {value}")


def without_entry(field: Field, key: str) -> TextEdit | None:
    """This mapping without a key whose value is a word on the same line."""
    node = field.node
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return None
    for name, value in node.value:
        if name.value == key and isinstance(value, yaml.ScalarNode):
            start, end = _line(field.source.text, name)
            return None if span(value)[1] > end else TextEdit(field.file, start, end, "")
    return None


def _line(text: str, node: yaml.Node) -> tuple[int, int]:
    """Where the line begins on which a word stands, and where the next line does."""
    start = text.rfind("\n", 0, node.start_mark.index) + 1
    return start, min(line_end(text, node.end_mark.index) + 1, len(text))
