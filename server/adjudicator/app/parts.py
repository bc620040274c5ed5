"""What the two planes of one sidecar share."""

from dataclasses import dataclass

from adjudicator.app.telemetry import Telemetry
from adjudicator.approvals.digest import Digester
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.attendance import Attendance
from adjudicator.service.waits import Waits
from adjudicator.storage.contract import Store


@dataclass(frozen=True, slots=True)
class Parts:
    """One of each, for both planes."""

    policy: ActivePolicy
    store: Store
    waits: Waits
    clock: Clock
    limits: Limits
    digester: Digester
    telemetry: Telemetry
    attendance: Attendance
