"""The facets of a command line: two readings of it, and whether they agree."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from adjudicator.config.limits import (
    SHELL_DEPTH,
    SHELL_GRAMMAR_CHARS,
    SHELL_REMEMBERED,
    SHELL_REMEMBERED_CHARS,
    SHELL_SOURCE_CHARS,
)
from adjudicator.domain.facet import UNKNOWN, Access, ArgumentKind, Facet, Opacity, Opaque
from adjudicator.domain.invisible import is_invisible, is_plain
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.paths import WorkingDirectory
from adjudicator.facets.shell.catalogue import Catalogue, shipped_catalogue
from adjudicator.facets.shell.commands import Commands, Setting
from adjudicator.facets.shell.grammar import Grammar, Outline
from adjudicator.facets.shell.reader import read
from adjudicator.facets.shell.reading import Mark, Reading, Role
from adjudicator.facets.shell.whereabouts import Whereabouts

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*")
_ADDED = 16  # commands that only the grammar found, and that are read for Deny


class CommandLines:
    """Reads command lines with one grammar and one catalogue. May be used by several threads."""

    def __init__(self, grammar: Grammar, catalogue: Catalogue) -> None:
        self._grammar = grammar
        self._catalogue = catalogue
        # A call is judged again when it comes back with an approval, and agents repeat themselves.
        self._remembered = lru_cache(maxsize=SHELL_REMEMBERED)(self._facets)

    def facets(
        self, value: str | Sequence[str], pointer: str, access: Access, directory: WorkingDirectory
    ) -> tuple[Facet, ...]:
        """The facets of a command line, or of a list of words that is run without a shell; never empty.

        Raises InvalidArgumentError when there is no command in it, and TooComplexError.
        """
        text = value if isinstance(value, str) else " ".join(map(_quoted, value))
        known = self._remembered if len(text) <= SHELL_REMEMBERED_CHARS else self._facets
        return known(text, pointer, access, directory)

    def forget(self) -> None:
        """Remember no line any more."""
        self._remembered.cache_clear()

    def _facets(
        self, text: str, pointer: str, access: Access, directory: WorkingDirectory
    ) -> tuple[Facet, ...]:
        out: list[Facet] = []
        setting = Setting(self._catalogue, pointer, access, out, Whereabouts(directory), self._nested)
        self._read(text, setting, 0, None)
        if all(facet.mention for facet in out):
            raise InvalidArgumentError(f"the command line in {pointer} has no command in it; write one")
        return tuple(out)

    def _nested(
        self, text: str, setting: Setting, depth: int, flaw: Opaque | None, *, scoped: bool
    ) -> None:
        """Read what a shell inside of the line is handed; `scoped` when it is a shell of its own."""
        if depth > SHELL_DEPTH:
            raise TooComplexError(f"the command line is nested deeper than {SHELL_DEPTH}")
        if scoped:
            setting.here.pass_mark(Mark.ENTER)
        self._read(text.replace(UNKNOWN, "${_}"), setting, depth, flaw)
        if scoped:
            setting.here.pass_mark(Mark.LEAVE)

    def _read(self, text: str, setting: Setting, depth: int, flaw: Opaque | None) -> None:
        own = _character_fault(text)
        if own is not None:
            text = _readable(text)
        line = text if text.isascii() else text.encode().decode("latin-1")
        reading = read(line)
        outline = self._outline(text, line, reading)
        own = own or _disagreement(reading, outline)
        flaw = flaw or own
        Commands(setting, line, depth, flaw).take(reading)
        if own is not None:
            self._add(text, outline, reading, setting, depth, flaw)

    def _outline(self, text: str, line: str, reading: Reading) -> Outline | None:
        if reading.faults and len(line) > SHELL_GRAMMAR_CHARS:
            return None
        return self._grammar.outline(text.encode())

    def _add(
        self,
        text: str,
        outline: Outline | None,
        reading: Reading,
        setting: Setting,
        depth: int,
        flaw: Opaque | None,
    ) -> None:
        """What a line that is not understood may hold besides, for Deny; and the line itself."""
        setting.add(
            Facet(
                ArgumentKind.SHELL, text[:SHELL_SOURCE_CHARS], setting.pointer, setting.access, opaque=flaw
            )
        )
        if outline is None:
            return
        seen = {start for (start, _), role in reading.roles.items() if role is Role.PROGRAM}
        raw = text.encode()
        for start, end in [span for span in outline.commands if span[0] not in seen][:_ADDED]:
            part = raw[start:end].decode("latin-1")
            Commands(setting, part, depth, flaw).take(read(part))


@cache
def command_lines() -> CommandLines:
    """The reader of command lines with the shipped catalogue."""
    return CommandLines(Grammar(), shipped_catalogue())


def _disagreement(reading: Reading, outline: Outline | None) -> Opaque | None:
    if reading.faults:
        why = f"the line has {reading.faults[0]}, which is left to the shell; write it in a plainer way"
        return Opaque(Opacity.SYNTAX, why)
    if outline is None or outline.broken:
        return Opaque(
            Opacity.SYNTAX, "the line is not a complete command line; check its quotes and keywords"
        )
    if outline.roles != reading.roles:
        return Opaque(Opacity.SYNTAX, "the line can be read in two ways; write it in a plainer way")
    return None


def _character_fault(text: str) -> Opaque | None:
    if text.isascii():
        match = _CONTROL.search(text)
        char = match.group() if match else None
    else:
        char = next((char for char in dict.fromkeys(text) if not (is_plain(char) or char in "\n\t")), None)
    if char is None:
        return None
    why = f"the line has the character U+{ord(char):04X}, which is not seen or is read in different ways"
    return Opaque(Opacity.CHARACTER, why)


def _readable(text: str) -> str:
    """The line as the most careless reader takes it: hidden characters away, blanks and breaks as such."""
    return text.translate({ord(char): _careless(char) for char in set(text)})


def _careless(char: str) -> str:
    if is_plain(char) or char in "\n\t":
        return char
    if is_invisible(char):
        return ""
    return " " if unicodedata.category(char) == "Zs" else "\n"


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"
