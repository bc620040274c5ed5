"""Frees what is large a little at a time: while Python frees one object with its parts, all else waits."""

import gc
import sys
import time
from typing import Any

# The name that it has below, and the argument of the question.
_OURS_ALONE = 2
_STEPS = 256
"""After so many objects others get their turn, which Python would give them only after milliseconds."""


def take_apart(parts: list[Any]) -> None:
    """Empty the list and free what nothing else refers to, one object after the other.

    An object's parts are kept until it is gone, so that it goes alone. What has another owner is left to
    it, so that this ends where the parts end.
    """
    steps = 0
    while parts:
        steps += 1
        if not steps % _STEPS:
            time.sleep(0)
        part = parts.pop()
        if sys.getrefcount(part) > _OURS_ALONE:
            continue
        if type(part) is dict and part:
            # Item by item, for there may be a million: nobody else can see it shrink.
            item = part.popitem()
            parts.append(part)
            parts += item
            del item
        else:
            parts += gc.get_referents(part)
