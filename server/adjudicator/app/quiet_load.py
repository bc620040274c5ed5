"""Loads that share the interpreter with decisions: none of them may hold it for long."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.policy.loader import Bundle, few_collections

_SWITCH_SECONDS = 0.00005


def quiet_load(load: Callable[[Path], Bundle]) -> Callable[[Path], Bundle]:
    """The same load, made to give way. It sets what is the whole process's, so run one at a time."""

    def quietly(directory: Path) -> Bundle:
        with _giving_way():
            return load(directory)

    return quietly


@contextmanager
def _giving_way() -> Iterator[None]:
    """Hand over the interpreter after microseconds, and keep what was loaded out of every collection.

    What a load leaves behind is never garbage in a circle, so it is set aside for good: a snapshot goes
    when its last reference goes.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        with few_collections():
            yield
            gc.freeze()
    finally:
        sys.setswitchinterval(interval)
