"""Which rows say all that another row says, for its subject or one above it: found by keys."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.model import WHEN
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect

_OF_ROW = "p."
"""How a condition speaks of its own row: then the same words say something else in another one."""


class Meaning(NamedTuple):
    """What a row says; what its policy has no column for is as wide as can be.

    A tuple, since one is made of each of a hundred thousand rows, and for several lints.
    """

    subject: str
    tenant: str
    thing: str
    effect: str
    argument: str
    unless: str
    when: str
    priority: str

    @property
    def kind(self) -> str:
        """The word before the pattern; empty for `*`."""
        return self.argument.partition(":")[0] if self.argument != ANY else ""


_COLUMNS = {"sub": "subject", "tool": "thing", "obj": "thing", "eft": "effect"}
_DEFAULTS = {"argument": ANY, "unless": "", "when": ALWAYS, "priority": ANY}


def meanings(policy: Policy) -> Iterator[Meaning]:
    """The meaning of each row, in order."""
    return map(_reader(policy), policy.rows.all_fields())


def meaning_of(policy: Policy, number: int) -> Meaning:
    """The meaning of one row."""
    return _reader(policy)(policy.rows.fields(number))


def _reader(policy: Policy) -> Callable[[list[str]], Meaning]:
    """What makes the meaning of a row of its fields, and of the defaults that come behind them."""
    names = [*(_COLUMNS.get(name, name) for name in policy.shape.policy), *_DEFAULTS]
    defaults = list(_DEFAULTS.values())
    pick = itemgetter(*(names.index(name) for name in Meaning._fields))
    return lambda fields: Meaning._make(pick(fields + defaults))


# The rows of one bucket of the engine: by argument, exception and condition, the number of the first.
_Bucket = dict[tuple[str, str, str], int]


class Covers:
    """The rows of one policy by what they say."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._at = {name: index for index, name in enumerate(policy.shape.policy)}
        self._buckets: dict[tuple[str, int], _Bucket] = {}
        self._found: dict[tuple[Any, ...], list[_Bucket]] = {}

    def above(self, row: Meaning, effect: Effect) -> Iterator[int]:
        """The numbers of the rows of this effect that match whatever the row matches, as far as is known.

        The row itself is one of them where it has the effect.
        """
        exceptions = dict.fromkeys(("", row.unless) if effect.value == row.effect else ("",))
        conditions = dict.fromkeys((ALWAYS,) if _OF_ROW in row.when else (ALWAYS, row.when))
        seen: set[int] = set()
        buckets = self._reached(row, effect)
        for argument in arguments_above(row.argument) if buckets else ():
            for unless in exceptions:
                for when in conditions:
                    for bucket in buckets:
                        number = bucket.get((argument, unless, when))
                        if number is not None and number not in seen:
                            seen.add(number)
                            yield number

    def _reached(self, row: Meaning, effect: Effect) -> list[_Bucket]:
        last = (None,) if "argument" in self._at else (row.priority,) if "priority" in self._at else ()
        request = (row.subject, row.tenant, row.thing, *last)
        key = (effect, *request)
        found = self._found.get(key)
        if found is None:
            could_match = (
                self._policy.engine.could_match(effect.value, request) if self._policy.engine else ()
            )
            lists = {numbers[0]: numbers for numbers in could_match}
            found = self._found[key] = [self._bucket(effect.value, numbers) for numbers in lists.values()]
        return found

    def _bucket(self, effect: str, numbers: Sequence[int]) -> _Bucket:
        bucket = self._buckets.get((effect, numbers[0]))
        if bucket is None:
            bucket = self._buckets[effect, numbers[0]] = {}
            for number in numbers:
                fields = self._policy.rows.fields(number)
                bucket.setdefault(self._said(fields), number)
        return bucket

    def _said(self, fields: Sequence[str]) -> tuple[str, str, str]:
        at = self._at
        if "argument" not in at:
            return ANY, "", ALWAYS
        return fields[at["argument"]], fields[at["unless"]], fields[at[WHEN]] if WHEN in at else ALWAYS
