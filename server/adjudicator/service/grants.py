"""Session grants as people see and end them; and what one that is to be given comes to.

Giving one is a part of `Resolve`: `PlanGrant` before its transaction, whose change opens what it returns,
and `ReleaseSiblings` after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from adjudicator.approvals.digest import Digester
from adjudicator.approvals.grant_schema import Refusal
from adjudicator.approvals.grants import Giving, granted, is_entitled
from adjudicator.chain.judge import close
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason, malformed
from adjudicator.domain.grant import Grant, GrantState, GrantWish
from adjudicator.domain.ids import Ids
from adjudicator.domain.trace import TraceKind
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.granting import released_by
from adjudicator.service.paging import page_number, page_size_of
from adjudicator.service.release_siblings import asking_of
from adjudicator.service.retry import cancellation
from adjudicator.service.seen_call import seen_case
from adjudicator.storage.contract import CallKey, CallRecord, Change, GrantFilter, NewTrace, Store
from adjudicator.tracing import grants as elements

_PAGE = 200
_SCANNED = 5_000
"""Grants that are looked through for a page of those that the reader is entitled to."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """A grant that is over, and how many approvals that it had released were cancelled with it."""

    grant: Grant
    cancelled: int


class PlanGrant:
    """What a wish to grant something to a session comes to; writes nothing."""

    def __init__(self, digester: Digester, ids: Ids) -> None:
        self._digester = digester
        self._ids = ids

    def __call__(
        self,
        approval: Approval,
        wish: GrantWish,
        actor: str,
        reason: str,
        snapshot: Snapshot,
        now: datetime,
    ) -> tuple[Grant, NewTrace] | Refusal:
        """The grant as it will be stored and the trace that it is opened with, or why there is none.

        To be asked before the transaction that approves, with the approval in whole; the trace goes into
        that change's `opens`. What it is stored with has the number of its trace.
        """
        seen = seen_case(approval, snapshot)
        asking = asking_of(approval, seen, self._digester)
        giving = Giving(self._ids.grant(), approval, actor, reason, now)
        grant = granted(giving, wish, asking, snapshot)
        return grant if isinstance(grant, Refusal) else (grant, _opening(grant, now))


class ListGrants:
    """The use case behind `ListGrants`."""

    def __init__(self, policy: ActivePolicy, store: Store, limits: Limits) -> None:
        self._policy = policy
        self._store = store
        self._limits = limits

    async def __call__(
        self, actor: str, wanted: GrantFilter, size: int, token: str
    ) -> tuple[Sequence[Grant], str]:
        """A page of the grants that the actor may decide on, newest first, and the token of the next.

        A page may be short, or empty, and have a next one: only so many are looked through at a time.
        """
        size, before = page_size_of(size, self._limits), page_number(token)
        snapshot = self._policy.current()
        found: list[Grant] = []
        for _ in range(_SCANNED // _PAGE):
            page = await self._store.grants(wanted, before, _PAGE)
            for grant in page:
                if is_entitled(actor, grant, snapshot):
                    if len(found) == size:
                        return found, str(before)
                    found.append(grant)
                before = grant.trace_number
            if len(page) < _PAGE:
                return found, ""
        return found, str(before)


class RevokeGrant:
    """The use case behind `RevokeGrant`."""

    def __init__(self, policy: ActivePolicy, store: Store, clock: Clock, limits: Limits) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock
        self._limits = limits

    async def __call__(self, actor: str, grant_id: str, reason: str) -> Revoked:
        """End the grant, and cancel what it has released and nobody has used yet.

        One that is over stays as it was; what it has released is cancelled all the same. Raises NOT_FOUND
        for one that does not exist, or on which the actor may not decide, in the same words.
        """
        if len(reason) > self._limits.reason_chars:
            raise malformed("reason", f"is longer than {self._limits.reason_chars} characters")
        found = await self._store.grant(grant_id)
        if found is None or not is_entitled(actor, found, self._policy.current()):
            raise AdjudicatorError(ErrorReason.NOT_FOUND, f"there is no grant {grant_id[:64]!a}")
        return await self.end(found, reason, actor)

    async def end(self, grant: Grant, reason: str, actor: str = "") -> Revoked:
        """The same for a grant that was found, by a person or, without an actor, by a policy.

        A policy has a reason.
        """

        def decide(record: CallRecord) -> tuple[Change | None, None]:
            now = self._clock.now()
            return grant_end(record, now, reason, actor), None

        await self._store.change_call(grant.trace_number, decide)
        ended = await self._store.grant(grant.id) or grant
        return Revoked(ended, await self._cancel_released(ended, reason))

    async def _cancel_released(self, grant: Grant, reason: str) -> int:
        """Cancel what the grant has released and nobody has used yet; how many."""
        cancelled, after = 0, 0
        while True:
            page = await self._store.standing(grant.tenant, grant.session, after, _PAGE)
            for approval in page:
                if released_by(approval) == grant.id:
                    cancelled += await self._cancel(approval, grant, reason)
            if len(page) < _PAGE:
                return cancelled
            after = page[-1].trace_number

    async def _cancel(self, approval: Approval, grant: Grant, reason: str) -> int:
        why = f"grant {grant.id}, which released the call, was ended"
        if reason:
            why = f"{why}: {reason}"

        def decide(record: CallRecord) -> tuple[Change | None, int]:
            latest = record.approval
            if latest is None or latest.state is not ApprovalState.APPROVED:
                return None, 0  # its call was quicker
            closed = replace(close(record.verdict, ApprovalState.CANCELLED), reason=why)
            change, _ = cancellation(record, latest, self._clock.now(), closed)
            return change, int(change is not None and change.state is ApprovalState.CANCELLED)

        return await self._store.change_approval(approval.id, decide)


def grant_end(
    record: CallRecord,
    now: datetime,
    reason: str = "",
    actor: str = "",
    state: GrantState = GrantState.REVOKED,
) -> Change | None:
    """How a live grant ends: by its time if that is over, else in that state; None for one that is over.

    Without a reason or an actor only time ends it.
    """
    grant = record.grant
    if grant is None or grant.state is not GrantState.LIVE:
        return None
    if now >= grant.expires_at:
        end, ended = GrantState.EXPIRED, elements.ended(GrantState.EXPIRED, "", now)
    elif reason or actor:
        end, ended = state, elements.ended(state, reason, now, actor)
    else:
        return None
    return Change(now, grant_state=end, closing=(ended,), finish=True)


def _opening(grant: Grant, now: datetime) -> NewTrace:
    return NewTrace(
        key=CallKey(grant.tenant, grant.session, grant.id, TraceKind.GRANT),
        keyed=True,
        agent=grant.agent,
        tool=grant.tool,
        digest=b"",
        opened_at=now,
        elements=(elements.opened(grant, now),),
        verdict=None,
        closing=(),
        finish=False,
        approval=None,
        grant=grant,
    )
