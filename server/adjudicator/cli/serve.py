"""`adjudicator serve` and `demo`: the commands that start the sidecar."""

from pathlib import Path
from typing import Literal

import click

from adjudicator.cli.planes import data_option, json_option
from adjudicator.cli.policy import DEFAULT_POLICIES
from adjudicator.client import agent, approver

LOG_LEVELS = ("debug", "info", "warning", "error")


policies_option = click.option(
    "--policies",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT_POLICIES,
    show_default=True,
    envvar="ADJUDICATOR_POLICIES",
    show_envvar=True,
    help="The folder of the policy bundle.",
)


@click.command(
    epilog="\b\nExamples:\n  adjudicator serve\n"
    "  adjudicator serve --policies /etc/adjudicator/policies --data /var/lib/adjudicator --json",
    short_help="Start the sidecar.",
)
@policies_option
@data_option
@click.option(
    "--address",
    "listen",
    default=agent.DEFAULT_ADDRESS,
    show_default=True,
    envvar="ADJUDICATOR_ADDRESS",
    show_envvar=True,
    help="Where the agent plane listens: HOST:PORT or unix:PATH.",
)
@click.option(
    "--approver-address",
    "approver_listen",
    default=approver.DEFAULT_ADDRESS,
    show_default=True,
    envvar="ADJUDICATOR_APPROVER_ADDRESS",
    show_envvar=True,
    help="Where the approver plane listens.",
)
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="ADJUDICATOR_DATABASE",
    show_envvar=True,
    help="The database file.  [default: in the data folder]",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the log.",
)
@click.option(
    "--log-level",
    type=click.Choice(LOG_LEVELS),
    default="info",
    show_default=True,
    help="The least that is logged.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --log-format json.")
def serve(
    *,
    policies: Path,
    data: Path,
    listen: str,
    approver_listen: str,
    database: Path | None,
    log_format: Literal["text", "json"],
    log_level: str,
    as_json: bool,
) -> None:
    """Start the sidecar: the agent plane on one address, the approver plane on another.

    It runs until SIGINT or SIGTERM, then lets the calls in flight finish. The first start makes the
    data folder and the token of the approver "operator" in it.
    """
    from adjudicator.app.serve import serve as run  # noqa: PLC0415 only this needs the whole sidecar
    from adjudicator.config.settings import Settings  # noqa: PLC0415 the same

    settings = Settings(
        policies=policies,
        data=data,
        listen=listen,
        approver_listen=approver_listen,
        log_format="json" if as_json else log_format,
        log_level=log_level,
        database=database,
    )
    click.get_current_context().exit(run(settings))


@click.command(epilog="\b\nExample:\n  adjudicator demo", short_help="Watch the sidecar do its whole job.")
@policies_option
@json_option
def demo(*, policies: Path, as_json: bool) -> None:
    """Start a sidecar on the shipped policies, and let a scripted agent and approvers use it.

    Files are really written and commands really run, in a scratch folder. The exit code is 0 only if
    every outcome is what it must be.
    """
    from adjudicator.cli.demo.run import run  # noqa: PLC0415 only this needs it

    click.get_current_context().exit(run(policies=policies, as_json=as_json))
