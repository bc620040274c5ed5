"""SQLite files opened to be read and nothing else: whatever is looked at stays as it was, to the last byte.

A database that a sidecar has open is read beside it. One that nobody has open is read in place when it is
whole in one file, and otherwise as a copy, because reading it together with its log would write to the
files beside it.
"""

import contextlib
import fcntl
import operator
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote

from adjudicator.config.regular_file import open_regular
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.engine import Connection
from adjudicator.storage.migrations import migrate
from adjudicator.storage.sqlite import SqliteEngine

MAGIC = b"SQLite format 3\x00"
FAILURES: tuple[type[Exception], ...] = (sqlite3.Error, OSError)
_TRIES = 5
_decode = operator.methodcaller("decode", "utf-8", "surrogateescape")


def _is_held(path: Path) -> bool:
    """Whether a sidecar has the database open."""
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


class SqliteFile:
    """Implements `storage.reading.Readable` for a file."""

    failures = FAILURES
    kind = SqliteEngine.kind

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """See the protocol. Also raises STORE_UNAVAILABLE for a file that somebody changes meanwhile."""
        return reading(self.path)

    def version(self, db: Connection) -> int:
        """See the protocol."""
        return int(db.execute("PRAGMA user_version").fetchone()[0])

    def damage(self, db: Connection) -> list[str]:
        """See the protocol: pages, indexes and types."""
        found = [row[0] for row in db.execute("PRAGMA integrity_check(10)").fetchall()]
        return [each for each in found if each != "ok"]

    def foreign_parts(self, db: Connection) -> list[str]:
        """See the protocol. Tables and indexes that were added change nothing; a trigger could."""
        return _foreign_parts(db)

    def size(self, db: Connection) -> int:
        """See the protocol."""
        del db
        return sum(each.stat().st_size for each in (self.path, *_log(self.path)))

    def in_use(self, db: Connection) -> bool:
        """See the protocol."""
        del db
        return _is_held(self.path)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection within a transaction: all that it reads is of one moment.

    Text that is not UTF-8 is read all the same, with surrogates in it. Raises one of FAILURES, and
    STORE_UNAVAILABLE when the file changes in a way that makes what was read worth nothing.
    """
    path = path.resolve()
    open_regular(path).close()
    _check_journal(path)
    with contextlib.ExitStack() as stack:
        if _is_held(path):
            uri = f"file:{quote(str(path))}?mode=ro"
        elif _log(path):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="adjudicator-")))
            uri = f"file:{quote(str(_copied(path, folder)))}?mode=rw"
        else:
            stack.enter_context(_unchanged(path))
            uri = f"file:{quote(str(path))}?mode=ro&immutable=1"
        db = stack.enter_context(contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)))
        db.text_factory = _decode
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield db


def _foreign_parts(db: Connection) -> list[str]:
    ours, theirs = _parts_of_a_new_one(), _parts(db)
    gone = [f"the {kind} {name} is gone" for kind, name in sorted(ours.keys() - theirs.keys())]
    added = [
        f"the {kind} {name} is not ours"
        for kind, name in sorted(theirs.keys() - ours.keys())
        if kind in ("trigger", "view")
    ]
    both = sorted(ours.keys() & theirs.keys())
    changed = [
        f"the {kind} {name} was changed" for kind, name in both if ours[kind, name] != theirs[kind, name]
    ]
    return gone + added + changed


def _parts(db: Connection) -> dict[tuple[str, str], str]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return {(kind, name): f"{table}: {sql}" for kind, name, table, sql in rows}


def _parts_of_a_new_one() -> dict[tuple[str, str], str]:
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
        engine = SqliteEngine(Path(folder) / "new.db")
        try:
            with contextlib.closing(engine.connect()) as db:
                migrate(engine, db, b"", 0)
                return _parts(db)
        finally:
            engine.close()


def _check_journal(path: Path) -> None:
    """Refuse a rollback journal, which no database of ours has beside it once it was opened.

    A journal can name another file, which SQLite removes when it rolls back: a copy from somebody else's
    hand could remove any file of whoever looks at it.
    """
    journal = Path(f"{path}-journal")
    if journal.exists() and journal.stat().st_size > 0:
        raise AdjudicatorError(
            ErrorReason.STORE_UNAVAILABLE,
            f"{journal} is of another program that wrote to the database; adjudicator has none, and a "
            "journal from another's hand is not to be trusted: take a copy without it",
        )


def _log(path: Path) -> list[Path]:
    """The log without which the file alone is not the whole database, if there is one."""
    log = Path(f"{path}-wal")
    return [log] if log.exists() and log.stat().st_size > 0 else []


def _copied(path: Path, folder: Path) -> Path:
    """A copy of the database with its log, both of one moment."""
    for _ in range(_TRIES):
        before = _seen(path)
        for file in (path, *_log(path)):
            shutil.copyfile(file, folder / file.name)
        if _seen(path) == before:
            return folder / path.name
    raise _changing(path)


@contextlib.contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    before = _seen(path)
    yield
    if _seen(path) != before:
        raise _changing(path)


def _seen(path: Path) -> list[tuple[str, int, int, int]]:
    files = [path, *_log(path)]
    stats = [(file.name, file.stat()) for file in files]
    return [(name, each.st_ino, each.st_size, each.st_mtime_ns) for name, each in stats]


def _changing(path: Path) -> AdjudicatorError:
    return AdjudicatorError(
        ErrorReason.STORE_UNAVAILABLE, f"{path} was changed by somebody while it was read; try again"
    )
