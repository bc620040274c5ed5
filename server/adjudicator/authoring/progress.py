"""How long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is; 0 where nobody knows."""


def unheard(_what: str, _done: int, _whole: int) -> None:
    """Progress that nobody looks at."""
