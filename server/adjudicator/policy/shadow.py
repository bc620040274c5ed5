"""Ask rows that can never fire, because an Allow covers all that they ask about."""

from collections.abc import Iterator, Sequence

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.casbin.engine import Engine
from adjudicator.policy.casbin.rows import SEPARATOR, Rows
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect

MARK = "[shadowed] "
"""What the reason of an Ask row begins with when its author means it although an Allow covers it."""

# The Allow rows of one bucket: by argument, the exception and number of each.
_Bucket = dict[str, list[tuple[str, int]]]


def refuse_shadowed(rules: Policy, listed: dict[str, tuple[Effect, RuleRef]], problems: Problems) -> None:
    """An Ask that an Allow covers is a problem: people expect it to ask, and the order says it passes.

    An exception of the Allow that has all of the Ask, or of which the Ask has all, makes the two fit.
    """
    if rules.engine is None:
        return
    names = rules.shape.policy
    covers = _Covers(rules.engine, rules.rows)
    word = f"{SEPARATOR}{Effect.ASK.value}{SEPARATOR}"
    for number, text in enumerate(rules.rows.all_texts()):
        if word not in text:  # quicker than taking each row apart
            continue
        ask = dict(zip(names, rules.rows.fields(number), strict=True))
        if ask["eft"] != Effect.ASK.value or ask["reason"].startswith(MARK):
            continue
        fault = next(covers.faults(ask), None) or _listed_fault(ask["tool"], listed)
        if fault is not None:
            message = f"{fault}, and allow comes first; begin the reason with `{MARK}` if this is meant"
            rules.rows[number].refuse(problems, names.index("eft"), message)


class _Covers:
    """The Allow rows that have all of an Ask's argument, for its subject, tenant and tool."""

    def __init__(self, engine: Engine, rows: Rows) -> None:
        self._engine = engine
        self._rows = rows
        self._buckets: dict[int, _Bucket] = {}

    def faults(self, ask: dict[str, str]) -> Iterator[str]:
        """Why the Ask hardly ever fires, or never."""
        for unless, number in self._found(ask):
            place = self._rows.ref(number)
            if not unless:
                yield f"this ask can never fire: {place} allows all of it; take one of them away"
            elif not _fits(unless, ask["argument"]):
                yield (
                    f"this ask hardly ever fires: {place} allows all of it but `{unless}`; "
                    f"make `{ask['argument']}` the exception there, or a part of it"
                )

    def _found(self, ask: dict[str, str]) -> Iterator[tuple[str, int]]:
        above = list(arguments_above(ask["argument"]))
        request = (ask["sub"], ask["tenant"], ask["tool"], None)
        for numbers in self._engine.could_match(Effect.ALLOW.value, request):
            bucket = self._bucket(numbers)
            if not bucket.keys().isdisjoint(above):
                for argument in above:
                    yield from bucket.get(argument, ())

    def _bucket(self, numbers: Sequence[int]) -> _Bucket:
        bucket = self._buckets.get(numbers[0])
        if bucket is None:
            bucket = self._buckets[numbers[0]] = {}
            for number in numbers:
                argument, unless = self._rows.fields(number)[3:5]
                bucket.setdefault(argument, []).append((unless, number))
        return bucket


def _fits(unless: str, argument: str) -> bool:
    """Whether an Allow's exception and an Ask's argument were made for each other."""
    return unless in arguments_above(argument) or argument in arguments_above(unless)


def _listed_fault(tool: str, listed: dict[str, tuple[Effect, RuleRef]]) -> str | None:
    effect, place = listed.get(tool, (None, None))
    if effect is not Effect.ALLOW:
        return None
    return f"this ask can never fire: {place} allows all of it; take one of them away"
