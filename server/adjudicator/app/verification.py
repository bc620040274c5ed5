"""Verifies a database, an export or an archive, without a sidecar and without changing anything."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.config.regular_file import open_regular
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.record import Head
from adjudicator.storage.engine import Connection
from adjudicator.storage.ledger import Chain
from adjudicator.storage.reading import Readable
from adjudicator.storage.schema import VERSION
from adjudicator.storage.sqlite_reading import MAGIC, SqliteFile
from adjudicator.tracing.archive_joints import Joint, open_joints, wrong_joints
from adjudicator.tracing.database_check import DatabaseCheck, Outside
from adjudicator.tracing.export_check import ExportCheck, heading_of
from adjudicator.tracing.findings import Fault, Finding, Progress, Verification
from adjudicator.tracing.head_lines import read_head_lines
from adjudicator.tracing.trust import Trust

_KEY_BYTES = 1024  # more than any file of a key has
# What reading something that somebody damaged on purpose may raise, beside the failures of the database.
_ODD: tuple[type[Exception], ...] = (ValueError, TypeError, AttributeError, RecursionError, OverflowError)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What to verify, and by what.

    `data` is the data folder of the sidecar that wrote it, if it is known. Files of heads and keys that
    are not given are looked for beside the file and in that folder. Heads that a sidecar signs while a copy
    is made are none of the copy's: then they are not to be looked for.
    """

    file: Path | Readable
    data: Path | None = None
    heads: tuple[Path, ...] = ()
    keys: tuple[Path, ...] = ()
    archives: tuple[Path, ...] = ()
    look_for_heads: bool = True


def verify(inquiry: Inquiry, progress: Progress) -> dict[str, Any]:
    """What was found, as JSON data: `sound` says whether nothing is wrong.

    Raises OSError for a file of heads or keys that cannot be read.
    """
    file = inquiry.file
    found = Verification(str(file) if isinstance(file, Path) else file.name, "")
    kind = _kind(file, found)
    # Heads before the database: what is signed was recorded before, so that all of it has to be there.
    outside = _outside(inquiry, found, beside=kind == "database" and inquiry.look_for_heads)
    chains: list[Chain] = []
    if kind == "database":
        database = SqliteFile(file) if isinstance(file, Path) else file
        chains = _verify_database(database, outside, found, progress)
    elif kind == "export" and isinstance(file, Path):
        with _guarded(found, "the file"):
            ExportCheck(file, outside, found, progress).run()
    if inquiry.archives:
        _verify_archives(inquiry, chains, found, progress)
    return _report_of(found)


def _report_of(found: Verification) -> dict[str, Any]:
    """The verification as JSON data."""
    return {
        "sound": found.sound,
        "file": found.name,
        "kind": found.kind,
        "identity": found.identity,
        "records": sum(chain.records for chain in found.chains),
        "traces": found.traces,
        "approvals": found.approvals,
        "writers": [
            {
                "writer": chain.writer,
                "key": chain.fingerprint,
                "trusted": chain.trusted,
                "first": chain.first,
                "last": chain.last,
                "records": chain.records,
                "heads": chain.heads,
                "signed_up_to": chain.covered,
                "unsigned": chain.uncovered,
                "left_out": chain.left_out,
                "kept": chain.kept,
            }
            for chain in found.chains
        ],
        "findings": [
            {
                "fault": each.fault.value,
                "writer": each.writer,
                "sequence": each.sequence,
                "trace": each.trace,
                "text": each.text,
            }
            for each in found.findings
        ],
        "more_findings": found.more_findings,
        "notes": found.notes,
    }


def _kind(file: Path | Readable, found: Verification) -> str:
    if not isinstance(file, Path):
        found.kind = "database"
        return found.kind
    try:
        with open_regular(file) as opened:
            start = opened.read(len(MAGIC))
    except OSError as error:
        found.add(Finding(Fault.UNREADABLE, f"the file cannot be read: {error.strerror or error}"))
        return ""
    if start == MAGIC:
        found.kind = "database"
    elif start[:1] == b"{":
        found.kind = "export"
    elif not start:
        found.add(Finding(Fault.UNREADABLE, "the file is empty"))
    else:
        found.add(Finding(Fault.UNREADABLE, "the file is neither a database nor an export"))
    return found.kind


def _outside(inquiry: Inquiry, found: Verification, *, beside: bool) -> Outside:
    beside_file = (inquiry.file.parent,) if isinstance(inquiry.file, Path) else ()
    known = (*beside_file, *((inquiry.data,) if inquiry.data else ()))
    folders = list(dict.fromkeys(each.resolve() for each in known))
    keys = inquiry.keys or [path for each in folders if (path := each / "signing.pub").is_file()]
    trusted = frozenset(_key(path) for path in keys)
    files = inquiry.heads
    if not files and beside:
        files = tuple(path for each in folders for path in sorted(each.glob("heads-*.jsonl")))
    heads: list[tuple[Head, str]] = []
    for path in files:
        lines = read_head_lines(path)
        if lines.unreadable:
            found.notes.append(f"{path}: {len(lines.unreadable)} lines are no heads")
        heads += [(head, str(path)) for head in lines.heads]
    return Outside(heads, Trust(trusted, only=bool(inquiry.keys)), given=bool(inquiry.heads))


def _key(path: Path) -> bytes:
    with open_regular(path) as opened:
        text = opened.read(_KEY_BYTES).decode("ascii", "replace").strip()
    with contextlib.suppress(ValueError):
        if len(key := bytes.fromhex(text)) == 32:  # noqa: PLR2004 - of Ed25519
            return key
    raise OSError(f"{path} does not hold a public key of 32 bytes in hexadecimal")


def _verify_database(
    database: Readable, outside: Outside, found: Verification, progress: Progress
) -> list[Chain]:
    with _guarded(found, "the database", database.failures), database.reading() as db:
        progress("the file", 0, 0)
        for text in database.damage(db):
            found.add(Finding(Fault.UNREADABLE, f"the database is damaged: {text}"))
        if _is_ours(database, db, found):
            return DatabaseCheck(db, outside, found, progress).run()
    return []


def _is_ours(database: Readable, db: Connection, found: Verification) -> bool:
    version = database.version(db)
    if version != VERSION:
        why = {
            0: "it is empty, or another program's",
            1: "it has no chain yet: adjudicator db migrate makes one",
        }
        text = f"the database has schema {version}, and this version verifies {VERSION}"
        found.add(Finding(Fault.SCHEMA, f"{text}: {why.get(version, 'a newer version does')}"))
        return False
    foreign = database.foreign_parts(db)
    for text in foreign:
        found.add(Finding(Fault.SCHEMA, text))
    return not any(text.startswith(("the table", "the view")) for text in foreign)


def _verify_archives(
    inquiry: Inquiry, chains: Sequence[Chain], found: Verification, progress: Progress
) -> None:
    joints = [Joint(found.name, chain.writer.name, chain.start, in_archive=False) for chain in chains]
    for file in inquiry.archives:
        heading = heading_of(file)
        starts = heading.starts if heading else ()
        joints += [Joint(str(file), each.writer.name, each.tail, in_archive=True) for each in starts]
    marks = {(each.writer, each.start.sequence) for each in joints}
    archived: dict[tuple[str, int], set[bytes]] = {}
    for file in inquiry.archives:
        one = Verification(str(file), "")
        outside = _outside(inquiry, one, beside=False)
        check = ExportCheck(file, Outside(trust=outside.trust), one, progress, marks)
        with _guarded(one, str(file)):
            check.run()
        for finding in one.findings:
            text = f"{file}: {finding.text}"
            found.add(Finding(finding.fault, text, finding.writer, finding.sequence, finding.trace))
        for mark, digest in check.marked.items():
            archived.setdefault(mark, set()).add(digest)
        found.notes.append(f"{file}: {sum(each.records for each in one.chains)} archived records")
    for finding in wrong_joints(joints, archived):
        found.add(finding)
    for joint in open_joints(joints, archived):
        text = (
            f"{joint.name} goes on behind record {joint.start.sequence}, which is in no archive given here"
        )
        if joint.in_archive:
            found.notes.append(text)
        else:
            found.add(Finding(Fault.ARCHIVE, text, joint.writer, joint.start.sequence))


@contextlib.contextmanager
def _guarded(
    found: Verification, what: str, failures: tuple[type[Exception], ...] = (OSError,)
) -> Iterator[None]:
    """Whatever goes wrong while reading becomes a finding: nothing that cannot be read is sound."""
    try:
        yield
    except AdjudicatorError as error:
        found.add(Finding(Fault.UNREADABLE, error.message))
    except (*failures, *_ODD) as error:
        found.add(Finding(Fault.UNREADABLE, f"{what} cannot be read on: {error}"))
