"""What is known of programs that run others, or write, by their own flags and operands."""

from collections.abc import Sequence
from functools import cache

from adjudicator.facets.shell.program import Program
from adjudicator.facets.shell.programs import PROGRAMS


class Catalogue:
    """The programs by their names."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self._programs = {name: program for program in programs for name in program.names}

    def get(self, name: str) -> Program | None:
        """What is known of a program, by its base name; versions at its end do not count."""
        found = self._programs.get(name)
        if found is None and name[-1:].isdigit():
            found = self._programs.get(name.rstrip("0123456789."))
        return found


@cache
def shipped_catalogue() -> Catalogue:
    """The catalogue that comes with the product."""
    return Catalogue(PROGRAMS)
