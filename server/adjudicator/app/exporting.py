"""Exports a database as JSON lines, without a sidecar or beside one."""

import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from adjudicator.config.whole_file import whole_file
from adjudicator.domain.clock import SystemClock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import to_micros
from adjudicator.storage.migrations import check_version
from adjudicator.storage.reading import Readable
from adjudicator.tracing.export import Export, Wanted
from adjudicator.tracing.findings import Progress


def export(
    database: Readable,
    output: Path | None,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    tenant: str = "",
    progress: Progress,
) -> dict[str, Any]:
    """Write the export to a new file, or to standard output; what was written, as JSON data.

    A file appears when all of it is on disk. Raises STORE_UNAVAILABLE for what cannot be read or written.
    """
    wanted = Wanted(to_micros(since) if since else None, to_micros(until) if until else None, tenant)
    try:
        with database.reading() as db:
            check_version(database, db)
            writes = Export(db, wanted, progress)
            lines = writes.lines(to_micros(SystemClock().now()))
            if output is None:
                _write(lines)
            else:
                with whole_file(output) as file:
                    file.writelines(lines)
    except database.failures as error:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE, f"{database.name} cannot be exported: {error}"
        ) from error
    return {"file": str(output) if output else "-", "records": writes.records, "heads": writes.heads}


def _write(lines: Iterable[str]) -> None:
    sys.stdout.writelines(lines)
    sys.stdout.flush()
