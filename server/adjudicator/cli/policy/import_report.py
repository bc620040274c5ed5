"""What an import would write, and all that is to be known of it, as people and scripts read it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from rich.text import Text

from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.output import hint, out, print_json, print_line, problem, shown
from adjudicator.cli.policy.folder import telling_problems
from adjudicator.config.limits import IMPORT_BYTES
from adjudicator.policy.problem import BundleError

if TYPE_CHECKING:
    from adjudicator.authoring.imports.notes import Note
    from adjudicator.policy.loader import OpenBundle

_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_PLACES = 4
"""Places that one note lists; the others are counted, and JSON has them all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an import came to. `facts` is what scripts read beside notes and edits.

    `failed`: something was left out that its author may rely on.
    """

    edits: Mapping[str, str]
    notes: Sequence["Note"]
    facts: Mapping[str, Any]
    summary: str
    failed: bool


@contextmanager
def telling_faults(folder: Path, *, as_json: bool) -> Iterator[None]:
    """End the command with an error for what cannot be imported, and for a bundle that cannot be used."""
    from adjudicator.authoring.imports.notes import ImportFaultError  # noqa: PLC0415 - only imports need it

    try:
        with telling_problems(folder, as_json=as_json):
            yield
    except ImportFaultError as error:
        if as_json:
            print_json({"ok": False, "directory": str(folder), "error": str(error)})
        problem(str(error))
        click.get_current_context().exit(ExitCode.ERROR)


def text_of(file: IO[bytes]) -> str:
    """The text of what is handed over. Raises ImportFaultError."""
    from adjudicator.authoring.imports.notes import ImportFaultError  # noqa: PLC0415 - only imports need it

    content = file.read(IMPORT_BYTES + 1)
    if len(content) > IMPORT_BYTES:
        raise ImportFaultError(
            f"{origin_of(file)} is over {IMPORT_BYTES:,} bytes; hand over less at a time"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ImportFaultError(f"{origin_of(file)} is not UTF-8 text; save it as UTF-8") from error


def origin_of(file: IO[bytes]) -> str:
    """The name of the file, as comments in the bundle and notes repeat it."""
    name = getattr(file, "name", "-")
    return Path(name).name if isinstance(name, str) and name not in ("-", "<stdin>") else "standard input"


def finish(folder: Path, bundle: "OpenBundle", report: Report, *, write: bool, as_json: bool) -> None:
    """Try the edits, print everything, and write them if that is wanted. Ends the command."""
    from adjudicator.authoring.imports.differences import difference  # noqa: PLC0415 - only imports need it
    from adjudicator.authoring.imports.edited_folder import tried, write_edits  # noqa: PLC0415 - the same

    files = bundle.sources.files
    before = {name: files[name].text if name in files else "" for name in report.edits}
    differences = {name: difference(name, before[name], text) for name, text in report.edits.items()}
    if not as_json:
        _print_notes(report.notes)
        _print_differences(differences)
    try:
        changed = tried(bundle, report.edits)
    except BundleError:
        problem("with this the bundle would not load, so nothing is written; its problems would be:")
        raise
    if write and report.edits:
        write_edits(folder, bundle, report.edits)
    if as_json:
        print_json(
            {
                "ok": not report.failed,
                "directory": str(folder),
                "written": write and bool(report.edits),
                "version": changed.snapshot.version,
                **report.facts,
                "notes": [
                    {"about": note.about, "place": note.place, "text": note.text} for note in report.notes
                ],
                "files": dict(report.edits),
                "diff": {name: "\n".join(lines) for name, lines in differences.items()},
            }
        )
    else:
        _print_end(folder, report, write=write)
    click.get_current_context().exit(ExitCode.ERROR if report.failed else ExitCode.OK)


def _print_notes(notes: Sequence["Note"]) -> None:
    """Those that say the same of several places of one thing are one line."""
    places: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        places.setdefault((note.about, note.text), []).append(note.place)
    for (about, text), at in places.items():
        more = f" and {len(at) - _PLACES} more" if len(at) > _PLACES else ""
        listed = ", ".join(filter(None, at[:_PLACES])) + more
        print_line(
            out(), Text("note  ", style="yellow"), about, f" {listed}" if listed else "", f": {text}"
        )


def _print_differences(differences: Mapping[str, Sequence[str]]) -> None:
    for lines in differences.values():
        for line in lines:
            text = shown(line).copy()
            text.stylize(_STYLES.get(line[:1], ""))
            print_line(out(), text)


def _print_end(folder: Path, report: Report, *, write: bool) -> None:
    count = f"{len(report.edits)} {'file' if len(report.edits) == 1 else 'files'}"
    if not report.edits:
        print_line(out(), Text("nothing to write", style="bold yellow"), f"  {report.summary}")
    elif write:
        print_line(out(), Text("written", style="bold green"), f"  {folder}: {count}; {report.summary}")
        hint(f"adjudicator policy check {folder} runs its tests")
    else:
        print_line(out(), Text("not written", style="bold"), f"  {folder}: {count}; {report.summary}")
        hint("run it again with --write to write this")
