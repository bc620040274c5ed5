"""Rows of one effect by the keys of a plan: a question costs what the rows cost that could match it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adjudicator.policy.casbin.anchors import AnchorIndex
from adjudicator.policy.casbin.functions import Matching
from adjudicator.policy.casbin.plan import Plan
from adjudicator.policy.casbin.predicates import Compiler, Fields, Predicate, Request

EAGER = 64
"""Buckets with this many rows are compiled when the index is built, the others when first asked."""

Leaf = int | list[int]
"""The number of the only row of a bucket, or the numbers of its rows in order."""


class RowFields(Protocol):
    """Rows by number."""

    def fields(self, index: int) -> list[str]:
        """The fields of a row."""
        ...


@dataclass(eq=False)
class RowError(Exception):
    """The row whose evaluation failed; the failure is the cause."""

    number: int


class PlanIndex:
    """The rows of one effect under one plan, in nested dictionaries: one level for each key."""

    def __init__(self, plan: Plan, compiler: Compiler, rows: RowFields, texts: dict[str, str]) -> None:
        """An empty index. `texts` keeps one object for each different key, of which there are few."""
        self._plan = plan
        self._compiler = compiler
        self._rows = rows
        self._texts = texts
        self._columns = [key.column for key in plan.keys]
        self._upper = self._columns[:-1]
        self._candidates = [key.candidates for key in plan.keys]
        self._root: dict[str, Any] = {}
        self._leaf: Leaf | None = None
        self._buckets: dict[int, _Bucket] = {}
        # Without patterns and conditions the keys say it all.
        self._keys_decide = plan.patterned is None and not plan.rest

    def add(self, number: int, fields: Fields) -> None:
        """Put a row in. Rows come in the order of their numbers."""
        if not self._columns:
            self._leaf = _joined(self._leaf, number)
            return
        node = self._root
        for column in self._upper:
            value = fields[column]
            below = node.get(value)
            if below is None:
                below = node[self._texts.setdefault(value, value)] = {}
            node = below
        value = fields[self._columns[-1]]
        leaf = node.get(value)
        if leaf is None:
            node[self._texts.setdefault(value, value)] = number
        elif isinstance(leaf, int):
            node[value] = [leaf, number]
        else:
            leaf.append(number)

    def warm(self) -> None:
        """Compile the large buckets, so that no question has to."""
        if self._keys_decide:
            return
        for leaf in _leaves(self._root, len(self._columns)) if self._columns else (self._leaf,):
            if isinstance(leaf, list) and len(leaf) >= EAGER:
                self._bucket(leaf)

    def first(self, request: Request, memo: dict[Any, Any]) -> int | None:
        """The lowest number of a matching row, or None. Raises RowError when one cannot be evaluated."""
        leaves = self._found(request)
        if self._keys_decide:
            return min((leaf if isinstance(leaf, int) else leaf[0] for leaf in leaves), default=None)
        lowest: int | None = None
        for leaf in leaves:
            number = self._bucket(leaf).first(request, memo)
            if number is not None and (lowest is None or number < lowest):
                lowest = number
        return lowest

    def buckets(self, request: Request) -> Iterator[Sequence[int]]:
        """The numbers of the rows to which the keys of the request lead, each list in order."""
        for leaf in self._found(request):
            yield [leaf] if isinstance(leaf, int) else leaf

    def _found(self, request: Request) -> list[Any]:
        if not self._columns:
            return [] if self._leaf is None else [self._leaf]
        nodes: list[Any] = [self._root]
        for candidates in self._candidates:
            values = candidates(request)
            found = []
            for node in nodes:
                for value in values:
                    below = node.get(value)
                    if below is not None:
                        found.append(below)
            if not found:
                return found
            nodes = found
        return nodes

    def _bucket(self, leaf: Leaf) -> "_Bucket":
        numbers = [leaf] if isinstance(leaf, int) else leaf
        bucket = self._buckets.get(numbers[0])
        if bucket is None:
            bucket = self._buckets[numbers[0]] = _compiled(self._plan, self._compiler, self._rows, numbers)
        return bucket


def _joined(leaf: Leaf | None, number: int) -> Leaf:
    if leaf is None:
        return number
    if isinstance(leaf, int):
        return [leaf, number]
    leaf.append(number)
    return leaf


def _leaves(node: dict[str, Any], depth: int) -> Iterable[Leaf]:
    if depth == 1:
        yield from node.values()
        return
    for below in node.values():
        yield from _leaves(below, depth - 1)


class _Bucket:
    """The rows that one key leads to: their patterns, and the conditions that are left."""

    def __init__(
        self,
        value: Callable[[Request, Fields], Any] | None,
        rows: list[tuple[int, Matching | None, "_Rest | None"]],
    ) -> None:
        self._value = value
        self._rest = {number: rest for number, _, rest in rows if rest is not None}
        self._numbers = [number for number, _, _ in rows]
        self._index = AnchorIndex(
            (number, matching) for number, matching, _ in rows if matching is not None
        )

    def first(self, request: Request, memo: dict[Any, Any]) -> int | None:
        if self._rest:
            return self._first_of_all(request, memo)
        value = self._value(request, ()) if self._value else None
        for number, matching in self._index.candidates(value, memo):
            try:
                if matching.matches(value):
                    return number
            except Exception as error:
                raise RowError(number) from error
        return None

    def _first_of_all(self, request: Request, memo: dict[Any, Any]) -> int | None:
        """Conditions can fail, so each is evaluated: the order of rows must not decide whether one does."""
        value = self._value(request, ()) if self._value else None
        patterned = self._index.candidates(value, memo) if self._value else None
        lowest: int | None = None
        rows = [(number, None) for number in self._numbers] if patterned is None else patterned
        for number, matching in rows:
            try:
                matches = (matching is None or matching.matches(value)) and self._rest[number](request)
            except Exception as error:
                raise RowError(number) from error
            if matches and lowest is None:
                lowest = number
        return lowest


_Rest = Callable[[Request], bool]


def _compiled(plan: Plan, compiler: Compiler, rows: RowFields, numbers: list[int]) -> _Bucket:
    compiled = []
    for number in numbers:
        fields = rows.fields(number)
        matching = None
        if plan.patterned is not None:
            call = plan.patterned.call
            texts = [compiler.reader(argument)((), fields) for argument in call.arguments[1:]]
            matching = compiler.functions[call.name].compile(*texts)
        rest = [compiler.predicate(part, fields) for part in plan.rest]
        compiled.append((number, matching, _bound(rest, fields) if rest else None))
    return _Bucket(plan.patterned.value if plan.patterned else None, compiled)


def _bound(parts: list[Predicate], fields: Fields) -> _Rest:
    return lambda request: all(part(request, fields) for part in parts)
