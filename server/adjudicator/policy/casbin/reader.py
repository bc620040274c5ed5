"""An engine from one `.conf` and one `.csv`, for a model that belongs to no bundle."""

from collections.abc import Mapping

from adjudicator.policy.casbin.engine import ALLOW, DENY, Engine, role_graphs
from adjudicator.policy.casbin.functions import MatchingFunction, casbin_functions
from adjudicator.policy.casbin.model import Model, read_model
from adjudicator.policy.casbin.roles import RoleGraph
from adjudicator.policy.casbin.row_checks import PatternChecks
from adjudicator.policy.casbin.rows import Rows, read_rows
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source


def read_engine(
    model_text: str, rows_text: str, functions: Mapping[str, MatchingFunction] | None = None
) -> Engine:
    """The engine of a model and its rows; `functions` are Casbin's own unless stated.

    Raises BundleError with every problem that the two have; places are in `model.conf` and `policy.csv`.
    """
    problems = Problems()
    known = casbin_functions() if functions is None else functions
    model = read_model(Source("model.conf", model_text), known, problems)
    problems.raise_any()
    assert model is not None  # noqa: S101 - a model that is None has a problem
    rows = read_rows([Source("policy.csv", rows_text)], model.widths(), problems)
    _check_effects(model, rows["p"], problems)
    checks = PatternChecks(model, known)
    for number, fields in enumerate(rows["p"].all_fields()):
        for field, message in checks.faults(fields):
            rows["p"][number].refuse(problems, field, message)
    graphs = role_graphs(model, rows)
    _refuse_cycles(rows, graphs, problems)
    problems.raise_any()
    engine = Engine(model, rows["p"], graphs, known)
    engine.warm()
    return engine


def _check_effects(model: Model, rows: Rows, problems: Problems) -> None:
    if "eft" not in model.policy:
        return
    column = model.policy.index("eft")
    for number, fields in enumerate(rows.all_fields()):
        if fields[column] not in (ALLOW, DENY):
            message = f"{fields[column]!a} is not an effect: write `{ALLOW}` or `{DENY}`, in lower case"
            rows[number].refuse(problems, column, message)
        elif fields[column] == DENY and not model.denies:
            rows[number].refuse(
                problems, column, "the model's effect gives a deny row no force; change one"
            )


def _refuse_cycles(rows: Mapping[str, Rows], graphs: Mapping[str, RoleGraph], problems: Problems) -> None:
    for kind, graph in graphs.items():
        circular = set(graph.circular())
        for number, fields in enumerate(rows[kind].all_fields()) if circular else ():
            if (fields[0], fields[1], fields[2] if len(fields) > 2 else "") in circular:  # noqa: PLR2004 - with a domain
                message = f"`{fields[0]}` has itself as a role in the end; take one link away"
                rows[kind][number].refuse(problems, 0, message)
