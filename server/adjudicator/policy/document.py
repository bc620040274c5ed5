"""YAML with positions. Scalars stay text: what a value is, is said by who asks for it, not by its look."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from adjudicator.config.limits import YAML_DEPTH
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source, position

# Lines end there for YAML, and for hardly an editor: what follows would stand in a comment, or on no line.
_OTHER_LINE_END = re.compile(r"\r(?!\n)|[\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a document with its place.

    Each `as_…` answers None, and notes a problem, when the value is not that.
    """

    source: Source
    name: str
    node: yaml.Node
    problems: Problems

    @property
    def file(self) -> str:
        """The file that the value is in."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line of the value, from 1."""
        return int(self.node.start_mark.line) + 1

    @property
    def column(self) -> int:
        """The column of the value, from 1."""
        return int(self.node.start_mark.column) + 1

    def refuse(self, message: str) -> None:
        """Note a problem at this value."""
        self.problems.add(self.file, message, self.line, self.column)

    def as_text(self) -> str | None:
        """A text that is not blank."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.refuse(f"`{self.name}` must be one text")
            return None
        value = str(self.node.value)
        if not value.strip():
            self.refuse(f"`{self.name}` is empty; write a value or leave the key out")
            return None
        return value

    def as_choice(self, choices: Mapping[str, Any]) -> Any:
        """One of the words, exactly as written; answers what the word stands for."""
        text = self.as_text()
        if text is None or text in choices:
            return choices.get(text or "")
        self.refuse(f"`{self.name}` is {text!a}; write {_listed(choices)}")
        return None

    def as_flag(self) -> bool | None:
        """`true` or `false`, in lower case."""
        flag: bool | None = self.as_choice({"true": True, "false": False})
        return flag

    def as_count(self, least: int, most: int) -> int | None:
        """A whole number between the two."""
        text = self.as_text()
        if text is None:
            return None
        plain = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
        if not plain or not least <= int(text) <= most:
            self.refuse(f"`{self.name}` is {text!a}; write a whole number from {least} to {most}")
            return None
        return int(text)

    def as_json_text(self) -> str | None:
        """JSON as it is written: in place, as in `{"path": "a"}`, or as the content of a text.

        It is cut out and not read, so that it says what it would say anywhere else.
        """
        if isinstance(self.node, yaml.ScalarNode):
            return self.as_text()
        if not getattr(self.node, "flow_style", False):
            self.refuse(f'`{self.name}` must be JSON, as in `{{"path": "a"}}`; a text may hold it too')
            return None
        return self.source.text[self.node.start_mark.index : self.node.end_mark.index]

    def items(self) -> Iterator["Field"]:
        """The items of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.refuse(f"`{self.name}` must be a list, as in `[read, ls]`")
            return
        for item in self.node.value:
            yield Field(self.source, self.name, item, self.problems)

    def entries(self) -> dict[str, "Field"]:
        """The values of a mapping by key. A key that is there twice is a problem; the first counts."""
        if not isinstance(self.node, yaml.MappingNode):
            self.refuse(f"`{self.name}` must be a mapping of `key: value` lines")
            return {}
        entries: dict[str, Field] = {}
        for key, value in self.node.value:
            field = Field(self.source, str(key.value), value, self.problems)
            at_key = Field(self.source, str(key.value), key, self.problems)
            if not isinstance(key, yaml.ScalarNode):
                at_key.refuse("a key must be one word")
            elif field.name in entries:
                at_key.refuse(f"`{field.name}` is here twice; keep one")
            else:
                entries[field.name] = field
        return entries

    def known_entries(self, required: frozenset[str], optional: frozenset[str]) -> dict[str, "Field"]:
        """The entries of a mapping with exactly these keys; others and missing ones are problems."""
        entries = self.entries()
        if not isinstance(self.node, yaml.MappingNode):
            return {}
        known = sorted(required | optional)
        for name, field in entries.items():
            if name not in known:
                field.refuse(f"`{name}` is not a key of `{self.name}`; the keys are {_listed(known)}")
        for name in sorted(required - entries.keys()):
            self.refuse(f"`{self.name}` has no `{name}`; add it")
        return {name: field for name, field in entries.items() if name in known}


def parse_document(source: Source, problems: Problems) -> Field | None:
    """The root of a YAML document, or None when there is no reading it.

    Anchors, aliases and tags are refused: each gives a value that is not written where it is read.
    """
    found = _OTHER_LINE_END.search(source.text)
    if found is not None:
        message = f"a line ends with {found[0]!a}, which few programs show; end it with a line feed"
        problems.add(source.name, message, *position(source.text[: found.start()]))
        return None
    try:
        if _is_refused(source, problems):
            return None
        root = yaml.compose(source.text, Loader=yaml.CBaseLoader)
    except yaml.MarkedYAMLError as error:
        at = _place(error.problem_mark or error.context_mark)
        problems.add(source.name, f"not YAML: {error.problem or error.context}", *at)
        return None
    except yaml.reader.ReaderError as error:
        at = position(source.text[: error.position])
        problems.add(source.name, "not YAML: a character that is not allowed here", *at)
        return None
    if root is None:
        problems.add(source.name, "the file is empty")
        return None
    name = source.name.rsplit("/", 1)[-1]
    return Field(source, name, root, problems)


def _is_refused(source: Source, problems: Problems) -> bool:
    """Whether the document has what is not read here; stops at the first, before it can cost time."""
    depth = 0
    for event in yaml.parse(source.text, Loader=yaml.CBaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        fault = _fault(event, depth)
        if fault is not None:
            problems.add(source.name, fault, *_place(event.start_mark))
            return True
    return False


def _fault(event: yaml.Event, depth: int) -> str | None:
    if depth > YAML_DEPTH:
        return f"nested deeper than {YAML_DEPTH} levels"
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        return "anchors and aliases are not used here; write the value out"
    if getattr(event, "tag", None):
        return "tags are not used here; write the value alone"
    return None


def _place(mark: Any) -> tuple[int, int]:
    return (int(mark.line) + 1, int(mark.column) + 1) if mark else (0, 0)


def _listed(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words)
