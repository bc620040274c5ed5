"""`adjudicator trace verify`: whether what is on record is what was recorded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from adjudicator.cli.databases import existing, own_database
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import Cell, out, print_json, print_line
from adjudicator.cli.planes import json_option
from adjudicator.cli.progress import progress_bar
from adjudicator.cli.verdicts import print_facts
from adjudicator.config.settings import Settings

_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)
_MOST_LISTED = 20
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(
    epilog="\b\nExamples:\n  adjudicator trace verify\n"
    "  adjudicator trace verify copy.db --heads heads-0123456789abcdef.jsonl --key signing.pub\n"
    "  adjudicator trace verify archive.jsonl\n\n" + _CODES,
    short_help="Whether the record is what was recorded.",
)
@click.argument("file", required=False, type=_FILE)
@own_database
@click.option(
    "--heads",
    type=_FILE,
    multiple=True,
    help="A file of signed heads; may be repeated.  [default: those beside the database]",
)
@click.option(
    "--key",
    "keys",
    type=_FILE,
    multiple=True,
    help="A public key to trust, and no other; may be repeated.  [default: signing.pub beside the file]",
)
@click.option(
    "--archive",
    "archives",
    type=_FILE,
    multiple=True,
    help="An archive that the database goes on from; may be repeated.",
)
@json_option
def verify(
    *,
    settings: Settings,
    file: Path | None,
    heads: tuple[Path, ...],
    keys: tuple[Path, ...],
    archives: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Verify a database, a copy of one, an export or an archive, and name the first bad record.

    FILE is the sidecar's own database unless it is given. It is only read, whether or not a sidecar has it
    open. The exit code is 0 only if nothing is wrong.
    """
    from adjudicator.app import verification  # noqa: PLC0415 - only this needs it
    from adjudicator.app.database import readable  # noqa: PLC0415 - the same

    own = existing(settings) if file is None else settings
    chosen = file or (readable(own) if own.postgres_url else own.database_path)
    inquiry = verification.Inquiry(chosen, None if file else settings.data, heads, keys, archives)
    with progress_bar() as progress:
        try:
            report = verification.verify(inquiry, progress)
        except OSError as error:
            raise click.UsageError(str(error)) from error
    if as_json:
        print_json(report)
    else:
        print_report(report)
    click.get_current_context().exit(ExitCode.OK if report["sound"] else ExitCode.ERROR)


def print_report(report: dict[str, Any]) -> None:
    """What was found, for people."""
    console = out()
    listed = report["findings"][:_MOST_LISTED]
    for each in listed:
        print_line(console, Text(f"  {each['fault']}", style="bold red"), f"  {_place(each)}{each['text']}")
    more = len(report["findings"]) - len(listed) + report["more_findings"]
    if more:
        print_line(console, f"  and {more:,} more")
    verdict = Text("sound", style="bold green") if report["sound"] else Text("not sound", style="bold red")
    print_line(console, verdict, f"  {report['file']}: {_counts(report)}")
    for writer in report["writers"]:
        print_facts(console, _facts(writer))
    for note in report["notes"]:
        print_line(console, f"  note: {note}")


def _place(finding: dict[str, Any]) -> str:
    names = [(name, finding[name]) for name in ("writer", "sequence", "trace") if finding[name]]
    words = ", ".join(f"{'record' if name == 'sequence' else name} {value}" for name, value in names)
    return f"{words}: " if words else ""


def _counts(report: dict[str, Any]) -> str:
    counts = [(report["records"], "record"), (report["traces"], "trace"), (report["approvals"], "approval")]
    return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts)


def _facts(writer: dict[str, Any]) -> Iterator[tuple[str, Cell]]:
    if writer["last"] >= writer["first"]:
        yield "writer", f"{writer['writer']}, records {writer['first']:,} to {writer['last']:,}"
    else:
        yield "writer", f"{writer['writer']}, no records"
    if writer["kept"]:
        yield "", f"and {writer['kept']:,} that stayed when others were archived"
    trust = "a trusted key" if writer["trusted"] else "known only from what is verified"
    yield "key", f"{writer['key']} ({trust})"
    yield "signed", _signed(writer)


def _signed(writer: dict[str, Any]) -> Cell:
    unsigned = writer["unsigned"]
    if not unsigned:
        return f"by {writer['heads']:,} heads, up to the last record"
    noun = "record is" if unsigned == 1 else "records are"
    if unsigned >= writer["records"]:
        return Text(
            "nothing: no signature covers a record of this chain; a sidecar signs every five seconds",
            style="bold yellow",
        )
    return Text(f"the last {unsigned:,} {noun} not covered by a signature", style="yellow")
