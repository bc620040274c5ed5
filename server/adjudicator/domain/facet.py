"""What a call touches, as rules see it: the facets derived from its arguments."""

from dataclasses import dataclass
from enum import Enum


class ArgumentKind(Enum):
    """What the registry says an argument is."""

    PATH = "path"
    TEXT = "text"
    SHELL = "shell"
    URL = "url"


class Access(Enum):
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


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that a call touches; each is judged on its own and the strictest result wins.

    `text` is the exact value. For a path it is the normalised path: absolute where that is known,
    otherwise relative. `inside` is the path relative to the working directory when it lies within,
    else None. `opaque` says why the value cannot be known exactly; then no Allow pattern matches,
    while Deny and Ask still look at all that can be read. `misfit` says that the value is not of the
    declared form: rules look at it, and no sentence repeats it, for nobody knows what it is.
    """

    kind: ArgumentKind | None
    text: str
    pointer: str = ""
    access: Access = Access.READ
    inside: str | None = None
    opaque: str | None = None
    misfit: bool = False
