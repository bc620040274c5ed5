"""`adjudicator serve` and `demo`: the commands that start the sidecar."""

from datetime import timedelta
from pathlib import Path

import click

from adjudicator.cli.option_types import SPAN
from adjudicator.cli.planes import (
    agent_address_option,
    approver_address_option,
    data_option,
    json_option,
)
from adjudicator.config.settings import (
    LOG_FORMAT,
    LOG_FORMATS,
    LOG_LEVEL,
    LOG_LEVELS,
    POLICIES,
    LogFormat,
    Settings,
)

policies_option = click.option(
    "--policies",
    type=click.Path(path_type=Path, file_okay=False),
    default=POLICIES,
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
@agent_address_option
@approver_address_option
@click.option(
    "--database",
    default="",
    envvar="ADJUDICATOR_DATABASE",
    show_envvar=True,
    metavar="FILE|URL",
    help="The database: a file, or postgresql://USER@HOST/NAME to share one.  [default: a file in the data"
    " folder]",
)
@click.option(
    "--watch/--no-watch",
    default=True,
    show_default=True,
    envvar="ADJUDICATOR_WATCH",
    show_envvar=True,
    help="Activate what changes in the folder of the policy bundle by itself, or wait for a reload.",
)
@click.option(
    "--otlp-endpoint",
    metavar="URL",
    default="",
    envvar="OTEL_EXPORTER_OTLP_ENDPOINT",
    show_envvar=True,
    help="Export spans to this OpenTelemetry collector, over gRPC: http://HOST:PORT. Needs the extra otel.",
)
@click.option(
    "--archive-after",
    type=SPAN,
    envvar="ADJUDICATOR_ARCHIVE_AFTER",
    show_envvar=True,
    help="Once a day, move what is older, as 90d, to a file; needs --archive-to.",
)
@click.option(
    "--archive-to",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="ADJUDICATOR_ARCHIVE_TO",
    show_envvar=True,
    help="The folder for these files.",
)
@click.option(
    "--log-format",
    type=click.Choice(LOG_FORMATS),
    default=LOG_FORMAT,
    show_default=True,
    help="The form of the log.",
)
@click.option(
    "--log-level",
    type=click.Choice(LOG_LEVELS),
    default=LOG_LEVEL,
    show_default=True,
    help="The least that is logged.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --log-format json.")
def serve(  # noqa: PLR0913 - click hands over every option by its name
    *,
    policies: Path,
    data: Path,
    address: str,
    approver_address: str,
    database: str,
    watch: bool,
    otlp_endpoint: str,
    archive_after: timedelta | None,
    archive_to: Path | None,
    log_format: LogFormat,
    log_level: str,
    as_json: bool,
) -> None:
    """Start the sidecar: the agent plane on one address, the approver plane on another.

    It runs until SIGINT or SIGTERM, then lets the calls in flight finish. The first start makes the
    data folder and the first approver's token in it.
    """
    if (archive_after is None) is not (archive_to is None):
        raise click.UsageError("--archive-after and --archive-to go together.")
    from adjudicator.app.serve import serve as run  # noqa: PLC0415 - only this needs the whole sidecar

    settings = Settings(
        policies=policies,
        data=data,
        listen=address,
        approver_listen=approver_address,
        log_format="json" if as_json else log_format,
        log_level=log_level,
        database=database,
        watch=watch,
        otlp_endpoint=otlp_endpoint,
        archive_after=archive_after,
        archive_to=archive_to,
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
    from adjudicator.cli.demo.run import run  # noqa: PLC0415 - only this needs it

    click.get_current_context().exit(run(policies=policies, as_json=as_json))
