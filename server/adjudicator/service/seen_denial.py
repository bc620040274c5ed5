"""Whether a policy denies the call of an approval, told from what its view shows of the call."""

from dataclasses import replace
from typing import Any

from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.chain.rulings import ruling
from adjudicator.domain.approval import Approval
from adjudicator.domain.facet import Facet
from adjudicator.domain.json_pointer import parts_of
from adjudicator.domain.verdict import Cause, Outcome, Step, Verdict
from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.derive import derive
from adjudicator.policy.snapshot import EvaluationError, Snapshot
from adjudicator.service.seen_call import SeenCase, hides, seen_case

_OF_NO_ARGUMENT = frozenset({Cause.MODE_READ_ONLY, Cause.PRINCIPAL_MISSING})


def seen_denial(approval: Approval, snapshot: Snapshot) -> Verdict | None:
    """The denial of the approval's call, where it does not depend on anything that the view hides.

    What a rule or a contract says of a hidden value means nothing. A contract is believed only of a call
    that was shown whole: a part of it may count or not by a value elsewhere.
    """
    seen = seen_case(approval, snapshot)
    # Thousands may fail on one row: the verdict names it, and calls that fail on it are in the log.
    verdict = judge(seen.case, lambda _check, _error: None)
    if verdict.outcome is not Outcome.DENY:
        return None
    if not seen.redacted or verdict.step < Step.GATE or verdict.cause in _OF_NO_ARGUMENT:
        return verdict
    return _of_what_is_shown(seen, verdict) if verdict.step is Step.GATE else None


def _of_what_is_shown(seen: SeenCase, verdict: Verdict) -> Verdict | None:
    """The denial by rules of the facets that are shown. The strictest of all facets wins, so it stands."""
    arguments = seen.arguments.value
    try:
        facets = _facets(seen.case, arguments)
        shown = [each for each in facets if not hides(_value_at(arguments, each.pointer))]
        finding = ruling(seen.case, shown)
    except (TooComplexError, InvalidArgumentError, EvaluationError):
        return None  # that may be the marker's doing
    if finding is None or finding.outcome is not Outcome.DENY:
        return None
    return replace(
        verdict,
        reason_code=finding.reason_code,
        cause=finding.cause,
        reason=finding.reason,
        rule=finding.rule,
        violations=(),
    )


def _facets(case: Case, arguments: dict[str, Any]) -> tuple[Facet, ...]:
    directory, resolved = case.call.working_directory, dict(case.call.resolved_paths)
    return derive(arguments, case.tool.arguments, directory, resolved)


def _value_at(arguments: dict[str, Any], pointer: str) -> Any:
    """What a facet was derived from; None for one that is of no argument, or of one that is absent."""
    value: Any = arguments if pointer else None
    for part in parts_of(pointer):
        if isinstance(value, list):
            value = value[int(part)] if part.isdecimal() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value
