"""The chain as the use cases run it: its verdict, and its faults in the log where an operator looks."""

from dataclasses import dataclass

import structlog

from adjudicator.chain.case import Case
from adjudicator.chain.judge import Check, judge
from adjudicator.domain.verdict import Verdict
from adjudicator.service.showing import Shown

_log = structlog.get_logger("adjudicator.judging")


@dataclass(frozen=True, slots=True)
class Judged:
    """A call, read and judged once: what the answer and its record are made of."""

    case: Case
    verdict: Verdict
    shown: Shown
    digest: bytes


def judged(case: Case) -> Verdict:
    """The verdict on the case. A check that fails denies, and leaves its error in the log."""
    return judge(case, _report)


def _report(check: Check, error: Exception) -> None:
    _log.error("a check failed, so its call is denied", check=check.name, exc_info=error)
