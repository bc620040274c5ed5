"""What a call touches, as rules see it: the facets derived from its arguments."""

from dataclasses import dataclass

from adjudicator.domain.symbol import Symbol
from adjudicator.domain.url import Url


class ArgumentKind(Symbol):
    """What the registry says an argument is."""

    PATH = "path"
    TEXT = "text"
    SHELL = "shell"
    URL = "url"


class Access(Symbol):
    """Whether a tool, or an argument of it, only reads or also writes."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """The registry's declaration of one argument.

    `pointer` is an RFC 6901 JSON Pointer into the arguments; a `*` segment stands for every item of
    an array. With `needs_resolution` the runtime has to say where the path leads after symbolic
    links; without that no Allow pattern matches it. `absent` is what a call means that leaves the
    argument out, for example `.` for a search in the working directory; None says nothing is meant.
    """

    pointer: str
    kind: ArgumentKind
    access: Access = Access.READ
    needs_resolution: bool = False
    absent: str | None = None


class Opacity(Symbol):
    """What keeps a facet from being known before the tool runs."""

    FORM = "FORM"
    """The value is not of the form that the registry declares."""
    PATH = "PATH"
    """A path's text does not say where it leads."""
    CHARACTER = "CHARACTER"
    """A character that programs read differently, or that nobody sees."""
    SYNTAX = "SYNTAX"
    """A command line that is broken, or uses what is not understood here."""
    PROGRAM_NAME = "PROGRAM_NAME"
    """The program's name is not a plain word."""
    EXPANSION = "EXPANSION"
    """A word is only known when the shell expands a variable, wildcard, brace or sum in it."""
    SUBSTITUTION = "SUBSTITUTION"
    """A word is what another command prints."""
    ENVIRONMENT = "ENVIRONMENT"
    """A variable is set that may change what the command does."""
    PROGRAM_RUN = "PROGRAM_RUN"
    """The program runs others, or writes, by its own flags or operands."""
    OPERANDS = "OPERANDS"
    """The program takes its operands from a file or from standard input."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """Why a facet cannot be known exactly: the code, and a sentence without the value."""

    code: Opacity
    why: str


UNKNOWN = "\0"
"""Stands in a shell facet's words for what is only known when the shell runs."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that a call touches; each is judged on its own and the strictest result wins.

    `text` is the exact value. For a path it is the normalised path: absolute where that is known,
    otherwise relative; for a shell command its source. `inside` is the path relative to the working
    directory when it lies within, else None. `words` are a shell command's words after quote removal,
    the program first, with UNKNOWN where an expansion stands. `url` has the parts of a URL; only a value
    that is no text has none.

    `opaque` says why the value cannot be known exactly; then no Allow pattern matches, while Deny and
    Ask still look at all that can be read. `misfit` says that the value is not of the declared form:
    rules look at it, and no sentence repeats it, for nobody knows what it is. `mention` marks what
    another facet of the call already answers for, such as a file among a command's operands: Deny and
    Ask speak of it, and it needs no Allow.
    """

    kind: ArgumentKind | None
    text: str
    pointer: str = ""
    access: Access = Access.READ
    inside: str | None = None
    opaque: Opaque | None = None
    misfit: bool = False
    mention: bool = False
    words: tuple[str, ...] = ()
    url: Url | None = None
