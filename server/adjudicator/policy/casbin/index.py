"""Rows of one effect by the keys of a plan: a question costs what the rows cost that could match it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Protocol

from adjudicator.policy.casbin.anchors import AnchorIndex
from adjudicator.policy.casbin.functions import Matching
from adjudicator.policy.casbin.plan import Plan
from adjudicator.policy.casbin.predicates import Compiler, Fields, Predicate, Request

EAGER = 64
"""Buckets with this many rows are compiled when the index is built, the others when somebody asks."""
REMEMBERED = 32_768
"""Combinations of keys for which what they lead to is kept compiled; then it begins anew."""

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
        self._large: dict[int, _Bucket] = {}
        self._known: dict[Any, _Reached] = {}
        self._key = _key_reader(plan, compiler.request)
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
                self._large[leaf[0]] = self._compiled(leaf)

    def first(self, request: Request, memo: dict[Any, Any]) -> int | None:
        """The lowest number of a matching row, or None. Raises RowError when one cannot be evaluated."""
        reached = self._reached(request)
        if self._keys_decide:
            return reached.lowest
        lowest: int | None = None
        for bucket in reached.buckets:
            number = bucket.first(request, memo)
            if number is not None and (lowest is None or number < lowest):
                lowest = number
        return lowest

    def every(self, request: Request, memo: dict[Any, Any]) -> Iterator[int]:
        """The numbers of all matching rows. Raises RowError when one cannot be evaluated."""
        if self._keys_decide:
            for numbers in self.buckets(request):
                yield from numbers
            return
        for bucket in self._reached(request).buckets:
            yield from bucket.every(request, memo)

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

    def _reached(self, request: Request) -> "_Reached":
        """What the keys of the request lead to, kept for the next request with the same keys."""
        if self._key is None:
            return self._reach(request)
        key = self._key(request)
        reached = self._known.get(key)
        if reached is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            reached = self._known[key] = self._reach(request)
        return reached

    def _reach(self, request: Request) -> "_Reached":
        """Small buckets become one: what is true of each row is true of it in any company."""
        leaves = self._found(request)
        if self._keys_decide:
            lowest = min((leaf if isinstance(leaf, int) else leaf[0] for leaf in leaves), default=None)
            return _Reached(lowest, ())
        buckets: list[_Bucket] = []
        numbers: list[int] = []
        for leaf in leaves:
            if isinstance(leaf, int):
                numbers.append(leaf)
            elif leaf[0] in self._large:
                buckets.append(self._large[leaf[0]])
            else:
                numbers += leaf
        if numbers:
            buckets.append(self._compiled(sorted(set(numbers))))
        return _Reached(None, tuple(buckets))

    def _compiled(self, numbers: list[int]) -> "_Bucket":
        return _compiled(self._plan, self._compiler, self._rows, numbers)


@dataclass(frozen=True, slots=True)
class _Reached:
    """What some keys lead to: the lowest number where they decide, else the buckets to look into."""

    lowest: int | None
    buckets: tuple["_Bucket", ...]


def _key_reader(plan: Plan, columns: Mapping[str, int]) -> Callable[[Request], Any] | None:
    """What reads from a request all that its keys depend on; None where that is more than whole columns."""
    reads = [column for key in plan.keys for column in key.reads]
    if not reads or any(column.attributes for column in reads):
        return None
    return itemgetter(*sorted({columns[column.name] for column in reads}))


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
            except Exception as error:  # whatever it is, the question is denied, with the row in the reason
                raise RowError(number) from error
        return None

    def _first_of_all(self, request: Request, memo: dict[Any, Any]) -> int | None:
        """Conditions can fail, so each is evaluated: the order of rows must not decide whether one does."""
        return min(list(self.every(request, memo)), default=None)

    def every(self, request: Request, memo: dict[Any, Any]) -> Iterator[int]:
        """The numbers of all matching rows, in order. Raises RowError."""
        value = self._value(request, ()) if self._value else None
        patterned = self._index.candidates(value, memo) if self._value else None
        rows = [(number, None) for number in self._numbers] if patterned is None else patterned
        for number, matching in rows:
            rest = self._rest.get(number)
            try:
                matches = (matching is None or matching.matches(value)) and (rest is None or rest(request))
            except Exception as error:  # whatever it is, the question is denied, with the row in the reason
                raise RowError(number) from error
            if matches:
                yield number


_Rest = Callable[[Request], bool]


def _compiled(plan: Plan, compiler: Compiler, rows: RowFields, numbers: list[int]) -> _Bucket:
    patterned = plan.patterned
    readers = [compiler.reader(argument) for argument in patterned.call.arguments[1:]] if patterned else []
    function = compiler.functions[patterned.call.name] if patterned else None
    compiled = []
    for number in numbers:
        fields = rows.fields(number)
        matching = function.compile(*[read((), fields) for read in readers]) if function else None
        rest = [compiler.predicate(part, fields) for part in plan.rest] if plan.rest else None
        compiled.append((number, matching, _bound(rest, fields) if rest else None))
    return _Bucket(patterned.value if patterned else None, compiled)


def _bound(parts: list[Predicate], fields: Fields) -> _Rest:
    return lambda request: all(part(request, fields) for part in parts)
