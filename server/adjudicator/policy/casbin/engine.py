"""A Casbin model with its rows, compiled: which row of an effect matches a request first."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from adjudicator.policy.casbin.expression import Truth
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.index import PlanIndex, RowError
from adjudicator.policy.casbin.model import Model
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.casbin.plan import Plan, plans
from adjudicator.policy.casbin.predicates import Compiler, Request
from adjudicator.policy.casbin.roles import Link, RoleGraph
from adjudicator.policy.casbin.rows import Rows

__all__ = ["Engine", "RowError"]

ALLOW, DENY = "allow", "deny"
_EFFECT = "eft"


class Engine:
    """Immutable: built once from a model and rows that were checked."""

    def __init__(
        self,
        model: Model,
        rows: Rows,
        roles: Mapping[str, RoleGraph],
        functions: Mapping[str, MatchingFunction],
    ) -> None:
        """Compile. `rows` are the `p` rows; `roles` has a graph for each kind of role of the model."""
        self._model = model
        compiler = Compiler(
            {name: index for index, name in enumerate(model.request)},
            {name: index for index, name in enumerate(model.policy)},
            functions,
            roles,
            _Conditions().tree,
        )
        self._compiler = compiler
        self._plans = plans(model.matcher, compiler)
        self._indexes = _indexes(model, compiler, self._plans, rows)

    def with_rows(self, rows: Rows) -> "Engine":
        """The same model, roles and functions with these `p` rows, which were checked too."""
        other = copy.copy(self)
        indexes = _indexes(self._model, self._compiler, self._plans, rows)
        other._indexes = indexes  # noqa: SLF001 - of its own kind
        return other

    def first(self, effect: str, request: Request, memo: dict[Any, Any] | None = None) -> int | None:
        """The lowest number of a row of that effect which matches the request, or None.

        `memo` may be shared by questions about the same request. Raises RowError when a row that could
        match cannot be evaluated.
        """
        if len(request) != len(self._model.request):
            raise ValueError(f"a request has {len(self._model.request)} values, not {len(request)}")
        shared: dict[Any, Any] = {} if memo is None else memo
        lowest: int | None = None
        for index in self._indexes.get(effect, ()):
            number = index.first(request, shared)
            if number is not None and (lowest is None or number < lowest):
                lowest = number
        return lowest

    def every(self, effect: str, request: Request, memo: dict[Any, Any] | None = None) -> list[int]:
        """The numbers of all rows of that effect which match the request, in order. Raises as `first`."""
        shared: dict[Any, Any] = {} if memo is None else memo
        numbers: set[int] = set()
        for index in self._indexes.get(effect, ()):
            numbers.update(index.every(request, shared))
        return sorted(numbers)

    def could_match(self, effect: str, request: Request) -> Iterator[Sequence[int]]:
        """The numbers of the rows of that effect that the keys of the request lead to, by bucket."""
        for index in self._indexes.get(effect, ()):
            yield from index.buckets(request)

    def warm(self) -> None:
        """Compile the large buckets now, so that no question has to."""
        for indexes in self._indexes.values():
            for index in indexes:
                index.warm()

    def enforce(self, *request: Any) -> bool:
        """Whether the model's effect allows the request. Raises as `first` does; nothing else allows."""
        memo: dict[Any, Any] = {}
        if self._model.denies and self.first(DENY, request, memo) is not None:
            return False
        return self.first(ALLOW, request, memo) is not None


def role_graphs(model: Model, rows: Mapping[str, Rows]) -> dict[str, RoleGraph]:
    """A graph for each kind of role, from its rows."""
    return {
        kind: RoleGraph(_links(rows[kind].all_fields(), domain)) for kind, domain in model.roles.items()
    }


def _links(fields: Iterable[Sequence[str]], domain: bool) -> Iterable[Link]:  # noqa: FBT001 - of a model
    for each in fields:
        yield each[0], each[1], each[2] if domain else ""


def _indexes(
    model: Model, compiler: Compiler, alternatives: Sequence[Plan], rows: Rows
) -> dict[str, list[PlanIndex]]:
    """The rows by effect, then one index for each alternative of the matcher."""
    column = model.policy.index(_EFFECT) if _EFFECT in model.policy else None
    indexes: dict[str, list[PlanIndex]] = {}
    texts: dict[str, str] = {}
    for number, fields in enumerate(rows.all_fields()):
        effect = ALLOW if column is None else fields[column]
        found = indexes.get(effect)
        if found is None:
            found = indexes[effect] = [PlanIndex(plan, compiler, rows, texts) for plan in alternatives]
        for index in found:
            index.add(number, fields)
    return indexes


class _Conditions:
    """The trees of conditions in rows, each parsed once."""

    def __init__(self) -> None:
        self._trees: dict[str, Truth] = {}

    def tree(self, text: str) -> Truth:
        tree = self._trees.get(text)
        if tree is None:
            tree = self._trees[text] = parse_expression(text)
        return tree
