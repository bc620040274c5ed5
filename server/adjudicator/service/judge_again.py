"""Judge again: what stands when a snapshot becomes active is judged by it, and closed if it is denied now.

Nothing that is released depends on this: before an approval is used, the whole chain runs again. It tells
people and runtimes at once what can come to nothing any more, and makes it so whatever policy follows.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog

from adjudicator.domain.approval import Approval, ApprovalState
from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import Grant, GrantState
from adjudicator.domain.verdict import Verdict
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.grants import RevokeGrant
from adjudicator.service.retry import cancellation
from adjudicator.service.standing import grant_end_reason, standing_denial
from adjudicator.service.turns import Turns
from adjudicator.storage.contract import CallRecord, Change, GrantFilter, Store

_AT_ONCE = 16
"""Read, and closed, together. Whoever waits for the store waits for all of them."""
_PAUSE_SECONDS = 1.0
_log = structlog.get_logger("adjudicator.judge_again")


@dataclass(slots=True)
class _Round:
    """All that stands, judged by one snapshot: how far that is, and what came of it so far."""

    snapshot: Snapshot
    turns: Turns = field(default_factory=Turns)
    begun: float = field(default_factory=time.monotonic)
    reached: int = 0
    approvals: int = 0
    cancelled: int = 0
    grants_reached: int | None = None
    grants: int = 0
    revoked: int = 0
    unjudged: int = 0


_Part = Callable[[_Round], Awaitable[bool]]


class JudgeAgain:
    """Judges what stands by the snapshot that is active. `activated` asks for it, `run` does it."""

    def __init__(self, policy: ActivePolicy, store: Store, clock: Clock, revoke: RevokeGrant) -> None:
        self._policy = policy
        self._store = store
        self._clock = clock
        self._revoke = revoke
        self._wanted = asyncio.Event()

    def activated(self) -> None:
        """Another snapshot decides from now on."""
        self._wanted.set()

    async def run(self) -> None:
        """Go on until cancelled. What is wanted stays wanted until it is done, whatever fails."""
        while True:
            await self._wanted.wait()
            await self.judge_all()

    async def judge_all(self) -> None:
        """Judge all that stands. A snapshot that becomes active meanwhile makes it begin anew."""
        while not await self._finish(_Round(self._policy.current())):
            pass
        self._wanted.clear()

    async def _finish(self, this: _Round) -> bool:
        """Whether it was judged to its end, and the snapshot is still the one that decides."""
        parts: tuple[_Part, ...] = (self._arrive, self._judge_approvals, self._judge_grants)
        for part in parts:
            more = True
            while more:
                more = await self._tried(part, this)
                if self._policy.current() is not this.snapshot:
                    return False
        _tell(this)
        return True

    async def _tried(self, part: _Part, this: _Round) -> bool:
        """Whether the part has more to do. A store that fails leaves all of it to do."""
        try:
            return await part(this)
        except AdjudicatorError as error:
            if error.reason is not ErrorReason.STORE_UNAVAILABLE:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)
        return True

    async def _arrive(self, _: _Round) -> bool:
        """Wait for what the snapshot before has judged, and the store has been asked to record."""
        await self._store.tail()
        return False

    async def _judge_approvals(self, this: _Round) -> bool:
        """Judge the next approvals, and close those that are denied; whether there may be more."""
        approvals = await self._store.all_standing(this.reached, _AT_ONCE)
        judged = [(each, await self._denial(this, each)) for each in approvals]
        await _together(self._close(this, each, denied) for each, denied in judged if denied is not None)
        this.approvals += len(approvals)
        if approvals:
            this.reached = approvals[-1].trace_number
        return len(approvals) == _AT_ONCE

    async def _judge_grants(self, this: _Round) -> bool:
        """The same of live grants, the newest first: those given meanwhile were given under this policy."""
        grants = await self._store.grants(GrantFilter(), this.grants_reached, _AT_ONCE)
        judged = [(each, await self._end_reason(this, each)) for each in grants]
        await _together(self._end(this, each, reason) for each, reason in judged if reason)
        this.grants += len(grants)
        if grants:
            this.grants_reached = grants[-1].trace_number
        return len(grants) == _AT_ONCE

    async def _denial(self, this: _Round, approval: Approval) -> Verdict | None:
        await this.turns()
        try:
            return standing_denial(approval, this.snapshot)
        except Exception as error:  # noqa: BLE001 - it is judged when its call comes; the others are now
            this.unjudged += 1
            _log.error("an approval could not be judged again", approval=approval.id, exc_info=error)
            return None

    async def _end_reason(self, this: _Round, grant: Grant) -> str:
        origin = await self._store.approval(grant.approval_id)
        await this.turns()
        try:
            return grant_end_reason(grant, origin, this.snapshot)
        except Exception as error:  # noqa: BLE001 - each call under it is judged when it comes
            this.unjudged += 1
            _log.error("a session grant could not be judged again", grant=grant.id, exc_info=error)
            return ""

    async def _close(self, this: _Round, approval: Approval, denied: Verdict) -> None:
        """Cancel it, unless somebody was quicker, or yet another policy is active."""

        def decide(record: CallRecord) -> tuple[Change | None, bool]:
            latest = record.approval
            if latest is None:
                raise TypeError("the call of an approval has that approval")
            if self._policy.current() is not this.snapshot:
                return None, False
            change = cancellation(record, latest, self._clock.now(), denied)[0]
            return change, change is not None and change.state is ApprovalState.CANCELLED

        with _one_alone(f"approval {approval.id}"):
            closed = await self._store.change_call(approval.trace_number, decide)
            this.cancelled += closed

    async def _end(self, this: _Round, grant: Grant, reason: str) -> None:
        """Revoke it, and cancel what it has released and nobody has used yet."""
        if self._policy.current() is not this.snapshot:
            return
        with _one_alone(f"grant {grant.id}"):
            ended = await self._revoke.end(grant, reason)
            this.revoked += ended.grant.state is GrantState.REVOKED


async def _together(changes: Iterable[Awaitable[None]]) -> None:
    """Ask for all changes at once, so that the store commits them together. Raises what one of them did."""
    for answer in await asyncio.gather(*changes, return_exceptions=True):
        if isinstance(answer, BaseException):
            raise answer


@contextmanager
def _one_alone(what: str) -> Iterator[None]:
    """What is wrong with one that is on record keeps no other standing; a store that fails is raised."""
    try:
        yield
    except AdjudicatorError as error:
        if error.reason is ErrorReason.STORE_UNAVAILABLE:
            raise
        _log.error("what is denied now could not be closed", what=what, exc_info=error)


def _tell(this: _Round) -> None:
    _log.info(
        "what stands was judged by the policy that is active now",
        version=this.snapshot.version,
        approvals=this.approvals,
        cancelled=this.cancelled,
        grants=this.grants,
        revoked=this.revoked,
        unjudged=this.unjudged,
        seconds=round(time.monotonic() - this.begun, 3),
    )
