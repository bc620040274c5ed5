"""The file of an archive: written whole and on disk, and read back, before anything is removed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from adjudicator.config.whole_file import whole_file
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import select_identity
from adjudicator.tracing.archive import Archive, Stretch
from adjudicator.tracing.database_check import Outside
from adjudicator.tracing.export_check import ExportCheck
from adjudicator.tracing.findings import Progress, Verification


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """An archive on disk, and what it is of."""

    path: Path
    plan: Sequence[Stretch]


def write_archive(
    db: Connection, archive: Archive, folder: Path, now: datetime, go_on: Callable[[], None]
) -> ArchiveFile | None:
    """Write what is old to a new file, within a transaction that reads; None when nothing is.

    The transaction is committed here, before the file is synced: a server does not wait for that. `go_on`
    is called before each line, and ends it by raising. Raises STORE_UNAVAILABLE for a file that cannot be
    written.
    """
    plan = archive.plan(db)
    if not plan:
        db.execute("COMMIT")
        return None
    path = folder / f"archive-{select_identity(db)}-{now:%Y%m%dT%H%M%S%fZ}.jsonl"
    try:
        with whole_file(path) as out:
            for line in archive.lines(db, plan):
                go_on()
                out.write(line)
            db.execute("COMMIT")
    except OSError as error:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"{path} cannot be written: {error}"
        ) from error
    return ArchiveFile(path, plan)


def check_archive(file: ArchiveFile, progress: Progress) -> None:
    """Read a new archive back. Raises STORE_UNAVAILABLE, and removes it, when it is not sound."""
    found = Verification(str(file.path), "")
    ExportCheck(file.path, Outside(), found, progress).run()
    if found.findings:
        first = found.findings[0]
        file.path.unlink()
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"nothing is archived, because record {first.sequence} of writer {first.writer or '?'} is not "
            f"sound: {first.text}; see adjudicator trace verify",
        )
