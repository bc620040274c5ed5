"""The facets of one reading of a line: its commands in order, what they run in turn, their files."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudicator.config.limits import FACETS, SHELL_DEPTH, SHELL_SOURCE_CHARS
from adjudicator.domain.facet import UNKNOWN, Access, ArgumentKind, Facet, Opacity, Opaque
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.paths import Place
from adjudicator.facets.shell.catalogue import Catalogue
from adjudicator.facets.shell.inner import Inner, base_name, environment_fault, inner_commands
from adjudicator.facets.shell.mentions import mentioned
from adjudicator.facets.shell.program import Program
from adjudicator.facets.shell.reader import Reading, Redirection, Simple
from adjudicator.facets.shell.whereabouts import Whereabouts, moves
from adjudicator.facets.shell.words import Word

_NAME = re.compile(r"\[\[?|[A-Za-z0-9_.:/][A-Za-z0-9_./+@%:,-]*")
_RESERVED = frozenset(
    "if then elif else fi for while until do done case esac in select function coproc time".split()
)
_KEEPS_FOLDER = frozenset({"command", "builtin"})
_ELSEWHERE = Opaque(
    Opacity.PATH, "a `cd` before it leads out of the call's working directory, or nobody knows where"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What all facets of one argument share. `nested` reads a text that a shell is handed."""

    catalogue: Catalogue
    pointer: str
    access: Access
    out: list[Facet]
    here: Whereabouts
    nested: Callable[[str, "Setting", int, Opaque | None, bool], None]

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
        words = simple.words
        if simple.function:
            why = "the line defines a function, so a later name may stand for something else"
            self._shell(
                self._source(simple), self._texts(words), self._flaw or Opaque(Opacity.ENVIRONMENT, why)
            )
        elif words:
            self._run(words, simple, environment_fault(simple.assignments), 0, direct=True)
        elif simple.assignments:
            why = "variables are set on their own, which may change what later commands do"
            fault = self._flaw or Opaque(Opacity.ENVIRONMENT, why)
            self._shell(self._source(simple), self._texts(simple.assignments), fault)
        for redirection in simple.redirections:
            self._redirection(redirection)

    def _run(
        self, words: Sequence[Word], simple: Simple, fault: Opaque | None, level: int, *, direct: bool
    ) -> None:
        """The facets of the command in these words, and of what it runs in turn."""
        if level > SHELL_DEPTH:
            raise TooComplexError(f"the command line is nested deeper than {SHELL_DEPTH}")
        texts = self._texts(words)
        program = self._setting.catalogue.get(base_name(texts[0]))
        fault = self._flaw or fault or _name_fault(words[0], texts[0])
        if program is None or not (program.inner or program.subcommands):
            self._plain(words, texts, simple, fault, program)
        else:
            self._wrapper(words, texts, simple, fault, level, program, direct=direct)
        if direct and moves(texts[0]):
            self._move(words, texts, simple)
        elif direct and words[0].fault is not None:
            self._setting.here.lose()

    def _plain(
        self,
        words: Sequence[Word],
        texts: tuple[str, ...],
        simple: Simple,
        fault: Opaque | None,
        program: Program | None,
    ) -> None:
        fault = fault or _first_fault(words) or (program.fault(texts) if program else None)
        self._shell(self._source(simple, words), texts, fault or self._place_fault(texts[0]))
        self._mention(words, texts, program)

    def _wrapper(
        self,
        words: Sequence[Word],
        texts: tuple[str, ...],
        simple: Simple,
        fault: Opaque | None,
        level: int,
        program: Program,
        *,
        direct: bool,
    ) -> None:
        shift, runner = _runner(program, texts)
        found = inner_commands(runner, words[shift:], texts[shift:], simple) if runner.inner else []
        if not (found and runner.through):
            fault = fault or _first_fault(words) or program.fault(texts)
            self._plain(words, texts, simple, fault, program)
            for each in found:
                self._inside(each, words[shift:], simple, fault, level, direct=False)
            return
        inner = found[0]
        head = words[: inner.first] if inner.script is None else words
        fault = fault or inner.fault or _first_fault(head) or (inner.script and inner.script.fault)
        fault = fault or self._place_fault(texts[0])
        place = len(self._setting.out)
        self._setting.add(self._facet(self._source(simple, words), texts, fault, mention=fault is None))
        goes_on = direct and (texts[0] in _KEEPS_FOLDER or runner.inner == "eval")
        self._inside(inner, words, simple, fault, level, direct=goes_on)
        if len(self._setting.out) == place + 1:  # nothing to judge in its place
            self._setting.out[place] = self._facet(self._source(simple, words), texts, fault)
            self._mention(words, texts, program)

    def _inside(
        self,
        inner: Inner,
        words: Sequence[Word],
        simple: Simple,
        fault: Opaque | None,
        level: int,
        *,
        direct: bool,
    ) -> None:
        if inner.script is not None:
            scoped = not direct
            self._setting.nested(
                self._real(inner.script.text), self._setting, self._depth + 1, fault, scoped
            )
        elif inner.last > inner.first:
            self._run(words[inner.first : inner.last], simple, fault, level + 1, direct=direct)

    def _move(self, words: Sequence[Word], texts: tuple[str, ...], simple: Simple) -> None:
        if _first_fault(words) is not None:
            self._setting.here.lose()
        else:
            self._setting.here.move(texts, certain=not simple.repeated)

    def _place_fault(self, program: str) -> Opaque | None:
        here = self._setting.here
        if not here.moved:
            return None
        relative = "/" in program and not program.startswith("/")
        return _ELSEWHERE if relative or here.elsewhere else None

    def _mention(self, words: Sequence[Word], texts: tuple[str, ...], program: Program | None) -> None:
        access = Access.WRITE if program is not None and program.writes else Access.READ
        for at, text in mentioned(texts):
            fault = words[at].fault
            for where in self._setting.here.places(text.replace(UNKNOWN, "*") if fault else text):
                self._path(where, access, fault, mention=True)

    def _redirection(self, redirection: Redirection) -> None:
        operator, target = redirection.operator, redirection.target
        if operator.startswith("<<"):
            return
        text = self._real(target.text)
        if operator in (">&", "<&") and (text.isdecimal() or text == "-") and target.fault is None:
            return
        if text == "/dev/null":
            return
        access = Access.READ if operator in ("<", "<&") else Access.WRITE
        fault = target.fault
        if text.startswith(("/dev/tcp/", "/dev/udp/")):
            fault = Opaque(Opacity.PATH, "the path stands for a connection to the network")
        for where in self._setting.here.places(text.replace(UNKNOWN, "*")):
            self._path(where, access, fault, mention=False)

    def _path(self, where: Place, access: Access, fault: Opaque | None, *, mention: bool) -> None:
        why = fault.why if fault else where.opaque
        opaque = None if why is None else Opaque(Opacity.PATH, why)
        self._setting.add(
            Facet(
                ArgumentKind.PATH,
                where.text,
                self._setting.pointer,
                access,
                where.inside,
                opaque,
                False,
                mention,
            )  # noqa: FBT003, E501 - by place is what makes it quick
        )

    def _shell(self, source: str, texts: tuple[str, ...], fault: Opaque | None) -> None:
        self._setting.add(self._facet(source, texts, fault))

    def _facet(
        self, source: str, texts: tuple[str, ...], fault: Opaque | None, *, mention: bool = False
    ) -> Facet:
        setting = self._setting
        return Facet(
            ArgumentKind.SHELL, source, setting.pointer, setting.access, None, fault, False, mention, texts
        )  # noqa: FBT003, E501 - by place is what makes it quick

    def _source(self, simple: Simple, words: Sequence[Word] = ()) -> str:
        start, end = (words[0].start, words[-1].end) if words else (simple.start, simple.end)
        if words and words[0] is simple.words[0] and simple.assignments:
            start = simple.assignments[0].start
        source = self._line[start:end]
        if len(source) > SHELL_SOURCE_CHARS:
            source = f"{source[:SHELL_SOURCE_CHARS]}…".encode("latin-1", "ignore").decode("latin-1")
        return self._real(source)

    def _texts(self, words: Sequence[Word]) -> tuple[str, ...]:
        if self._encoded:
            return tuple([self._real(word.text) for word in words])
        return tuple([word.text for word in words])

    def _real(self, text: str) -> str:
        """The text itself. It is read with one character for each byte, as the grammar counts."""
        return text.encode("latin-1").decode("utf-8", "replace") if self._encoded else text


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
    if text in _RESERVED and text != "time":
        return Opaque(Opacity.SYNTAX, f"`{text}` stands where a program's name should be")
    return None


def _first_fault(words: Sequence[Word]) -> Opaque | None:
    for word in words:
        if word.fault is not None:
            return word.fault
    return None
