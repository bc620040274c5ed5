"""One sidecar, put together: store, policy, use cases, listeners; and how it starts and stops."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from adjudicator.app.agent_plane import agent_plane
from adjudicator.app.approver_plane import approver_plane
from adjudicator.app.database import OwnData, open_own_store
from adjudicator.app.parts import Parts
from adjudicator.app.quiet_load import quiet_load
from adjudicator.app.secrets import digest_key, signing_key
from adjudicator.app.telemetry import Telemetry
from adjudicator.approvals.digest import Digester
from adjudicator.config.approver_tokens import add_first_approver
from adjudicator.config.limits import Limits
from adjudicator.config.private_files import private_folder, publish_key
from adjudicator.config.settings import Settings
from adjudicator.domain.clock import Clock, SystemClock
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.service.activation import admit
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.archive_old import ArchiveOld
from adjudicator.service.attendance import Attendance
from adjudicator.service.ending import Ending
from adjudicator.service.expire import Expire
from adjudicator.service.finish_closings import FinishClosings
from adjudicator.service.grants import RevokeGrant
from adjudicator.service.judge_again import JudgeAgain
from adjudicator.service.reload_policy import ReloadPolicy
from adjudicator.service.retired_snapshots import RetiredSnapshots
from adjudicator.service.sign_heads import SignHeads
from adjudicator.service.waits import Waits
from adjudicator.service.watch_policy import WatchPolicy
from adjudicator.storage.contract import Store
from adjudicator.tracing.head_file import HeadFile
from adjudicator.tracing.signing import Signer
from adjudicator.transport.authentication import Approvers

GRACE_SECONDS = 5.0
_PROBE_SECONDS = 1.0
_log = structlog.get_logger("adjudicator.sidecar")


class Sidecar:
    """Owns everything that one sidecar runs. `start`, then `stop`, once each."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        """Open the store and bind the listeners; raises AdjudicatorError, naming what cannot be used."""
        private_folder(settings.data)
        self._store_well = True
        self._tasks: list[asyncio.Task[None]] = []
        self.new_token = add_first_approver(settings.data)
        signer = Signer(signing_key(settings.signing_key))
        publish_key(settings.public_key, signer.public_key)
        with contextlib.ExitStack() as undo:
            self._own_data = OwnData(settings)
            undo.callback(self._own_data.close)
            self._store, latest = open_own_store(settings, signer.public_key)
            undo.callback(self._store.abandon)
            # Whoever shares the database has to find the same digest for the same call.
            key = self._store.shared_key or digest_key(settings.digest_key)
            self._compose(settings, limits, SystemClock(floor=latest), key, signer)
            undo.pop_all()

    def _compose(
        self, settings: Settings, limits: Limits, clock: SystemClock, key: bytes, signer: Signer
    ) -> None:
        self._clock = clock
        self._waits = Waits()
        self._retired = RetiredSnapshots()
        self._telemetry = Telemetry(settings.otlp_endpoint, clock)
        load = quiet_load(partial(admit, limits=limits))
        self.policy = ActivePolicy(settings.policies, load, clock, self._retired.add)
        revoke = RevokeGrant(self.policy, self._store, clock, limits)
        self._judge_again = JudgeAgain(self.policy, self._store, clock, revoke)
        self._reload = ReloadPolicy(self.policy, self._show_health, self._judge_again.activated)
        self._watches_policy = settings.watch
        self._expire = Expire(self._store, clock)
        heads = HeadFile(settings.data, self._store.identity)
        if (last := heads.last()) and last.writer != self._store.writer.name:
            _log.error(
                "the database has not what was signed last: it was restored, or cut; a new chain begins",
                signed_chain=last.writer,
                signed_record=last.sequence,
            )
        self._sign_heads = SignHeads(self._store, self._store.writer, signer, heads, clock)
        self._archive = _archive_of(settings, self._store, signer, clock)
        approvers = Approvers(settings.approver_tokens)
        # With several sidecars on one database each knows its own tokens only.
        attendance = Attendance((lambda: None) if self._store.shared else approvers.people)
        parts = Parts(
            self.policy, self._store, self._waits, clock, limits, Digester(key), self._telemetry, attendance
        )
        self.agents = agent_plane(parts, settings.listen)
        self.approvers = approver_plane(
            parts, settings.approver_listen, approvers, self._reload, self._retired.add
        )

    async def start(self) -> None:
        """Load the policy and serve. Without a valid bundle it serves, says NOT_SERVING, allows nothing."""
        self._store.subscribe(self._waits.changed)
        if self._clock.was_set_back:
            closed = await self._expire.close_all("the clock was set back while it was open")
            _log.error("the clock was set back: all that was open is closed", closed=closed)
        await self.agents.start()
        await self.approvers.start()
        await self._reload()
        duties = {
            "expire": self._expire.run,
            "judge again": self._judge_again.run,
            "finish closings": FinishClosings(self._store, Ending(self._store, self._clock)).run,
            "sign heads": self._sign_heads.run,
            "watch the store": self._watch_store,
            "drop retired policies": self._retired.run,
        }
        if self._archive is not None:
            duties["archive what is old"] = self._archive.run
        if self._watches_policy:
            duties["watch the policy folder"] = WatchPolicy(self.policy, self._reload).run
        self._tasks = [asyncio.create_task(_supervised(name, run)) for name, run in duties.items()]

    async def stop(self) -> None:
        """End open waits and watches with DRAINING, let calls in flight finish, close the store."""
        try:
            self._waits.drain()
            await asyncio.gather(self.agents.stop(GRACE_SECONDS), self.approvers.stop(GRACE_SECONDS))
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._sign_heads.sign()
        finally:
            await self._store.close()
            self._own_data.close()
            await self._telemetry.close()

    async def _watch_store(self) -> None:
        """Health follows the store: a store that takes no writes can give no verdict."""
        told = False
        while True:
            await asyncio.sleep(_PROBE_SECONDS)
            if self._store_well and not self._store.failing:
                continue
            # Before it is probed, which waits behind whatever else waits for the store.
            self._store_well = False
            await self._show_health()
            try:
                await self._store.probe()
            except AdjudicatorError as error:
                if not told:
                    _log.error("the store takes no writes: nothing is allowed", cause=str(error.__cause__))
                told = True
            else:
                self._store_well = True
                await self._show_health()
                if told:
                    _log.info("the store takes writes again")
                told = False

    async def _show_health(self) -> None:
        status = self.policy.status
        in_order = status.snapshot is not None and not status.problems
        await self.agents.set(serving=self._store_well and status.snapshot is not None)
        await self.approvers.set(serving=self._store_well)
        for listener in (self.agents, self.approvers):
            await listener.set_policy(in_order=in_order)


def _archive_of(settings: Settings, store: Store, signer: Signer, clock: Clock) -> ArchiveOld | None:
    """The duty to archive, if it was asked for. Raises PrivateFileError for a folder of no use."""
    if settings.archive_after is None or settings.archive_to is None:
        return None
    private_folder(settings.archive_to)
    return ArchiveOld(store, signer, clock, settings.archive_after, settings.archive_to)


async def _supervised(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run for ever: what fails is logged and started again, so that no duty ends unseen."""
    while True:
        try:
            await run()
        except Exception as error:  # noqa: BLE001 - whatever it is, the duty goes on
            _log.error("a background duty failed and is started again", duty=name, exc_info=error)
        await asyncio.sleep(_PROBE_SECONDS)
