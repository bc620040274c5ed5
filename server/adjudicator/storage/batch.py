"""What one transaction writes: openings and changes of calls, each kind of statement once for all of them.

Everything is locked in one order (traces by number, call keys, the counter), so that two sidecars never
wait for each other in a circle.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from adjudicator.domain.approval import ApprovalState, Claim
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantState
from adjudicator.domain.micros import to_micros
from adjudicator.domain.record import Tail, link
from adjudicator.domain.trace import Element, TraceKind
from adjudicator.domain.verdict import Outcome, Verdict
from adjudicator.storage.approval_rows import ApprovalRow
from adjudicator.storage.asks import AskCounts, update_claims
from adjudicator.storage.attached import AttachedRows, check_live, check_written
from adjudicator.storage.attached_rows import answer_to_json
from adjudicator.storage.bodies import elements_to_body
from adjudicator.storage.contract import Barred, Change, NewTrace, Use
from adjudicator.storage.engine import Connection, Engine, Insert, marks
from adjudicator.storage.flows import check_fit, check_open
from adjudicator.storage.jobs import ChangeCall, Failed, KeyTaken, OpenTrace
from adjudicator.storage.new_records import (
    NewRecord,
    changed_approval,
    first_record,
    in_order,
    update_values,
)
from adjudicator.storage.rows import RecordRow, TraceRow, columns_of, state_of, with_verdict
from adjudicator.storage.sessions import check_session, select_closed_sessions
from adjudicator.storage.statements import (
    StoredCall,
    select_calls,
    select_flows,
    select_trace_of_approval,
)
from adjudicator.storage.writers import OwnWriter

_TRACES = Insert("traces", columns_of(TraceRow), passing_over=True)
_RECORDS = Insert("records", columns_of(RecordRow))
_UPDATE_TRACE = (
    "UPDATE traces SET outcome = ?, step = ?, reason_code = ?, cause = ?, allowed = ?, verdict_place = ?,"
    " length = ?, finished_at = ? WHERE number = ?"
)
_NEXT_POSITIONS = "UPDATE counters SET value = value + ? WHERE name = 'approval_position' RETURNING value"


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
        self._closed: set[tuple[str, str]] = set()
        self._opened = AttachedRows()
        self._moved = AttachedRows()
        self._claims: list[tuple[int, Claim, int]] = []
        self._opening: list[NewTrace] = []
        self._counts = AskCounts(db)
        self._uses: Counter[int] = Counter()  # of each grant, by what is to be opened
        self._appended: list[NewRecord] = []

    def run(self, jobs: Sequence[OpenTrace | ChangeCall]) -> list[Any]:
        """Write the jobs; their results, in order, of which each may be `Failed`."""
        numbers = self._load(jobs)
        # Changes come first: whoever holds a key waits for no trace any more.
        results: dict[int, Any] = {
            place: self._change(numbers[place], job)
            for place, job in enumerate(jobs)
            if isinstance(job, ChangeCall)
        }
        results |= self._open(
            {place: job.new for place, job in enumerate(jobs) if isinstance(job, OpenTrace)}
            # What a change opens has no place: whoever asked for the change knows its id.
            | {-place: new for place, new in enumerate(self._opening, 1)}
        )
        for place, result in results.items():
            if place < 0 and not isinstance(result, int):
                # The change that opens it is not to be kept without it.
                raise TypeError(f"what a change opens could not be opened: {result}")
        self._write()
        return [results[place] for place in range(len(jobs))]

    def _load(self, jobs: Sequence[OpenTrace | ChangeCall]) -> dict[int, int | None]:
        """Load and lock the calls that change; the trace number of each change, by its place."""
        changes = {place: job.target for place, job in enumerate(jobs) if isinstance(job, ChangeCall)}
        ids = sorted({target for target in changes.values() if isinstance(target, str)})
        traces = select_trace_of_approval(self._db, ids)
        numbers = {
            place: traces.get(target) if isinstance(target, str) else target
            for place, target in changes.items()
        }
        calls = {number for number in numbers.values() if number is not None}
        news = [job.new for job in jobs if isinstance(job, OpenTrace)]
        others = {new.flow.number for new in news if new.flow}
        others |= {new.uses.number for new in news if new.uses}
        others |= {job.uses for job in jobs if isinstance(job, ChangeCall) and job.uses is not None}
        others |= select_flows(self._db, sorted(calls))
        self._calls = select_calls(self._db, sorted(calls | others), self._engine.lock)
        sessions = {(call.row.tenant, call.row.session) for call in self._calls.values()}
        sessions |= {(new.key.tenant, new.key.session) for new in news if _needs_session(new)}
        self._closed = select_closed_sessions(self._db, sessions)
        return numbers

    # Changes of calls that are on record.

    def _change(self, number: int | None, job: ChangeCall) -> Any:
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
        if change.claim is not None:
            self._claim(call.approval, change.claim, to_micros(change.at))
            return
        flow = self._calls.get(row.flow) if row.flow is not None else None
        if row.flow is not None and change.verdict is not None and change.verdict.allowed:
            # However late a call comes to its answer, a closed flow allows nothing.
            check_open(row.flow, flow)
        allows = change.verdict is not None and change.verdict.allowed
        if allows or change.uses is not None or change.opens is not None:
            check_session(self._closed, row.tenant, row.session)
        if change.uses is not None:
            self._use(change.uses, row, to_micros(change.at))
        self._move(call, change)
        if change.opens is not None:
            self._opening.append(change.opens)
        elements = in_order(change.elements, change.verdict, change.closing, change)
        call.verdict = change.verdict or call.verdict
        self._append(call, elements, change.verdict, to_micros(change.at), finish=change.finish)
        if flow is not None and change.in_flow is not None:
            self._append_to_flow(flow, row.number, change.in_flow)

    def _move(self, call: StoredCall, change: Change) -> None:
        """What hangs on the trace, after the change."""
        if call.approval is not None and (change.state is not None or change.vote is not None):
            call.approval = changed_approval(call.approval, change)
            self._moved.approvals[call.approval.id] = call.approval
            self.changed.add(call.approval.id)
        if call.grant is not None and change.grant_state is not None:
            state, at = change.grant_state.value, to_micros(change.at)
            call.grant = self._moved.grants[call.grant.id] = call.grant._replace(state=state, changed_at=at)
        if call.question is not None and change.question_state is not None:
            call.question = call.question._replace(
                state=change.question_state.value,
                answer=answer_to_json(change.answer),
                changed_at=to_micros(change.at),
            )
            self._moved.questions[call.question.id] = call.question
            self.changed.add(call.question.id)

    def _claim(self, approval: ApprovalRow | None, claim: Claim, at: int) -> None:
        """Nothing is recorded of it; watchers are told."""
        if approval is None or approval.state != ApprovalState.PENDING.value:
            raise TypeError("only what is pending can be claimed")
        self._moved.approvals[approval.id] = approval
        self._claims.append((approval.trace, claim, at))
        self.changed.add(approval.id)

    def _use(self, use: Use, call: TraceRow, at: int) -> None:
        """Take a use of a grant for the call of that trace, or raise `Barred`."""
        grant, row, left = check_live(self._calls.get(use.number), (call.tenant, call.session), at)
        spent = left == 1
        state = GrantState.SPENT.value if spent else row.state
        row = row._replace(used=row.used + 1, state=state, changed_at=at)
        grant.grant = self._moved.grants[row.id] = row
        whole = Element(
            use.element.kind, {"trace": call.number, **use.element.body}, use.element.recorded_at
        )
        self._append(grant, [whole], None, at, finish=spent)

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
        self._appended.append(NewRecord(row, call.attached, place, at, body))

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
        made = [first_record(fitting[place], number) for place, number in zip(places, numbers, strict=True)]
        inserted = self._engine.insert(self._db, _TRACES, [each.call for each in made])
        there = set(numbers) if inserted == len(made) else self._there(numbers)
        for place, one in zip(places, made, strict=True):
            if one.call.number in there:
                results[place] = one.call.number
                self._begin(fitting[place], one)
            else:
                results[place] = KeyTaken()
        return results

    def _begin(self, new: NewTrace, one: NewRecord) -> None:
        """Gather what goes with a trace that is opened: its record, what hangs on it, others' records."""
        self._appended.append(one)
        if one.attached is not None:
            self._opened.add(one.attached)
            self.changed |= self._opened.told(one.attached)
        if new.uses is not None:
            self._use(new.uses, one.call, to_micros(new.opened_at))
        if new.flow is not None:
            self._append_to_flow(self._calls[new.flow.number], one.call.number, new.flow.element)

    def _misfit(self, new: NewTrace) -> AdjudicatorError | Barred | None:
        """Why the call does not belong to its flow, or is not to be recorded as it was judged."""
        try:
            if new.flow is not None:
                check_fit(new.flow.number, self._calls.get(new.flow.number), new.key)
            if _needs_session(new):
                check_session(self._closed, new.key.tenant, new.key.session)
            if new.uses is not None:
                number, session = new.uses.number, (new.key.tenant, new.key.session)
                check_live(self._calls.get(number), session, to_micros(new.opened_at), self._uses[number])
                self._uses[number] += 1
            self._counts.check(new)
        except (AdjudicatorError, Barred) as error:
            return error
        return None

    def _there(self, numbers: Sequence[int]) -> set[int]:
        sql = f"SELECT number FROM traces WHERE number IN ({marks(numbers)})"
        return {row[0] for row in self._db.execute(sql, numbers).fetchall()}

    # What was gathered, to the tables.

    def _write(self) -> None:
        self._write_attached()
        if self._updated:
            rows = [update_values(call.row) for call in self._updated.values()]
            check_written("traces", self._db.executemany(_UPDATE_TRACE, rows).rowcount, len(rows))
        if self._appended:
            records = [self._linked(each) for each in self._appended]
            check_written("records", self._engine.insert(self._db, _RECORDS, records), len(records))

    def _write_attached(self) -> None:
        moves = self._opened.positions + self._moved.positions
        if moves:
            # Held until the commit, so that positions appear in their order.
            last = self._db.execute(_NEXT_POSITIONS, (moves,)).fetchone()[0]
            positions = iter(range(last - moves + 1, last + 1))
            self._opened.insert(self._db, self._engine, positions)
            self._moved.update(self._db, positions)
            update_claims(self._db, self._claims)
            self._engine.announce(self._db, self.changed)
        self._opened.insert_grants(self._db, self._engine)
        self._moved.update_grants(self._db)

    def _linked(self, each: NewRecord) -> RecordRow:
        """The record's row, at the end of the chain."""
        sequence, state = self.tail.sequence + 1, state_of(each.call, each.attached)
        numbers = (sequence, each.call.number, each.place, each.at)
        digest = link(self.tail.hash, state, self._own.writer.name, numbers, each.body)
        self.tail = Tail(sequence, digest)
        return RecordRow(self._own.number, *numbers, each.body, state, digest)


def _needs_session(new: NewTrace) -> bool:
    """Whether its session has to be open: for whatever is no denial and not the end of the session."""
    denied = new.verdict is not None and new.verdict.outcome is Outcome.DENY
    return bool(new.key.session) and not denied and new.key.kind is not TraceKind.SESSION


def _key_order(new: NewTrace) -> tuple[str, str, str]:
    return new.key.session, new.key.call_id, new.key.tenant
