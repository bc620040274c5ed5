"""What a new grant releases at once: calls that wait already, each judged on its own."""

from dataclasses import dataclass, replace
from datetime import datetime

from adjudicator.approvals.digest import Digester
from adjudicator.approvals.grants import AskingCall, covers, objection_to
from adjudicator.approvals.release import may_release
from adjudicator.approvals.states import Event, after
from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.grant import Grant, GrantScope
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.granting import use_of, vote_by
from adjudicator.service.judging import judged
from adjudicator.service.seen_call import SeenCase, seen_case
from adjudicator.service.turns import Turns
from adjudicator.service.waits import Waits
from adjudicator.storage.contract import Barred, CallRecord, Change, Store
from adjudicator.tracing import elements

_PAGE = 200


@dataclass(frozen=True, slots=True)
class _Seen:
    """A waiting call as its view shows it, before the policy of the moment."""

    approval: Approval
    seen: SeenCase
    snapshot: Snapshot


class ReleaseSiblings:
    """Approves, by a grant, what waits in its session and what it covers."""

    def __init__(
        self, policy: ActivePolicy, store: Store, waits: Waits, digester: Digester, clock: Clock
    ) -> None:
        self._policy = policy
        self._store = store
        self._waits = waits
        self._digester = digester
        self._clock = clock

    async def __call__(self, grant_id: str) -> int:
        """Release what the grant covers; the number released. Nothing runs by it.

        To be called when the grant is on record. The caller of each gets its ALLOW when it comes again, or
        is held, after the whole chain. Of a call that its view does not show whole, a schema says nothing:
        it goes on waiting until it comes again in full. What cannot be shown whole, or was handed to
        somebody, is left to people.
        """
        grant = await self._store.grant(grant_id)
        released, after_trace, turns = 0, 0, Turns()
        while grant is not None:
            page = await self._store.standing(grant.tenant, grant.session, after_trace, _PAGE)
            for approval in page:
                await turns()  # hundreds may wait, and to look at one can take tens of milliseconds
                released += await self._release(grant, approval)
            if len(page) < _PAGE:
                break
            after_trace = page[-1].trace_number
        return released

    async def _release(self, grant: Grant, approval: Approval) -> int:
        snapshot = self._policy.current()
        if not _may_be_covered(grant, approval) or not may_release(grant, approval, snapshot):
            return 0
        one = _Seen(approval, seen_case(approval, snapshot), snapshot)
        if self._is_covered(grant, one):
            return await self._approve(grant, one)
        if one.seen.redacted:
            # Whoever is held has the call in full.
            self._waits.changed(frozenset({approval.id}))
        return 0

    def _is_covered(self, grant: Grant, one: _Seen) -> bool:
        case = one.seen.case
        tool = one.snapshot.registry.tools.get(case.call.tool)
        asking = asking_of(one.approval, one.seen, self._digester)
        return (
            tool is not None
            and covers(grant, asking, tool, self._clock.now())
            and objection_to(grant, one.snapshot) is None
            and bool(judged(replace(case, grant=grant)).grant_id)
        )

    async def _approve(self, grant: Grant, one: _Seen) -> int:
        def decide(record: CallRecord) -> tuple[Change | None, int]:
            now, latest = self._clock.now(), record.approval
            state = after(latest, Event.APPROVE, now) if latest is not None else None
            same = self._policy.current() is one.snapshot and latest is not None
            if state is None or latest is None or not same or not may_release(grant, latest, one.snapshot):
                return None, 0  # somebody was quicker, or it is to be judged by another policy
            return _approved(grant, record, latest, state, now), 1

        try:
            return await self._store.change_approval(one.approval.id, decide, grant.trace_number)
        except Barred:
            return 0  # the grant is over, or its session is closed: it waits for people


def asking_of(approval: Approval, seen: SeenCase, digester: Digester) -> AskingCall:
    """The approval's call, as grants are compared with it."""
    case = seen.case
    return AskingCall(
        call=case.call,
        arguments=seen.arguments,
        likeness=approval.likeness,
        place=digester.place(case.call),
        priority=approval.request.priority,
        opaque=_is_opaque(seen),
        hidden=seen.hidden,
    )


def _is_opaque(seen: SeenCase) -> bool:
    """Whether part of the call cannot be known before it runs; also when it cannot be looked at."""
    case = seen.case
    tool = case.snapshot.registry.tools.get(case.call.tool)
    if tool is None:
        return True
    paths = dict(case.call.resolved_paths)
    try:
        facets = derive(seen.arguments.value, tool.arguments, case.call.working_directory, paths)
    except (TooComplexError, InvalidArgumentError):
        return True
    return any(facet.opaque for facet in facets)


def _may_be_covered(grant: Grant, approval: Approval) -> bool:
    """Whether the call is worth looking at, told from what costs nothing."""
    if (approval.agent, approval.tool) != (grant.agent, grant.tool):
        return False
    return grant.scope is not GrantScope.ARGUMENTS or approval.likeness == grant.likeness


def _approved(
    grant: Grant, record: CallRecord, approval: Approval, state: ApprovalState, now: datetime
) -> Change:
    vote = vote_by(grant, now)
    return Change(
        at=now,
        state=state,
        vote=vote,
        elements=(
            elements.approval_voted(approval, vote, now),
            elements.approval_changed(approval, state, now),
        ),
        uses=use_of(grant, record.key.call_id, now, approval.id),
    )
