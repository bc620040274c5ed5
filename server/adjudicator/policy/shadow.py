"""Ask rows that can never fire, because an Allow covers all that they ask about."""

from collections import defaultdict
from collections.abc import Iterator

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.patterns import ANY, DEEP
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect

MARK = "[shadowed] "
"""What the reason of an Ask row begins with when its author means it although an Allow covers it."""

_EVERYTHING = (ANY, "**/*", "**/**")
# What Allow rows cover: by tenant, subject and tool, each argument with the exceptions and the rows.
_Cover = dict[tuple[str, str, str], dict[str, list[tuple[str, int]]]]


def refuse_shadowed(rules: Policy, listed: dict[str, tuple[Effect, RuleRef]], problems: Problems) -> None:
    """An Ask that an Allow covers is a problem: people expect it to ask, and the order says it passes.

    An exception of the Allow that has all of the Ask, or of which the Ask has all, makes the two fit.
    """
    asks, allowed = _asks_and_allowed(rules)
    for number, ask in asks:
        fault = next(_faults(rules, ask, allowed), None) or _listed_fault(ask["tool"], listed)
        if fault is not None:
            message = f"{fault}, and allow comes first; begin the reason with `{MARK}` if this is meant"
            rules.rows[number].refuse(problems, rules.shape.policy.index("eft"), message)


def _asks_and_allowed(rules: Policy) -> tuple[list[tuple[int, dict[str, str]]], _Cover]:
    """The Ask rows that are not marked, and the Allow rows of tenants that have such."""
    names = rules.shape.policy
    effect, reason = names.index("eft"), names.index("reason")
    asks = [
        (number, dict(zip(names, fields, strict=True)))
        for number, fields in enumerate(rules.rows.all_fields())
        if fields[effect] == Effect.ASK.value and not fields[reason].startswith(MARK)
    ]
    tenants = {ask["tenant"] for _, ask in asks}
    allowed: _Cover = defaultdict(dict)
    for number, fields in enumerate(rules.rows.all_fields() if asks else ()):
        if fields[effect] == Effect.ALLOW.value and fields[1] in tenants:
            subject, tenant, tool, argument, unless = fields[:5]
            allowed[tenant, subject, tool].setdefault(argument, []).append((unless, number))
    return asks, allowed


def _faults(rules: Policy, ask: dict[str, str], allowed: _Cover) -> Iterator[str]:
    for unless, number in _covers(rules, ask, allowed):
        if not unless:
            place = rules.rows.ref(number)
            yield f"this ask can never fire: {place} allows all of it; take one of them away"
        elif not _fits(unless, ask["argument"]):
            yield (
                f"this ask hardly ever fires: {rules.rows.ref(number)} allows all of it but `{unless}`; "
                f"make `{ask['argument']}` the exception there, or a part of it"
            )


def _covers(rules: Policy, ask: dict[str, str], allowed: _Cover) -> Iterator[tuple[str, int]]:
    """The exceptions and numbers of the Allow rows that have all of the Ask's argument."""
    for subject in sorted(rules.roles.graph.held(ask["sub"], ask["tenant"])):
        for tool in (ANY, ask["tool"]):
            arguments = allowed.get((ask["tenant"], subject, tool))
            for argument in _arguments_above(ask["argument"]) if arguments else ():
                yield from arguments.get(argument, ()) if arguments else ()


def _fits(unless: str, argument: str) -> bool:
    """Whether an Allow's exception and an Ask's argument were made for each other."""
    return bool(unless) and (unless in _arguments_above(argument) or argument in _arguments_above(unless))


def _arguments_above(argument: str) -> Iterator[str]:
    """The arguments that contain this one: any, itself, all of its kind, `prefix/**` for each prefix."""
    yield ANY
    yield argument
    kind, separator, _ = argument.partition(":")
    if separator:
        yield from (f"{kind}:{everything}" for everything in _EVERYTHING)
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
