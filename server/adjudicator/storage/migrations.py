"""The way forward from every released schema to the one of today. There is no way back: a backup is."""

import secrets

from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.asks import fill_asks
from adjudicator.storage.engine import Connection, Engine
from adjudicator.storage.reading import Readable
from adjudicator.storage.schema import GUARDS_2, GUARDS_3, TABLES_2, TABLES_3, VERSION
from adjudicator.storage.schema_1 import Schema1


def version_of(database: Engine | Readable, db: Connection) -> int:
    """The version of the database's schema; raises STORE_UNAVAILABLE when a newer sidecar wrote it."""
    version = database.version(db)
    if version > VERSION:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"the database has schema {version} and this sidecar knows {VERSION}: start a newer sidecar",
        )
    return version


def check_version(database: Engine | Readable, db: Connection) -> None:
    """Raise STORE_UNAVAILABLE unless the database has the schema of this version."""
    version = version_of(database, db)
    if version != VERSION:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"{database.name} has schema {version} and not {VERSION}; see adjudicator db migrate",
        )


def migrate(engine: Engine, db: Connection, public_key: bytes, now: int) -> int:
    """Bring the database forward to VERSION in one transaction; the version that it had.

    What an earlier schema recorded becomes records of a new writer with the key. Raises
    STORE_UNAVAILABLE for a database of a newer sidecar.
    """
    if version_of(engine, db) == VERSION:
        return VERSION
    engine.begin_alone(db)
    try:
        version = version_of(engine, db)  # another sidecar may have been quicker
        if version < VERSION:
            if version < 2:  # noqa: PLR2004 - schema 2
                _bring_to_2(engine, db, version, public_key, now)
            engine.create(db, TABLES_3)
            fill_asks(db)
            engine.guard(db, GUARDS_3)
            engine.set_version(db, VERSION)
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    return version


def _bring_to_2(engine: Engine, db: Connection, version: int, public_key: bytes, now: int) -> None:
    earlier = Schema1(db) if version == 1 else None
    engine.create(db, TABLES_2)
    db.execute("INSERT INTO meta (key, value) VALUES ('identity', ?)", (secrets.token_hex(8),))
    if earlier is not None:
        earlier.move(public_key, now)
    engine.guard(db, GUARDS_2)
