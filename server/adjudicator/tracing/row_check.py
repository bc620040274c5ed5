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
        attached = {row[_TRACE]: (table, row) for table, row in page.attached}
        places = {row[0]: row for row in page.places}
        self.traces += len(page.traces)
        self.approvals += sum(table == "approvals" for table, _ in page.attached)
        if len(attached) != len(page.attached):
            self._add(0, "two rows hang on one trace")
        for row in page.traces:
            number = row[0]
            table, hanging = attached.pop(number, ("", None))
            problem = _problem(row, table, hanging, places.pop(number, None))
            if problem:
                self._add(number, problem)
        for number in places:
            self._add(number, f"there are records of trace {number}, and the trace is gone")
        for number, (table, row) in attached.items():
            noun = table.removesuffix("s")
            self._add(number, f"{noun} {row[0]} belongs to trace {number}, which is not there")

    def _add(self, trace: int, text: str) -> None:
        self._found(Finding(Fault.ROW, text, trace=trace))


def _view_is_whole(approval: Any) -> bool:
    """Whether the view of an approval's row has the digest that its terms say."""
    digest = hashlib.sha256(approval[_VIEW].encode("utf-8", "surrogateescape")).hexdigest()
    # In the text of our own encoder no value can look like this, since its quotes would be escaped.
    return f'"view_digest":"{digest}"' in approval[_TERMS]


def _problem(row: Any, table: str, attached: Any, places: Any) -> str:
    number, length, state = row[0], row[_LENGTH], row[_COLUMNS]
    if places is None:
        return f"there are no records of trace {number}"
    _, count, first, last = places
    if (count, first, last) != (length, 1, length):
        return f"trace {number} says that it has {length} records, and has {count}, {first} to {last}"
    if state_of(row[:_COLUMNS], attached) != state:
        also = f" and of its {table.removesuffix('s')}" if attached is not None else ""
        return f"the row{'s' if also else ''} of trace {number}{also} do not say what its last record says"
    if table == "approvals" and not _view_is_whole(attached):
        return f"the view of approval {attached[0]} does not have the digest that was recorded"
    return ""
