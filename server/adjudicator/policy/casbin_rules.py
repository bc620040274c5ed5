"""One policy evaluated by pycasbin. The only file that imports it: another engine has the same protocol."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import casbin

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.model import Model, Shape
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion

# pycasbin gives the column `eft` a meaning of its own, and knows no ask. Under another name it only asks
# the matcher, so each enforcer below answers one question: which row of its effect matches first?
_EFT, _PLAIN = "eft", "effect"


class _Rows(casbin.persist.Adapter):  # type: ignore[misc]  # pycasbin has no types
    """Hands rows over as they are. pycasbin's own file reader drops what it does not understand."""

    def __init__(self, rows: Iterable[Row], roles: Iterable[Row]) -> None:
        self._rows = {"p": rows, "g": roles}

    def load_policy(self, model: Any) -> None:
        """Put the rows into the model, in order."""
        for kind, rows in self._rows.items():
            model[kind][kind].policy = [list(row.fields) for row in rows]


@dataclass(frozen=True, slots=True)
class _Partition:
    """The rows of one tenant and one effect; never empty, since pycasbin then invents an empty row."""

    enforcer: Any
    refs: dict[tuple[str, ...], RuleRef] = field(repr=False)

    def first(self, request: tuple[Any, ...]) -> RuleRef | None:
        matched, row = self.enforcer.enforce_ex(*request)
        return self.refs[tuple(row)] if matched else None


class CasbinRules:
    """A rule set whose rows pycasbin matches, one enforcer for each tenant and effect."""

    def __init__(
        self,
        model: Model,
        rows: list[Row],
        roles: Iterable[Row],
        functions: Mapping[str, Callable[..., bool]],
    ) -> None:
        self._shape = model.shape
        tenant, effect = self._shape.policy.index("tenant"), self._shape.policy.index(_EFT)
        parts: dict[tuple[str, Effect], list[Row]] = defaultdict(list)
        for row in rows:
            parts[row.fields[tenant], Effect(row.fields[effect])].append(row)
        links: dict[str, list[Row]] = defaultdict(list)
        for row in roles:
            links[row.fields[2]].append(row)
        text = _model_text(model)
        self._parts = {
            key: _Partition(
                _enforcer(text, part, links[key[0]], functions),
                {row.fields: _explained(row, self._shape) for row in part},
            )
            for key, part in parts.items()
        }

    def match(self, effect: Effect, question: RuleQuestion) -> RuleRef | None:
        """The first matching row of that effect in file order, or None.

        Raises EvaluationError when the model fails on the question.
        """
        part = self._parts.get((question.tenant, effect))
        if part is None:
            return None
        try:
            return part.first(_request(self._shape, question))
        except Exception as error:  # whatever a matcher raises must deny, never pass; it stays the cause
            message = f"{self._shape.file}: {effect.value} rows cannot be evaluated: {type(error).__name__}"
            raise EvaluationError(message) from error


def _request(shape: Shape, question: RuleQuestion) -> tuple[Any, ...]:
    asked = (question.subject, question.tenant, question.object)
    if "facet" not in shape.request:
        return asked
    if question.facet is None:
        raise ValueError("the question has no facet")
    return (*asked, question.facet)


def _explained(row: Row, shape: Shape) -> RuleRef:
    if "reason" not in shape.policy:
        return row.ref
    return replace(row.ref, reason=row.fields[shape.policy.index("reason")])


def _model_text(model: Model) -> str:
    shape = model.shape
    columns = [_PLAIN if column == _EFT else column for column in shape.policy]
    return "\n".join(
        [
            "[request_definition]",
            f"r = {', '.join(shape.request)}",
            "[policy_definition]",
            f"p = {', '.join(columns)}",
            "[role_definition]",
            "g = _, _, _",
            "[policy_effect]",
            "e = some(where (p.eft == allow))",
            "[matchers]",
            f"m = {model.matcher.text.replace(f'p.{_EFT}', f'p.{_PLAIN}')}",
        ]
    )


def _enforcer(
    text: str, rows: list[Row], roles: list[Row], functions: Mapping[str, Callable[..., bool]]
) -> Any:
    enforcer = casbin.Enforcer(casbin.Enforcer.new_model(text=text), _Rows(rows, roles))
    for name, function in functions.items():
        enforcer.add_function(name, function)
    return enforcer
