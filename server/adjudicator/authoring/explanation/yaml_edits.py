"""Edits of YAML documents by position: an item more or less, another value, a key more or less.

All else in the file stays as it is, with its comments. What cannot be edited like that is not edited.
"""

import re

import yaml

from adjudicator.authoring.explanation.changes import TextEdit
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Sources

_DASH = re.compile(r"[ ]*-[ ]+")


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
    start, end = _span(field.node)
    return TextEdit(field.file, start, end, value)


def with_item(field: Field, item: str) -> TextEdit | None:
    """One more item at the end of this list."""
    node, text = field.node, field.source.text
    if not isinstance(node, yaml.SequenceNode):
        return None
    if not node.value:
        start, end = _span(node)
        return TextEdit(field.file, start, end, f"[{item}]")
    last = node.value[-1]
    if not isinstance(last, yaml.ScalarNode):
        return None
    if node.flow_style:
        end = _span(last)[1]
        return TextEdit(field.file, end, end, f", {item}")
    start, end = _line(text, last)
    dash = _DASH.match(text, start)
    return TextEdit(field.file, end, end, f"{dash[0]}{item}\n") if dash else None


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
    start, end = _span(items[at])
    if at + 1 < len(items):
        end = _span(items[at + 1])[0]
    elif at:
        start = _span(items[at - 1])[1]
    return None if "#" in text[start:end] else TextEdit(field.file, start, end, "")


def with_entry(field: Field, key: str, value: str) -> TextEdit | None:
    """One more key at the end of this mapping."""
    node, text = field.node, field.source.text
    if not isinstance(node, yaml.MappingNode) or not node.value:
        return None
    if node.flow_style:
        end = _span(node.value[-1][1])[1]
        return TextEdit(field.file, end, end, f", {key}: {value}")
    # Behind the first key, whose line has nothing but it and its value, where that value is a word.
    first, anchor = node.value[0]
    if not isinstance(anchor, yaml.ScalarNode) or anchor.start_mark.line != anchor.end_mark.line:
        return None
    _, end = _line(text, anchor)
    return TextEdit(field.file, end, end, f"{' ' * first.start_mark.column}{key}: {value}\n")


def without_entry(field: Field, key: str) -> TextEdit | None:
    """This mapping without a key whose value is a word on the same line."""
    node = field.node
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return None
    for name, value in node.value:
        if name.value == key and isinstance(value, yaml.ScalarNode):
            start, end = _line(field.source.text, name)
            return None if _span(value)[1] > end else TextEdit(field.file, start, end, "")
    return None


def _span(node: yaml.Node) -> tuple[int, int]:
    return int(node.start_mark.index), int(node.end_mark.index)


def _line(text: str, node: yaml.Node) -> tuple[int, int]:
    """Where the line begins on which a word stands, and where the next line does."""
    start = text.rfind("\n", 0, node.start_mark.index) + 1
    end = text.find("\n", node.end_mark.index)
    return start, len(text) if end < 0 else end + 1
