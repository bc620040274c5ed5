"""CloseSession: the end of a session, for good. What is pending in it ends with it."""

from dataclasses import dataclass

from adjudicator.chain.call_fields import check_identifiers
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import malformed
from adjudicator.domain.trace import TraceKind
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.ending import SESSION_CLOSED, Ending
from adjudicator.service.registered import check_registered
from adjudicator.storage.contract import CallKey, NewTrace, Store
from adjudicator.tracing import sessions


@dataclass(frozen=True, slots=True)
class Closing:
    """Which session is closed, by which agent. `reason` is the agent's own, and may be empty."""

    tenant: str
    agent: str
    session: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClosedSession:
    """The trace that says who closed it, and how much of what was pending this request ended."""

    trace_number: int
    approvals: int
    grants: int
    questions: int


class CloseSession:
    """The use case behind `CloseSession`."""

    def __init__(self, policy: ActivePolicy, store: Store, clock: Clock, limits: Limits) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock
        self._limits = limits
        self._ending = Ending(store, clock)

    async def __call__(self, one: Closing) -> ClosedSession:
        """Close the session, then end what is pending in it. Once more does what was left to do.

        From the first commit on nothing in it is allowed, granted or asked. Raises MALFORMED_REQUEST, and
        NOT_ALLOWED for a tenant or an agent that S1 or S2 would deny.
        """
        check_identifiers({"tenant": one.tenant, "agent": one.agent, "session": one.session})
        if len(one.reason) > self._limits.reason_chars:
            raise malformed("reason", f"is longer than {self._limits.reason_chars} characters")
        check_registered(self._policy.current(), one.tenant, one.agent, "no session is closed")
        opened = await self._store.open_trace(self._trace(one))
        approvals = await self._ending.of_approvals(
            lambda after, count: self._store.standing(one.tenant, one.session, after, count), SESSION_CLOSED
        )
        return ClosedSession(
            trace_number=opened if isinstance(opened, int) else opened.trace.number,
            approvals=approvals,
            grants=await self._ending.of_grants(one.tenant, one.session),
            questions=await self._ending.of_questions(one.tenant, one.session),
        )

    def _trace(self, one: Closing) -> NewTrace:
        now = self._clock.now()
        return NewTrace(
            key=CallKey(one.tenant, one.session, "", TraceKind.SESSION),
            keyed=True,
            agent=one.agent,
            tool="",
            digest=b"",
            opened_at=now,
            elements=sessions.closed(one.tenant, one.session, one.agent, one.reason, now),
            verdict=None,
            closing=(),
            finish=True,
            approval=None,
        )
