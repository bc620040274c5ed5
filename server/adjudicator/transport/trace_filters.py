"""Which traces a request wants. Two messages say it in the same fields."""

from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.domain.errors import malformed
from adjudicator.storage.contract import TraceFilter
from adjudicator.transport import convert, enums

E = TypeVar("E", bound=Enum)


def trace_filter(message: pb.ListTracesRequest | pb.TraceFilter, within: str = "") -> TraceFilter:
    """The filter; raises MALFORMED_REQUEST, naming the field, for what this version does not know.

    `within` is what stands before the names of the fields. A flow that cannot be is NOT_FOUND.
    """
    since, until = (
        _moment(getattr(message, name), f"{within}{name}") if message.HasField(name) else None
        for name in ("since", "until")
    )
    if since is not None and until is not None and since > until:
        raise malformed(f"{within}since", "is after until, so that no trace can be between them")
    return TraceFilter(
        tenant=message.tenant,
        session=message.session,
        agent=message.agent,
        tool=message.tool,
        outcome=_known(enums.OUTCOME, message.outcome, f"{within}outcome"),
        step=_known(enums.STEP, message.step, f"{within}step"),
        reason_code=_known(enums.REASON_CODE, message.reason_code, f"{within}reason_code"),
        cause=_known(enums.CAUSE, message.cause, f"{within}cause"),
        approval_id=message.approval_id,
        flow=convert.trace_number(message.flow_trace, "flow") or None,
        since=since,
        until=until,
    )


def _known(pair: enums.EnumPair[E], number: int, name: str) -> E | None:
    """The value; None for zero, which wants all."""
    value = pair.from_wire(number)
    if value is None and number:
        raise malformed(name, f"is {number}, which this version does not know")
    return value


def _moment(stamp: Timestamp, name: str) -> datetime:
    try:
        return stamp.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise malformed(name, "is no moment between the years 1 and 9999") from error
