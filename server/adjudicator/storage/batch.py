"""What one transaction writes: openings and changes of calls, each kind of statement once for all of them.

Everything is locked in one order (traces by number, call keys, the counter), so that two sidecars never
wait for each other in a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import to_micros
from adjudicator.domain.record import Tail, link
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.domain.verdict import Verdict
from adjudicator.storage.contract import Change, Decide, NewTrace
from adjudicator.storage.engine import Connection, Engine, Insert, marks
from adjudicator.storage.flows import check_fit, check_open
from adjudicator.storage.rows import (
    FLOW,
    ApprovalRow,
    RecordRow,
    TraceRow,
    approval_to_row,
    columns_of,
    elements_to_body,
    state_of,
    verdict_to_body,
    with_verdict,
    with_vote,
)
from adjudicator.storage.statements import (
    StoredCall,
    select_calls,
    select_flows,
    select_trace_of_approval,
)
from adjudicator.storage.writers import OwnWriter

_TRACES = Insert("traces", columns_of(TraceRow), passing_over=True)
_APPROVALS = Insert("approvals", (*columns_of(ApprovalRow), ("opened_position", int), ("position", int)))
_RECORDS = Insert("records", columns_of(RecordRow))
_UPDATE_TRACE = (
    "UPDATE traces SET outcome = ?, step = ?, reason_code = ?, cause = ?, allowed = ?, verdict_place = ?,"
    " length = ?, finished_at = ? WHERE number = ?"
)
_UPDATE_APPROVAL = "UPDATE approvals SET state = ?, votes = ?, changed_at = ?, position = ? WHERE id = ?"
_NEXT_POSITIONS = "UPDATE counters SET value = value + ? WHERE name = 'approval_position' RETURNING value"


@dataclass(frozen=True, slots=True)
class Opening:
    """A trace to open. Its result is the number, or `Taken`."""

    new: NewTrace


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of an opening whose key has a trace already: it is read once this is committed.

    Within the transaction another sidecar could change the trace between two statements, and what it is
    would not be what was recorded of it.
    """


@dataclass(frozen=True, slots=True)
class Changing:
    """A change to decide on, for the call of a trace (by number) or of an approval (by id)."""

    target: int | str
    decide: Decide[Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """The result of a job that raised."""

    error: Exception


@dataclass(slots=True)
class _Appended:
    """One record to be written: what a trace's rows are after it, and what it adds to the trace."""

    call: TraceRow
    approval: ApprovalRow | None
    place: int
    at: int
    body: str


class Batch:
    """Writes jobs within a transaction that somebody else begins and commits."""

    def __init__(self, db: Connection, engine: Engine, own: OwnWriter, tail: Tail) -> None:
        self._db = db
        self._engine = engine
        self._own = own
        self.tail = tail
        self.changed: set[str] = set()  # the approvals that changed
        self._calls: dict[int, StoredCall] = {}
        self._updated: dict[int, StoredCall] = {}
        self._opened: list[ApprovalRow] = []
        self._moved: dict[str, ApprovalRow] = {}
        self._appended: list[_Appended] = []

    def run(self, jobs: Sequence[Opening | Changing]) -> list[Any]:
        """Write the jobs; their results, in order, of which each may be `Failed`."""
        numbers = self._load(jobs)
        # Changes come first: whoever holds a key waits for no trace any more.
        results: dict[int, Any] = {
            place: self._change(numbers[place], job)
            for place, job in enumerate(jobs)
            if isinstance(job, Changing)
        }
        results |= self._open(
            {place: job.new for place, job in enumerate(jobs) if isinstance(job, Opening)}
        )
        self._write()
        return [results[place] for place in range(len(jobs))]

    def _load(self, jobs: Sequence[Opening | Changing]) -> dict[int, int | None]:
        """Load and lock the calls that change; the trace number of each change, by its place."""
        changes = {place: job.target for place, job in enumerate(jobs) if isinstance(job, Changing)}
        ids = sorted({target for target in changes.values() if isinstance(target, str)})
        traces = select_trace_of_approval(self._db, ids)
        numbers = {
            place: traces.get(target) if isinstance(target, str) else target
            for place, target in changes.items()
        }
        calls = {number for number in numbers.values() if number is not None}
        flows = {job.new.flow.number for job in jobs if isinstance(job, Opening) and job.new.flow}
        flows |= select_flows(self._db, sorted(calls))
        self._calls = select_calls(self._db, sorted(calls | flows), self._engine.lock)
        return numbers

    # Changes of calls that are on record.

    def _change(self, number: int | None, job: Changing) -> Any:
        call = self._calls.get(number) if number is not None else None
        if call is None:
            noun = "approval" if isinstance(job.target, str) else "trace"
            return Failed(AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no {noun} {job.target}"))
        try:
            change, answer = job.decide(call.record())
            if change is not None:
                self._apply(call, change)
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked, and is raised there
            return Failed(error)
        return answer

    def _apply(self, call: StoredCall, change: Change) -> None:
        row = call.row
        if row.finished_at is not None:
            raise AdjudicatorError(
                ErrorReason.TRACE_FROZEN, f"trace {row.number} is finished and takes no more"
            )
        flow = self._calls.get(row.flow) if row.flow is not None else None
        if row.flow is not None and change.verdict is not None and change.verdict.allowed:
            # However late a call comes to its answer, a closed flow allows nothing.
            check_open(row.flow, flow)
        if call.approval is not None and (change.state is not None or change.vote is not None):
            call.approval = self._moved[call.approval.id] = _after(call.approval, change)
            self.changed.add(call.approval.id)
        elements = _in_order(change.elements, change.verdict, change.closing, change)
        call.verdict = change.verdict or call.verdict
        self._append(call, elements, change.verdict, to_micros(change.at), finish=change.finish)
        if flow is not None and change.in_flow is not None:
            self._append_to_flow(flow, row.number, change.in_flow)

    def _append(
        self, call: StoredCall, elements: list[Element], verdict: Verdict | None, at: int, *, finish: bool
    ) -> None:
        row = call.row
        place = row.length + 1
        body = elements_to_body(elements, at)
        if verdict is not None:
            row = with_verdict(row, verdict, place)
        row = row._replace(length=place, finished_at=at if finish else None)
        call.row = row
        self._updated[row.number] = call
        self._appended.append(_Appended(row, call.approval, place, at, body))

    def _append_to_flow(self, flow: StoredCall, number: int, element: Element) -> None:
        """A flow that is finished takes no more; the call's own trace has it all the same.

        Nor does one that somebody changed: a record on top would say that it was meant.
        """
        if flow.intact and flow.row.finished_at is None:
            whole = Element(element.kind, {"trace": number, **element.body}, element.recorded_at)
            self._append(flow, [whole], None, to_micros(element.recorded_at), finish=False)

    # Openings.

    def _open(self, wanted: dict[int, NewTrace]) -> dict[int, Any]:
        """Open the traces; the results by the places of their jobs."""
        results: dict[int, Any] = {}
        fitting: dict[int, NewTrace] = {}
        for place, new in wanted.items():
            error = self._misfit(new)
            if error is None:
                fitting[place] = new
            else:
                results[place] = Failed(error)
        if not fitting:
            return results
        # In the order of their keys: of two sidecars that open the same ones, none waits for the other.
        places = sorted(fitting, key=lambda place: _key_order(fitting[place]))
        numbers = self._engine.reserve(self._db, len(places))
        made = [_opened(fitting[place], number) for place, number in zip(places, numbers, strict=True)]
        inserted = self._engine.insert(self._db, _TRACES, [each.call for each in made])
        there = set(numbers) if inserted == len(made) else self._there(numbers)
        for place, one in zip(places, made, strict=True):
            new = fitting[place]
            if one.call.number in there:
                results[place] = one.call.number
                self._appended.append(one)
                self._opened += [one.approval] if one.approval else []
                self.changed |= {one.approval.id} if one.approval else set()
                if new.flow is not None:
                    self._append_to_flow(self._calls[new.flow.number], one.call.number, new.flow.element)
            else:
                results[place] = Taken()
        return results

    def _misfit(self, new: NewTrace) -> AdjudicatorError | None:
        """Why the call does not belong to its flow."""
        if new.flow is not None:
            try:
                check_fit(new.flow.number, self._calls.get(new.flow.number), new.key)
            except AdjudicatorError as error:
                return error
        return None

    def _there(self, numbers: Sequence[int]) -> set[int]:
        sql = f"SELECT number FROM traces WHERE number IN ({marks(numbers)})"
        return {row[0] for row in self._db.execute(sql, numbers).fetchall()}

    # What was gathered, to the tables.

    def _write(self) -> None:
        self._write_approvals()
        if self._updated:
            rows = [_update_of(call.row) for call in self._updated.values()]
            _check_written("traces", self._db.executemany(_UPDATE_TRACE, rows).rowcount, len(rows))
        if self._appended:
            records = [self._linked(each) for each in self._appended]
            _check_written("records", self._engine.insert(self._db, _RECORDS, records), len(records))

    def _write_approvals(self) -> None:
        moves = len(self._opened) + len(self._moved)
        if not moves:
            return
        # Held until the commit, so that positions appear in their order.
        position = self._db.execute(_NEXT_POSITIONS, (moves,)).fetchone()[0] - moves
        if self._opened:
            first = position + 1
            position += len(self._opened)
            rows = [(*row, first + place, first + place) for place, row in enumerate(self._opened)]
            _check_written("approvals", self._engine.insert(self._db, _APPROVALS, rows), len(rows))
        if self._moved:
            changed = [
                (row.state, row.votes, row.changed_at, position + place, row.id)
                for place, row in enumerate(self._moved.values(), 1)
            ]
            written = self._db.executemany(_UPDATE_APPROVAL, changed).rowcount
            _check_written("approvals", written, len(changed))
        self._engine.announce(self._db, self.changed)

    def _linked(self, each: _Appended) -> RecordRow:
        """The record's row, at the end of the chain."""
        sequence, state = self.tail.sequence + 1, state_of(each.call, each.approval)
        numbers = (sequence, each.call.number, each.place, each.at)
        digest = link(self.tail.hash, state, self._own.writer.name, numbers, each.body)
        self.tail = Tail(sequence, digest)
        return RecordRow(self._own.number, *numbers, each.body, state, digest)


def _check_written(table: str, written: int, asked: int) -> None:
    """Raise when the database passed over a row in silence, as a trigger or rule of somebody's can make it.

    Nothing may be answered of which there is no record.
    """
    if written != asked:
        text = f"the database took {written} of {asked} rows of {table}: see adjudicator trace verify"
        raise AdjudicatorError(ErrorReason.INTERNAL, text)


def _opened(new: NewTrace, number: int) -> _Appended:
    at = to_micros(new.opened_at)
    elements = _in_order(new.elements, new.verdict, new.closing, new)
    keyed = 0 if not new.keyed else FLOW if new.key.flow else 1
    row = TraceRow(
        number,
        keyed,
        new.key.tenant,
        new.key.session,
        new.key.call_id,
        new.agent,
        new.tool,
        new.flow.number if new.flow else None,
        new.digest,
        at,
        length=1,
        finished_at=at if new.finish else None,
    )
    if new.verdict is not None:
        row = with_verdict(row, new.verdict, 1)
    approval = approval_to_row(new.approval, number) if new.approval else None
    return _Appended(row, approval, 1, at, elements_to_body(elements, at))


def _after(row: ApprovalRow, change: Change) -> ApprovalRow:
    if change.vote is not None:
        row = with_vote(row, change.vote)
    state = change.state.value if change.state else row.state
    return row._replace(state=state, changed_at=to_micros(change.at))


def _in_order(
    first: tuple[Element, ...], verdict: Verdict | None, last: tuple[Element, ...], of: NewTrace | Change
) -> list[Element]:
    if verdict is None:
        return [*first, *last]
    at = of.opened_at if isinstance(of, NewTrace) else of.at
    return [*first, Element(ElementKind.VERDICT, verdict_to_body(verdict), at), *last]


def _update_of(row: TraceRow) -> tuple[Any, ...]:
    return (
        row.outcome,
        row.step,
        row.reason_code,
        row.cause,
        row.allowed,
        row.verdict_place,
        row.length,
        row.finished_at,
        row.number,
    )


def _key_order(new: NewTrace) -> tuple[str, str, str]:
    return new.key.session, new.key.call_id, new.key.tenant
