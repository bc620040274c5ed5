"""Archives what is old, while no sidecar runs."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adjudicator.app.database import OwnData, engine_of
from adjudicator.app.secrets import signing_key
from adjudicator.config.private_files import PrivateFileError, private_folder
from adjudicator.config.settings import Settings
from adjudicator.config.whole_file import whole_file
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection, Engine
from adjudicator.storage.ledger import select_identity
from adjudicator.storage.migrations import version_of
from adjudicator.storage.rows import to_micros
from adjudicator.storage.schema import VERSION
from adjudicator.tracing.archive import Archive, pieces
from adjudicator.tracing.database_check import Outside
from adjudicator.tracing.export_check import ExportCheck
from adjudicator.tracing.findings import Progress, Verification
from adjudicator.tracing.signing import Signer

_PIECE = 5_000


def archive(settings: Settings, older_than: timedelta, folder: Path, progress: Progress) -> dict[str, Any]:
    """Move what is older to a new file in the folder; what was moved, as JSON data.

    Raises STORE_UNAVAILABLE when a sidecar uses the data folder, and when what would be archived is not
    sound; then nothing was removed.
    """
    if not settings.signing_key.exists():
        raise PrivateFileError(settings.signing_key, "it is missing, and an archive's end has to be signed")
    signer = Signer(signing_key(settings.signing_key))
    private_folder(folder)
    now = datetime.now(UTC)
    engine = engine_of(settings)
    try:
        with contextlib.closing(OwnData(settings)), contextlib.closing(engine.connect()) as db:
            _check_version(engine, db)
            one = Archive(signer, to_micros(now - older_than), to_micros(now))
            file = folder / f"archive-{select_identity(db)}-{now:%Y%m%dT%H%M%S%fZ}.jsonl"
            return _archive(engine, db, one, file, progress)
    except engine.failures as error:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"{engine.name} cannot be archived: {error}"
        ) from error
    finally:
        engine.close()


def _archive(
    engine: Engine, db: Connection, one: Archive, file: Path, progress: Progress
) -> dict[str, Any]:
    db.execute(engine.snapshot)
    plan = one.plan(db)
    if plan:
        with whole_file(file) as out:
            out.writelines(one.lines(db, plan))
            db.execute("COMMIT")  # before the file is synced: a server does not wait for that
    else:
        db.execute("COMMIT")
        return {"file": "", "records": 0, "traces": 0}
    check_archive(file, progress)
    whole = sum(each.until - each.chain.start.sequence for each in plan)
    records = traces = 0
    for number, ends in enumerate(pieces(plan, _PIECE), 1):
        engine.begin_steady(db)
        gone = one.move(db, ends)
        db.execute("COMMIT")
        records, traces = records + gone.records, traces + gone.traces
        progress("records", min(number * _PIECE, whole), whole)
    return {"file": str(file), "records": records, "traces": traces}


def check_archive(file: Path, progress: Progress) -> None:
    """Read a new archive back. Raises STORE_UNAVAILABLE, and removes it, when it is not sound."""
    found = Verification(str(file), "")
    ExportCheck(file, Outside(), found, progress).run()
    if found.findings:
        first = found.findings[0]
        file.unlink()
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"nothing is archived, because record {first.sequence} of writer {first.writer or '?'} is not "
            f"sound: {first.text}; see adjudicator trace verify",
        )


def _check_version(engine: Engine, db: Connection) -> None:
    version = version_of(engine, db)
    if version != VERSION:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"{engine.name} has schema {version} and not {VERSION}; see adjudicator db migrate",
        )
