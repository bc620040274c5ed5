"""`adjudicator trace export`: what is on record, as JSON lines that can be verified anywhere."""

from datetime import UTC
from pathlib import Path

import click
from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.cli.databases import existing, own_database
from adjudicator.cli.option_types import Moment
from adjudicator.cli.output import err, out, print_json, print_line
from adjudicator.cli.planes import json_option
from adjudicator.cli.progress import progress_bar
from adjudicator.config.settings import Settings


@click.command(
    epilog="\b\nExamples:\n  adjudicator trace export --output all.jsonl\n"
    "  adjudicator trace export --since 2026-01-01 --output - | gzip > part.jsonl.gz",
    short_help="All records as JSON lines.",
)
@own_database
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="The file to make, or - for standard output.",
)
@click.option("--since", type=Moment(), help="Only records from this moment on.")
@click.option("--until", type=Moment(), help="Only records before this moment.")
@click.option("--tenant", default="", help="Only this tenant.")
@json_option
def export(
    *,
    settings: Settings,
    output: Path,
    since: Timestamp | None,
    until: Timestamp | None,
    tenant: str,
    as_json: bool,
) -> None:
    """Write every record, with the signed heads, so that `trace verify` can check it without the database.

    Its last line counts the others: a file without it is cut off. With --since, --until or --tenant it says
    in its first line that it is a part: of a part, what was left out cannot be verified.
    """
    from adjudicator.app.database import readable  # noqa: PLC0415 - only this needs it
    from adjudicator.app.exporting import export as run  # noqa: PLC0415 - the same

    to_file = None if str(output) == "-" else output
    with progress_bar() as progress:
        said = run(
            readable(existing(settings)),
            to_file,
            since=since.ToDatetime(UTC) if since else None,
            until=until.ToDatetime(UTC) if until else None,
            tenant=tenant,
            progress=progress,
        )
    text = f"{said['records']:,} records and {said['heads']:,} heads in {said['file']}"
    if to_file is None:
        print_line(err(), text)
    elif as_json:
        print_json(said)
    else:
        print_line(out(), text)
