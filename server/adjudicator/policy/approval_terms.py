"""The section `approvals` of `bundle.yaml`: what brings a person in, how urgently, within which bounds."""

from adjudicator.config.limits import ASKS, GRANT_SECONDS, GRANT_USES
from adjudicator.domain.request import Priority, Trigger
from adjudicator.policy.document import Field
from adjudicator.policy.snapshot import PRIORITIES, ApprovalTerms, Unattended

_OFF = "off"
_PRIORITIES = {priority.value: priority for priority in Priority} | {_OFF: _OFF}
_TRIGGERS = {trigger.value: trigger for trigger in Trigger}
_UNATTENDED = {unattended.value: unattended for unattended in Unattended}
_COUNTS = {
    "pending_per_session": ASKS,
    "pending_per_agent": ASKS,
    "asks_per_minute_per_session": ASKS,
    "asks_per_minute_per_agent": ASKS,
    "grant_seconds": GRANT_SECONDS,
    "grant_uses": GRANT_USES,
}
"""The most that each of them may be."""
_KEYS = frozenset({"priorities", "unattended", *_COUNTS})


def read_approval_terms(field: Field | None, seconds: int) -> ApprovalTerms:
    """The terms, with the default for whatever is left out. What cannot be read stands as the least."""
    at = field.known_entries(frozenset(), _KEYS) if field else {}
    counts = {key: at[key].as_count(1, most) or 1 for key, most in _COUNTS.items() if key in at}
    unattended = at["unattended"].as_choice(_UNATTENDED) if "unattended" in at else Unattended.WAIT
    return ApprovalTerms(
        seconds,
        priorities=_priorities(at["priorities"]) if "priorities" in at else PRIORITIES,
        unattended=unattended or Unattended.DENY,
        **counts,
    )


def _priorities(field: Field) -> dict[Trigger, Priority]:
    """The default ones, but for those that are written here; one that is `off` is left out."""
    priorities = dict(PRIORITIES)
    for trigger, entry in field.known_entries(frozenset(), frozenset(_TRIGGERS)).items():
        priority = entry.as_choice(_PRIORITIES)
        if priority == _OFF:
            del priorities[_TRIGGERS[trigger]]
        elif priority is not None:
            priorities[_TRIGGERS[trigger]] = priority
    return priorities
