"""`adjudicator outcome`: report what became of an allowed call."""

import click
from google.protobuf.duration_pb2 import Duration

from adjudicator.api.v1.adjudication_service_pb2 import (
    ExecutionStatus,
    ReportOutcomeRequest,
    ReportOutcomeResponse,
)
from adjudicator.cli.message_json import message_json
from adjudicator.cli.numbers import TRACE_NUMBER, Seconds
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.planes import AgentPlane, agent_plane, json_option
from adjudicator.cli.verdicts import print_violations
from adjudicator.config.limits import Limits

_STATUSES = {
    "succeeded": ExecutionStatus.EXECUTION_STATUS_SUCCEEDED,
    "failed": ExecutionStatus.EXECUTION_STATUS_FAILED,
    "not_executed": ExecutionStatus.EXECUTION_STATUS_NOT_EXECUTED,
}


@click.command(
    epilog="\b\nExamples:\n"
    "  adjudicator outcome 12 --tenant studio --agent coder --call-id call-... --status succeeded \\\n"
    "      --output '{\"lines\": 3}' --duration 0.4\n"
    "  adjudicator outcome 13 --tenant studio --agent coder --call-id call-... --status failed \\\n"
    "      --error-class TimeoutError",
    short_help="Report what became of an allowed call.",
)
@click.argument("trace_number", metavar="TRACE", type=TRACE_NUMBER)
@click.option("--status", required=True, type=click.Choice(list(_STATUSES)), help="What became of it.")
@click.option("--tenant", required=True, envvar="ADJUDICATOR_TENANT", show_envvar=True, help="Of the call.")
@click.option("--agent", required=True, envvar="ADJUDICATOR_AGENT", show_envvar=True, help="Of the call.")
@click.option("--call-id", required=True, help="Of the verdict.")
@click.option("--output", default="", metavar="JSON", help="The tool's output, as JSON text.")
@click.option("--error-class", default="", help="The class of the error. Not its message: messages leak.")
@click.option(
    "--duration",
    type=Seconds(Limits().execution_seconds),
    metavar="SECONDS",
    help="How long it ran.",
)
@click.option("--final-output", default="", help="What the agent finally said or did with it.")
@json_option
@agent_plane
def outcome(  # noqa: PLR0913 - click passes each option by its name
    *,
    plane: AgentPlane,
    trace_number: int,
    status: str,
    tenant: str,
    agent: str,
    call_id: str,
    output: str,
    error_class: str,
    duration: float | None,
    final_output: str,
    as_json: bool,
) -> None:
    """Record in the call's trace what became of its execution. The trace is finished by that."""
    report = ReportOutcomeRequest(
        trace_number=trace_number,
        tenant=tenant,
        agent=agent,
        call_id=call_id,
        status=_STATUSES[status],
        output_json=output,
        error_class=error_class,
        duration=None if duration is None else _duration(duration),
        final_output=final_output,
    )
    with plane.open() as client:
        response = client.report_outcome(report)
    if as_json:
        print_json(message_json(response))
    else:
        _print(response)


def _print(response: ReportOutcomeResponse) -> None:
    print_line(out(), f"Trace {response.trace_number} is finished.")
    if response.violations:
        print_line(out(), "The output violates the tool's contract, which is recorded with it:")
    elif not response.output_valid:
        print_line(out(), "The output could not be checked, so only its digest is recorded, or all of it.")
    print_violations(out(), response.violations)


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(int(seconds * 1e9))
    return duration
