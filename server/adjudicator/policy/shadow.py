"""Ask rows that can never fire, because an Allow covers all that they ask about."""

from collections import defaultdict
from collections.abc import Iterator

from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.model import RULES
from adjudicator.policy.patterns import ANY, DEEP
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect

MARK = "[shadowed] "
"""What the reason of an Ask row begins with when its author means it although an Allow covers it."""

_EVERYTHING = (ANY, "**/*", "**/**")
# What an Allow covers: tenant, subject, tool, argument.
_Cover = tuple[str, str, str, str]


def refuse_shadowed(rules: Policy, listed: dict[str, tuple[Effect, RuleRef]], problems: Problems) -> None:
    """An Ask that an Allow covers is a problem: people expect it to ask, and the order says it passes.

    An exception of the Allow that has all of the Ask, or of which the Ask has all, makes the two fit.
    """
    allowed: dict[_Cover, list[tuple[str, RuleRef]]] = defaultdict(list)
    for row in rules.rows:
        at = _columns(row)
        if at["eft"] == Effect.ALLOW.value:
            cover = at["tenant"], at["sub"], at["tool"], at["argument"]
            allowed[cover].append((at["unless"], row.ref))
    for row in rules.rows:
        at = _columns(row)
        if at["eft"] != Effect.ASK.value or at["reason"].startswith(MARK):
            continue
        fault = next(_faults(rules, at, allowed), None) or _listed_fault(at["tool"], listed)
        if fault is not None:
            message = f"{fault}, and allow comes first; begin the reason with `{MARK}` if this is meant"
            row.refuse(problems, RULES.policy.index("eft"), message)


def _faults(
    rules: Policy, ask: dict[str, str], allowed: dict[_Cover, list[tuple[str, RuleRef]]]
) -> Iterator[str]:
    for cover in _covers(rules, ask):
        for unless, place in allowed.get(cover, ()):
            if not unless:
                yield f"this ask can never fire: {place} allows all of it; take one of them away"
            elif not _fits(unless, ask["argument"]):
                yield (
                    f"this ask hardly ever fires: {place} allows all of it but `{unless}`; "
                    f"make `{ask['argument']}` the exception there, or a part of it"
                )


def _fits(unless: str, argument: str) -> bool:
    """Whether an Allow's exception and an Ask's argument were made for each other."""
    return bool(unless) and (unless in _arguments_above(argument) or argument in _arguments_above(unless))


def _columns(row: Row) -> dict[str, str]:
    return dict(zip(RULES.policy, row.fields, strict=True))


def _covers(rules: Policy, ask: dict[str, str]) -> Iterator[_Cover]:
    for subject in sorted(rules.roles.held_by(ask["sub"], ask["tenant"])):
        for tool in (ANY, ask["tool"]):
            for argument in _arguments_above(ask["argument"]):
                yield ask["tenant"], subject, tool, argument


def _arguments_above(argument: str) -> Iterator[str]:
    """The arguments that contain this one: any, itself, all of its kind, each prefix with the rest open."""
    yield ANY
    yield argument
    kind, separator, _ = argument.partition(":")
    if separator:
        yield from (f"{kind}:{everything}" for everything in _EVERYTHING)
    if kind == ArgumentKind.SHELL.value:
        words = argument.split()
        yield from (f"{' '.join(words[:count])} *" for count in range(1, len(words)))
    if argument.startswith("path:./"):
        yield "path:./*/**"
    for end, char in enumerate(argument + "/", start=1):
        if char == "/":
            yield (argument + "/")[:end] + DEEP


def _listed_fault(tool: str, listed: dict[str, tuple[Effect, RuleRef]]) -> str | None:
    effect, place = listed.get(tool, (None, None))
    if effect is not Effect.ALLOW:
        return None
    return f"this ask can never fire: {place} allows all of it; take one of them away"
