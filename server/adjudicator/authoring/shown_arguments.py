"""The arguments of a call as an author may see them: without what a bundle hides."""

from adjudicator.chain.case import Case
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.strict_json import canonical_json
from adjudicator.domain.trace import Recorded
from adjudicator.policy.snapshot import EvaluationError, Snapshot


def shown_arguments(case: Case, *others: Snapshot) -> str:
    """As JSON text in which nothing stands that the case's snapshot, or another, hides.

    Empty where nothing may be shown: arguments that cannot be read, those of a tool that none of them
    knows, and those of which traces keep a digest only.
    """
    if not isinstance(case.arguments, Arguments):
        return ""
    value, tool, redacted = case.arguments.value, case.call.tool, False
    for snapshot in (case.snapshot, *others):
        contract = snapshot.contracts.get(tool)
        if contract is None:
            continue
        if snapshot.recorded_arguments(tool) is Recorded.DIGEST:
            return ""
        try:
            value, redacted = contract.redact(value), True
        except EvaluationError:
            return ""
    if not redacted:
        return ""
    return canonical_json(value).decode()
