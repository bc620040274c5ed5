"""Reading on along the chains of all writers: what was appended, to which traces."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.domain.micros import to_micros
from adjudicator.domain.record import Record
from adjudicator.domain.trace import Element, ElementKind
from adjudicator.storage.bodies import elements_from_body
from adjudicator.storage.contract import Appended, AppendedPart, TraceFilter
from adjudicator.storage.engine import Connection, marks
from adjudicator.storage.rows import TRACE_COLUMNS, TraceRow, trace_from_row
from adjudicator.storage.statements import select_reaches, select_records, select_trace_of_approval


def select_appended(
    db: Connection, wanted: TraceFilter, after: Mapping[str, int], count: int
) -> AppendedPart | None:
    """See `Store.appended`."""
    reaches = select_reaches(db)
    if not _continues(reaches, after):
        return None
    records = select_records(db, after, count)
    rows = _select_rows(db, {each.trace for each in records})
    if any(each.trace not in rows for each in records):
        return None  # archived in part, or by hand
    call = select_trace_of_approval(db, [wanted.approval_id]) if wanted.approval_id else {}
    found = [
        appended
        for each in records
        if _is_wanted(wanted, rows[each.trace], call.get(wanted.approval_id, 0))
        and _has_wanted_verdict(wanted, (appended := _appended(each, rows[each.trace])).trace.elements)
    ]
    reached = dict(after) | {each.writer: each.sequence for each in records}
    more = any(reached.get(name, 0) < last for name, (_, last) in reaches.items())
    return AppendedPart(found, reached, more)


def _continues(reaches: Mapping[str, tuple[int, int]], after: Mapping[str, int]) -> bool:
    """Whether every record behind the sequences is still there, and the sequences are of this database."""
    return after.keys() <= reaches.keys() and all(
        archived <= after.get(name, 0) <= max(archived, last) for name, (archived, last) in reaches.items()
    )


def _select_rows(db: Connection, numbers: set[int]) -> dict[int, TraceRow]:
    if not numbers:
        return {}
    wanted = sorted(numbers)
    sql = f"SELECT {TRACE_COLUMNS} FROM traces WHERE number IN ({marks(wanted)})"
    return {row[0]: TraceRow(*row) for row in db.execute(sql, wanted).fetchall()}


def _appended(record: Record, row: TraceRow) -> Appended:
    elements = elements_from_body(record.body, 1, record.recorded_at, row)
    # What number an element has in its trace is known only to whoever reads the whole trace.
    unnumbered = tuple(replace(each, sequence=0) for each in elements)
    finished = row.finished_at is not None and record.place == row.length
    return Appended(record, trace_from_row(row, None, unnumbered), finished)


def _is_wanted(wanted: TraceFilter, row: TraceRow, call: int) -> bool:
    """Whether the trace is one of those wanted; `call` is the trace of the approval wanted."""
    return (
        wanted.tenant in ("", row.tenant)
        and wanted.session in ("", row.session)
        and wanted.agent in ("", row.agent)
        and wanted.tool in ("", row.tool)
        and wanted.flow in (None, row.flow)
        and (not wanted.approval_id or row.number == call)
        and (wanted.since is None or row.opened_at >= to_micros(wanted.since))
        and (wanted.until is None or row.opened_at < to_micros(wanted.until))
    )


def _has_wanted_verdict(wanted: TraceFilter, elements: Sequence[Element]) -> bool:
    asked = dict(_verdict_filters(wanted))
    return not asked or any(
        asked.items() <= each.body.items() for each in elements if each.kind is ElementKind.VERDICT
    )


def _verdict_filters(wanted: TraceFilter) -> Iterator[tuple[str, Any]]:
    for name in ("outcome", "step", "reason_code", "cause"):
        value = getattr(wanted, name)
        if value is not None:
            yield name, value.value
