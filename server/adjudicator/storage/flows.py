"""Which calls fit a flow. The words tell nothing about a flow of somebody else."""

from adjudicator.config.limits import FLOW_RECORDS
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.storage.contract import CallKey
from adjudicator.storage.engine import Connection
from adjudicator.storage.rows import FLOW, TraceRow
from adjudicator.storage.statements import StoredCall, select_calls


def select_fit(db: Connection, number: int, key: CallKey) -> None:
    """Raise why a call with the key does not belong to the flow of that number."""
    check_fit(number, select_calls(db, [number]).get(number), key)


def check_fit(number: int, flow: StoredCall | None, key: CallKey) -> None:
    """The same, for a flow that was read already; None when there is no such trace."""
    if flow is None or flow.row.keyed != FLOW or not _same_session(flow.row, key):
        raise AdjudicatorError(
            ErrorReason.NOT_FOUND, f"there is no flow {number} of this tenant and session"
        )
    check_open(number, flow)
    if flow.row.length >= FLOW_RECORDS:
        raise AdjudicatorError(
            ErrorReason.LIMIT_EXCEEDED,
            f"flow {number} has {FLOW_RECORDS:,} records, which is all that one takes; open another flow",
        )


def check_open(number: int, flow: StoredCall | None) -> None:
    """Raise TRACE_FROZEN for a flow that is closed, and RECORD_ALTERED for one that somebody changed.

    A call's flow that is not there any more was closed and archived.
    """
    if flow is not None:
        flow.check()
    if flow is None or flow.row.finished_at is not None:
        raise AdjudicatorError(ErrorReason.TRACE_FROZEN, f"flow {number} is finished and takes no more")


def _same_session(row: TraceRow, key: CallKey) -> bool:
    return (row.tenant, row.session) == (key.tenant, key.session)
