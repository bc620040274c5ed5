"""What an operator does with a database besides serving from it: look, bring forward, back up."""

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

from adjudicator.app.database import engine_of, readable
from adjudicator.app.secrets import signing_key
from adjudicator.app.verification import Inquiry, verify
from adjudicator.config.private_files import private_folder, publish_key
from adjudicator.config.settings import Settings
from adjudicator.config.whole_file import new_beside, publish, sync
from adjudicator.domain.clock import SystemClock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import from_micros, to_micros
from adjudicator.storage import sqlite_reading
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import (
    select_approval_counts,
    select_bounds,
    select_chains,
    select_head_count,
    select_identity,
    select_moments,
    select_trace_count,
)
from adjudicator.storage.migrations import migrate, version_of
from adjudicator.storage.schema import VERSION
from adjudicator.tracing.findings import Progress
from adjudicator.tracing.signing import Signer, fingerprint

_PAGES = 2048


def info(settings: Settings) -> dict[str, Any]:
    """What is in the database, as JSON data. Raises STORE_UNAVAILABLE."""
    database = readable(settings)
    try:
        with database.reading() as db:
            version = database.version(db)
            about = {
                "engine": database.kind,
                "database": database.name,
                "schema": version,
                "bytes": database.size(db),
                "in_use": database.in_use(db),
            }
            return about | (contents(db) if version == VERSION else {})
    except database.failures as error:
        raise _unusable(database.name, error) from error


def contents(db: Connection) -> dict[str, Any]:
    """What is in a database of today's schema, as JSON data."""
    writers = []
    for chain in select_chains(db):
        first, last = select_bounds(db, chain.number)
        writers.append(
            {
                "writer": chain.writer.name,
                "key": fingerprint(chain.writer.public_key),
                "started_at": _moment(chain.started_at),
                "first": first,
                "last": last,
                "heads": select_head_count(db, chain.number),
                "archived_up_to": chain.start.sequence,
            }
        )
    oldest, newest = select_moments(db)
    return {
        "identity": select_identity(db),
        "writers": writers,
        "first_record_at": _moment(oldest),
        "last_record_at": _moment(newest),
        "traces": select_trace_count(db),
        "approvals": select_approval_counts(db),
    }


def bring_forward(settings: Settings) -> tuple[int, int]:
    """Migrate the database, without a sidecar; the versions that it had and has.

    Raises STORE_UNAVAILABLE when a sidecar holds it.
    """
    private_folder(settings.data)
    engine = engine_of(settings)
    try:
        with contextlib.closing(engine.connect()) as db:
            if version_of(engine, db) == VERSION:
                return VERSION, VERSION
            signer = Signer(signing_key(settings.signing_key))
            publish_key(settings.public_key, signer.public_key)
            return migrate(engine, db, signer.public_key, to_micros(SystemClock().now())), VERSION
    except engine.failures as error:
        raise _unusable(engine.name, error) from error
    finally:
        engine.close()


def back_up(settings: Settings, file: Path, progress: Progress) -> dict[str, Any]:
    """Copy the database, as of one moment, to a new file, beside a running sidecar if there is one.

    The copy is verified, and only then gets its name; what was found, as JSON data. Raises
    STORE_UNAVAILABLE when it cannot be made, when it is not sound, and when there is such a file.
    """
    if settings.postgres_url:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            "a PostgreSQL database is backed up by its own tools, such as pg_dump; "
            "`trace verify` checks what was restored",
        )
    path = settings.database_path
    try:
        descriptor, new = new_beside(file)
        os.close(descriptor)
        try:
            _copy(path, new, progress)
            report = _verified(Inquiry(new, settings.data, look_for_heads=False), progress)
            publish(new, file)
        finally:
            new.unlink(missing_ok=True)
    except sqlite_reading.FAILURES as error:
        raise _unusable(str(path), error) from error
    return report | {"file": str(file), "bytes": file.stat().st_size}


def _copy(path: Path, new: Path, progress: Progress) -> None:
    with sqlite_reading.reading(path) as db, contextlib.closing(sqlite3.connect(new)) as copy:

        def show(_status: int, remaining: int, whole: int) -> None:
            progress("pages", whole - remaining, whole)

        db.backup(copy, pages=_PAGES, progress=show, sleep=0)
    sync(new)


def _verified(inquiry: Inquiry, progress: Progress) -> dict[str, Any]:
    report = verify(inquiry, progress)
    if not report["sound"]:
        first = report["findings"][0]["text"]
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"no backup was made, because what it would hold is not sound: {first}; "
            "see adjudicator trace verify",
        )
    return report


def _moment(micros: int | None) -> str:
    return from_micros(micros).isoformat() if micros is not None else ""


def _unusable(name: str, error: Exception) -> AdjudicatorError:
    return AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, f"the database {name} cannot be used: {error}")
