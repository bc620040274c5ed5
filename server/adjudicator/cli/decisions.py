"""`adjudicator approve`, `deny`, `reject`, `skip`, `cancel`, `delegate`: a person decides."""

from datetime import timedelta
from pathlib import Path

import click

from adjudicator.api.v1.approval_service_pb2 import Decision, ResolveRequest
from adjudicator.cli.ballot import Ballot
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.grant_wish import grant_wish
from adjudicator.cli.option_types import ACTOR, APPROVAL_ID, SPAN
from adjudicator.cli.planes import ApproverPlane, Command, approver_plane, json_option
from adjudicator.config.limits import Limits

_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)
_MOST_USES = 2**32 - 1


def _decides(command: Command) -> Command:
    decorated: Command = click.argument("approval_id", metavar="ID", type=APPROVAL_ID)(
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
        request.grant.CopyFrom(grant_wish(schema, uses, lifetime))
    _exit(Ballot(request, verb, view_digest).cast(plane, approval_id, yes=yes, as_json=as_json))


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
        ballot = Ballot(ResolveRequest(decision=decision, reason=reason), f"{verb} this call")
        _exit(ballot.cast(plane, approval_id, yes=yes, as_json=as_json))

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
    type=ACTOR,
    metavar="ACTOR",
    help="A person, as user:bob, or a role, as role:lead.",
)
@_decides
def delegate(
    *, plane: ApproverPlane, approval_id: str, delegate_to: str, reason: str, yes: bool, as_json: bool
) -> None:
    """Print one approval's exact view, and hand it on: from then on only they approve it."""
    request = ResolveRequest(decision=Decision.DECISION_DELEGATE, reason=reason, delegate_to=delegate_to)
    ballot = Ballot(request, f"Hand this call to {delegate_to}")
    _exit(ballot.cast(plane, approval_id, yes=yes, as_json=as_json))


def _exit(code: ExitCode) -> None:
    click.get_current_context().exit(code)
