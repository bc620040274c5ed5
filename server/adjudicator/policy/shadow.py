"""Ask rows that can never fire, because an Allow covers all that they ask about."""

from collections.abc import Iterator

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY, DEEP
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect

MARK = "[shadowed] "
"""What the reason of an Ask row begins with when its author means it although an Allow covers it."""

# What an Allow without an exception covers: tenant, subject, tool, argument.
_Cover = tuple[str, str, str, str]


def refuse_shadowed(rules: Policy, listed: dict[str, tuple[Effect, RuleRef]], problems: Problems) -> None:
    """An Ask that an Allow covers is a problem: people expect it to ask, and the order says it passes."""
    allowed: dict[_Cover, RuleRef] = {}
    for row in rules.rows:
        at = _columns(row)
        if at["eft"] == Effect.ALLOW.value and not at["unless"]:
            allowed.setdefault((at["tenant"], at["sub"], at["tool"], at["argument"]), row.ref)
    for row in rules.rows:
        at = _columns(row)
        if at["eft"] != Effect.ASK.value or at["reason"].startswith(MARK):
            continue
        places = (allowed[cover] for cover in _covers(rules, at) if cover in allowed)
        place = next(places, None) or _list_place(at["tool"], listed)
        if place is not None:
            row.refuse(
                problems,
                RULES.policy.index("eft"),
                f"this ask can never fire: {place} allows all of it, and allow comes first; "
                f"take one of them away, or begin the reason with `{MARK}` if it is meant",
            )


def _columns(row: Row) -> dict[str, str]:
    return dict(zip(RULES.policy, row.fields, strict=True))


def _covers(rules: Policy, ask: dict[str, str]) -> Iterator[_Cover]:
    for subject in sorted(rules.roles.held_by(ask["sub"], ask["tenant"])):
        for tool in (ANY, ask["tool"]):
            for argument in _arguments_above(ask["argument"]):
                yield ask["tenant"], subject, tool, argument


def _arguments_above(argument: str) -> Iterator[str]:
    """The arguments that contain this one: any, itself, and `prefix/**` for each prefix of it."""
    yield ANY
    yield argument
    for end, char in enumerate(argument + "/", start=1):
        if char == "/":
            yield (argument + "/")[:end] + DEEP


def _list_place(tool: str, listed: dict[str, tuple[Effect, RuleRef]]) -> RuleRef | None:
    effect, place = listed.get(tool, (None, None))
    return place if effect is Effect.ALLOW else None
