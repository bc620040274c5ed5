"""A bar on standard error while something long runs, for people; a script sees nothing of it."""

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adjudicator.cli.output import err

_EVERY_SECONDS = 0.1


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Takes what is being done, how much of it is done, and how much there is."""
    console = err()
    if not console.is_terminal:
        yield lambda _what, _done, _whole: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        shown, due = "", 0.0

        def show(what: str, done: int, whole: int) -> None:
            nonlocal shown, due
            now = time.monotonic()
            if what != shown or now >= due or done == whole:
                shown, due = what, now + _EVERY_SECONDS
                bar.update(task, description=what, completed=done, total=whole or None)

        yield show
