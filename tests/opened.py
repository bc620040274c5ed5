"""Stores as tests open them: by a fixed key unless another is given, without a memory of heads."""

from adjudicator.config.private_files import create_once
from adjudicator.storage.postgres import PostgresEngine
from adjudicator.storage.sqlite import SqliteEngine
from adjudicator.storage.store import open_store
from adjudicator.tracing.signing import Signer
from records import NOW

SEED = b"s" * 32
SIGNER = Signer(SEED)
OTHER_SIGNER = Signer(b"t" * 32)


def data_folder(path):
    """A sidecar's data folder, made if there is none, in which the key is that of SIGNER."""
    path.mkdir(mode=0o700, exist_ok=True)
    create_once(path / "signing.key", SEED.hex())
    return path


def open_sqlite(path, known=lambda _: None):
    """A store on the database in that file, and the latest moment recorded."""
    return open_store(SqliteEngine(path), SIGNER.public_key, known, NOW)


def open_postgres(url, signer=SIGNER, known=lambda _: None):
    """A store on the database at that URL, and the latest moment that its own writer recorded."""
    return open_store(PostgresEngine(url), signer.public_key, known, NOW)
