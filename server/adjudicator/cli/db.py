"""`adjudicator db`: what an operator does with the database, without a sidecar or beside one."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from adjudicator.cli.databases import existing, own_database
from adjudicator.cli.option_types import SPAN
from adjudicator.cli.output import Cell, out, print_json, print_line
from adjudicator.cli.planes import json_option
from adjudicator.cli.progress import progress_bar
from adjudicator.cli.trace_verify import print_report
from adjudicator.cli.verdicts import print_facts
from adjudicator.config.settings import Settings


@click.group(short_help="Look after the database.")
def db() -> None:
    """Show, bring forward, back up or archive the database. No sidecar is needed."""


@db.command(epilog="\b\nExample:\n  adjudicator db info", short_help="What is in the database.")
@own_database
@json_option
def info(*, settings: Settings, as_json: bool) -> None:
    """Show what is in the database; a running sidecar does not notice."""
    from adjudicator.app.database_care import info as run  # noqa: PLC0415 - only this needs it

    about = run(existing(settings))
    if as_json:
        print_json(about)
    else:
        print_facts(out(), _facts(about))


@db.command(
    epilog="\b\nExample:\n  adjudicator db migrate", short_help="Bring the database to today's schema."
)
@own_database
@json_option
def migrate(*, settings: Settings, as_json: bool) -> None:
    """Bring the database forward to the schema of this version, as the next start would.

    There is no way back but a backup. The sidecar has to be stopped.
    """
    from adjudicator.app.database_care import bring_forward  # noqa: PLC0415 - only this needs it

    before, now = bring_forward(existing(settings))
    if as_json:
        print_json({"database": settings.database_name, "from": before, "to": now})
    elif before == now:
        print_line(out(), f"{settings.database_name} has schema {now} already.")
    else:
        print_line(out(), f"{settings.database_name} went from schema {before} to {now}.")


@db.command(
    epilog="\b\nExample:\n  adjudicator db backup /backups/monday.db",
    short_help="Copy the database, and verify it.",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@own_database
@json_option
def backup(*, settings: Settings, file: Path, as_json: bool) -> None:
    """Make FILE a copy of the database as of one moment, beside a running sidecar if there is one.

    FILE must not be there yet. It appears when the copy is on disk and was verified.
    """
    from adjudicator.app.database_care import back_up  # noqa: PLC0415 - only this needs it

    with progress_bar() as progress:
        report = back_up(existing(settings), file, progress)
    if as_json:
        print_json(report)
    else:
        print_report(report)


@db.command(
    epilog="\b\nExample:\n  adjudicator db archive --older-than 90d --to /archive",
    short_help="Move what is old to a file.",
)
@click.option("--older-than", required=True, type=SPAN, help="How old a record has to be, as 90d.")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the archives; a new file is made in it.",
)
@own_database
@json_option
def archive(*, settings: Settings, older_than: timedelta, folder: Path, as_json: bool) -> None:
    """Move old records, and the traces that they are all of, from the database to a new file.

    Both can be verified afterwards, and that one goes on where the other ends. What is still open stays.
    The sidecar has to be stopped.
    """
    from adjudicator.app.archiving import archive as run  # noqa: PLC0415 - only this needs it

    with progress_bar() as progress:
        moved = run(existing(settings), older_than, folder, progress)
    if as_json:
        print_json(moved)
    elif moved["file"]:
        print_line(
            out(), f"{moved['records']:,} records of {moved['traces']:,} traces went to {moved['file']}"
        )
    else:
        print_line(out(), "Nothing that is so old may go.")


def _facts(about: dict[str, Any]) -> Iterator[tuple[str, Cell]]:
    yield "database", f"{about['database']} ({about['engine']}, {about['bytes']:,} bytes)"
    yield "in use", "by a sidecar" if about["in_use"] else "no"
    yield "schema", str(about["schema"])
    if "identity" not in about:
        return
    yield "identity", about["identity"]
    yield "traces", f"{about['traces']:,}"
    approvals = ", ".join(f"{count:,} {state}" for state, count in about["approvals"].items())
    yield "approvals", approvals or "none"
    yield "records", f"from {about['first_record_at'] or '(none)'} to {about['last_record_at'] or '(none)'}"
    for writer in about["writers"]:
        yield "writer", f"{writer['writer']} since {writer['started_at']}, key {writer['key']}"
        yield "", f"records {writer['first']:,} to {writer['last']:,}, {writer['heads']:,} heads"
        if writer["archived_up_to"]:
            yield "", f"archived up to record {writer['archived_up_to']:,}"
