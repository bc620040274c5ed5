"""One policy: its model and its rows, from their files to a rule set."""

from dataclasses import dataclass

from adjudicator.domain.facet import Facet
from adjudicator.policy.casbin_rules import CasbinRules
from adjudicator.policy.csv_rows import Row, read_rows
from adjudicator.policy.functions import function_arity, matcher_functions
from adjudicator.policy.model import Model, Shape, read_model
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.roles import Roles, build_roles
from adjudicator.policy.row_checks import RowChecks, refuse_duplicates
from adjudicator.policy.snapshot import Effect, EvaluationError, RuleQuestion
from adjudicator.policy.source import Source, Sources

_ROLE_FIELDS = 3


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy as it was read: `rows` and `roles` are sound, `model` is None when it is not."""

    shape: Shape
    model: Model | None
    rows: tuple[Row, ...]
    roles: Roles

    def rule_set(self) -> CasbinRules:
        """The policy, ready to be asked; only for one without problems."""
        if self.model is None:
            raise ValueError(f"{self.shape.file} has problems")
        return CasbinRules(self.model, list(self.rows), self.roles.rows, matcher_functions())


def read_policy(sources: Sources, shape: Shape, registry: Registry, problems: Problems) -> Policy:
    """Read one policy; whatever is wrong with it is among the problems."""
    source = sources.files.get(shape.file)
    model = read_model(source, shape, function_arity(), problems) if source else None
    if model is not None and not _evaluates(model, problems):
        model = None
    widths = {"p": len(shape.policy), "g": _ROLE_FIELDS}
    files = row_files(sources, shape)
    for file in files:
        _check_whole(file, problems)
    rows = [row for file in files for row in read_rows(file, widths, problems)]
    checks = RowChecks(shape, registry, problems)
    links = [row for row in rows if row.kind == "g" and checks.check_role(row)]
    roles = build_roles(links, problems)
    rules = [row for row in rows if row.kind == "p" and checks.check(row, roles, model)]
    refuse_duplicates(rows, _meaning, problems)
    return Policy(shape, model, tuple(rules), roles)


def _evaluates(model: Model, problems: Problems) -> bool:
    """Whether the model answers a question; what fails on one row would deny every call."""
    sample = {"argument": "*", "unless": "", "eft": "allow"}
    fields = tuple(sample.get(column, "x") for column in model.shape.policy)
    row = Row(model.shape.file, model.line, "", "p", fields, ())
    question = RuleQuestion("x", "x", "x", Facet(kind=None, text=""))
    try:
        CasbinRules(model, [row], [], matcher_functions()).match(Effect.ALLOW, question)
    except EvaluationError as error:
        message = (
            f"the matcher fails on a row: {error.message}; compare columns and call functions with them"
        )
        problems.add(model.shape.file, message, model.line, model.column)
        return False
    return True


def row_files(sources: Sources, shape: Shape) -> list[Source]:
    """The policy's `.csv` files in the order of their names."""
    single = sources.files.get(f"{shape.name}.csv")
    return [single] if single else sources.under(shape.name)


def _check_whole(file: Source, problems: Problems) -> None:
    """A full disk leaves a file that reads well and has lost its Deny rows."""
    if not file.text.strip():
        problems.add(
            file.name, "the file is empty, as after a failed write; if that is meant, write a comment"
        )


def _meaning(row: Row) -> tuple[str, ...]:
    """What a row says; the reason beside it does not change that."""
    fields = row.fields[:-1] if len(row.fields) > 4 else row.fields  # noqa: PLR2004 - only rules are so wide
    return (row.kind, *fields)


def refuse_split_roles(policies: list[Policy], problems: Problems) -> None:
    """One role has the same members in every policy that speaks of it.

    Without this, adding an agent to a role in one file alone takes the role's Deny rows of the others
    away from it.
    """
    members = {policy.shape.name: policy.roles.members() for policy in policies}
    for policy in policies:
        for row in policy.roles.rows:
            member, role, tenant = row.fields
            for name, others in members.items():
                if member not in others.get((role, tenant), {member}):
                    row.refuse(
                        problems,
                        0,
                        f"`{member}` has `{role}` here but not in {name}.csv; "
                        f"add `g, {member}, {role}, {tenant}` there, or use another role",
                    )
