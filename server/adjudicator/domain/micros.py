"""Moments as whole microseconds since 1970 in UTC, as they are recorded, hashed and signed."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The moment of `to_micros`."""
    return _EPOCH + timedelta(microseconds=micros)
