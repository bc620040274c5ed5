"""Patterns and conditions in rows, checked when a policy is read: each compiles, and calls what it may."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.policy.casbin.expression import Call, ExpressionError, Literal, PolicyColumn, Truth, nodes
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.model import EVAL, MatcherColumns, Model
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.pattern_error import PatternError

Fault = tuple[int, str]
"""A field of a row by its index, and what is wrong with it."""


class PatternChecks:
    """Checks what a model's matcher does with the fields of rows. The same fields are checked once."""

    def __init__(self, model: Model, functions: Mapping[str, MatchingFunction]) -> None:
        """`functions` are those that are checked, and that a condition may call."""
        self._functions = functions
        self._columns = MatcherColumns(frozenset(model.request), frozenset(model.policy), model.roles)
        self._at = {name: index for index, name in enumerate(model.policy)}
        self._calls = [
            each for each in _calls(model.matcher) if each.name == EVAL or each.name in functions
        ]
        self._patterns: dict[tuple[str, tuple[str, ...]], str | None] = {}
        self._conditions: dict[str, _Condition] = {}

    def faults(self, fields: Sequence[str]) -> Iterator[Fault]:
        """Everything that is wrong with the fields of one row."""
        for call in self._calls:
            if call.name == EVAL:
                yield from self._condition_faults(self._last_column(call, 0), fields)
            elif (message := self._pattern_fault(call, fields)) is not None:
                yield self._last_column(call, 0), message

    def _condition_faults(self, column: int, fields: Sequence[str]) -> Iterator[Fault]:
        text = fields[column]
        condition = self._conditions.get(text)
        if condition is None:
            condition = self._conditions[text] = self._read_condition(text)
        if condition.fault is not None:
            yield column, condition.fault
        for call in condition.calls:
            message = self._pattern_fault(call, fields)
            if message is not None:
                yield self._last_column(call, column), message

    def _read_condition(self, text: str) -> "_Condition":
        try:
            condition = parse_expression(text)
            self._columns.check(condition, self._functions)
        except ExpressionError as error:
            return _Condition(fault=f"{error} (at character {error.offset + 1})")
        if any(call.name == EVAL for call in _calls(condition)):
            return _Condition(fault="a condition evaluates no other one; write it out")
        return _Condition(tuple(call for call in _calls(condition) if call.name in self._functions))

    def _pattern_fault(self, call: Call, fields: Sequence[str]) -> str | None:
        texts = tuple(
            fields[self._at[each.name]] if isinstance(each, PolicyColumn) else str(each.value)
            for each in call.arguments[1:]
            if isinstance(each, PolicyColumn | Literal)
        )
        key = (call.name, texts)
        if key not in self._patterns:
            self._patterns[key] = self._compile_fault(*key)
        return self._patterns[key]

    def _compile_fault(self, name: str, texts: Sequence[str]) -> str | None:
        try:
            self._functions[name].compile(*texts)
        except PatternError as error:
            return str(error)
        return None

    def _last_column(self, call: Call, otherwise: int) -> int:
        """The field that the call reads last."""
        read = [self._at[each.name] for each in call.arguments if isinstance(each, PolicyColumn)]
        return read[-1] if read else otherwise


@dataclass(frozen=True, slots=True)
class _Condition:
    """The matching functions that a condition calls, or what is wrong with it."""

    calls: tuple[Call, ...] = ()
    fault: str | None = None


def _calls(truth: Truth) -> Iterator[Call]:
    return (node for node in nodes(truth) if isinstance(node, Call))
