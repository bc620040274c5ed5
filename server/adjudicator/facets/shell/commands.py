"""The facets of one reading of a line: its commands in order, what they run in turn, their files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from adjudicator.config.limits import FACETS, SHELL_DEPTH, SHELL_SOURCE_CHARS
from adjudicator.domain.facet import UNKNOWN, Access, ArgumentKind, Facet, Opacity, Opaque
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.paths import Place
from adjudicator.facets.shell.catalogue import Catalogue
from adjudicator.facets.shell.inner import Inner, base_name, environment_fault, inner_commands
from adjudicator.facets.shell.mentions import mentioned
from adjudicator.facets.shell.program import Program
from adjudicator.facets.shell.reading import Reading, Redirection, Simple
from adjudicator.facets.shell.whereabouts import Whereabouts, moves
from adjudicator.facets.shell.words import Word

_NAME = re.compile(r"\[\[?|[A-Za-z0-9_.:/][A-Za-z0-9_./+@%:,-]*")
_RESERVED = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in"}
    | {"select", "function", "coproc"}
)
_DESCRIPTOR = re.compile(r"[0-9]{1,9}|-")
_KEEPS_FOLDER = frozenset({"command", "builtin"})
_MAY_KEEP_FOLDER = frozenset({"time", "noglob", "nocorrect"})  # words of some shells, programs to others
_ELSEWHERE = Opaque(
    Opacity.PATH, "a `cd` before it leads out of the call's working directory, or nobody knows where"
)


class Nested(Protocol):
    """Reads the text that a shell in the line is handed; `scoped` when that is a shell of its own."""

    def __call__(
        self, text: str, setting: "Setting", depth: int, flaw: Opaque | None, *, scoped: bool
    ) -> None:
        """Put its facets into the setting."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all facets of one argument share."""

    catalogue: Catalogue
    pointer: str
    access: Access
    out: list[Facet]
    here: Whereabouts
    nested: Nested

    def add(self, facet: Facet) -> None:
        """Take the facet up. Raises TooComplexError past the limit."""
        self.out.append(facet)
        if len(self.out) > FACETS:
            raise TooComplexError(f"the command line touches more than {FACETS:,} things")


class Commands:
    """Turns one reading into facets. `flaw` is what keeps the whole line from being known."""

    def __init__(self, setting: Setting, line: str, depth: int, flaw: Opaque | None) -> None:
        self._setting = setting
        self._line = line
        self._depth = depth
        self._flaw = flaw
        self._encoded = not line.isascii()

    def take(self, reading: Reading) -> None:
        """The facets of all commands of the reading."""
        here = self._setting.here
        for item in reading.items:
            if isinstance(item, Simple):
                self._simple(item)
            else:
                here.pass_mark(item)

    def _simple(self, simple: Simple) -> None:
        words, assignments = simple.words, simple.assignments
        if simple.function:
            why = "the line defines a function, so a later name may stand for something else"
            fault = self._flaw or Opaque(Opacity.ENVIRONMENT, why)
            self._shell(self._source(simple, words), self._texts(words), fault)
        elif words:
            self._run(words, simple, environment_fault(assignments), 0, direct=True)
        elif assignments:
            why = "variables are set outside of a command, which may change what later commands do"
            fault = self._flaw or Opaque(Opacity.ENVIRONMENT, why)
            self._shell(self._source(simple, assignments), self._texts(assignments), fault)
        for redirection in simple.redirections:
            self._redirection(redirection)

    def _run(
        self, words: Sequence[Word], simple: Simple, fault: Opaque | None, level: int, *, direct: bool
    ) -> None:
        """The facets of the command in these words, and of what it runs in turn.

        `direct` says that the shell of the line itself runs it, so that a `cd` counts.
        """
        if level > SHELL_DEPTH:
            raise TooComplexError(f"the command line is nested deeper than {SHELL_DEPTH}")
        texts = self._texts(words)
        program = self._setting.catalogue.get(base_name(texts[0]))
        fault = self._flaw or fault or _name_fault(words[0], texts[0])
        call = _Call(words, texts, simple, fault, level, direct, program)
        if program is None or not (program.inner or program.subcommands):
            self._plain(call)
        else:
            self._wrapper(call, program)
        if direct and moves(texts[0]):
            self._move(call)
        elif direct and words[0].fault is not None:
            self._setting.here.lose()

    def _plain(self, call: "_Call") -> None:
        fault = call.fault or _first_fault(call.words)
        if fault is None and call.program is not None:
            fault = call.program.fault(call.texts) or self._module(call)
        self._shell(
            self._source(call.simple, call.words), call.texts, fault or self._place_fault(call.texts[0])
        )
        self._mention(call)

    def _module(self, call: "_Call") -> Opaque | None:
        """A module is a program too: what is known of it counts, and a Deny for it holds."""
        words = call.program.run_as_module(call.texts) if call.program is not None else []
        known = self._setting.catalogue.get(words[0]) if words else None
        if words:
            self._shell(self._source(call.simple, call.words), tuple(words), None, mention=True)
        return known.fault(words) if known is not None else None

    def _wrapper(self, call: "_Call", program: Program) -> None:
        shift, runner = _runner(program, call.texts)
        words = call.words[shift:]
        found = inner_commands(runner, words, call.texts[shift:], call.simple) if runner.inner else []
        if found and runner.through:
            self._through(call, found[0], runner)
            return
        inner_fault = next((each.fault for each in found if each.fault is not None), None)
        call.fault = call.fault or _first_fault(call.words) or program.fault(call.texts) or inner_fault
        self._plain(call)
        call.direct = False
        for each in found:
            self._inside(each, words, call, call.fault)

    def _through(self, call: "_Call", inner: Inner, program: Program) -> None:
        """A wrapper that adds nothing: what it runs is judged in its place, and itself only mentioned."""
        script = inner.script
        head = call.words if script is not None else call.words[: inner.first]
        fault = call.fault or inner.fault or _first_fault(head) or (script.fault if script else None)
        fault = fault or self._place_fault(call.texts[0])
        place = len(self._setting.out)
        self._shell(self._source(call.simple, call.words), call.texts, fault, mention=fault is None)
        direct = call.direct
        call.direct = direct and (call.texts[0] in _KEEPS_FOLDER or program.inner == "eval")
        self._inside(inner, call.words, call, fault)
        if direct and call.texts[0] in _MAY_KEEP_FOLDER and any(map(moves, call.texts[1:])):
            self._setting.here.lose()
        if call.direct and script is not None and script.fault is not None:
            self._setting.here.lose()
        if len(self._setting.out) == place + 1:  # there is nothing in its place
            self._setting.out.pop()
            self._shell(self._source(call.simple, call.words), call.texts, fault)
            self._mention(call)

    def _inside(self, inner: Inner, words: Sequence[Word], call: "_Call", fault: Opaque | None) -> None:
        if inner.script is not None:
            text = self._real(inner.script.text)
            self._setting.nested(text, self._setting, self._depth + 1, fault, scoped=not call.direct)
        elif inner.last > inner.first:
            run = words[inner.first : inner.last]
            self._run(run, call.simple, fault, call.level + 1, direct=call.direct)

    def _move(self, call: "_Call") -> None:
        if _first_fault(call.words) is not None or call.simple.assignments:  # CDPATH
            self._setting.here.lose()
        else:
            self._setting.here.move(call.texts, certain=not call.simple.repeated)

    def _place_fault(self, program: str) -> Opaque | None:
        here = self._setting.here
        if not here.moved:
            return None
        relative = "/" in program and not program.startswith("/")
        return _ELSEWHERE if relative or here.elsewhere else None

    def _mention(self, call: "_Call") -> None:
        program = call.program
        access = Access.WRITE if program is not None and program.writes else Access.READ
        for at, text in mentioned(call.texts):
            fault = call.words[at].fault
            for where in self._setting.here.places(text.replace(UNKNOWN, "*") if fault else text):
                self._path(where, access, fault, mention=True)

    def _redirection(self, redirection: Redirection) -> None:
        operator, fault = redirection.operator, redirection.target.fault
        text = self._real(redirection.target.text)
        copies = operator in (">&", "<&") and _DESCRIPTOR.fullmatch(text) is not None and fault is None
        if operator.startswith("<<") or copies or text == "/dev/null":
            return
        access = Access.READ if operator in ("<", "<&") else Access.WRITE
        if text.startswith(("/dev/tcp/", "/dev/udp/")):
            fault = Opaque(Opacity.PATH, "the path stands for a connection to the network")
        for where in self._setting.here.places(text.replace(UNKNOWN, "*")):
            self._path(where, access, fault, mention=False)

    def _path(self, where: Place, access: Access, fault: Opaque | None, *, mention: bool) -> None:
        why = fault.why if fault else where.opaque
        opaque = None if why is None else Opaque(Opacity.PATH, why)
        pointer = self._setting.pointer
        self._setting.add(
            Facet(ArgumentKind.PATH, where.text, pointer, access, where.inside, opaque, mention=mention)
        )

    def _shell(
        self, source: str, texts: tuple[str, ...], fault: Opaque | None, *, mention: bool = False
    ) -> None:
        setting = self._setting
        kind, pointer, access = ArgumentKind.SHELL, setting.pointer, setting.access
        setting.add(Facet(kind, source, pointer, access, None, fault, mention=mention, words=texts))

    def _source(self, simple: Simple, words: Sequence[Word]) -> str:
        """The text of these words, with the assignments before them."""
        start = words[0].start
        if simple.assignments and simple.words and words[0] is simple.words[0]:
            start = simple.assignments[0].start
        source = self._line[start : words[-1].end]
        return self._real(source)[:SHELL_SOURCE_CHARS]

    def _texts(self, words: Sequence[Word]) -> tuple[str, ...]:
        if self._encoded:
            return tuple([self._real(word.text) for word in words])
        return tuple([word.text for word in words])

    def _real(self, text: str) -> str:
        """The text itself. It is read with one character for each byte, as the grammar counts."""
        return text.encode("latin-1").decode("utf-8", "replace") if self._encoded else text


@dataclass(slots=True)
class _Call:
    """One command on its way to its facets. `fault` is what is already known to be in the way."""

    words: Sequence[Word]
    texts: tuple[str, ...]
    simple: Simple
    fault: Opaque | None
    level: int
    direct: bool
    program: Program | None


def _runner(program: Program, texts: Sequence[str]) -> tuple[int, Program]:
    """The place of the word that says what is run, and what is known of it: a subcommand counts."""
    if program.subcommands:
        at = program.operand(texts)
        if at < len(texts) and texts[at] in program.subcommands:
            return at, program.subcommands[texts[at]]
    return 0, program


def _name_fault(word: Word, text: str) -> Opaque | None:
    if word.fault is not None:
        why = f"the program's name cannot be known: {word.fault.why}"
        return Opaque(Opacity.PROGRAM_NAME, why)
    if not word.plain or _NAME.fullmatch(text) is None:
        return Opaque(
            Opacity.PROGRAM_NAME, "the program's name is quoted or no plain word; write it as it is"
        )
    if text in _RESERVED:
        return Opaque(Opacity.SYNTAX, f"`{text}` stands where a program's name should be")
    return None


def _first_fault(words: Sequence[Word]) -> Opaque | None:
    for word in words:
        if word.fault is not None:
            return word.fault
    return None
