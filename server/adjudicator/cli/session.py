"""`adjudicator session close` and `withdraw`: a runtime that ends takes its asks along."""

import click

from adjudicator.api.v1.adjudication_service_pb2 import CloseSessionRequest, WithdrawCallRequest
from adjudicator.api.v1.types_pb2 import Cause
from adjudicator.cli.caller import agent_option, session_option, tenant_option
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.message_json import message_json
from adjudicator.cli.output import hint, out, print_json, print_line
from adjudicator.cli.planes import AgentPlane, agent_plane, json_option
from adjudicator.cli.verdicts import print_verdict
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_reason = click.option("--reason", default="", help=f"Why, at most {Limits().reason_chars:,} characters.")
_CODES = exit_codes(ExitCode.OK, ExitCode.NOT_ACCEPTED, ExitCode.ERROR, ExitCode.USAGE)


@click.group(short_help="Close a session for good.")
def session() -> None:
    """What a runtime calls one run of an agent."""


@session.command(
    "close",
    epilog="\b\nExample:\n  adjudicator session close s1 --tenant studio --agent coder --reason 'run over'",
    short_help="Close a session; what is pending in it ends.",
)
@click.argument("session_id", metavar="SESSION")
@tenant_option
@agent_option
@_reason
@json_option
@agent_plane
def close_session(*, plane: AgentPlane, session_id: str, as_json: bool, **fields: str) -> None:
    """Close a session for good: approvals and questions in it are cancelled, grants cleared.

    Every later call in it is denied; a new session needs a new id. Once more does what was left to do.
    """
    with plane.open() as client:
        closed = client.close_session(CloseSessionRequest(session=session_id, **fields))
    if as_json:
        print_json(message_json(closed))
        return
    print_line(out(), f"Session {session_id} is closed: trace {closed.trace_number}.")
    counts = (
        (closed.approvals_cancelled, "approvals cancelled"),
        (closed.grants_cleared, "grants cleared"),
        (closed.questions_cancelled, "questions cancelled"),
    )
    print_line(out(), "  " + ", ".join(f"{count} {what}" for count, what in counts))


@click.command(
    epilog="\b\nExample:\n  adjudicator withdraw c1 --tenant studio --agent coder --session s1\n\n"
    + _CODES,
    short_help="Withdraw one call that nobody has used yet.",
)
@click.argument("call_id", metavar="CALL_ID")
@tenant_option
@agent_option
@session_option
@_reason
@json_option
@agent_plane
def withdraw(*, plane: AgentPlane, as_json: bool, **fields: str) -> None:
    """Withdraw one call: its approval, pending or approved and not used, is cancelled.

    It takes back nothing that was allowed, and touches no other call. Prints the call's verdict.
    """
    with plane.open() as client:
        response = client.withdraw_call(WithdrawCallRequest(**fields))
    if as_json:
        print_json(message_json(response))
    else:
        print_verdict(out(), response.verdict, SystemClock().now())
    is_withdrawn = response.verdict.cause == Cause.CAUSE_CALL_WITHDRAWN
    if not is_withdrawn and not as_json:
        hint("it was decided or over before: nothing was withdrawn")
    click.get_current_context().exit(ExitCode.OK if is_withdrawn else ExitCode.NOT_ACCEPTED)
