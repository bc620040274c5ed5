"""Changes that could turn a verdict: edits of a bundle's files, by position, and edits of the call."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from adjudicator.authoring.item_places import line_end
from adjudicator.domain.call import ToolCall
from adjudicator.domain.symbol import Symbol
from adjudicator.policy.source import Source


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A piece of a file, by characters from 0, and what comes in its place."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class CallEdit:
    """Another value of one field of a call; `pointer` says of `arguments` which value in them."""

    field: str
    value: Any
    pointer: tuple[str | int, ...] = ()
    removes: bool = False


class Defence(Symbol):
    """What a change takes from what keeps calls out; the later, the worse."""

    NONE = "none"
    OPENS = "opens"
    """A Deny row no longer holds for one value."""
    REMOVES = "removes"
    """A row, a list or a switch that denies or asks is gone."""
    CRITIC = "critic"
    """A critic may write."""


SEVERITY: Mapping[Defence, int] = {defence: number for number, defence in enumerate(Defence)}


@dataclass(frozen=True, slots=True)
class Change:
    """One change, in words and as edits. `breadth` says how much more than this call it is about."""

    what: str
    edits: tuple[TextEdit, ...] = ()
    call: tuple[CallEdit, ...] = ()
    defence: Defence = Defence.NONE
    breadth: int = 0


def texts_after(edits: Sequence[TextEdit], files: Mapping[str, Source]) -> dict[str, str] | None:
    """The texts of the files that are edited; None when two of the edits are about the same piece."""
    texts: dict[str, str] = {}
    for file in dict.fromkeys(edit.file for edit in edits):
        ordered = sorted((edit for edit in edits if edit.file == file), key=lambda edit: edit.start)
        if any(one.end > other.start for one, other in pairwise(ordered)):
            return None
        text = files[file].text
        for edit in reversed(ordered):
            text = text[: edit.start] + edit.text + text[edit.end :]
        texts[file] = text
    return texts


def call_after(edits: Sequence[CallEdit], call: ToolCall) -> ToolCall:
    """The call with other values; its arguments are written anew if one of them is edited."""
    fields: dict[str, Any] = {edit.field: edit.value for edit in edits if edit.field != "arguments"}
    inside = [edit for edit in edits if edit.field == "arguments"]
    if inside:
        value = json.loads(call.arguments_json)
        for edit in inside:
            _set(value, edit)
        fields["arguments_json"] = json.dumps(value, ensure_ascii=False)
    return replace(call, **fields)


def _set(value: Any, edit: CallEdit) -> None:
    *above, last = edit.pointer
    for part in above:
        value = value[part]
    if edit.removes:
        value.pop(last, None)
    else:
        value[last] = edit.value


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of one file before an edit and after it; `line` is the first of them, from 1."""

    file: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def hunks(edits: Sequence[TextEdit], files: Mapping[str, Source]) -> tuple[Hunk, ...]:
    """What each edit does to whole lines, in the order of the edits."""
    return tuple(_hunk(edit, files[edit.file].text) for edit in edits)


def _hunk(edit: TextEdit, text: str) -> Hunk:
    start = text.rfind("\n", 0, edit.start) + 1
    end = (
        edit.end
        if edit.end and text[edit.end - 1] == "\n" and edit.end > start
        else min(line_end(text, edit.end) + 1, len(text))
    )
    before = text[start:end]
    after = text[start : edit.start] + edit.text + text[edit.end : end]
    have, want = before.splitlines(), after.splitlines()
    line = text.count("\n", 0, start) + 1
    while have and want and have[0] == want[0]:
        del have[0], want[0]
        line += 1
    while have and want and have[-1] == want[-1]:
        del have[-1], want[-1]
    return Hunk(edit.file, line, tuple(have), tuple(want))
