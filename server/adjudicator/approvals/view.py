"""What a person is shown, and decides on: the request, the whole call with secrets redacted, and flags."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.approvals.deception import Flag, Revealed, flags_to_body, reveal, written_out
from adjudicator.approvals.request import Asked, is_shown, request_of
from adjudicator.config.limits import FLAGS
from adjudicator.domain.request import Request
from adjudicator.domain.request_body import request_from_body, request_to_body
from adjudicator.policy.redaction import MARKER

_REQUEST = "request"


@dataclass(frozen=True, slots=True)
class View:
    """`text` is JSON, with the `request` in it; `digest` is the SHA-256 of its bytes in hexadecimal."""

    text: str
    digest: str
    approvable: bool
    request: Request


def view_of(asked: Asked, max_bytes: int) -> View:
    """The view of a call that asks. One over `max_bytes` cannot be shown whole, so it cannot be approved.

    Different calls have different views as far as they differ in what may be shown: what is written out
    differs from what was typed like that, by the flags. Where there are too many to list, every text in the
    view has its backslashes doubled instead.
    """
    call = _call_body(asked)
    if len(_as_json(call)) > max_bytes:
        return _too_large(asked, call)
    shown = reveal(call)
    request = _revealed_request(asked, shown.flags)
    if len(shown.flags) + len(request.flags) > FLAGS:
        shown = reveal(call, doubling=True)
        request = _revealed_request(asked, shown.flags, doubling=True)
    flags = flags_to_body([*shown.flags, *request.flags])
    return _view({_REQUEST: request.value, **shown.value, **flags}, max_bytes)


def _revealed_request(asked: Asked, flags: Sequence[Flag], *, doubling: bool = False) -> Revealed:
    return reveal(request_to_body(request_of(asked, flags)), (_REQUEST,), doubling=doubling)


def _too_large(asked: Asked, call: dict[str, Any]) -> View:
    """Nobody can approve it, so what deceives is not told from other text beyond ASCII."""
    request = request_to_body(request_of(asked, ()))
    return _view(written_out({_REQUEST: request, "too_large": True, **call}), max_bytes=0)


def _view(body: dict[str, Any], max_bytes: int) -> View:
    text = _as_json(body)
    encoded = text.encode("ascii")
    digest = hashlib.sha256(encoded).hexdigest()
    return View(text, digest, len(encoded) <= max_bytes, request_from_body(body[_REQUEST]))


def _call_body(asked: Asked) -> dict[str, Any]:
    call = asked.call
    shown: dict[str, Any] = {
        "tenant": call.tenant,
        "session": call.session,
        "agent": call.agent,
        "on_behalf_of": list(call.on_behalf_of),
        "principal": call.principal,
        "tool": call.tool,
        "arguments": asked.shown,
        "working_directory": call.working_directory,
        "resolved_paths": {
            pointer: path if is_shown(asked, pointer) else MARKER for pointer, path in call.resolved_paths
        },
        "mode": call.mode.value if call.mode else "",
        "call_id": call.call_id,
    }
    return {name: value for name, value in shown.items() if value or name == "arguments"}


def _as_json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=True, separators=(",", ":"))
