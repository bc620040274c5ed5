"""One policy: its model and its rows, from their files to a rule set."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.policy.casbin.engine import Engine
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.model import Model
from adjudicator.policy.casbin.row_checks import PatternChecks
from adjudicator.policy.casbin.rows import Rows, read_rows
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.functions import condition_functions, rule_functions
from adjudicator.policy.model import RULES, RULES_WHEN, Shape, read_shaped_model
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.roles import Roles, build_roles
from adjudicator.policy.row_checks import RowChecks
from adjudicator.policy.source import Source, Sources

_ROLE_FIELDS = 3


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy as it was read: its `p` rows and roles; no engine when the model has a problem."""

    shape: Shape
    rows: Rows
    roles: Roles
    engine: Engine | None

    def rule_set(self) -> CompiledRules:
        """The policy, ready to be asked; only for one without problems."""
        if self.engine is None:
            raise ValueError(f"{self.shape.file} has problems")
        self.engine.warm()
        return CompiledRules(self.shape, self.engine, self.rows)

    def rules_of(self, rows: Rows) -> CompiledRules:
        """These `p` rows alone, by the model and roles of this policy; only for one without problems."""
        if self.engine is None:
            raise ValueError(f"{self.shape.file} has problems")
        return CompiledRules(self.shape, self.engine.with_rows(rows), rows)


def read_policy(sources: Sources, shape: Shape, registry: Registry, problems: Problems) -> Policy:
    """Read one policy; whatever is wrong with it is among the problems."""
    model: Model | None = None
    source = sources.files.get(shape.file)
    if source is not None:
        shapes = (RULES, RULES_WHEN) if shape is RULES else (shape,)
        callable_ = rule_functions() if shape is RULES else {}
        shape, model = read_shaped_model(source, shapes, callable_, problems)
    files = row_files(sources, shape)
    for file in files:
        _check_whole(file, problems)
    rows = read_rows(files, {"p": len(shape.policy), "g": _ROLE_FIELDS}, problems)
    conditions = PatternChecks(model, condition_functions()) if model and shape is RULES_WHEN else None
    checks = RowChecks(shape, model, registry, conditions)
    unsound = checks.check_roles(rows["g"], problems)
    roles = build_roles(rows["g"], unsound, shape.who, problems)
    checks.check(rows["p"], roles, problems)
    engine = Engine(model, rows["p"], {"g": roles.graph}, _functions(shape)) if model else None
    return Policy(shape, rows["p"], roles, engine)


def _functions(shape: Shape) -> Mapping[str, MatchingFunction]:
    if "facet" not in shape.request:
        return {}
    return {**condition_functions(), **rule_functions()}


def row_files(sources: Sources, shape: Shape) -> list[Source]:
    """The policy's `.csv` files in the order of their names."""
    single = sources.files.get(f"{shape.name}.csv")
    return [single] if single else sources.under(shape.name)


def _check_whole(file: Source, problems: Problems) -> None:
    """A full disk leaves a file that reads well and has lost its Deny rows."""
    if not file.text or file.text.isspace():  # stops at the first that is not, and copies nothing
        problems.add(
            file.name, "the file is empty, as after a failed write; if that is meant, write a comment"
        )


def refuse_split_roles(policies: list[Policy], problems: Problems) -> None:
    """One role has the same members in every policy that speaks of it.

    Without this, adding an agent to a role in one file alone takes the role's Deny rows of the others
    away from it. Only policies about the same kind of subject can be compared: a role of people is none
    of agents, whatever it is called.
    """
    members = {policy.shape.name: policy.roles.members() for policy in policies}
    for policy in policies:
        rows = policy.roles.rows
        for number, (member, role, tenant) in enumerate(rows.all_fields()):
            for name, others in members.items() if number not in policy.roles.unsound else ():
                if member not in others.get((role, tenant), {member}):
                    message = (
                        f"`{member}` has `{role}` here but not in {name}.csv; "
                        f"add `g, {member}, {role}, {tenant}` there, or use another role"
                    )
                    rows[number].refuse(problems, 0, message)
