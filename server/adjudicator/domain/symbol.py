"""Enumerations whose members cost no more to look up, and to read, than they seem to."""

from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING


class Symbol(Enum):
    """An enumeration. The standard one runs Python for each hash and each `value`, and a call takes dozens.

    A member is one of a kind, so its identity is hash enough.
    """

    __hash__ = object.__hash__
    if not TYPE_CHECKING:  # the type of each `value` stays known
        value = property(attrgetter("_value_"))
