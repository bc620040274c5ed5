"""Which database a sidecar uses, and how it is opened. The only place that names the engines."""

from datetime import UTC, datetime

from adjudicator.config.settings import Settings
from adjudicator.storage.engine import Engine
from adjudicator.storage.sqlite import SqliteEngine
from adjudicator.storage.store import SqlStore, open_store
from adjudicator.tracing.head_file import HeadFile


def engine_of(settings: Settings) -> Engine:
    """The engine of the database that the settings name. Raises STORE_UNAVAILABLE."""
    return SqliteEngine(settings.database_path)


def open_own_store(settings: Settings, public_key: bytes) -> tuple[SqlStore, datetime | None]:
    """The sidecar's store, and the latest moment known to be recorded. Raises STORE_UNAVAILABLE."""
    return open_store(
        engine_of(settings),
        public_key,
        lambda identity: HeadFile(settings.data, identity).last(),
        datetime.now(UTC),
    )
