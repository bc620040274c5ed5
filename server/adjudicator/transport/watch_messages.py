"""What watchers of approvals are sent, as bytes: an approval is serialised once for all who are shown it.

gRPC has to be told that these are the messages, and not what it is to serialise: `watch_pending_handler`.
"""

from collections.abc import Callable, Iterable
from typing import Any

import grpc

from adjudicator.api.v1 import approval_service_pb2 as pb
from adjudicator.service.encoded_approval import ApprovalChange, Encoding
from adjudicator.service.watch import Heartbeat, PendingSnapshot, WatchEvent
from adjudicator.transport import convert
from adjudicator.transport.approval_messages import ApprovalMessages

_LENGTH_DELIMITED = 2
_LOW, _MORE = 0x7F, 0x80
_APPROVAL = pb.ApprovalChange.APPROVAL_FIELD_NUMBER
_APPROVALS = pb.PendingSnapshot.APPROVALS_FIELD_NUMBER
_SNAPSHOT = pb.WatchPendingResponse.SNAPSHOT_FIELD_NUMBER
_CHANGE = pb.WatchPendingResponse.CHANGE_FIELD_NUMBER


def watch_message(cursor: str, event: WatchEvent) -> bytes:
    """A serialised `WatchPendingResponse`."""
    if isinstance(event, ApprovalChange):
        return event.message
    if isinstance(event, PendingSnapshot):
        snapshot = _snapshot((each.message for each in event.shown), complete=event.complete)
        return pb.WatchPendingResponse(cursor=cursor).SerializeToString() + _field(_SNAPSHOT, snapshot)
    if isinstance(event, Heartbeat):
        heartbeat = pb.Heartbeat(now=convert.timestamp(event.now))
        return pb.WatchPendingResponse(cursor=cursor, heartbeat=heartbeat).SerializeToString()
    return pb.WatchPendingResponse(cursor=cursor, resync=pb.Resync(reason=event.reason)).SerializeToString()


def encoding_of(messages: ApprovalMessages) -> Encoding:
    """How the feed makes what is the same for all watchers."""
    return Encoding(lambda approval: messages(approval).SerializeToString(), _change)


def _change(cursor: str, approval: bytes) -> bytes:
    change = _field(_APPROVAL, approval)
    return pb.WatchPendingResponse(cursor=cursor).SerializeToString() + _field(_CHANGE, change)


def watch_pending_handler(method: Callable[..., Any]) -> "grpc.RpcMethodHandler[Any, Any]":
    """A handler for a `WatchPending` whose messages are bytes already."""
    return grpc.unary_stream_rpc_method_handler(
        method, request_deserializer=pb.WatchPendingRequest.FromString, response_serializer=None
    )


def _snapshot(approvals: Iterable[bytes], *, complete: bool) -> bytes:
    listed = b"".join(_field(_APPROVALS, each) for each in approvals)
    return listed + pb.PendingSnapshot(complete=complete).SerializeToString()


def _field(number: int, value: bytes) -> bytes:
    """A field of a message whose value is a serialised message."""
    return b"".join((_varint(number << 3 | _LENGTH_DELIMITED), _varint(len(value)), value))


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > _LOW:
        written.append(number & _LOW | _MORE)
        number >>= 7
    written.append(number)
    return bytes(written)
