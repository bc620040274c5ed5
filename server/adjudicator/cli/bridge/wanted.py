"""What an editor wants to be told of, and the first line, which repeats it."""

from dataclasses import dataclass
from datetime import timedelta

from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.bridge.messages import PROTOCOL, Message

REQUESTS, FILE_CHANGES, QUESTIONS = FORMS = ("requests", "file-changes", "questions")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The forms and the filters. `approver` is whose token it is, as far as that is known here."""

    forms: tuple[str, ...]
    tenant: str
    tool: str
    least_priority: Priority
    file_change_limit: timedelta
    approver: str


def ready(wanted: Wanted, sidecar: str) -> Message:
    """That the bridge takes lines."""
    return {
        "type": "ready",
        "protocol": PROTOCOL,
        "sidecar": sidecar,
        "approver": wanted.approver,
        "forms": list(wanted.forms),
        "filters": {
            "tenant": wanted.tenant,
            "tool": wanted.tool,
            "least_priority": Priority.Name(wanted.least_priority).removeprefix("PRIORITY_"),
        },
        "file_change_seconds": wanted.file_change_limit.total_seconds(),
    }
