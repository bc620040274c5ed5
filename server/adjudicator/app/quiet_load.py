"""Loads that share the interpreter with decisions: none of them may hold it for long."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.policy.loader import Bundle

_SWITCH_SECONDS = 0.00005
_NEVER = 1_000_000_000


def quiet_load(load: Callable[[Path], Bundle]) -> Callable[[Path], Bundle]:
    """The same load, made to give way. It sets what is the whole process's, so run one at a time."""

    def quietly(directory: Path) -> Bundle:
        with _giving_way():
            return load(directory)

    return quietly


@contextmanager
def _giving_way() -> Iterator[None]:
    """Hand over the interpreter after microseconds, and let no collection look at the whole policy.

    Young garbage is collected as ever. A full collection stops every thread while it walks over all that
    was loaded, and comes often while a lot is loaded. What a load leaves behind is never garbage in a
    circle, so it is set aside for good: a snapshot goes when its last reference goes.
    """
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.set_threshold(*thresholds[:2], _NEVER)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
