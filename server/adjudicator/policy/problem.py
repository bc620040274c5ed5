"""What is wrong with a bundle, and the one error that loading raises. Knows no file formats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adjudicator.config.limits import PROBLEM_CHARS, PROBLEMS
from adjudicator.domain.invisible import is_plain


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to put right: where it is, what is wrong, and what to write instead.

    `file` is relative to the bundle's folder ("." is the folder). `line` and `column` count from 1;
    0 stands for the whole file.
    """

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        if not self.line:
            return f"{self.file}: {self.message}"
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class BundleError(Exception):
    """A bundle that cannot be used. `problems` has all of them, by file, line and column."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(*self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class Problems:
    """Collects problems while a bundle is read, so that a reader can go on after the first.

    Past a limit they are counted and not kept: a folder of another kind has a problem in each line.
    """

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._count = 0

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def __len__(self) -> int:
        return self._count

    def add(self, file: str, message: str, line: int = 0, column: int = 0) -> None:
        """Note a problem; without a line it is the whole file's. All of it is made safe to print."""
        self._count += 1
        if self._count <= PROBLEMS:
            self._found.append(Problem(_printable(file), line, column, _printable(message)))

    def raise_any(self) -> None:
        """Raise BundleError when there is at least one."""
        if self._count > PROBLEMS:
            more = f"{self._count - PROBLEMS:,} problems more are not listed; correct these first"
            raise BundleError([*self._found, Problem(".", 0, 0, more)])
        if self._found:
            raise BundleError(self._found)


def _printable(message: str) -> str:
    if len(message) > PROBLEM_CHARS:
        half = PROBLEM_CHARS // 2
        message = f"{message[:half]} … {message[-half:]}"
    return "".join(char if is_plain(char) else ascii(char)[1:-1] for char in message)
