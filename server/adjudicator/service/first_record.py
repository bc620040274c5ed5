"""The first record of a call: its verdict, the use of a grant, or the denial of what the store bars."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from adjudicator.chain.judge import refuse
from adjudicator.domain.trace import TraceKind
from adjudicator.domain.verdict import Cause, Outcome, Verdict
from adjudicator.service.granting import Granting, use_of
from adjudicator.service.judging import Judged
from adjudicator.service.opening import Opening, key_of
from adjudicator.storage.contract import Barred, CallRecord, NewTrace, Store
from adjudicator.storage.sessions import SESSION_IS_CLOSED


@dataclass(frozen=True, slots=True)
class Taken:
    """The call_id has a record. `closed` says that its session is closed, and why nothing runs in it."""

    record: CallRecord
    closed: Barred | None = None


class FirstRecord:
    """Records the verdict on a call that has no record, in the one transaction that decides on it."""

    def __init__(self, store: Store, opening: Opening, granting: Granting) -> None:
        self._store = store
        self._opening = opening
        self._granting = granting

    async def __call__(self, one: Judged, now: datetime, limit: timedelta) -> Verdict | Taken:
        """The verdict as it is recorded, or what is on record already.

        An ask that a live grant covers is recorded as allowed, with a use of the grant. What the store
        bars, because the session is closed or asks for too much, is recorded as denied, for good.
        """
        try:
            return await self._by_grant(one, now) or await self._open(
                self._new(one, one.verdict, now, limit)
            )
        except Barred as barred:
            return await self._denied(one, barred, now)

    async def seen(self, one: Judged, now: datetime) -> Verdict:
        """The verdict that would be recorded, for all that is on record; nothing is recorded or used.

        Bounds on how much may be asked are not looked at: by the time of the call they have changed.
        """
        if (denied := await self.closed(one, one.verdict)) is not None:
            return denied
        if one.verdict.outcome is Outcome.ASK:
            found = await self._granting.lifting(one.case, now)
            # The row is checked here as the transaction would check it.
            if found is not None and await self._granting.recorded(found[0].id) is not None:
                return found[1]
        return one.verdict

    async def closed(self, one: Judged, verdict: Verdict) -> Verdict | None:
        """The denial of a call that has that verdict when its session is closed; or None."""
        if verdict.outcome is Outcome.DENY or not one.case.call.session:
            return None
        key = replace(key_of(one.case.call), call_id="", kind=TraceKind.SESSION)
        found = await self._store.call(key)
        return refuse(one.case, Cause.SESSION_CLOSED, SESSION_IS_CLOSED) if found is not None else None

    async def _by_grant(self, one: Judged, now: datetime) -> Verdict | Taken | None:
        """The same with the first grant that has a use left; None when there is none."""
        if one.verdict.outcome is not Outcome.ASK:
            return None
        over: set[str] = set()
        while (found := await self._granting.lifting(one.case, now, over)) is not None:
            grant, verdict = found
            new = self._new(one, verdict, now)
            try:
                return await self._open(replace(new, uses=use_of(grant, one.case.call.call_id, now)))
            except Barred as barred:
                if barred.cause is not None:
                    raise
                over.add(grant.id)  # somebody took its last use, or ended it
        return None

    async def _denied(self, one: Judged, barred: Barred, now: datetime) -> Verdict | Taken:
        if barred.cause is None:
            raise TypeError("only a grant is over without a cause")
        opened = await self._open(self._new(one, refuse(one.case, barred.cause, barred.reason), now))
        closed = barred if barred.cause is Cause.SESSION_CLOSED else None
        return replace(opened, closed=closed) if isinstance(opened, Taken) else opened

    def _new(
        self, one: Judged, verdict: Verdict, now: datetime, limit: timedelta = timedelta(0)
    ) -> NewTrace:
        return self._opening.keyed(one.case, verdict, one.shown, one.digest, now, limit)

    async def _open(self, new: NewTrace) -> Verdict | Taken:
        opened = await self._store.open_trace(new)
        if isinstance(opened, CallRecord):
            return Taken(opened)
        if new.verdict is None:
            raise TypeError("a call is recorded with its verdict")
        return new.verdict.recorded(opened)
