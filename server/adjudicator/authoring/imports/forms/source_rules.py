"""A permission rule as its own program reads it, whatever form it was written in."""

from dataclasses import dataclass
from enum import Enum

from adjudicator.policy.snapshot import Effect


class Family(Enum):
    """What the tools of a rule do, as far as that decides to which tools of a bundle it goes."""

    SHELL = "shell"
    READ = "read"
    EDIT = "edit"
    URL = "url"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ShellSpec:
    """A glob over the text of one command. `*` is any text, blanks too.

    A last ` *` stands for nothing too. With `single`, `?` is one character; else it is itself.
    """

    glob: str
    single: bool = False


@dataclass(frozen=True, slots=True)
class PathSpec:
    """A glob over a path. Where `crossing`, `*` stands for `/` too, and nothing is as in `.gitignore`.

    `rooted`: a first `/` is the root of the file system, not the folder that the rules are for.
    """

    glob: str
    crossing: bool = False
    rooted: bool = False


@dataclass(frozen=True, slots=True)
class UrlSpec:
    """The host of a URL; `*.` before it is any name below it."""

    domain: str


Spec = ShellSpec | PathSpec | UrlSpec | None
"""What of a tool's use the rule is about; None is all of it."""


@dataclass(frozen=True, slots=True)
class SourceRule:
    """One rule in the order in which it was written. `tool` is the name that its program has for the tool.

    `fault` says why the rule cannot be understood; then it stands for whatever it may mean.
    """

    effect: Effect
    family: Family
    tool: str
    spec: Spec
    text: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class SourceRules:
    """The rules of one file. With `last_wins` the last matching rule counts; else deny, ask, allow.

    `remarks` are what else the file says that no row can say.
    """

    rules: tuple[SourceRule, ...]
    last_wins: bool
    remarks: tuple[str, ...] = ()
