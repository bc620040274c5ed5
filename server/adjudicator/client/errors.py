"""The one error of the client, and how a gRPC error becomes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from adjudicator.domain.errors import ERROR_DOMAIN


@dataclass(eq=False)
class ClientError(Exception):
    """A request that got no answer. Whatever it says, it means no.

    `reason` is the name of an ErrorReason without its prefix, empty when the sidecar gave none;
    `fields` maps a field of the request to what is wrong with it.
    """

    code: grpc.StatusCode
    message: str
    address: str
    reason: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message

    @property
    def unreachable(self) -> bool:
        """True when no sidecar answered at all; one that is there says why it is unavailable."""
        return self.code is grpc.StatusCode.UNAVAILABLE and not self.reason


def client_error(error: grpc.RpcError, address: str) -> ClientError:
    """The client's error for one of gRPC's."""
    reason, fields = _details(error)
    return ClientError(error.code(), error.details() or "", address, reason, fields)


def _details(error: grpc.RpcError) -> tuple[str, dict[str, str]]:
    if not isinstance(error, grpc.Call):
        return "", {}
    try:
        status = rpc_status.from_call(error)
    except (ValueError, DecodeError):
        return "", {}
    reason, fields = "", {}
    for detail in () if status is None else status.details:
        info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info) and info.domain == ERROR_DOMAIN:
            reason = info.reason
        elif detail.Unpack(bad_request):
            fields.update({bad.field: bad.description for bad in bad_request.field_violations})
    return reason, fields
