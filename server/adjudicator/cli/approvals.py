"""`adjudicator pending`, `approval`, `approve`, `reject`: a person looks and decides."""

import sys

import click
import grpc
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, Decision, ReceiptCode, ResolveResponse
from adjudicator.cli.approval_view import digest_of_view, is_pending, print_approval, print_approvals
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.output import err, hint, out, print_json, print_line
from adjudicator.cli.planes import ApproverPlane, Command, approver_plane, json_option
from adjudicator.client.approver import ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_DECIDE_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog="\b\nExample:\n  adjudicator pending --tenant studio", short_help="What waits for a person."
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--tool", default="", help="Only this tool.")
@json_option
@approver_plane
def pending(*, plane: ApproverPlane, tenant: str, tool: str, as_json: bool) -> None:
    """List what is pending, oldest first. With --json, one approval on each line."""
    with plane.open() as client:
        approvals = list(client.pending(tenant=tenant, tool=tool))
    if as_json:
        for approval in approvals:
            print_json(message_json(approval))
    elif approvals:
        print_approvals(out(), approvals, SystemClock().now())
    else:
        print_line(out(), "Nothing is pending.")


@click.command(
    epilog="\b\nExamples:\n  adjudicator approval apr-...\n  adjudicator approval --trace 12",
    short_help="One approval with its view.",
)
@click.argument("approval_id", metavar="ID", required=False)
@click.option("--trace", "trace_number", type=TRACE_NUMBER, help="The approval of this trace.")
@json_option
@approver_plane
def approval(
    *, plane: ApproverPlane, approval_id: str | None, trace_number: int | None, as_json: bool
) -> None:
    """Show one approval in any state: the exact view, its digest, when it expires, and the votes."""
    if (approval_id is None) == (trace_number is None):
        raise click.UsageError("Give an ID or --trace.")
    with plane.open() as client:
        found = client.approval(approval_id) if approval_id else client.approval_of_trace(trace_number or 0)
    if as_json:
        print_json(message_json(found))
    else:
        print_approval(out(), found, SystemClock().now())


def _decides(command: Command) -> Command:
    decorated: Command = click.argument("approval_id", metavar="ID")(
        click.option("--reason", default="", help=f"Why, at most {Limits().reason_chars:,} characters.")(
            click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation on a terminal.")(
                json_option(approver_plane(command))
            )
        )
    )
    return decorated


@click.command(
    epilog="\b\nExamples:\n  adjudicator approve apr-...\n"
    "  adjudicator approve apr-... --as ann --reason 'the ticket says so'\n\n" + _DECIDE_CODES,
    short_help="Let one call run, once.",
)
@click.option(
    "--view-digest",
    metavar="DIGEST",
    help="The digest of the view that you saw. Approves nothing if the view is another.  "
    "[default: of the view that is printed]",
)
@_decides
def approve(
    *,
    plane: ApproverPlane,
    approval_id: str,
    view_digest: str | None,
    reason: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Print one approval's exact view, and approve it: this call may run with these arguments, once."""
    decision = _Decide(Decision.DECISION_APPROVE, "Approve", reason, view_digest)
    click.get_current_context().exit(decision.on(plane, approval_id, yes=yes, as_json=as_json))


@click.command(
    epilog="\b\nExample:\n  adjudicator reject apr-... --reason 'not on a Friday'\n\n" + _DECIDE_CODES,
    short_help="Do not let a call run.",
)
@_decides
def reject(*, plane: ApproverPlane, approval_id: str, reason: str, yes: bool, as_json: bool) -> None:
    """Print one approval's exact view, and deny it: the call does not run."""
    decision = _Decide(Decision.DECISION_DENY, "Reject", reason, None)
    click.get_current_context().exit(decision.on(plane, approval_id, yes=yes, as_json=as_json))


class _Decide:
    """One decision, from the view that a person sees to the receipt."""

    def __init__(self, decision: Decision, verb: str, reason: str, view_digest: str | None) -> None:
        self._decision = decision
        self._verb = verb
        self._reason = reason
        self._view_digest = view_digest

    def on(self, plane: ApproverPlane, approval_id: str, *, yes: bool, as_json: bool) -> ExitCode:
        """Show, confirm, decide, print the receipt."""
        with plane.open() as client:
            try:
                found = client.approval(approval_id)
            except ClientError as error:
                receipt = _unknown(error)
            else:
                # With --json the answer is the receipt alone; a person who is asked still sees the view.
                if not as_json or _asks(found, yes=yes):
                    print_approval(err() if as_json else out(), found, SystemClock().now())
                if _asks(found, yes=yes) and not click.confirm(f"{self._verb} this call?", err=True):
                    hint("nothing was decided")
                    return ExitCode.NOT_ACCEPTED
                receipt = self._resolve(client, found)
        _print_receipt(receipt, as_json=as_json)
        return ExitCode.OK if receipt.accepted else ExitCode.NOT_ACCEPTED

    def _resolve(self, client: ApproverClient, approval: Approval) -> ResolveResponse:
        digest = self._view_digest if self._view_digest is not None else digest_of_view(approval)
        return client.resolve(approval.id, self._decision, view_digest=digest, reason=self._reason)


def _asks(approval: Approval, *, yes: bool) -> bool:
    return is_pending(approval) and not yes and sys.stdin.isatty()


def _unknown(error: ClientError) -> ResolveResponse:
    if error.code is not grpc.StatusCode.NOT_FOUND:
        raise error
    return ResolveResponse(code=ReceiptCode.RECEIPT_CODE_UNKNOWN, message=error.message)


def _print_receipt(receipt: ResolveResponse, *, as_json: bool) -> None:
    if as_json:
        print_json(message_json(receipt))
        return
    verdict = Text("accepted", "bold green") if receipt.accepted else Text("not accepted", "bold red")
    print_line(out(), verdict, f"  {enum_name(receipt, 'code')}: {receipt.message}")
