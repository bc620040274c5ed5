"""What is read of a command line: its commands in order, with their words and redirections."""

from dataclasses import dataclass, field

from adjudicator.domain.symbol import Symbol
from adjudicator.facets.shell.words import Word


class Mark(Symbol):
    """What stands between two commands, as far as it changes where later relative paths lead."""

    AND = "&&"
    OTHERWISE = ";"
    ENTER = "("
    LEAVE = ")"


class Role(Symbol):
    """What a word is in its command."""

    PROGRAM = "program"
    ARGUMENT = "argument"
    TARGET = "target"


@dataclass(slots=True)
class Redirection:
    """`operator` is without the number of a descriptor. A heredoc's target is its delimiter."""

    operator: str
    target: Word
    body: Word | None = None


@dataclass(slots=True)
class Simple:
    """One simple command. `repeated` says that it stands in a loop or a function."""

    start: int
    words: list[Word] = field(default_factory=list)
    assignments: list[Word] = field(default_factory=list)
    redirections: list[Redirection] = field(default_factory=list)
    repeated: bool = False
    function: bool = False

    @property
    def end(self) -> int:
        """Where the last of its words ends."""
        return max((word.end for word in (*self.words[-1:], *self.assignments[-1:])), default=self.start)


@dataclass(slots=True)
class Reading:
    """The commands and marks of a line in order, the role of each word, and what was not understood."""

    items: list[Simple | Mark] = field(default_factory=list)
    roles: dict[tuple[int, int], Role] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    words: int = 0
