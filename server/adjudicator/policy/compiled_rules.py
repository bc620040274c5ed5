"""One policy of a bundle, compiled: what the chain asks, answered by the engine."""

from typing import Any

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.casbin.engine import Engine, RowError
from adjudicator.policy.casbin.rows import Rows
from adjudicator.policy.model import Shape
from adjudicator.policy.patterns import ANY
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion

REMEMBERED = 4096
"""Rows whose place is kept in words; then it begins anew."""


class CompiledRules:
    """A rule set whose rows the engine matches; it names them by file and line."""

    def __init__(self, shape: Shape, engine: Engine, rows: Rows) -> None:
        self._shape = shape
        self._engine = engine
        self._rows = rows
        self._reason = shape.policy.index("reason") if "reason" in shape.policy else None
        self._argument = shape.policy.index("argument") if "argument" in shape.policy else 0
        self._has_facet = "facet" in shape.request
        self._refs: dict[int, RuleRef] = {}

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """The first matching row of that effect in file order, or None.

        Raises EvaluationError when the model or a row fails on the question.
        """
        asked = (question.subject, question.tenant, question.object)
        if not self._has_facet:
            return self.first(effect, asked, question.memo)
        if question.facet is None:
            raise EvaluationError(f"{self._unevaluated(effect)}: the question has no facet")
        return self.first(effect, (*asked, question.facet), question.memo)

    def first(
        self, effect: Effect, request: tuple[Any, ...], memo: dict[Any, Any] | None = None
    ) -> RuleRef | None:
        """The same for a request as the model has it, value by value."""
        try:
            number = self._engine.first(effect.value, request, memo)
        except Exception as error:  # whatever a matcher raises must deny, never pass; it stays the cause
            raise self._failure(effect, error) from error
        return None if number is None else self.ref(number)

    def every(self, effect: Effect, request: tuple[Any, ...]) -> list[int]:
        """The numbers of all rows of that effect that match a request, in file order.

        Raises EvaluationError, as `match` does.
        """
        try:
            return self._engine.every(effect.value, request)
        except Exception as error:  # the same failure as when the chain asks
            raise self._failure(effect, error) from error

    def _failure(self, effect: Effect, error: Exception) -> EvaluationError:
        if isinstance(error, RowError):
            message = f"the row fails on the call: {_told(error.__cause__)}"
            return EvaluationError(message, self.ref(error.number))
        return EvaluationError(f"{self._unevaluated(effect)}: {type(error).__name__}")

    def _unevaluated(self, effect: Effect) -> str:
        return f"{self._shape.file}: {effect.value} rows cannot be evaluated"

    def ref(self, number: int) -> RuleRef:
        """The row's place, with its reason."""
        ref = self._refs.get(number)
        if ref is None:
            if len(self._refs) >= REMEMBERED:
                self._refs.clear()
            ref = self._refs[number] = self._ref(number)
        return ref

    def _ref(self, number: int) -> RuleRef:
        if self._reason is None:
            return self._rows.ref(number)
        fields = self._rows.fields(number)
        ref = self._rows.ref(number)
        return RuleRef(ref.file, ref.line, ref.text, fields[self._reason], fields[self._argument] == ANY)


def _told(cause: BaseException | None) -> str:
    """The failure without anything that a caller sent: only these speak of types and names alone."""
    name = type(cause).__name__
    return f"{name}: {cause}" if isinstance(cause, LookupError | TypeError) else name
