"""What one bundle answers a call with: its verdict, and of an ask the terms on which people decide."""

from dataclasses import dataclass, fields

from adjudicator.approvals.request import Asked
from adjudicator.approvals.view import view_of
from adjudicator.authoring.comparison.deciders import Deciders, same_people
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.request import Priority
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.verdict import Cause, Verdict
from adjudicator.policy.casbin.rows import row_values
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import EvaluationError, Unattended

_STRICTNESS = {grants: place for place, grants in enumerate(SessionGrants)}
_SOME = 5
_ALIKE = ("outcome", "step", "check", "reason_code", "cause", "disable_reason", "violations")


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms people decide on an ask. `priority` None: the call cannot be shown to people."""

    quorum: int
    four_eyes: bool
    seconds: int
    priority: Priority | None
    session_grants: SessionGrants
    unattended: Unattended
    options: tuple[str, ...]
    recommended_option: str
    approvers: frozenset[str]

    def milder_than(self, other: "Terms") -> bool:
        """Whether less stands in the way of a call than by the other terms.

        Fewer people, others who may let it pass, once for several calls, or waiting where it was denied.
        """
        return (
            self.quorum < other.quorum
            or (other.four_eyes and not self.four_eyes)
            or not self.approvers <= other.approvers
            or (self.unattended is Unattended.WAIT and other.unattended is Unattended.DENY)
            or _STRICTNESS[self.session_grants] < _STRICTNESS[other.session_grants]
        )

    def unlike(self, now: "Terms") -> dict[str, tuple[str, str]]:
        """The terms that differ by now, each with what it was and what it is, as people read it."""
        pairs = ((each.name, getattr(self, each.name), getattr(now, each.name)) for each in fields(self))
        return {name: _said_of_both(old, new) for name, old, new in pairs if old != new}


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


def terms_of_both(
    was: Case, now: Case, causes: tuple[Cause, Cause], deciders: Deciders
) -> tuple[Terms, Terms] | None:
    """The terms of two asks; None where nothing that they come from differs."""
    same_sources = was.snapshot.approvals == now.snapshot.approvals and same_people(
        was.snapshot, now.snapshot
    )
    if was.tool == now.tool and same_sources and causes[0] is causes[1]:
        return None
    return _terms_of(was, causes[0], deciders), _terms_of(now, causes[1], deciders)


def _terms_of(case: Case, cause: Cause, deciders: Deciders) -> Terms:
    tool, approvals, call = case.tool, case.snapshot.approvals, case.call
    priority = _priority(case, cause)
    return Terms(
        quorum=tool.quorum,
        four_eyes=tool.four_eyes,
        seconds=tool.approval_seconds or approvals.seconds,
        priority=priority,
        session_grants=tool.session_grants,
        unattended=approvals.unattended,
        options=tool.options,
        recommended_option=tool.recommended_option,
        approvers=deciders.of(case.snapshot, call.tenant, call.tool, priority) if priority else frozenset(),
    )


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


def _said_of_both(was: object, now: object) -> tuple[str, str]:
    if isinstance(was, frozenset) and isinstance(now, frozenset):
        return _people(was, now), _people(now, was)
    return _said(was), _said(now)


def _people(these: frozenset[str], others: frozenset[str]) -> str:
    alone = sorted(these - others)
    more = [f"{len(alone) - _SOME:,} more"] if len(alone) > _SOME else []
    here = f", here alone {', '.join([*alone[:_SOME], *more])}" if alone else ""
    return f"{len(these):,}{here}"


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return " | ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Symbol):
        return str(value.value)
    return "none" if value in (None, "") else str(value)
