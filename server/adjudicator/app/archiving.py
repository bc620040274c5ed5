"""Archives what is old, while no sidecar runs."""

import contextlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from adjudicator.app.database import OwnData, engine_of
from adjudicator.app.secrets import signing_key
from adjudicator.config.private_files import PrivateFileError, private_folder
from adjudicator.config.settings import Settings
from adjudicator.domain.clock import SystemClock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import to_micros
from adjudicator.storage.engine import Connection, Engine
from adjudicator.storage.migrations import check_version
from adjudicator.tracing.archive import Archive, pieces
from adjudicator.tracing.archive_file import check_archive, write_archive
from adjudicator.tracing.findings import Progress
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
    now = SystemClock().now()
    engine = engine_of(settings)
    try:
        with contextlib.closing(OwnData(settings)), contextlib.closing(engine.connect()) as db:
            check_version(engine, db)
            one = Archive(signer, to_micros(now - older_than), to_micros(now))
            return _archive(engine, db, one, folder, now, progress)
    except engine.failures as error:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"{engine.name} cannot be archived: {error}"
        ) from error
    finally:
        engine.close()


def _archive(
    engine: Engine, db: Connection, one: Archive, folder: Path, now: datetime, progress: Progress
) -> dict[str, Any]:
    db.execute(engine.snapshot)
    file = write_archive(db, one, folder, now, lambda: None)
    if file is None:
        return {"file": "", "records": 0, "traces": 0}
    check_archive(file, progress)
    whole = sum(each.until - each.chain.start.sequence for each in file.plan)
    records = traces = 0
    for number, ends in enumerate(pieces(file.plan, _PIECE), 1):
        engine.begin_steady(db)
        gone = one.move(db, ends)
        db.execute("COMMIT")
        records, traces = records + gone.records, traces + gone.traces
        progress("records", min(number * _PIECE, whole), whole)
    return {"file": str(file.path), "records": records, "traces": traces}
