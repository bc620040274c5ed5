"""Edits of the registry's YAML as text: what stands there, comments too, stays as it stands."""

import json
import re
from collections.abc import Iterable, Sequence

import yaml

from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.item_places import behind_last
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_./-]*")
_PLAIN_TEXT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _.,()/'-]*[A-Za-z0-9.)])?")


def word(text: str) -> str:
    """A code or a pointer as it may stand anywhere."""
    return text if _PLAIN_WORD.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def scalar(text: str) -> str:
    """A text as a value on a line of its own."""
    return text if _PLAIN_TEXT.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def with_entries(source: Source, entries: Iterable[str], comment: str) -> str:
    """The file with these entries, whose keys begin a line, behind those of its mapping."""
    root = _root(source)
    indent = " " * (int(root.node.value[0][0].start_mark.column) if root.node.value else 0)
    text = source.text if source.text.endswith("\n") else f"{source.text}\n"
    lines = [f"# {comment}", *(line for entry in entries for line in ("", *entry.splitlines()))]
    return text + "\n" + "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)


def with_items(source: Source, entry: str, key: str, codes: Sequence[str]) -> str:
    """The file with these codes at the end of the list under a key of an entry.

    Raises ImportFaultError where there is no such list.
    """
    at = _root(source).entries()
    listed = at[entry].entries().get(key) if entry in at else None
    if listed is None or not isinstance(listed.node, yaml.SequenceNode):
        raise ImportFaultError(f"{source.name} has no list `{key}` of {entry!a} to add to")
    text = source.text
    place, added = behind_last(text, listed.node, [word(code) for code in codes])
    return f"{text[:place]}{added}{text[place:]}"


def _root(source: Source) -> Field:
    root = parse_document(source, Problems())
    if root is None or not isinstance(root.node, yaml.MappingNode) or root.node.flow_style:
        raise ImportFaultError(f"{source.name} has no lines of `code:` to add to")
    return root
