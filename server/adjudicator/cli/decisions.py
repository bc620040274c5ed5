"""`adjudicator approve`, `deny`, `reject`, `skip`, `cancel`, `delegate`: a person decides."""

import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import click
import grpc

from adjudicator.api.v1.approval_service_pb2 import (
    Approval,
    Decision,
    GrantWish,
    ReceiptCode,
    ResolveRequest,
    ResolveResponse,
)
from adjudicator.cli.approval_notes import is_pending
from adjudicator.cli.approval_view import digest_of_view, print_approval
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.option_types import SPAN
from adjudicator.cli.output import err, hint, out
from adjudicator.cli.planes import ApproverPlane, Command, approver_plane, json_option
from adjudicator.cli.receipts import print_receipt
from adjudicator.client.errors import ClientError
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)
_MOST_USES = 2**32 - 1


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
    "  adjudicator approve apr-... --as ann --reason 'the ticket says so'\n"
    "  adjudicator approve apr-... --session --uses 5 --for 30m\n\n" + _CODES,
    short_help="Let one call run, once.",
)
@click.option(
    "--view-digest",
    metavar="DIGEST",
    help="The digest of the view that you saw. Approves nothing if the view is another.  "
    "[default: of the view that is printed]",
)
@click.option("--option", "selected_option", default="", help="One of the options of the request.")
@click.option(
    "--session", "for_session", is_flag=True, help="Grant the same to later calls of the session, too."
)
@click.option(
    "--schema",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="With --session: a JSON Schema that the arguments of a later call have to satisfy.",
)
@click.option(
    "--uses",
    type=click.IntRange(min=1, max=_MOST_USES),
    metavar="N",
    help="With --session: for how many calls at most.",
)
@click.option(
    "--for",
    "lifetime",
    type=SPAN,
    metavar="SPAN",
    help="With --session: for how long at most, as 90s, 30m, 2h, 3d or 1w.",
)
@_decides
def approve(  # noqa: PLR0913 - click hands over every option by its name
    *,
    plane: ApproverPlane,
    approval_id: str,
    view_digest: str | None,
    selected_option: str,
    for_session: bool,
    schema: Path | None,
    uses: int | None,
    lifetime: timedelta | None,
    reason: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Print one approval's exact view, and approve it: this call may run with these arguments, once.

    With --session later calls of the tool in the session pass without a question, as far as the policy
    lets that be granted. The receipt has the grant exactly as it is stored.
    """
    if not for_session and (schema, uses, lifetime) != (None, None, None):
        raise click.UsageError("--schema, --uses and --for go with --session.")
    request = ResolveRequest(
        decision=Decision.DECISION_APPROVE, reason=reason, selected_option=selected_option
    )
    verb = "Approve this call"
    if for_session:
        verb = "Approve this call, and such calls of its session"
        request.decision = Decision.DECISION_APPROVE_SESSION
        request.grant.CopyFrom(_wish(schema, uses, lifetime))
    _exit(_Decide(request, verb, view_digest).on(plane, approval_id, yes=yes, as_json=as_json))


def _refusal(name: str, decision: Decision, verb: str, short: str, meaning: str) -> click.Command:
    """One of the commands that let nothing run."""

    @click.command(
        name,
        help=f"Print one approval's exact view, and {meaning}",
        epilog=f"\b\nExample:\n  adjudicator {name} apr-... --reason 'not on a Friday'\n\n" + _CODES,
        short_help=short,
    )
    @_decides
    def refuse(*, plane: ApproverPlane, approval_id: str, reason: str, yes: bool, as_json: bool) -> None:
        decide = _Decide(ResolveRequest(decision=decision, reason=reason), f"{verb} this call")
        _exit(decide.on(plane, approval_id, yes=yes, as_json=as_json))

    return refuse


deny = _refusal(
    "deny",
    Decision.DECISION_DENY,
    "Deny",
    "Do not let a call run.",
    "deny it: the call does not run.",
)
reject = _refusal(
    "reject",
    Decision.DECISION_DENY,
    "Reject",
    "The same as deny.",
    "deny it: the call does not run.",
)
skip = _refusal(
    "skip",
    Decision.DECISION_SKIP,
    "Skip",
    "Do not let a call run; its agent may go on without it.",
    "skip it: the call does not run, and the agent may go on without it.",
)
cancel = _refusal(
    "cancel",
    Decision.DECISION_CANCEL,
    "Cancel",
    "Do not let a call run, and stop what it was part of.",
    "cancel it: the call does not run, and the agent should stop what it was part of.",
)


@click.command(
    epilog="\b\nExamples:\n  adjudicator delegate apr-... --to user:bob\n"
    "  adjudicator delegate apr-... --to role:lead --reason 'yours to say'\n\n" + _CODES,
    short_help="Hand an approval to somebody else.",
)
@click.option(
    "--to",
    "delegate_to",
    required=True,
    metavar="ACTOR",
    help="A person, as user:bob, or a role, as role:lead.",
)
@_decides
def delegate(
    *, plane: ApproverPlane, approval_id: str, delegate_to: str, reason: str, yes: bool, as_json: bool
) -> None:
    """Print one approval's exact view, and hand it on: from then on only they approve it."""
    request = ResolveRequest(decision=Decision.DECISION_DELEGATE, reason=reason, delegate_to=delegate_to)
    decide = _Decide(request, f"Hand this call to {delegate_to}")
    _exit(decide.on(plane, approval_id, yes=yes, as_json=as_json))


@dataclass(frozen=True, slots=True)
class _Decide:
    """One decision, from the view that a person sees to the receipt."""

    request: ResolveRequest
    verb: str
    view_digest: str | None = None

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
                if _asks(found, yes=yes) and not click.confirm(f"{self.verb}?", err=True):
                    hint("nothing was decided")
                    return ExitCode.NOT_ACCEPTED
                receipt = client.decide(self._about(found))
        print_receipt(receipt, as_json=as_json)
        return ExitCode.OK if receipt.accepted else ExitCode.NOT_ACCEPTED

    def _about(self, approval: Approval) -> ResolveRequest:
        digest = self.view_digest if self.view_digest is not None else digest_of_view(approval)
        request = ResolveRequest(approval_id=approval.id, view_digest=digest)
        request.MergeFrom(self.request)
        return request


def _wish(schema: Path | None, uses: int | None, lifetime: timedelta | None) -> GrantWish:
    wish = GrantWish(uses=uses or 0)
    if schema is not None:
        try:
            wish.arguments_schema_json = schema.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise click.BadParameter(
                f"{schema} cannot be read as text: {error}", param_hint="--schema"
            ) from error
        if not wish.arguments_schema_json.strip():
            raise click.BadParameter(
                f"{schema} is empty; leave it out to grant without one.", param_hint="--schema"
            )
    if lifetime is not None:
        wish.lifetime.FromTimedelta(lifetime)
    return wish


def _asks(approval: Approval, *, yes: bool) -> bool:
    return is_pending(approval) and not yes and sys.stdin.isatty()


def _unknown(error: ClientError) -> ResolveResponse:
    if error.code is not grpc.StatusCode.NOT_FOUND:
        raise error
    return ResolveResponse(code=ReceiptCode.RECEIPT_CODE_UNKNOWN, message=error.message)


def _exit(code: ExitCode) -> None:
    click.get_current_context().exit(code)
