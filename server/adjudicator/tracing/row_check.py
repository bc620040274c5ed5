"""The tables against the chain: each row of a trace is what the trace's last record says of it."""

import hashlib
from collections.abc import Callable
from typing import Any

from adjudicator.storage.ledger import TracePage
from adjudicator.storage.rows import TraceRow, state_of
from adjudicator.tracing.findings import Fault, Finding

_LENGTH = TraceRow._fields.index("length")
_COLUMNS = len(TraceRow._fields)
_TRACE, _TERMS, _VIEW = 1, 4, 5


class RowCheck:
    """Takes all traces in the order of their numbers, in pages."""

    def __init__(self, found: Callable[[Finding], None]) -> None:
        self._found = found
        self.traces = 0
        self.approvals = 0

    def take(self, page: TracePage) -> None:
        """The next traces, with whatever the tables have of their numbers."""
        approvals = {row[_TRACE]: row for row in page.approvals}
        places = {row[0]: row for row in page.places}
        self.traces += len(page.traces)
        self.approvals += len(page.approvals)
        for row in page.traces:
            number = row[0]
            approval = approvals.pop(number, None)
            problem = _problem(row, approval, places.pop(number, None))
            if problem:
                self._add(number, problem)
        for number in places:
            self._add(number, f"there are records of trace {number}, and the trace is gone")
        for number, row in approvals.items():
            self._add(number, f"approval {row[0]} belongs to trace {number}, which is not there")

    def _add(self, trace: int, text: str) -> None:
        self._found(Finding(Fault.ROW, text, trace=trace))


def _view_is_whole(approval: Any) -> bool:
    """Whether the view of an approval's row has the digest that its terms say."""
    digest = hashlib.sha256(approval[_VIEW].encode("utf-8", "surrogateescape")).hexdigest()
    # In the text of our own encoder no value can look like this, since its quotes would be escaped.
    return f'"view_digest":"{digest}"' in approval[_TERMS]


def _problem(row: Any, approval: Any, places: Any) -> str:
    number, length, state = row[0], row[_LENGTH], row[_COLUMNS]
    if places is None:
        return f"there are no records of trace {number}"
    _, count, first, last = places
    if (count, first, last) != (length, 1, length):
        return f"trace {number} says that it has {length} records, and has {count}, {first} to {last}"
    if state_of(row[:_COLUMNS], approval) != state:
        noun = "the row of trace {0}" if approval is None else "the rows of trace {0} and of its approval"
        return f"{noun.format(number)} do not say what its last record says"
    if approval is not None and not _view_is_whole(approval):
        return f"the view of approval {approval[0]} does not have the digest that was recorded"
    return ""
