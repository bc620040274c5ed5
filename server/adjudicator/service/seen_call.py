"""From an approval's view back to its call, as far as people saw it: the rest is not kept anywhere."""

import json
from dataclasses import dataclass
from typing import Any

from adjudicator.approvals.view_reading import shown_in
from adjudicator.chain.case import Case
from adjudicator.domain.approval import Approval
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.strict_json import canonical_json
from adjudicator.policy.redaction import MARKER
from adjudicator.policy.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class SeenCase:
    """The call of an approval as its view shows it, before a snapshot.

    `redacted` says that the view hides something of it: what a contract or a rule says of a hidden value
    means nothing. Whether it belongs to a flow is not in a view, and no step of the chain asks.
    """

    case: Case
    arguments: Arguments
    redacted: bool

    @property
    def hidden(self) -> frozenset[str]:
        """The arguments of which something is hidden."""
        return frozenset(name for name, value in self.arguments.value.items() if hides(value))


def seen_case(approval: Approval, snapshot: Snapshot) -> SeenCase:
    """The case of the approval's call, without its approval's state, to be judged by that snapshot.

    The approval has to come with its view, which lists leave out when nobody could approve it: raises
    TypeError without. A text that is the marker itself counts as hidden.
    """
    if not approval.view_json:
        raise TypeError("an approval without its view says nothing of its call")
    view = shown_in(approval.view_json)
    arguments: dict[str, Any] = view["arguments"]
    paths: dict[str, str] = view.get("resolved_paths", {})
    shown = {pointer: path for pointer, path in paths.items() if path != MARKER}
    call = ToolCall(
        tenant=approval.tenant,
        agent=approval.agent,
        tool=approval.tool,
        arguments_json=json.dumps(arguments),
        on_behalf_of=approval.on_behalf_of,
        principal=approval.principal,
        session=approval.session,
        call_id=approval.call_id,
        working_directory=view.get("working_directory", ""),
        resolved_paths=tuple(shown.items()),
        mode=Mode(view["mode"]) if view.get("mode") else None,
    )
    read = Arguments(arguments, canonical_json(arguments))
    hidden = len(shown) < len(paths) or hides(arguments)
    return SeenCase(Case(call, read, snapshot), read, hidden)


def hides(value: Any) -> bool:
    """Whether something in the shown value was replaced by the marker."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if item == MARKER:
            return True
        if isinstance(item, dict | list):
            waiting += item.values() if isinstance(item, dict) else item
    return False
