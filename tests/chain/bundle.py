"""A small snapshot made by hand, with rule sets that answer from a table."""

from dataclasses import replace

from adjudicator.chain.case import Case
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.verdict import Outcome, RuleRef, ToolStatus
from adjudicator.policy.registry import Agent, AgentKind, Registry, Tenant, Tool
from adjudicator.policy.snapshot import ApprovalTerms, Effect, EvaluationError, Snapshot
from chain.people import Everybody


class Table:
    """Answers from a set of (effect, subject, object, facet text or None for any)."""

    def __init__(self, *rows, broken=False):
        self.rows = rows
        self.broken = broken

    def match(self, effect, question):
        """See RuleSet."""
        if self.broken:
            raise EvaluationError("division by zero", RuleRef("rules.csv", 7, "p"))
        for number, (each, subject, obj, text) in enumerate(self.rows, 1):
            same = each is effect and subject in ("*", question.subject) and obj in ("*", question.object)
            if same and (text is None or (question.facet is not None and text == question.facet.text)):
                return RuleRef("rules.csv", number, f"{effect.value}")
        return None


class Schema:
    """Finds the violations that it was given, whatever the arguments."""

    def __init__(self, *violations):
        self.found = violations

    def violations(self, _, **_how):
        """See Contract."""
        return self.found

    def redact(self, arguments):
        """See Contract."""
        return arguments


class Hiding(Schema):
    """Finds nothing wrong, and hides the arguments of these names."""

    def __init__(self, *names):
        super().__init__()
        self.names = names

    def redact(self, arguments):
        """See Contract."""
        return {name: "[redacted]" if name in self.names else value for name, value in arguments.items()}


ALLOW_ALL = Table((Effect.ALLOW, "*", "*", None))


def a_tool(code, **changes):
    """An enabled tool that reads one path."""
    tool = Tool(
        code=code,
        title=code,
        description="",
        status=ToolStatus.ENABLED,
        disable_reason="",
        access=Access.READ,
        permission="files.read",
        allowed_agents=None,
        require_approval=False,
        quorum=1,
        four_eyes=False,
        approval_seconds=None,
        arguments=(ArgumentSpec("/path", ArgumentKind.PATH),),
    )
    return replace(tool, **changes)


def an_agent(code, **changes):
    """A builder of the studio."""
    agent = Agent(code, code, AgentKind.BUILDER, True, frozenset({"studio"}), frozenset())  # noqa: FBT003
    return replace(agent, **changes)


TOOLS = {
    "read": a_tool("read"),
    "write": a_tool("write", access=Access.WRITE, permission="files.write"),
    "deploy": a_tool("deploy", require_approval=True, quorum=2, arguments=()),
    "old": a_tool("old", status=ToolStatus.DISABLED, disable_reason="gone since spring"),
    "unlisted": a_tool("unlisted"),
    "closed": a_tool("closed", allowed_agents=frozenset({"designer"})),
}
AGENTS = {
    "coder": an_agent("coder", denied_tools=frozenset({"deploy_x"})),
    "designer": an_agent("designer"),
    "critic": an_agent("critic", kind=AgentKind.CRITIC),
    "off": an_agent("off", enabled=False),
    "elsewhere": an_agent("elsewhere", tenants=frozenset({"archive"})),
}


def a_snapshot(mode=Mode.AUTO, **changes):
    """A snapshot that allows everything that is registered."""
    tenant = Tenant("studio", "Studio", True, mode, frozenset(TOOLS) - {"unlisted"})  # noqa: FBT003
    shut = replace(tenant, code="shut", enabled=False)
    snapshot = Snapshot(
        version="sha256:test",
        registry=Registry({"studio": tenant, "shut": shut}, AGENTS, TOOLS),
        permission=ALLOW_ALL,
        scope=ALLOW_ALL,
        rules=ALLOW_ALL,
        rule_count=1,
        contracts={code: Schema() for code in TOOLS},
        default=Outcome.DENY,
        approvals=ApprovalTerms(300),
        approvers=Everybody(),
    )
    return replace(snapshot, **changes)


def a_case(snapshot=None, arguments='{"path":"/a"}', approval=None, **call):
    """A call by the coder of the studio to read /a."""
    fields = {"tenant": "studio", "agent": "coder", "tool": "read", "call_id": "c1"} | call
    return Case(
        ToolCall(arguments_json=arguments, **fields),
        read_arguments(arguments, max_bytes=10_000, max_depth=10, max_values=1000, max_digits=1000),
        snapshot or a_snapshot(),
        approval,
    )
