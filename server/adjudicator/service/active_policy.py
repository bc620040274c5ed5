"""The snapshot that decides now, and how another takes its place: all or nothing."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.policy.loader import BundleError
from adjudicator.policy.problem import Problem
from adjudicator.policy.snapshot import Snapshot

Load = Callable[[Path], Snapshot]


@dataclass(frozen=True, slots=True)
class PolicyStatus:
    """Which snapshot decides, and what was wrong with the folder when it was last read."""

    directory: Path
    snapshot: Snapshot | None
    activated_at: datetime | None
    problems: tuple[Problem, ...]


class ActivePolicy:
    """Holds one reference. Decisions read it; only a bundle without a problem replaces it."""

    def __init__(self, directory: Path, load: Load, clock: Clock) -> None:
        self._load = load
        self._clock = clock
        self._reloading = asyncio.Lock()
        self.status = PolicyStatus(directory, None, None, ())

    def current(self) -> Snapshot:
        """The snapshot that decides; raises POLICY_INVALID when there is none."""
        snapshot = self.status.snapshot
        if snapshot is None:
            raise AdjudicatorError(
                ErrorReason.POLICY_INVALID,
                "there is no valid policy bundle, so nothing is allowed: run 'adjudicator policy check'",
            )
        return snapshot

    async def reload(self) -> bool:
        """Read the folder and activate it. False when it had a problem: then the old one goes on."""
        async with self._reloading:
            before = self.status
            try:
                snapshot = await asyncio.to_thread(self._load, before.directory)
            except BundleError as error:
                self.status = PolicyStatus(
                    before.directory, before.snapshot, before.activated_at, error.problems
                )
                return False
            self.status = PolicyStatus(before.directory, snapshot, self._clock.now(), ())
            return True
