"""`adjudicator policy preview`: what the folder would change, before anybody activates it."""

import click
from rich.text import Text

from adjudicator.api.v1.policy_service_pb2 import PreviewPolicyResponse
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.cli.policy.problems import place
from adjudicator.cli.verdicts import STYLES
from adjudicator.config.limits import Limits

_LIMITS = Limits()
_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog="\b\nExample:\n  adjudicator policy preview && adjudicator policy reload\n\n" + _CODES,
    short_help="What the folder would change.",
)
@click.option(
    "--recent",
    type=click.IntRange(1, _LIMITS.preview_calls),
    default=_LIMITS.default_preview_calls,
    show_default=True,
    help="Judge so many of the latest calls again.",
)
@json_option
@approver_plane
def preview(*, plane: ApproverPlane, recent: int, as_json: bool) -> None:
    """Let the sidecar read and test its folder as for a reload, and say what the bundle would change.

    Nothing is activated. It lists approvals that would be cancelled, session grants that would be revoked,
    and recent calls that would get another outcome than by the policy of now. The lists are bounded, the
    counts are not.
    """
    with plane.open() as client:
        found = client.preview_policy(recent)
    if as_json:
        print_json(message_json(found))
    else:
        _print_preview(found)
    click.get_current_context().exit(ExitCode.OK if found.valid else ExitCode.ERROR)


def _print_preview(found: PreviewPolicyResponse) -> None:
    for problem in found.problems:
        print_line(out(), f"{place(problem.file, problem.line, problem.column)}: {problem.message}")
    if not found.valid:
        print_line(out(), Text("not valid", style="bold red"), f"  {len(found.problems)} problems")
        return
    print_line(out(), Text("valid", style="bold green"), f"  {found.version}")
    _print_approvals(found)
    _print_grants(found)
    _print_calls(found)
    if not found.complete:
        print_line(out(), Text("not all", style="bold yellow"), "  the time ran out: there may be more")


def _print_approvals(found: PreviewPolicyResponse) -> None:
    total, judged = found.denied_approvals_total, found.judged_approvals
    print_line(out(), f"  {total} of {judged} approvals would be cancelled")
    for each in found.denied_approvals:
        print_line(out(), f"    {each.approval_id}  {each.tool}  {each.reason}")
    _print_rest(total - len(found.denied_approvals))


def _print_grants(found: PreviewPolicyResponse) -> None:
    total, judged = found.revoked_grants_total, found.judged_grants
    print_line(out(), f"  {total} of {judged} session grants would be revoked")
    for each in found.revoked_grants:
        print_line(out(), f"    {each.grant_id}  {each.tool}  {each.reason}")
    _print_rest(total - len(found.revoked_grants))


def _print_calls(found: PreviewPolicyResponse) -> None:
    total, judged, unknown = found.flipped_calls_total, found.judged_calls, found.unknown_calls
    left = f"; {unknown} more are not on record whole" if unknown else ""
    print_line(out(), f"  {total} of {judged} recent calls would get another outcome{left}")
    for each in found.flipped_calls:
        was, new = (Text(name, style=STYLES.get(name, "")) for name in (each.outcome, each.new_outcome))
        print_line(out(), f"    {each.trace_number}  {each.tool}  ", was, " to ", new, f"  {each.reason}")
    _print_rest(total - len(found.flipped_calls))


def _print_rest(left: int) -> None:
    if left > 0:
        print_line(out(), f"    and {left} more")
