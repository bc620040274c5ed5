"""Stores as tests open them: by a fixed key, without a memory of heads."""

from adjudicator.storage.sqlite import SqliteEngine
from adjudicator.storage.store import open_store
from adjudicator.tracing.signing import Signer
from records import NOW

SIGNER = Signer(b"s" * 32)


def open_sqlite(path, known=lambda _: None):
    """A store on the database in that file, and the latest moment recorded."""
    return open_store(SqliteEngine(path), SIGNER.public_key, known, NOW)
