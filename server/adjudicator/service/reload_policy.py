"""Reload the policy: read the folder, activate it or not, and let health and log say what came of it."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from adjudicator.policy.problem import Problem
from adjudicator.service.active_policy import ActivePolicy, Reload

_log = structlog.get_logger("adjudicator.policy")


class ReloadPolicy:
    """The whole of a reload, whoever wants it.

    `changed` is told after each, and shows health; `activated` is told when another snapshot decides.
    """

    def __init__(
        self,
        policy: ActivePolicy,
        changed: Callable[[], Awaitable[None]],
        activated: Callable[[], None] = lambda: None,
    ) -> None:
        self._policy = policy
        self._changed = changed
        self._activated = activated
        self._logged: tuple[Problem, ...] = ()

    async def __call__(self) -> bool:
        """Whether the folder's bundle is now the one that decides.

        Goes on to its end when whoever waits for it goes away: no thread can be stopped, two loads must
        not run at once, and what was activated is told.
        """
        return await asyncio.shield(asyncio.create_task(self._whole()))

    async def _whole(self) -> bool:
        reload = await self._policy.reload()
        if reload is Reload.ACTIVATED:
            self._activated()
        self._log(reload)
        await self._changed()
        return reload is not Reload.REFUSED

    def _log(self, reload: Reload) -> None:
        """One line for each activation; the same problems are told once, however often they are found."""
        status = self._policy.status
        version = status.snapshot.version if status.snapshot else "none, so nothing is allowed"
        problems_before, self._logged = self._logged, status.problems
        if reload is Reload.ACTIVATED and status.snapshot is not None:
            rules = status.snapshot.rule_count
            _log.info("policy activated", version=version, rules=rules, tests=status.tests)
        elif reload is Reload.UNCHANGED and problems_before:
            _log.info("the policy folder is in order again", version=version)
        elif reload is Reload.REFUSED and status.problems != problems_before:
            for problem in status.problems:
                where = f"{problem.file}:{problem.line}:{problem.column}"
                _log.error("policy problem", at=where, problem=problem.message)
            _log.error("policy not activated", directory=str(status.directory), kept=version)
