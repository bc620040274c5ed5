"""Values as they may be shown: what deceives the eye is written out, and each place of it is flagged."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.approvals.characters import Deception, deceptive_places
from adjudicator.config.limits import FLAG_CHARACTERS, FLAGS
from adjudicator.domain.json_pointer import to_pointer

_NOT_PLAIN = re.compile(r"[^\t\n\x20-\x7e]")


@dataclass(frozen=True, slots=True)
class Flag:
    """One text with characters that deceive in one way; `characters` are different ones, as `U+202E`.

    `pointer` leads to the text in what is shown. With `is_name` it is not the value there that has them
    but its name.
    """

    pointer: str
    kind: Deception
    characters: tuple[str, ...]
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Revealed:
    """A value in which nothing deceives, and a flag for each text in which something did."""

    value: Any
    flags: tuple[Flag, ...] = ()


def reveal(value: Any, parts: Sequence[str] = (), *, doubling: bool = False) -> Revealed:
    r"""A copy of a JSON value with what deceives as `\u202e`; `parts` lead to the value.

    In a text that has a flag, and with `doubling` in every text, a backslash of its own is written twice.
    So the flags tell what was written out from what was typed like that. The names of one object count as
    one text: none takes the place of another.
    """
    revealing = _Revealing(doubling=doubling)
    shown = revealing.of(value, tuple(parts))
    return Revealed(shown, tuple(revealing.flags))


def written_out(value: Any) -> Any:
    """A copy of a JSON value in which everything beyond ASCII is written out, and each backslash doubled.

    For what is too large to be looked at closely.
    """
    return _written_out_by(_Escapes(), value)


def _written_out_by(escapes: "_Escapes", value: Any) -> Any:
    if isinstance(value, str):
        return value.translate(escapes)
    if isinstance(value, dict):
        return {name.translate(escapes): _written_out_by(escapes, item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_written_out_by(escapes, item) for item in value]
    return value


class _Escapes(dict[int, str]):
    """What stands for a character, made once for each: an agent may send a million of them."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        written = "\\\\" if char == "\\" else _escape(char) if _NOT_PLAIN.match(char) else char
        self[code] = written
        return written


def flags_to_body(flags: Sequence[Flag]) -> dict[str, Any]:
    """The first flags as members of a view, and how many more there are."""
    if not flags:
        return {}
    listed = {"flags": [_flag_to_body(flag) for flag in flags[:FLAGS]]}
    return listed if len(flags) <= FLAGS else {**listed, "more_flags": len(flags) - FLAGS}


def _flag_to_body(flag: Flag) -> dict[str, Any]:
    body: dict[str, Any] = {"at": flag.pointer, "kind": flag.kind.value}
    body["characters"] = list(flag.characters[:FLAG_CHARACTERS])
    if len(flag.characters) > FLAG_CHARACTERS:
        body["more_characters"] = len(flag.characters) - FLAG_CHARACTERS
    return {**body, "name": True} if flag.is_name else body


class _Revealing:
    def __init__(self, *, doubling: bool) -> None:
        self._doubling = doubling
        self.flags: list[Flag] = []

    def of(self, value: Any, parts: tuple[str | int, ...]) -> Any:
        if isinstance(value, str):
            return self._text(value, parts)
        if isinstance(value, dict):
            return self._object(value, parts)
        if isinstance(value, list | tuple):
            return [self.of(item, (*parts, index)) for index, item in enumerate(value)]
        return value

    def _text(self, text: str, parts: tuple[str | int, ...]) -> str:
        places = deceptive_places(text)
        if places:
            self._flag(text, places, parts, is_name=False)
        return _written_out(text, places, doubling=self._doubling or bool(places))

    def _object(self, value: dict[str, Any], parts: tuple[str | int, ...]) -> dict[str, Any]:
        found = {name: deceptive_places(name) for name in value}
        doubling = self._doubling or any(found.values())
        shown: dict[str, Any] = {}
        for name, places in found.items():
            written = _written_out(name, places, doubling=doubling)
            if places:
                self._flag(name, places, (*parts, written), is_name=True)
            shown[written] = self.of(value[name], (*parts, written))
        return shown

    def _flag(
        self, text: str, places: Mapping[int, Deception], parts: tuple[str | int, ...], *, is_name: bool
    ) -> None:
        by_kind: dict[Deception, dict[str, None]] = {}
        for at, kind in places.items():
            by_kind.setdefault(kind, {})[f"U+{ord(text[at]):04X}"] = None
        pointer = to_pointer(parts)
        self.flags += [Flag(pointer, kind, tuple(chars), is_name) for kind, chars in by_kind.items()]


def _written_out(text: str, places: Mapping[int, Deception], *, doubling: bool) -> str:
    if not doubling:
        return text
    pieces: list[str] = []
    start = 0
    for at in places:
        pieces += [text[start:at].replace("\\", "\\\\"), _escape(text[at])]
        start = at + 1
    return "".join([*pieces, text[start:].replace("\\", "\\\\")])


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - what four digits hold
