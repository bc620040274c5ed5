"""What a person is shown, and decides on: the whole call with secrets redacted."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from adjudicator.domain.call import ToolCall


@dataclass(frozen=True, slots=True)
class View:
    """`text` is JSON; `digest` is the SHA-256 of its UTF-8 bytes in hexadecimal."""

    text: str
    digest: str
    approvable: bool


def view_of(call: ToolCall, redacted: dict[str, Any], max_bytes: int) -> View:
    """The view of a call. One over `max_bytes` cannot be shown whole, so it cannot be approved."""
    shown: dict[str, Any] = {
        "tenant": call.tenant,
        "session": call.session,
        "agent": call.agent,
        "on_behalf_of": list(call.on_behalf_of),
        "principal": call.principal,
        "tool": call.tool,
        "arguments": redacted,
        "working_directory": call.working_directory,
        "resolved_paths": dict(call.resolved_paths),
        "mode": call.mode.value if call.mode else "",
        "call_id": call.call_id,
    }
    present = {name: value for name, value in shown.items() if value or name == "arguments"}
    text = json.dumps(present, ensure_ascii=True, separators=(",", ":"))
    encoded = text.encode("ascii")
    return View(text, hashlib.sha256(encoded).hexdigest(), approvable=len(encoded) <= max_bytes)
