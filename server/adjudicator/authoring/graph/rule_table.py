"""The rules by whom and what they speak of: read once, so that a cell of a matrix is a few look-ups."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.casbin.rows import Rows
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.model import WHEN
from adjudicator.policy.patterns import ANY, aim_of
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.registry import Tool
from adjudicator.policy.row_checks import can_yield
from adjudicator.policy.snapshot import Effect

_Found = dict[tuple[Effect, str], "array[int]"]


@dataclass(frozen=True, slots=True)
class SomeRows:
    """Rows of one effect: how many, and which those are that stand first. `total`: one fits every call."""

    count: int = 0
    first: tuple[int, ...] = ()
    total: bool = False


class RuleTable:
    """Rows by tenant, subject and tool, then by effect and by what their pattern is about."""

    def __init__(self, policy: Policy) -> None:
        self._rows: Rows = policy.rows
        self._table: dict[tuple[str, str, str], _Found] = {}
        columns = {name: index for index, name in enumerate(policy.shape.policy)}
        effect, when = columns["eft"], columns.get(WHEN)
        for number, fields in enumerate(policy.rows.all_fields()):
            word = fields[3].partition(":")[0]
            if word == ANY and when is not None and fields[when] != ALWAYS:
                word = WHEN
            found = self._table.setdefault((fields[1], fields[0], fields[2]), {})
            found.setdefault((Effect(fields[effect]), word), array("Q")).append(number)

    def rows(self, effect: Effect, tenant: str, holders: Iterable[str], tool: Tool, most: int) -> SomeRows:
        """The rows of an effect that can match a call of the tool by one of the holders, the first of them.

        A row whose pattern is about what no argument of the tool is can match none.
        """
        count, total = 0, False
        first: list[int] = []
        for word, numbers in self._found(effect, tenant, holders, tool):
            count += len(numbers)
            first += numbers[:most]
            total = total or word == ANY
        return SomeRows(count, tuple(sorted(first)[:most]), total)

    def counts(self) -> Iterator[tuple[tuple[str, str, str], dict[Effect, int]]]:
        """Of each tenant, subject and tool or `*`: how many rows of each effect."""
        for key, found in self._table.items():
            counts: dict[Effect, int] = {}
            for (effect, _), numbers in found.items():
                counts[effect] = counts.get(effect, 0) + len(numbers)
            yield key, counts

    def ref(self, number: int) -> RuleRef:
        """The row's place."""
        return self._rows.ref(number)

    def _found(
        self, effect: Effect, tenant: str, holders: Iterable[str], tool: Tool
    ) -> Iterator[tuple[str, "array[int]"]]:
        for holder in holders:
            for code in (tool.code, ANY):
                for (each, word), numbers in self._table.get((tenant, holder, code), {}).items():
                    if each is effect and _can_match(tool, word):
                        yield word, numbers


def _can_match(tool: Tool, word: str) -> bool:
    """Whether a pattern that begins with the word is about something that the tool has."""
    if word in (ANY, WHEN):
        return True
    kind, access = aim_of(word)
    return any(can_yield(spec, kind, access) for spec in tool.arguments)
