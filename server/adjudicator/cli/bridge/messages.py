"""What the editor is told of approvals, as JSON data. docs/bridge.schema.json has every form."""

import json
from datetime import datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from adjudicator.api.v1.approval_service_pb2 import Approval, ResolveResponse
from adjudicator.cli.approval_view import digest_of_view
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import moment

PROTOCOL = 1
Message = dict[str, Any]

_TOUCHED = ("commands", "writes", "reads", "urls")
_OF_APPROVAL = (
    *("ask_reason", "rule", "trace_number", "quorum", "votes", "four_eyes", "eligible_approvers"),
    *("delegated_to", "claim", "same_as", "same_as_state", "created_at", "expires_at"),
)
_OF_CALL = (
    *("tenant", "session", "agent", "on_behalf_of", "principal", "tool", "call_id", "arguments"),
    *("working_directory", "resolved_paths", "mode"),
)


def approval_request(approval: Approval) -> Message:
    """Everything on which a person decides, but for the time left."""
    view, data = _view(approval), message_json(approval)
    whole = approval.approvable and bool(view)
    return {
        "type": "approval_request",
        "approval_id": approval.id,
        "request": _request(view, approval),
        "call": _call(view, approval),
        "view_json": approval.view_json,
        "view_digest": digest_of_view(approval) if whole else "",
        "flags": view.get("flags", []),
        "more_flags": view.get("more_flags", 0),
        "approvable": whole,
        **{name: data[name] for name in _OF_APPROVAL if name in data},
    }


def approval_update(approval: Approval) -> Message:
    """That it is pending no more, or not shown to this person any more."""
    data = message_json(approval)
    names = ("votes", "changed_at")
    return {
        "type": "approval_update",
        "approval_id": approval.id,
        "state": enum_name(approval, "state"),
        **{name: data[name] for name in names if name in data},
    }


def approval_receipt(approval_id: str, request_id: str, receipt: ResolveResponse) -> Message:
    """What the sidecar said to a decision."""
    message = {
        "type": "approval_receipt",
        "approval_id": approval_id,
        "request_id": request_id,
        "accepted": receipt.accepted,
        "code": enum_name(receipt, "code"),
        "message": receipt.message,
        "replayed": receipt.replayed,
        "released": receipt.released,
    }
    if receipt.HasField("approval"):
        message["state"] = enum_name(receipt.approval, "state")
    if receipt.HasField("grant"):
        message["grant"] = message_json(receipt.grant)
    return message


def status(stream: str, message: str, *, connected: bool) -> Message:
    """That a stream of the sidecar's is there, or is not: then nothing can be decided."""
    return {"type": "status", "stream": stream, "connected": connected, "message": message}


def resync(stream: str) -> Message:
    """That lines were dropped."""
    return {
        "type": "resync",
        "stream": stream,
        "message": "lines were dropped since nobody read them: forget all of this stream, it follows anew",
    }


def seconds_left(until: Timestamp, now: datetime) -> float:
    """How long is left, never less than nothing."""
    return round(max(0.0, (moment(until) - now).total_seconds()), 1)


def _view(approval: Approval) -> dict[str, Any]:
    """The view as data; empty where it is left out, or no object that this form can carry unchanged."""
    try:
        view = json.loads(approval.view_json)
        same = json.dumps(view, ensure_ascii=True, separators=(",", ":")) == approval.view_json
    except (ValueError, RecursionError):
        return {}
    return view if isinstance(view, dict) and same else {}


def _call(view: dict[str, Any], approval: Approval) -> Message:
    if view:
        return {name: view[name] for name in _OF_CALL if name in view}
    data = message_json(approval)
    return {name: data[name] for name in _OF_CALL if name in data}


def _request(view: dict[str, Any], approval: Approval) -> Message:
    """The request of the view, since that is what the digest covers; else the one beside it."""
    body = view.get("request")
    if not isinstance(body, dict):
        body = _beside(approval)
    context = body.get("context", {})
    return {
        "type": body.get("type", "approval"),
        "priority": body.get("priority", "medium"),
        "title": body.get("title", ""),
        "description": body.get("description", ""),
        "options": body.get("options", []),
        "recommended_option": body.get("recommended", ""),
        "context": {
            **{name: context.get(name, []) for name in _TOUCHED},
            "risks": body.get("risks", []),
        },
    }


def _beside(approval: Approval) -> dict[str, Any]:
    """The request that is no part of the view, in the words of one that is."""
    if not approval.HasField("request"):
        return {"title": f"{approval.agent} calls {approval.tool}"}
    data = message_json(approval.request)
    for name in ("type", "priority"):
        word = data.pop(name).lower()
        if word != "unspecified":
            data[name] = word
    risks = [{**risk, "trigger": risk["trigger"].lower()} for risk in data["risks"]]
    return {**data, "risks": risks, "recommended": data["recommended_option"]}
