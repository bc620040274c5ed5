"""Counts over traces as a message."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import Enum
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration

from adjudicator.api.v1 import trace_service_pb2 as pb
from adjudicator.storage.trace_summary import ApprovalCount, TraceSummary
from adjudicator.transport import convert, enums

E = TypeVar("E", bound=Enum)


def summary(each: TraceSummary) -> pb.SummarizeTracesResponse:
    """All counts."""
    return pb.SummarizeTracesResponse(
        calls=each.calls,
        flows=each.flows,
        outcomes=_named(each.outcomes),
        steps=_named(each.steps),
        causes=_named(each.causes),
        denied_tools=_counts(each.denied_tools),
        denied_agents=_counts(each.denied_agents),
        denying_rules=_counts(each.denying_rules),
        denials_read=each.denials_read,
        approvals=[_approvals(one) for one in each.approvals],
        bucket=_duration(each.width),
        buckets=[
            pb.Bucket(starts_at=convert.timestamp(one.starts_at), outcomes=_named(one.outcomes))
            for one in each.buckets
        ],
    )


def _named(counts: Mapping[E, int]) -> list[pb.Count]:
    return _counts((value.name, count) for value, count in counts.items())


def _counts(counts: Iterable[tuple[str, int]]) -> list[pb.Count]:
    return [pb.Count(name=name, count=count) for name, count in counts]


def _approvals(each: ApprovalCount) -> pb.ApprovalCount:
    return pb.ApprovalCount(
        state=enums.APPROVAL_STATE.to_wire(each.state),
        count=each.count,
        median=_duration(each.median),
        ninetieth=_duration(each.ninetieth),
    )


def _duration(span: timedelta | None) -> Duration | None:
    if span is None:
        return None
    message = Duration()
    message.FromTimedelta(span)
    return message
