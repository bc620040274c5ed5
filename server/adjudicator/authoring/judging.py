"""The verdict that a call would get by a snapshot: the chain that judges calls, without any effect."""

from adjudicator.chain.call_fields import check_fields
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import Arguments, Fault, read_arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Verdict
from adjudicator.policy.snapshot import Snapshot


def case_of(call: ToolCall, snapshot: Snapshot, limits: Limits) -> Case:
    """What the chain looks at. Raises AdjudicatorError for a call that would not be judged at all."""
    check_fields(call, limits)
    return Case(call, arguments_of(call, limits), snapshot)


def judged(call: ToolCall, snapshot: Snapshot, limits: Limits) -> Verdict:
    """The verdict, as of a dry run. Raises AdjudicatorError for a call that would not be judged at all."""
    # An error in a check is in the verdict.
    return judge(case_of(call, snapshot, limits), lambda _check, _error: None)


def arguments_of(call: ToolCall, limits: Limits) -> Arguments | Fault:
    """The call's arguments, read as the sidecar reads them."""
    return read_arguments(
        call.arguments_json,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
