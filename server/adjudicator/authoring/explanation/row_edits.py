"""Edits of rows in `.csv` files: one more, one less, another value in one. Comments stay where they are."""

from adjudicator.authoring.explanation.changes import TextEdit
from adjudicator.authoring.row_texts import field_text, row_text
from adjudicator.policy.casbin.rows import SEPARATOR, Row
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.source import Source, Sources


def added(policy: Policy, sources: Sources, fields: tuple[str, ...]) -> TextEdit:
    """A row more, below the last one that has most of its first fields in common with it."""
    number = _related(policy, fields)
    if number is None:
        file = _files(policy, sources)[-1]
        return TextEdit(file.name, len(file.text), len(file.text), f"{row_text('p', fields)}\n")
    row = policy.rows[number]
    _, end = _line(sources.files[row.file], row.line)
    newline = "\r\n" if sources.files[row.file].text[:end].endswith("\r\n") else "\n"
    return TextEdit(row.file, end, end, f"{row_text('p', fields)}{newline}")


def removed(row: Row, sources: Sources) -> TextEdit:
    """The row's line gone."""
    start, end = _line(sources.files[row.file], row.line)
    return TextEdit(row.file, start, end, "")


def changed(row: Row, sources: Sources, column: int, value: str) -> TextEdit:
    """Another value in one field of the row; all else stays as it is written."""
    start, _ = _line(sources.files[row.file], row.line)
    first, last = row.spans()[column]
    return TextEdit(row.file, start + first, start + last, field_text(value))


def _related(policy: Policy, fields: tuple[str, ...]) -> int | None:
    """The last row of the same subject, tenant and thing; or of the same first two; or of the tenant."""
    texts = policy.rows.all_texts()
    subject, tenant, thing = fields[:3]
    for beginning in (f"{subject}{SEPARATOR}{tenant}{SEPARATOR}{thing}{SEPARATOR}", None):
        for number in range(len(texts) - 1, -1, -1):
            if texts[number].startswith(beginning) if beginning else _is_of(texts[number], tenant, thing):
                return number
    return next((number for number in range(len(texts) - 1, -1, -1) if _is_of(texts[number], tenant)), None)


def _is_of(text: str, tenant: str, thing: str | None = None) -> bool:
    _, own, rest = text.split(SEPARATOR, 2)
    return own == tenant and (thing is None or rest.startswith(f"{thing}{SEPARATOR}"))


def _files(policy: Policy, sources: Sources) -> list[Source]:
    name = policy.shape.name
    single = sources.files.get(f"{name}.csv")
    return [single] if single else sources.under(name)


def _line(source: Source, number: int) -> tuple[int, int]:
    """Where a line begins and where the next one does."""
    start = 0
    for _ in range(number - 1):
        start = source.text.index("\n", start) + 1
    end = source.text.find("\n", start)
    return start, len(source.text) if end < 0 else end + 1
