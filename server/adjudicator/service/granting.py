"""The grants that may take the place of a person's answer to one call."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from adjudicator.approvals.digest import Digester
from adjudicator.approvals.grants import AskingCall, covers, objection_to, reaches
from adjudicator.approvals.release import may_release
from adjudicator.approvals.view import view_of
from adjudicator.chain.case import Case
from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.approval import Approval, Decision, Vote
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.grant import Grant, GrantState
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.policy.snapshot import EvaluationError
from adjudicator.service.judging import judged
from adjudicator.service.opening import asked_of
from adjudicator.service.showing import shown_arguments
from adjudicator.storage.contract import CallRecord, Store, Use
from adjudicator.tracing import grants as elements

_ENDED_FOR_GOOD = (GrantState.REVOKED, GrantState.CLEARED)


def priority_of(case: Case, arguments: Arguments) -> Priority:
    """The priority that an approval of the call would have; the highest where it cannot be shown."""
    try:
        shown = shown_arguments(case)
    except EvaluationError:
        return Priority.CRITICAL
    if not isinstance(shown, dict):
        return Priority.CRITICAL
    asked = asked_of(case, arguments, shown, Cause.DEFAULT)
    return view_of(asked, VIEW_BYTES).request.priority


def released_by(approval: Approval) -> str:
    """The id of the grant that released what waited; empty when people decided, or nobody did."""
    return next((vote.grant_id for vote in approval.votes if vote.grant_id), "")


def vote_by(grant: Grant, now: datetime) -> Vote:
    """The vote with which a grant releases what waits: that of who gave it, who saw another call."""
    return Vote(grant.granted_by, Decision.APPROVE, grant.reason, now, grant_id=grant.id)


def use_of(grant: Grant, call_id: str, now: datetime, approval_id: str = "") -> Use:
    """One use of the grant."""
    return Use(grant.trace_number, elements.used(call_id, now, approval_id))


class Granting:
    """Finds grants; uses none. What it finds is only true for the moment: the store decides on each use."""

    def __init__(self, store: Store, digester: Digester) -> None:
        self._store = store
        self._digester = digester

    async def lifting(
        self, case: Case, now: datetime, over: Collection[str] = (), waiting: Approval | None = None
    ) -> tuple[Grant, Verdict] | None:
        """The first grant that covers a call that asks, and the ALLOW that the chain gives with it.

        `over` are the ids of grants that were found to be over. `waiting` is the approval for which the
        call waits already, which not every grant that covers the call releases.
        """
        for grant in await self._covering(case, now):
            if grant.id in over or (waiting and not may_release(grant, waiting, case.snapshot)):
                continue
            if (verdict := judged(replace(case, grant=grant))).grant_id:
                return grant, verdict
        return None

    async def _covering(self, case: Case, now: datetime) -> Sequence[Grant]:
        """The live grants that cover the call, oldest first."""
        call, tool = case.call, case.snapshot.registry.tools.get(case.call.tool)
        if not call.session or tool is None or not isinstance(case.arguments, Arguments):
            return ()
        live = await self._store.live_grants(call.tenant, call.session, call.agent, call.tool)
        asking = self._asking(case, case.arguments) if live else None
        return [
            grant
            for grant in live
            if asking is not None
            and covers(grant, asking, tool, now)
            and objection_to(grant, case.snapshot) is None
        ]

    async def behind(self, record: CallRecord, case: Case) -> Grant | None:
        """The grant that released the call on record, as long as it still lets it through.

        That its time or its uses are over takes nothing back: that somebody ended it does, and that the
        policy of the case's snapshot would not have it.
        """
        approval = record.approval
        grant_id = released_by(approval) if approval is not None else record.verdict.grant_id
        if not grant_id or not isinstance(case.arguments, Arguments):
            return None
        grant = await self.recorded(grant_id)
        if (
            grant is None
            or grant.state in _ENDED_FOR_GOOD
            or objection_to(grant, case.snapshot) is not None
        ):
            return None
        return grant if reaches(grant, self._asking(case, case.arguments), case.tool) else None

    async def recorded(self, grant_id: str) -> Grant | None:
        """The grant as it was recorded, or None; raises RECORD_ALTERED for one that somebody changed."""
        found = await self._store.grant(grant_id)
        record = await self._store.call_of_trace(found.trace_number) if found is not None else None
        return record.grant if record is not None else None

    def _asking(self, case: Case, arguments: Arguments) -> AskingCall:
        return AskingCall(
            call=case.call,
            arguments=arguments,
            likeness=self._digester.likeness(case.call, arguments),
            place=self._digester.place(case.call),
            priority=priority_of(case, arguments),
        )
