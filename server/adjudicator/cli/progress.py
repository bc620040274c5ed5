"""How far something long has come, on standard error, once it has taken two seconds.

On a terminal it is a bar. Elsewhere it is a line now and then, so that a log shows that something happens.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adjudicator.cli.output import err, print_line

QUIET_SECONDS = 2.0
_BAR_SECONDS = 0.1
_LINE_SECONDS = 10.0


@dataclass(slots=True)
class _State:
    """What is being done, how much of it is done, and how much there is; 0 where nobody knows."""

    what: str = "working"
    done: int = 0
    whole: int = 0

    def __str__(self) -> str:
        if not self.whole:
            return self.what
        return f"{self.what}: {self.done:,} of {self.whole:,}"


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Takes what is being done, how much of it is done, and how much there is.

    What is shown is what was said last, by a thread of its own: whoever works need not come back for it.
    """
    state, over = _State(), threading.Event()
    show = _show_bar if err().is_terminal else _show_lines
    thread = threading.Thread(target=show, args=(state, over), name="progress", daemon=True)
    thread.start()

    def note(what: str, done: int, whole: int) -> None:
        state.what, state.done, state.whole = what, done, whole

    try:
        yield note
    finally:
        over.set()
        thread.join()


def _show_lines(state: _State, over: threading.Event) -> None:
    began = time.monotonic()
    wait = QUIET_SECONDS
    while not over.wait(wait):
        print_line(err(), f"{state} ({time.monotonic() - began:.0f} s)")
        wait = _LINE_SECONDS


def _show_bar(state: _State, over: threading.Event) -> None:
    if over.wait(QUIET_SECONDS):
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        task = bar.add_task("", total=None)
        while not over.wait(_BAR_SECONDS):
            bar.update(task, description=state.what, completed=state.done, total=state.whole or None)
