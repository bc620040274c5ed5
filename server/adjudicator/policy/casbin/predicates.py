"""From the tree of an expression to something that is called: parsed once, evaluated as often as asked."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from adjudicator.policy.casbin.expression import (
    AllOf,
    AnyOf,
    Call,
    Comparison,
    Literal,
    Membership,
    Negation,
    PolicyColumn,
    RequestColumn,
    Sum,
    Truth,
    Value,
)
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.roles import RoleGraph

Request = Sequence[Any]
Fields = Sequence[str]
Predicate = Callable[[Request, Fields], bool]
Reader = Callable[[Request, Fields], Any]

_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Compiler:
    """Compiles expressions of one model: where its columns are, what it may call, who has which role."""

    request: Mapping[str, int]
    policy: Mapping[str, int]
    functions: Mapping[str, MatchingFunction]
    roles: Mapping[str, RoleGraph]
    conditions: Callable[[str], Truth]
    """From the text of a condition in a row to its tree."""

    def predicate(self, truth: Truth, row: Fields) -> Predicate:
        """The expression for one row: what depends on the row alone is compiled now, once.

        What it is called with raises whatever the comparison of unlike values raises.
        """
        match truth:
            case AllOf(parts):
                return _all([self.predicate(part, row) for part in parts])
            case AnyOf(parts):
                return _any([self.predicate(part, row) for part in parts])
            case Negation(part):
                return _not(self.predicate(part, row))
            case Membership(value, options):
                read = self.reader(value)
                return lambda request, fields: _among(read(request, fields), options)
            case Comparison(sign, left, right):
                return self._comparison(sign, left, right)
        return self._call(truth, row)

    def reader(self, value: Value) -> Reader:
        """What reads the value from a request and a row."""
        match value:
            case Literal():
                constant = value.value
                return lambda request, fields: constant  # noqa: ARG005 - every reader takes both
            case PolicyColumn(name):
                column = self.policy[name]
                return lambda request, fields: fields[column]  # noqa: ARG005 - every reader takes both
            case RequestColumn(name, attributes):
                return _attribute_reader(self.request[name], attributes)
        return self._sum(value)

    def _sum(self, value: Sum) -> Reader:
        left, right = self.reader(value.left), self.reader(value.right)
        sign = 1 if value.sign == "+" else -1

        def total(request: Request, fields: Fields) -> Any:
            return _number(left(request, fields)) + sign * _number(right(request, fields))

        return total

    def _comparison(self, sign: str, left: Value, right: Value) -> Predicate:
        compare = _SIGNS[sign]
        first, second = self.reader(left), self.reader(right)
        return lambda request, fields: compare(first(request, fields), second(request, fields))

    def _call(self, call: Call, row: Fields) -> Predicate:
        if call.name == "eval":
            (column,) = call.arguments
            return self.predicate(self.conditions(self.reader(column)((), row)), row)
        readers = [self.reader(argument) for argument in call.arguments]
        if call.name in self.roles:
            return _has_role(self.roles[call.name], readers)
        patterns = [read((), row) for read in readers[1:]]
        matching = self.functions[call.name].compile(*patterns)
        value, matches = readers[0], matching.matches
        return lambda request, fields: matches(value(request, fields))


def _all(parts: list[Predicate]) -> Predicate:
    return lambda request, fields: all(part(request, fields) for part in parts)


def _any(parts: list[Predicate]) -> Predicate:
    return lambda request, fields: any(part(request, fields) for part in parts)


def _not(part: Predicate) -> Predicate:
    return lambda request, fields: not part(request, fields)


def _has_role(graph: RoleGraph, readers: list[Reader]) -> Predicate:
    member, role = readers[:2]
    if len(readers) == 2:  # noqa: PLR2004 - a role without a domain
        return lambda request, fields: graph.has(member(request, fields), role(request, fields), "")
    domain = readers[2]
    return lambda request, fields: graph.has(
        member(request, fields), role(request, fields), domain(request, fields)
    )


def _attribute_reader(column: int, attributes: tuple[str, ...]) -> Reader:
    if not attributes:
        return lambda request, fields: request[column]  # noqa: ARG005 - every reader takes both

    def read(request: Request, fields: Fields) -> Any:  # noqa: ARG001 - every reader takes both
        value = request[column]
        for name in attributes:
            value = attribute(value, name)
        return value

    return read


def attribute(value: Any, name: str) -> Any:
    """An attribute of a request's value: an entry of a mapping, else a public attribute. Never a method.

    An enumeration gives its value.

    Raises LookupError when there is none.
    """
    if isinstance(value, Mapping):
        found = value[name]
    elif name.startswith("_") or isinstance(value, str | int | float | list | tuple):
        raise LookupError(f"{type(value).__name__} has no attribute {name!a}")
    else:
        found = getattr(value, name, None)
    if isinstance(found, Enum):
        return found.value
    if found is None or callable(found):
        raise LookupError(f"{type(value).__name__} has no attribute {name!a}")
    return found


def _among(value: Any, options: Sequence[Any]) -> bool:
    return value in options


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a number was expected, not {type(value).__name__}")
    return value
