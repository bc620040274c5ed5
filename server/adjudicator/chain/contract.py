"""S8: the arguments can be read and satisfy the tool's JSON Schema."""

from adjudicator.chain.case import Case, Finding, deny
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import quoted
from adjudicator.domain.invisible import plain
from adjudicator.domain.verdict import Cause, ReasonCode


def input_contract(case: Case, _: Finding | None) -> Finding | None:
    """The arguments are one strict JSON object that satisfies the tool's JSON Schema."""
    if isinstance(case.arguments, Fault):
        return unreadable(case.arguments)
    contract = case.snapshot.contracts[case.tool.code]
    violations = tuple(contract.violations(case.arguments.value, quoting=case.quoting))
    if not violations:
        return None
    first = violations[0]
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    return deny(
        ReasonCode.VALIDATION,
        Cause.CONTRACT_VIOLATION,
        f"the arguments of tool {quoted(case.tool.code)} violate its contract:"
        f" {plain(first.path) or 'the object'}: {plain(first.message)}{more}",
        violations=violations,
    )


def unreadable(fault: Fault) -> Finding:
    """The denial of a call whose arguments cannot be read."""
    cause = Cause.ARGUMENTS_TOO_LARGE if fault.too_large else Cause.ARGUMENTS_MALFORMED
    return deny(ReasonCode.VALIDATION, cause, fault.message)
