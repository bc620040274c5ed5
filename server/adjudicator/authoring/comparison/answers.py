"""What one bundle answers a call with: its verdict, and of an ask the terms on which people decide."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from adjudicator.approvals.request import Asked
from adjudicator.approvals.view import view_of
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.request import Priority
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.policy.casbin.rows import row_values
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import EvaluationError

_STRICTNESS = {grants: place for place, grants in enumerate(SessionGrants)}
_ALIKE = ("outcome", "step", "check", "reason_code", "cause", "disable_reason", "violations")


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms people decide on an ask. `priority` None: the call cannot be shown to people."""

    quorum: int
    four_eyes: bool
    seconds: int
    priority: Priority | None
    session_grants: SessionGrants

    def milder_than(self, other: "Terms") -> bool:
        """Whether fewer people stand in the way of a call than by the other terms, or once for several."""
        return (
            self.quorum < other.quorum
            or (other.four_eyes and not self.four_eyes)
            or _STRICTNESS[self.session_grants] < _STRICTNESS[other.session_grants]
        )

    def named(self) -> dict[str, str]:
        """Each of them as people read it."""
        return {each.name: _said(getattr(self, each.name)) for each in fields(self)}


def verdict_of(case: Case) -> Verdict:
    """What the case's snapshot answers."""
    return judge(case, lambda _check, _error: None)  # an error in a check is in the verdict


def same_reason(was: Verdict, now: Verdict) -> bool:
    """Whether both are the same verdict for the same reason. A row that was only moved is the same row."""
    return all(getattr(was, name) == getattr(now, name) for name in _ALIKE) and same_rule(was, now)


def same_rule(was: Verdict, now: Verdict) -> bool:
    """Whether the same row decides both; where it stands and how it is spaced is no matter."""
    if was.rule is None or now.rule is None:
        return was.rule is now.rule
    return was.rule.text == now.rule.text or row_values(was.rule.text) == row_values(now.rule.text)


def terms_of_both(was: Case, now: Case, causes: tuple[Cause, Cause]) -> tuple[Terms, Terms] | None:
    """The terms of two asks; None where nothing that they come from differs."""
    ours, theirs = was.snapshot.approvals, now.snapshot.approvals
    same_sources = (ours.priorities, ours.seconds) == (theirs.priorities, theirs.seconds)
    if was.tool == now.tool and same_sources and causes[0] is causes[1]:
        return None
    return _terms_of(was, causes[0]), _terms_of(now, causes[1])


def other_terms(was: Mapping[str, str], now: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The terms that differ, each with what it was and what it is."""
    return {name: (text, now[name]) for name, text in was.items() if text != now[name]}


def _terms_of(case: Case, cause: Cause) -> Terms:
    tool = case.tool
    seconds = tool.approval_seconds or case.snapshot.approvals.seconds
    return Terms(tool.quorum, tool.four_eyes, seconds, _priority(case, cause), tool.session_grants)


def _priority(case: Case, cause: Cause) -> Priority | None:
    """How urgent the request would be that people are shown."""
    contract = case.snapshot.contracts.get(case.call.tool)
    if not isinstance(case.arguments, Arguments) or contract is None:
        return None
    value = case.arguments.value
    try:
        shown = contract.redact(value)
    except EvaluationError:
        return None
    asked = Asked(case.call, case.tool, value, shown, cause, case.snapshot.approvals.priorities)
    return view_of(asked, VIEW_BYTES).request.priority


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Symbol):
        return str(value.value)
    return "none" if value is None else str(value)
