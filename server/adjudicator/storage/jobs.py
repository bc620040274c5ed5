"""What the writer is asked to write, and what comes of it."""

from dataclasses import dataclass
from typing import Any

from adjudicator.storage.contract import Decide, NewTrace


@dataclass(frozen=True, slots=True)
class OpenTrace:
    """A trace to open. Its result is the number, or `KeyTaken`."""

    new: NewTrace


@dataclass(frozen=True, slots=True)
class KeyTaken:
    """The result of an opening whose key has a trace already: it is read once this is committed.

    Within the transaction another sidecar could change the trace between two statements, and what it is
    would not be what was recorded of it.
    """


@dataclass(frozen=True, slots=True)
class ChangeCall:
    """A change to decide on, for the call of a trace (by number) or of an approval (by id).

    `uses` is the trace of the grant that the change may take a use of.
    """

    target: int | str
    decide: Decide[Any]
    uses: int | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The result of a job that raised."""

    error: Exception
