"""Rows of `.csv` files as they are written, so that every reader of such files takes them alike."""

from collections.abc import Iterable

_QUOTED = frozenset(',"#()[]{}')


def row_text(kind: str, fields: Iterable[str]) -> str:
    """The row's line, without its end; what is read of it are these values."""
    return ", ".join([kind, *map(field_text, fields)])


def field_text(value: str) -> str:
    """One value, in quotes where it needs them."""
    if value == value.strip() and _QUOTED.isdisjoint(value):
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'
