"""The chain as the use cases run it: its verdict, and its faults in the log where an operator looks."""

import structlog

from adjudicator.chain.case import Case
from adjudicator.chain.judge import Check, judge
from adjudicator.domain.verdict import Verdict

_log = structlog.get_logger("adjudicator.judging")


def judged(case: Case) -> Verdict:
    """The verdict on the case. A check that fails denies, and leaves its error in the log."""
    return judge(case, _report)


def _report(check: Check, error: Exception) -> None:
    _log.error("a check failed, so its call is denied", check=check.name, exc_info=error)
