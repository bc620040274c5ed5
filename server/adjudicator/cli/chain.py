"""`adjudicator chain`: the steps that every call goes through."""

import click

from adjudicator.api.v1.adjudication_service_pb2 import ChainCheck, ChainStep
from adjudicator.api.v1.types_pb2 import ReasonCode
from adjudicator.cli.message_json import message_json, short_name
from adjudicator.cli.output import out, print_json, print_table
from adjudicator.cli.planes import AgentPlane, agent_plane, json_option
from adjudicator.cli.verdicts import step_label


@click.command(
    epilog="\b\nExample:\n  adjudicator chain", short_help="The steps that every call goes through."
)
@json_option
@agent_plane
def chain(*, plane: AgentPlane, as_json: bool) -> None:
    """Show the steps and checks in the order in which the sidecar runs them. The first denial ends it.

    With --json, one step on each line.
    """
    with plane.open() as client:
        steps = client.explain_chain()
    if as_json:
        for step in steps:
            print_json(message_json(step))
        return
    rows = [
        _row(step, check, first=place == 0) for step in steps for place, check in enumerate(step.checks)
    ]
    print_table(out(), ["STEP", "CHECK", "DENIES WITH", "REQUIRES"], rows)


def _row(step: ChainStep, check: ChainCheck, *, first: bool) -> list[str]:
    return [step_label(step.step) if first else "", check.name, _codes(check), check.description]


def _codes(check: ChainCheck) -> str:
    known = ReasonCode.DESCRIPTOR.values_by_number
    names = [known[number].name if number in known else str(number) for number in check.denies_with]
    return ", ".join(short_name(ReasonCode.DESCRIPTOR, name) for name in names)
