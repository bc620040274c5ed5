"""Patterns and conditions in rows, checked when a policy is read, so that none fails when it is asked."""

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.policy.casbin.expression import (
    Call,
    ExpressionError,
    Literal,
    Node,
    PolicyColumn,
    Truth,
    nodes,
)
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.model import EVAL, MatcherColumns, Model
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.pattern_error import PatternError

Fault = tuple[int, str]
"""A field of a row by its index, and what is wrong with it."""


class PatternChecks:
    """Checks what a model's matcher does with the fields of rows. The same fields are checked once.

    Calls of functions that are not among `functions` are checked by whoever knows them.
    """

    def __init__(self, model: Model, functions: Mapping[str, MatchingFunction]) -> None:
        self._functions = functions
        self._columns = MatcherColumns(frozenset(model.request), frozenset(model.policy), model.roles)
        self._at = {name: index for index, name in enumerate(model.policy)}
        self._calls = [
            node
            for node in nodes(model.matcher)
            if isinstance(node, Call) and (node.name == EVAL or node.name in functions)
        ]
        self._conditions: dict[str, tuple[int, ...]] = {}
        self._known: dict[tuple[int, tuple[str, ...]], Fault | None] = {}

    def faults(self, fields: Sequence[str]) -> Iterator[Fault]:
        """Everything that is wrong with the fields of one row."""
        for number, call in enumerate(self._calls):
            read = self._read(call)
            looked_at = (*read, *self._read_by_condition(call, fields))
            key = number, tuple(fields[index] for index in looked_at)
            if key not in self._known:
                self._known[key] = self._fault(call, fields, read)
            fault = self._known[key]
            if fault is not None:
                yield fault

    def _read(self, node: Node) -> tuple[int, ...]:
        return tuple(self._at[each.name] for each in nodes(node) if isinstance(each, PolicyColumn))

    def _read_by_condition(self, call: Call, fields: Sequence[str]) -> tuple[int, ...]:
        """The fields that the condition in a row looks at; none when it is not sound."""
        if call.name != EVAL:
            return ()
        text = fields[self._read(call)[0]]
        if text not in self._conditions:
            try:
                self._conditions[text] = self._read(self._condition(text))
            except ExpressionError:
                self._conditions[text] = ()
        return self._conditions[text]

    def _fault(self, call: Call, fields: Sequence[str], read: tuple[int, ...]) -> Fault | None:
        try:
            if call.name == EVAL:
                self._check_condition(self._condition(fields[read[0]]), fields)
            else:
                self._compile(call, fields)
        except ExpressionError as error:
            return read[0], f"{error} (at character {error.offset + 1})"
        except PatternError as error:
            return read[-1], str(error)
        return None

    def _compile(self, call: Call, fields: Sequence[str]) -> None:
        texts = [
            fields[self._at[each.name]] if isinstance(each, PolicyColumn) else str(each.value)
            for each in call.arguments[1:]
            if isinstance(each, PolicyColumn | Literal)
        ]
        self._functions[call.name].compile(*texts)

    def _condition(self, text: str) -> Truth:
        condition = parse_expression(text)
        self._columns.check(condition, self._functions)
        return condition

    def _check_condition(self, condition: Truth, fields: Sequence[str]) -> None:
        for node in nodes(condition):
            if isinstance(node, Call) and node.name == EVAL:
                raise ExpressionError("a condition evaluates no other one; write it out", node.offset)
            if isinstance(node, Call) and node.name in self._functions:
                self._compile(node, fields)
