"""How a matcher is answered without looking at every row: which of its parts are keys of an index."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.policy.casbin.expression import (
    Call,
    Comparison,
    Literal,
    PolicyColumn,
    RequestColumn,
    Truth,
    alternatives,
    conjuncts,
)
from adjudicator.policy.casbin.predicates import Compiler, Reader, Request
from adjudicator.policy.casbin.roles import RoleGraph

Candidates = Callable[[Request], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Key:
    """A column of rows, and which values of it a request could match, by what it `reads` of the request."""

    column: int
    candidates: Candidates
    reads: tuple[RequestColumn, ...]


@dataclass(frozen=True, slots=True)
class Patterned:
    """A matching function that the index pre-filters: what reads the value, and what its patterns are."""

    call: Call
    value: Reader


@dataclass(frozen=True, slots=True)
class Plan:
    """One alternative of a matcher: keys first, then the patterns, then whatever is left, in its order."""

    keys: tuple[Key, ...]
    patterned: Patterned | None
    rest: tuple[Truth, ...]


def plans(matcher: Truth, compiler: Compiler) -> tuple[Plan, ...]:
    """A plan for each alternative of the matcher; a row matches when it does so by one of them."""
    return tuple(_plan(conjuncts(each), compiler) for each in alternatives(matcher))


def _plan(parts: Sequence[Truth], compiler: Compiler) -> Plan:
    equal = _equal_columns(parts)
    keys: list[Key] = []
    patterned: Patterned | None = None
    rest: list[Truth] = []
    for part in parts:
        key = _equality(part, compiler) or _role(part, equal, compiler)
        if key is not None:
            keys.append(key)
        elif patterned is None and isinstance(part, Call) and _asks_of_request(part, compiler):
            patterned = Patterned(part, compiler.reader(part.arguments[0]))
        else:
            rest.append(part)
    return Plan(tuple(keys), patterned, tuple(rest))


def _asks_of_request(call: Call, compiler: Compiler) -> bool:
    """Whether patterns are matched with a value that is the same for every row."""
    return call.name in compiler.functions and isinstance(call.arguments[0], RequestColumn | Literal)


def _equality(part: Truth, compiler: Compiler) -> Key | None:
    """`r.a == p.a`, or `p.a == "x" || r.a == p.a`: the row has the request's value, or that one."""
    column: PolicyColumn | None = None
    values: list[RequestColumn | Literal] = []
    for each in alternatives(part):
        if not isinstance(each, Comparison) or each.sign != "==":
            return None
        left, right = each.left, each.right
        if isinstance(right, PolicyColumn):
            left, right = right, left
        if not isinstance(left, PolicyColumn) or not isinstance(right, RequestColumn | Literal):
            return None
        if column is not None and left != column:
            return None
        column = left
        values.append(right)
    if column is None:
        return None
    readers = [compiler.reader(value) for value in values]
    return Key(compiler.policy[column.name], _values(readers), _reads(values))


def _reads(values: Iterable[RequestColumn | Literal]) -> tuple[RequestColumn, ...]:
    return tuple(value for value in values if isinstance(value, RequestColumn))


def _values(readers: list[Reader]) -> Candidates:
    """The value of each reader. What is no text equals no field of a row, and is found under no key."""
    if len(readers) == 1:
        only = readers[0]
        return lambda request: (only(request, ()),)
    if len(readers) == 2:  # noqa: PLR2004 - the usual one: a tool, or the word for any
        first, second = readers
        return lambda request: (first(request, ()), second(request, ()))
    return lambda request: tuple(read(request, ()) for read in readers)


def _role(part: Truth, equal: Mapping[str, RequestColumn], compiler: Compiler) -> Key | None:
    """`g(r.sub, p.sub, r.domain)`: the row names the request's subject, or a role that it has."""
    if not isinstance(part, Call) or part.name not in compiler.roles:
        return None
    member, role, *domains = part.arguments
    if not isinstance(member, RequestColumn) or not isinstance(role, PolicyColumn):
        return None
    domain = domains[0] if domains else Literal("")
    if isinstance(domain, PolicyColumn):
        domain = equal.get(domain.name, domain)
    if not isinstance(domain, RequestColumn | Literal):
        return None
    graph = compiler.roles[part.name]
    held = _held(graph, compiler.reader(member), compiler.reader(domain))
    return Key(compiler.policy[role.name], held, _reads((member, domain)))


def _held(graph: RoleGraph, member: Reader, domain: Reader) -> Candidates:
    return lambda request: graph.held(member(request, ()), domain(request, ()))


def _equal_columns(parts: Sequence[Truth]) -> dict[str, RequestColumn]:
    """Which column of a row certainly equals which column of the request."""
    equal: dict[str, RequestColumn] = {}
    for part in parts:
        if isinstance(part, Comparison) and part.sign == "==":
            match (part.left, part.right):
                case (RequestColumn() as request, PolicyColumn(name)) | (
                    PolicyColumn(name),
                    RequestColumn() as request,
                ):
                    equal[name] = request
    return equal
