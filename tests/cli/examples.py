"""Values that several tests show."""

import hashlib
from datetime import UTC, datetime, timedelta

from adjudicator.api.v1.approval_service_pb2 import Approval, ApprovalState

VIEW = '{"tool":"bash","arguments":{"command":"rm -rf build","n":12345678901234567890}}'
DIGEST = hashlib.sha256(VIEW.encode()).hexdigest()


def approval(number: int = 1, **fields) -> Approval:
    """A pending approval with 272 seconds left."""
    values = {
        "id": f"apr-{number:032x}",
        "state": ApprovalState.APPROVAL_STATE_PENDING,
        "tenant": "acme",
        "agent": "coder",
        "tool": "bash",
        "view_json": VIEW,
        "view_digest": DIGEST,
        "approvable": True,
        "quorum": 2,
        "eligible_approvers": 2,
        "expires_at": datetime.now(UTC) + timedelta(seconds=272.9),
    }
    return Approval(**(values | fields))
