"""AskQuestion: a business question of an agent. Its answer is information: no call is judged by it."""

from dataclasses import replace
from datetime import datetime, timedelta

from adjudicator.approvals.digest import Digester
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.ids import Ids
from adjudicator.domain.question import Asking, Question, QuestionState
from adjudicator.domain.request import Priority
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause
from adjudicator.policy.snapshot import ApprovalTerms
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.bounds import bounds_of
from adjudicator.service.held import Held
from adjudicator.service.question_end import as_of
from adjudicator.service.question_fields import check_asking
from adjudicator.service.registered import check_registered
from adjudicator.service.waits import Waits
from adjudicator.storage.contract import Barred, Bounds, CallKey, NewTrace, Store
from adjudicator.tracing import questions


class AskQuestion:
    """The use case behind `AskQuestion`."""

    def __init__(
        self,
        policy: ActivePolicy,
        store: Store,
        waits: Waits,
        digester: Digester,
        clock: Clock,
        ids: Ids,
        limits: Limits,
    ) -> None:
        self._policy = policy
        self._store = store
        self._waits = waits
        self._digester = digester
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._held = Held(limits.held_calls, limits.held_calls_of_session)

    async def __call__(self, asking: Asking, wait: timedelta, limit: timedelta) -> Question:
        """Ask it, and hold the response for up to `wait` while nobody has answered.

        The same question once more is the same, as far as it has come; how long to wait, and the limit, are
        no part of it. Raises MALFORMED_REQUEST, NOT_ALLOWED for a tenant or an agent that S1 or S2 would
        deny, SESSION_CLOSED, LIMIT_EXCEEDED, QUESTION_ID_REUSED, and DRAINING while it waits.
        """
        check_asking(asking, self._limits)
        snapshot = self._policy.current()
        check_registered(snapshot, asking.tenant, asking.agent, "no question is asked")
        asking = replace(
            asking,
            question_id=asking.question_id or self._ids.question_key(),
            free_text=asking.free_text or not asking.options,
        )
        now = self._clock.now()
        question = as_of(await self._recorded(asking, snapshot.approvals, limit, now), now)
        if question.state is QuestionState.OPEN and wait:
            return await self._hold(question, now + wait)
        return question

    async def _recorded(
        self, asking: Asking, terms: ApprovalTerms, limit: timedelta, now: datetime
    ) -> Question:
        """The question as it is on record, from now on if it was not before."""
        digest = self._digester.of_question(asking)
        # Looked up first, so that one that is there is found in a closed session and beyond all bounds.
        found = await self._store.call(_key(asking))
        if found is None:
            question = self._question(asking, terms, limit, now)
            try:
                opened = await self._store.open_trace(_trace(question, digest, bounds_of(terms, now)))
            except Barred as barred:
                raise _refusal(barred) from barred
            if isinstance(opened, int):
                return replace(question, trace_number=opened)
            found = opened
        if found.digest != digest or found.question is None:
            reason = "was used for another question; a new question needs a new question_id"
            raise AdjudicatorError(
                ErrorReason.QUESTION_ID_REUSED,
                f"question_id {asking.question_id}: {reason}",
                {"question_id": reason},
            )
        return found.question

    def _question(self, asking: Asking, terms: ApprovalTerms, limit: timedelta, now: datetime) -> Question:
        of_policy = timedelta(seconds=terms.seconds)
        priority = terms.priorities.get(asking.trigger) if asking.trigger else None
        return Question(
            id=self._ids.question(),
            state=QuestionState.OPEN,
            tenant=asking.tenant,
            session=asking.session,
            agent=asking.agent,
            principal=asking.principal,
            question_id=asking.question_id,
            text=asking.text,
            options=asking.options,
            recommended_option=asking.recommended_option,
            free_text=asking.free_text,
            priority=priority or Priority.MEDIUM,
            trigger=asking.trigger,
            asked_at=now,
            expires_at=now + (min(limit, of_policy) if limit else of_policy),
            changed_at=now,
        )

    async def _hold(self, question: Question, until: datetime) -> Question:
        """Wait until it is over or the time is up; then as it is."""
        session = (question.tenant, question.session)
        with self._held.place(session) as free, self._waits.approval(question.id) as bell:
            while free:
                record = await self._store.call(_key(question))
                now = self._clock.now()
                question = as_of((record and record.question) or question, now)
                left = (min(until, question.expires_at) - now).total_seconds()
                if question.state is not QuestionState.OPEN or left <= 0:
                    break
                if not await bell.wait(left):
                    break
        return as_of(question, self._clock.now())


def _key(of: Asking | Question) -> CallKey:
    return CallKey(of.tenant, of.session, of.question_id, TraceKind.QUESTION)


def _trace(question: Question, digest: bytes, bounds: Bounds) -> NewTrace:
    return NewTrace(
        key=_key(question),
        keyed=True,
        agent=question.agent,
        tool="",
        digest=digest,
        opened_at=question.asked_at,
        elements=questions.asked(question, question.asked_at),
        verdict=None,
        closing=(),
        finish=False,
        approval=None,
        question=question,
        bounds=bounds,
    )


def _refusal(barred: Barred) -> AdjudicatorError:
    """The error for a question that may not be asked: there is no verdict to say it with."""
    closed = barred.cause is Cause.SESSION_CLOSED
    reason = ErrorReason.SESSION_CLOSED if closed else ErrorReason.LIMIT_EXCEEDED
    fields = {"session": barred.reason} if closed else {}
    return AdjudicatorError(reason, f"no question is asked: {barred.reason}", fields)
