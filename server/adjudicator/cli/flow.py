"""`adjudicator flow`: open and close a flow, to which several calls belong."""

import secrets

import click

from adjudicator.api.v1.adjudication_service_pb2 import CloseFlowRequest, FlowStatus, OpenFlowRequest
from adjudicator.cli.message_json import message_json
from adjudicator.cli.numbers import TRACE_NUMBER
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import AgentPlane, agent_plane, json_option

_STATUSES = {
    "succeeded": FlowStatus.FLOW_STATUS_SUCCEEDED,
    "failed": FlowStatus.FLOW_STATUS_FAILED,
    "cancelled": FlowStatus.FLOW_STATUS_CANCELLED,
}
_tenant = click.option(
    "--tenant", required=True, envvar="ADJUDICATOR_TENANT", show_envvar=True, help="The tenant."
)
_agent = click.option(
    "--agent", required=True, envvar="ADJUDICATOR_AGENT", show_envvar=True, help="The agent that opens it."
)


@click.group(short_help="Open or close a flow, to which several calls belong.")
def flow() -> None:
    """A trace of its own for several calls of one session. It authorises nothing."""


@flow.command(
    "open",
    epilog="\b\nExamples:\n"
    "  adjudicator flow open --tenant studio --agent coder --description 'release 1.2'\n"
    '  adjudicator call --flow 12 --tenant studio --agent coder --tool ls --arguments \'{"path": "."}\'',
    short_help="Open a flow and print the number of its trace.",
)
@_tenant
@_agent
@click.option("--session", default="", envvar="ADJUDICATOR_SESSION", show_envvar=True, help="The session.")
@click.option("--flow-id", metavar="ID", help="The idempotency key.  [default: a new one]")
@click.option("--principal", default="", help="For whom the agent works, for example user:ann.")
@click.option("--description", default="", help="What it is for. Recorded as it is: no secrets.")
@click.option("--input", "input_json", default="", metavar="JSON", help="What it was started with.")
@json_option
@agent_plane
def open_flow(*, plane: AgentPlane, flow_id: str | None, as_json: bool, **fields: str) -> None:
    """Open a flow. The same command with the same --flow-id again finds the same flow."""
    request = OpenFlowRequest(flow_id=flow_id or f"flow-{secrets.token_hex(16)}", **fields)
    with plane.open() as client:
        response = client.open_flow(request)
    if as_json:
        print_json(message_json(response) | {"flow_id": request.flow_id})
    else:
        print_line(
            out(), f"Flow {response.trace_number} is open; close it with --flow-id {request.flow_id}"
        )


@flow.command(
    "close",
    epilog="\b\nExample:\n"
    "  adjudicator flow close 12 --tenant studio --agent coder --flow-id flow-... --status succeeded",
    short_help="Close a flow; its trace is finished by that.",
)
@click.argument("trace_number", metavar="TRACE", type=TRACE_NUMBER)
@click.option("--status", required=True, type=click.Choice(list(_STATUSES)), help="How it ended.")
@_tenant
@_agent
@click.option("--flow-id", required=True, metavar="ID", help="That of its opening.")
@click.option("--final-output", default="", help="What the agent finally said or did.")
@json_option
@agent_plane
def close_flow(*, plane: AgentPlane, trace_number: int, status: str, as_json: bool, **fields: str) -> None:
    """Close a flow. Only its opener can; no call in it is judged from then on."""
    request = CloseFlowRequest(trace_number=trace_number, status=_STATUSES[status], **fields)
    with plane.open() as client:
        response = client.close_flow(request)
    if as_json:
        print_json(message_json(response))
    else:
        print_line(out(), f"Flow {response.trace_number} is closed.")
