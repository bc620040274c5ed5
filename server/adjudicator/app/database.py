"""Which database a sidecar uses, and how it is opened. The only place that names the engines."""

import importlib.util
import os
from datetime import datetime

from adjudicator.config.settings import Settings
from adjudicator.domain.clock import SystemClock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Engine
from adjudicator.storage.file_lock import HeldError, hold
from adjudicator.storage.reading import Readable
from adjudicator.storage.sqlite import SqliteEngine
from adjudicator.storage.sqlite_reading import SqliteFile
from adjudicator.storage.store import SqlStore, open_store
from adjudicator.tracing.head_file import HeadFile


def engine_of(settings: Settings) -> Engine:
    """The engine of the database that the settings name. Raises STORE_UNAVAILABLE."""
    if not settings.postgres_url:
        return SqliteEngine(settings.database_path)
    _check_driver()
    from adjudicator.storage.postgres import PostgresEngine  # noqa: PLC0415 - an extra

    return PostgresEngine(settings.postgres_url)


def readable(settings: Settings) -> Readable:
    """The database that the settings name, to be read beside whoever uses it. Raises STORE_UNAVAILABLE."""
    if not settings.postgres_url:
        return SqliteFile(settings.database_path)
    _check_driver()
    from adjudicator.storage.postgres_reading import PostgresDatabase  # noqa: PLC0415 - an extra

    return PostgresDatabase(settings.postgres_url)


def open_own_store(settings: Settings, public_key: bytes) -> tuple[SqlStore, datetime | None]:
    """The sidecar's store, and the latest moment known to be recorded. Raises STORE_UNAVAILABLE."""
    return open_store(
        engine_of(settings),
        public_key,
        lambda identity: HeadFile(settings.data, identity).last(),
        SystemClock().now(),
    )


class OwnData:
    """The data folder, held by one sidecar: two with one key would write two chains of one name."""

    def __init__(self, settings: Settings) -> None:
        path = settings.data / "sidecar.lock"
        try:
            self._lock = hold(path)
        except HeldError as error:
            raise _unusable(
                f"another sidecar ({error}) uses the data folder {settings.data}; each has one of its own"
            ) from error
        except OSError as error:
            raise _unusable(f"{path}: {error.strerror}") from error

    def close(self) -> None:
        """Let another sidecar have it."""
        os.close(self._lock)


def _check_driver() -> None:
    if importlib.util.find_spec("psycopg") is None:
        raise _unusable("PostgreSQL needs a driver: pip install 'adjudicator-sidecar[postgres]'")


def _unusable(why: str) -> AdjudicatorError:
    return AdjudicatorError(ErrorReason.STORE_UNAVAILABLE, why)
