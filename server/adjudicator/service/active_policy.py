"""The snapshot that decides now, and how another takes its place: all or nothing."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.policy.folder import fingerprint
from adjudicator.policy.loader import Bundle, BundleError
from adjudicator.policy.problem import Problem
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.taking_apart import take_apart

Load = Callable[[Path], Bundle]


class Reload(Enum):
    """What a reload came to."""

    ACTIVATED = "ACTIVATED"
    UNCHANGED = "UNCHANGED"
    REFUSED = "REFUSED"


@dataclass(frozen=True, slots=True)
class PolicyStatus:
    """Which snapshot decides, and what was wrong with the folder when it was last read.

    `tests` is how many of the bundle's own tests the snapshot has passed.
    """

    directory: Path
    snapshot: Snapshot | None = None
    activated_at: datetime | None = None
    tests: int = 0
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """What was in the folder: a bundle that is new, one that is active already, or problems."""

    fingerprint: str
    bundle: Bundle | None = None
    problems: tuple[Problem, ...] = ()


class ActivePolicy:
    """Holds one reference. Decisions read it; only a bundle without a problem replaces it.

    `load` runs in a thread and raises BundleError. `retire` is given each snapshot that was replaced.
    """

    def __init__(
        self,
        directory: Path,
        load: Load,
        clock: Clock,
        retire: Callable[[Snapshot], None] = lambda _: None,
    ) -> None:
        self._load = load
        self._clock = clock
        self._retire = retire
        self._reloading = asyncio.Lock()
        self._contents = ""
        self._fingerprint = ""
        self.status = PolicyStatus(directory)

    def current(self) -> Snapshot:
        """The snapshot that decides; raises POLICY_INVALID when there is none."""
        snapshot = self.status.snapshot
        if snapshot is None:
            raise AdjudicatorError(
                ErrorReason.POLICY_INVALID,
                "there is no valid policy bundle, so nothing is allowed: run 'adjudicator policy check'",
            )
        return snapshot

    async def reload(self) -> Reload:
        """Read the folder and activate it. REFUSED when it had a problem: then the old one goes on.

        A folder with the same files as before leaves the snapshot as it is. Reloads run one after the
        other, so that what is on disk when this is called is what is read, or something later.
        """
        async with self._reloading:
            read = await asyncio.to_thread(self._read)
            self._fingerprint = read.fingerprint
            if read.bundle is not None:
                self._activate(read.bundle)
                return Reload.ACTIVATED
            self.status = replace(self.status, problems=read.problems)
            return Reload.REFUSED if read.problems else Reload.UNCHANGED

    async def try_out(self) -> Bundle | tuple[Problem, ...]:
        """What the folder has: a bundle that could be activated and is not, or problems.

        It takes its turn among the reloads. Must not be cancelled: no thread can be stopped, and two loads
        must not run at once.
        """
        async with self._reloading:
            return await asyncio.to_thread(self._try_out)

    async def fingerprint(self) -> str:
        """What the folder looks like now, without reading its files."""
        return await asyncio.to_thread(fingerprint, self.status.directory)

    async def is_stale(self) -> bool:
        """Whether anything in the folder has changed since it was last read."""
        return await self.fingerprint() != self._fingerprint

    def _activate(self, bundle: Bundle) -> None:
        replaced = self.status.snapshot
        self._contents = bundle.contents
        self.status = PolicyStatus(
            self.status.directory, bundle.snapshot, self._clock.now(), len(bundle.tests)
        )
        if replaced is not None:
            self._retire(replaced)

    def _try_out(self) -> Bundle | tuple[Problem, ...]:
        try:
            return self._load(self.status.directory)
        except BundleError as error:
            return error.problems

    def _read(self) -> _Read:
        # Before the files: what changes while they are read has changed since.
        before = fingerprint(self.status.directory)
        # What is not needed is dropped here, in the thread: to take a bundle apart takes time. An error's
        # traceback holds all that was read, so that only its problems go on.
        try:
            loaded = [self._load(self.status.directory)]
        except BundleError as error:
            return _Read(before, problems=error.problems)
        if loaded[0].contents != self._contents:
            return _Read(before, loaded.pop())
        take_apart(loaded)
        return _Read(before)
