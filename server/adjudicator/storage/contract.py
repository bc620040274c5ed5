"""What every storage engine promises. Semantics are stated here, method by method, and nowhere else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from adjudicator.domain.approval import Approval, ApprovalState, Claim, Vote
from adjudicator.domain.grant import Grant, GrantState
from adjudicator.domain.question import Answer, Question, QuestionState
from adjudicator.domain.record import Head, Record, Tail
from adjudicator.domain.request import Priority
from adjudicator.domain.trace import Element, Trace, TraceKind
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step, Verdict
from adjudicator.storage.engine import Connection
from adjudicator.storage.trace_summary import TraceSummary, Width

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallKey:
    """The idempotency key of a call, or of a trace of another kind: keys of two kinds never meet.

    `call_id` is the own id of what it is of, and empty for a session.
    """

    tenant: str
    session: str
    call_id: str
    kind: TraceKind = TraceKind.CALL


@dataclass(frozen=True, slots=True)
class InFlow:
    """That a call belongs to a flow: what to append to the flow's trace.

    The store adds the number of the call's trace to the element's body, as `trace`.
    """

    number: int
    element: Element


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a grant, named by its trace: what to append to that trace.

    The store adds the number of the call's trace to the element's body, as `trace`.
    """

    number: int
    element: Element


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many may be pending, and how many asked for since `since`, with the one to open.

    Of approvals or of questions, whichever is opened: each are counted apart.
    """

    pending_of_session: int
    pending_of_agent: int
    asked_of_session: int
    asked_of_agent: int
    since: datetime


@dataclass(frozen=True, slots=True)
class NewTrace:
    """A trace to open, with its first verdict; only a call's has one.

    `keyed` says that the trace owns its call key; a trace of a refused retry does not. `approval`, `grant`
    or `question` is opened together with it; its trace number is filled in by the store. Elements are
    appended in the order `elements`, the verdict, `closing`, and `finish` freezes the trace after them.
    `uses` is the grant by which the verdict allows, and `bounds` those that an approval, or a question, has
    to keep.
    """

    key: CallKey
    keyed: bool
    agent: str
    tool: str
    digest: bytes
    opened_at: datetime
    elements: tuple[Element, ...]
    verdict: Verdict | None
    closing: tuple[Element, ...]
    finish: bool
    approval: Approval | None
    flow: InFlow | None = None
    grant: Grant | None = None
    question: Question | None = None
    uses: Use | None = None
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class CallRecord:
    """What is recorded of one call: its trace, without elements, and its approval.

    `was_allowed` is whether any of its verdicts is ALLOW; the latest may have withdrawn it.
    """

    trace: Trace
    key: CallKey
    digest: bytes
    approval: Approval | None
    was_allowed: bool
    grant: Grant | None = None
    question: Question | None = None

    @property
    def verdict(self) -> Verdict:
        """The latest verdict; every call has one."""
        if self.trace.verdict is None:
            raise TypeError("a flow has no verdict")
        return self.trace.verdict


@dataclass(frozen=True, slots=True)
class Change:
    """What to append to one call's record, all or nothing, in the order of `NewTrace`.

    `verdict` becomes the latest one; `state` and `vote` go to the call's approval, `grant_state` to the
    grant and `question_state` with `answer` to the question that the trace is of. `in_flow` is appended to
    the trace of the call's flow, unless there is none or it is finished. A verdict that allows is refused
    with TRACE_FROZEN when the call's flow is finished. What allows, uses a grant or opens something is
    `Barred` when its session is closed. `uses` is the grant that the change takes a use of; it has to be
    the one that the change was asked for with. `opens` is opened with it. `claim` goes to a pending
    approval, unless somebody else has it then, and nothing of it is recorded; one that is over at `at` lets
    go.
    """

    at: datetime
    state: ApprovalState | None = None
    vote: Vote | None = None
    elements: tuple[Element, ...] = ()
    verdict: Verdict | None = None
    closing: tuple[Element, ...] = ()
    finish: bool = False
    in_flow: Element | None = None
    grant_state: GrantState | None = None
    question_state: QuestionState | None = None
    answer: Answer | None = None
    uses: Use | None = None
    opens: NewTrace | None = None
    claim: Claim | None = None


@dataclass(eq=False)
class Barred(Exception):  # noqa: N818 - an answer about one call, and no fault
    """A call that is not recorded as allowed, or as asking, because of what else is on record.

    `cause` and `reason` are those of its denial, which is then what to record. A grant that covers the call
    no more has no cause: the call may still ask.
    """

    cause: Cause | None
    reason: str


@dataclass(frozen=True, slots=True)
class ApprovalFilter:
    """Which approvals a reader wants; empty means all. `least` wants this priority and those above it."""

    tenant: str = ""
    tool: str = ""
    least: Priority = Priority.LOW

    def matches(self, approval: Approval) -> bool:
        """Whether the approval is one of them."""
        return (
            self.tenant in ("", approval.tenant)
            and self.tool in ("", approval.tool)
            and approval.request.priority.rank >= self.least.rank
        )


@dataclass(frozen=True, slots=True)
class GrantFilter:
    """Which grants a reader wants; empty means all. `ended` wants those that are over as well."""

    tenant: str = ""
    session: str = ""
    ended: bool = False


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Which traces a reader wants; empty means all. `since` is included and `until` is not.

    Outcome, step, reason code and cause are those of the latest verdict. `flow` wants the calls of a flow.
    """

    tenant: str = ""
    session: str = ""
    agent: str = ""
    tool: str = ""
    outcome: Outcome | None = None
    step: Step | None = None
    reason_code: ReasonCode | None = None
    cause: Cause | None = None
    approval_id: str = ""
    flow: int | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """One record and its trace, with the elements of this record only, which have no numbers.

    `finished` is whether the trace is finished by it.
    """

    record: Record
    trace: Trace
    finished: bool


@dataclass(frozen=True, slots=True)
class AppendedPart:
    """What was read of the chains: `found` is what was wanted, `reached` where to go on from.

    `more` is whether there was more to read than was asked for.
    """

    found: Sequence[Appended]
    reached: Mapping[str, int]
    more: bool


@dataclass(frozen=True, slots=True)
class ApprovalEvent:
    """One approval after a change. `position` rises with every change of any approval and never repeats."""

    position: int
    approval: Approval


@dataclass(frozen=True, slots=True)
class QuestionEvent:
    """One question after a change."""

    position: int
    question: Question


@dataclass(frozen=True, slots=True)
class Stranded:
    """The trace of an approval, a grant or a question that nothing can come of any more.

    `closed` is what was closed: SESSION, or FLOW.
    """

    trace: int
    closed: TraceKind


Decide = Callable[[CallRecord], tuple[Change | None, T]]
"""What to record, if anything, on top of what is recorded, and what to answer."""
Listener = Callable[[frozenset[str] | None], None]
"""Told which approvals changed; None when that is not known."""


class Store(Protocol):
    """Durable state. Every write is on disk when its call returns, or raises STORE_UNAVAILABLE.

    A write that raises has changed nothing, with one exception: when a database server goes away in the
    middle of a commit, nobody can say whether it was kept. Nothing is answered then, and what was kept is
    found by the call's next try. Writes to one call are serialised: each sees all before it.

    Whatever reads a call in order to decide on it raises RECORD_ALTERED when the tables do not say what was
    recorded.
    """

    async def open_trace(self, new: NewTrace) -> CallRecord | int:
        """Open the trace and return its number.

        When its call key is taken, change nothing and return what is recorded under that key. For a call
        in a flow, raises NOT_FOUND when there is no such flow of its tenant and session, TRACE_FROZEN when
        the flow is finished, and LIMIT_EXCEEDED when it takes no more calls; also when the key is taken.
        Raises `Barred` for whatever is no denial in a session that is closed, for an approval or a question
        beyond its bounds (of two sidecars together, as far as each sees what the other committed), and for
        a use of a grant that is over at `opened_at`; each also when the key is taken.
        """
        ...

    async def check_flow(self, number: int, key: CallKey) -> None:
        """Raise what `open_trace` would raise now for a call with the key in that flow."""
        ...

    async def change_call(self, number: int, decide: Decide[T], uses: int | None = None) -> T:
        """Load the record of trace `number`, let `decide` choose, apply what it chose, return its answer.

        Nothing else writes between the load and the change. `decide` runs on the writer's thread: it
        has to be quick and pure. Raises NOT_FOUND for an unknown number, TRACE_FROZEN for a change to a
        finished trace, and `Barred` as `open_trace` does. `uses` is the trace of the grant that the change
        may take a use of.
        """
        ...

    async def change_approval(self, approval_id: str, decide: Decide[T], uses: int | None = None) -> T:
        """The same, for the call of one approval."""
        ...

    async def trace(self, number: int) -> Trace | None:
        """One trace with its elements, or None."""
        ...

    async def traces(self, wanted: TraceFilter, before: int | None, count: int) -> Sequence[Trace]:
        """Up to `count` traces with numbers under `before`, newest first, without elements."""
        ...

    async def summarize(self, wanted: TraceFilter, width: Width) -> TraceSummary:
        """Count what is wanted, as of one moment.

        `width` is asked if there is any call at all; what it raises is raised here.
        """
        ...

    async def approval(self, approval_id: str) -> Approval | None:
        """One approval, or None."""
        ...

    async def approval_of_trace(self, number: int) -> Approval | None:
        """The approval that the trace's call opened, or None."""
        ...

    async def call(self, key: CallKey) -> CallRecord | None:
        """What is recorded under the key, or None."""
        ...

    async def call_of_trace(self, number: int) -> CallRecord | None:
        """What is recorded of the call of that trace, or None."""
        ...

    async def pending(
        self, wanted: ApprovalFilter, after: int, until: int | None, count: int
    ) -> Sequence[Approval]:
        """Up to `count` pending approvals with trace numbers over `after`, oldest first.

        With `until`, only those that were opened at or before that position. A view that is too large to
        be approved is left out, here and in `events`; `approval` has it.
        """
        ...

    async def standing(
        self, tenant: str, session: str, after: int, count: int, flow: int | None = None
    ) -> Sequence[Approval]:
        """Up to `count` approvals of the session, pending or approved, behind that trace, oldest first.

        With `flow`, only those of calls in that flow.
        """
        ...

    async def all_standing(self, after: int, count: int) -> Sequence[Approval]:
        """The same, of every tenant and session."""
        ...

    async def stranded(self, after: int, count: int) -> Sequence[Stranded]:
        """Up to `count` of what stands, is live or is open although its session or its flow is closed.

        Behind that trace, in the order of traces.
        """
        ...

    async def grant(self, grant_id: str) -> Grant | None:
        """One grant, or None."""
        ...

    async def grants(self, wanted: GrantFilter, before: int | None, count: int) -> Sequence[Grant]:
        """Up to `count` grants whose traces have numbers under `before`, newest first."""
        ...

    async def live_grants(self, tenant: str, session: str, agent: str, tool: str) -> Sequence[Grant]:
        """The grants that are live, for all their states say, for such calls; oldest first."""
        ...

    async def question(self, question_id: str) -> Question | None:
        """One question by its own id, or None."""
        ...

    async def open_questions(
        self, tenant: str, session: str, after: int, until: int | None, count: int
    ) -> Sequence[Question]:
        """Up to `count` open questions with traces over `after`, oldest first; empty names mean all.

        With `until`, only those that were opened at or before that position.
        """
        ...

    async def question_events(self, after: int, count: int) -> Sequence[QuestionEvent]:
        """What `events` is, of questions. Positions are those of approvals too, of which none is here."""
        ...

    async def due(self, now: datetime, count: int) -> Sequence[int]:
        """Traces of up to `count` standing approvals, live grants and open questions whose time is over."""
        ...

    async def next_deadline(self) -> datetime | None:
        """The earliest moment at which the time of such a one is over, or None."""
        ...

    async def events(self, after: int, count: int) -> Sequence[ApprovalEvent]:
        """Up to `count` approvals that changed after the position, in the order of their latest change.

        An approval that changed several times is there once, as it is now, at its latest position: a
        reader that goes on from the last position it saw misses nothing and repeats nothing.
        """
        ...

    async def last_position(self) -> int:
        """The position of the latest change of an approval or a question, 0 when there was none."""
        ...

    async def archived_position(self) -> int:
        """The latest position of an approval or a question that was archived, 0 when none was.

        Of what changed up to there `events` may tell nothing any more.
        """
        ...

    async def records(self, after: Mapping[str, int], count: int) -> Sequence[Record]:
        """Up to `count` records of each writer behind the sequences given (0 for a writer not named).

        Fewer where they are large, but at least one. Those of one writer are in order and without gaps, so
        that a reader that goes on behind the last it saw of each misses nothing and repeats nothing, in
        whatever order writers commit.
        """
        ...

    async def appended(
        self, wanted: TraceFilter, after: Mapping[str, int], count: int
    ) -> AppendedPart | None:
        """Read on as `records` does; those that are wanted, each with its trace as it is now.

        Outcome, step, reason code and cause are those of a verdict that the record itself appends: one
        without a verdict has none of them. Returns None when there is no going on without a gap: what is
        behind the sequences was archived, or they are of another state of the database.
        """
        ...

    async def tails(self) -> Mapping[str, int]:
        """The last sequence of every writer, by its name."""
        ...

    async def tail(self) -> Tail:
        """Where the chain of this store's own writer ends."""
        ...

    async def add_head(self, head: Head) -> None:
        """Keep a signed head of this store's own writer."""
        ...

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` on the event loop after each commit of anybody that changed something.

        It gets the ids of the approvals that changed, which may be none, or None when that is not known.
        A commit of another process that changed no approval is not told.
        """
        ...

    async def read_apart(self, work: Callable[[Connection], T]) -> T:
        """Do work that reads for long, on a connection of its own, which sees one moment."""
        ...

    async def write_apart(self, work: Callable[[Connection], T]) -> T:
        """Do work that writes by what it sees, in a transaction of its own; verdicts wait meanwhile.

        Raises STORE_UNAVAILABLE when somebody else changed what it saw, and nothing was written.
        """
        ...

    async def probe(self) -> None:
        """Write and commit, to see whether the store takes writes; raises STORE_UNAVAILABLE when not."""
        ...

    @property
    def failing(self) -> bool:
        """Whether the latest commit failed, or the next one is known to."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes write too, of whose commits `subscribe` may not tell."""
        ...

    @property
    def identity(self) -> str:
        """A random id of this database, made when it was created."""
        ...

    async def close(self) -> None:
        """Finish what was asked, then let go of the database."""
        ...
