"""Approver policies from a few rows, without the rest of a bundle."""

from pathlib import Path

from adjudicator.policy.approver_rules import Entitlements
from adjudicator.policy.model import APPROVERS
from adjudicator.policy.policy_reader import read_policy
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Agent, AgentKind, Registry, Tenant
from adjudicator.policy.source import Source, Sources
from chain.bundle import a_tool

MODEL = (Path(__file__).parents[2] / "policies" / "models" / "approvers.conf").read_text()
TENANTS, TOOLS = ("studio", "archive"), ("write", "deploy")
REGISTRY = Registry(
    {code: Tenant(code, code, enabled=True, mode=None, tools=frozenset(TOOLS)) for code in TENANTS},
    {
        code: Agent(
            code,
            code,
            AgentKind.BUILDER,
            enabled=True,
            tenants=frozenset(TENANTS),
            denied_tools=frozenset(),
        )
        for code in ("coder", "Critic", "User:Max")
    },
    {code: a_tool(code) for code in TOOLS},
)


def entitlements(rows, *, unchecked=False, through=lambda rules: rules, tools=REGISTRY.tools):
    """What the rows entitle people to. With `unchecked` also rows with problems, as if they had loaded.

    `through` may put something around the rule set that is asked; `tools` are the registered ones.
    """
    problems = Problems()
    files = {
        APPROVERS.file: Source(APPROVERS.file, MODEL),
        "approvers.csv": Source("approvers.csv", "\n".join([*rows, "#"])),
    }
    policy = read_policy(Sources("v", files, frozenset(files)), APPROVERS, REGISTRY, problems)
    if not unchecked:
        problems.raise_any()
    return Entitlements(through(policy.rule_set()), policy.rows, policy.roles, tools)
