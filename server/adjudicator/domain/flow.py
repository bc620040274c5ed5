"""A flow: several calls of one session that an agent makes for one purpose. It authorises nothing."""

from dataclasses import dataclass
from enum import Enum

from adjudicator.domain.strict_json import Json


class FlowStatus(Enum):
    """How a flow ended, as its opener says."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Flow:
    """One flow as the runtime that opens it states it. `flow_id` is its key within tenant and session.

    `input` is what it was started with, None when that is not said.
    """

    tenant: str
    agent: str
    session: str
    flow_id: str
    principal: str = ""
    description: str = ""
    input: Json | None = None
