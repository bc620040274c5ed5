"""The acts of the demonstration: what is called, what must come of it, and who decides what."""

from dataclasses import dataclass, field
from typing import Any

from adjudicator.config.approver_tokens import FIRST_APPROVER


@dataclass(frozen=True, slots=True)
class Expected:
    """What a verdict has to be; names as on the wire, without prefixes."""

    outcome: str
    step: int
    check: str
    reason_code: str
    cause: str


@dataclass(frozen=True, slots=True)
class Act:
    """One call, the people's decisions on it, and what it must come to.

    `decisions` are (approver, approve or deny) in order; without any an ask runs out. `final` is
    what the call comes to after an ask. `creates` is a file that must exist afterwards exactly when
    the call was allowed. With `power_cut` the sidecar is killed after the ask and started again, and
    only then do people decide.
    """

    title: str
    tool: str
    arguments: dict[str, Any] | str
    first: Expected
    final: Expected | None = None
    decisions: tuple[tuple[str, str], ...] = ()
    creates: str = ""
    limit_seconds: float = 0.0
    power_cut: bool = False
    call: dict[str, Any] = field(default_factory=dict)


OPERATOR, COLLEAGUE = FIRST_APPROVER, "ann"
SECRET = "a-deployment-token"  # noqa: S105 - it opens nothing
TENANT, AGENT = "studio", "coder"
PLAN = {"path": "plan.md", "content": "1. adjudicate\n2. run\n3. report\n"}


def _deny(step: int, check: str, cause: str, code: str = "FORBIDDEN") -> Expected:
    return Expected("DENY", step, check, code, cause)


def _allow(cause: str = "RULE_ALLOW", check: str = "rule_chain") -> Expected:
    return Expected("ALLOW", 7, check, "ALLOWED", cause)


def _ask(cause: str = "RULE_ASK", check: str = "rule_chain") -> Expected:
    return Expected("ASK", 7, check, "APPROVAL_REQUIRED", cause)


_APPROVED = _allow("APPROVED", "approval_gate")

ACTS: tuple[Act, ...] = (
    Act("reads a file of the project", "read", {"path": "notes.txt"}, _allow()),
    Act("lists the project", "ls", {"path": "."}, _allow()),
    Act(
        "writes a draft",
        "write",
        {"path": "drafts/idea.md", "content": "an idea\n"},
        _allow(),
        creates="drafts/idea.md",
    ),
    Act("queries the code graph", "codegraph_query", {"query": "adjudicate"}, _allow()),
    Act(
        "S1: a tenant that does not exist",
        "read",
        {"path": "notes.txt"},
        _deny(1, "tenant_context", "TENANT_UNKNOWN", "TENANT_MISSING"),
        call={"tenant": "nobody"},
    ),
    Act(
        "S2: an agent that nobody registered",
        "read",
        {"path": "notes.txt"},
        _deny(2, "agent_registered", "AGENT_UNKNOWN"),
        call={"agent": "intruder"},
    ),
    Act(
        "S3: a tool that nobody registered",
        "drop_database",
        {},
        _deny(3, "tool_registered", "TOOL_UNKNOWN"),
    ),
    Act(
        "S4: a tool that is disabled",
        "legacy_deploy",
        {},
        _deny(4, "tool_enabled", "TOOL_DISABLED"),
    ),
    Act(
        "S5: a permission that the critic lacks",
        "write",
        {"path": "drafts/review.md", "content": "x"},
        _deny(5, "permission_domain", "PERMISSION_MISSING"),
        creates="drafts/review.md",
        call={"agent": "critic"},
    ),
    Act(
        "S6: the critic lets the coder write for it",
        "write",
        {"path": "drafts/review.md", "content": "x"},
        _deny(6, "agent_scope", "AGENT_READ_ONLY"),
        creates="drafts/review.md",
        call={"on_behalf_of": ["critic"]},
    ),
    Act(
        "S7: a Deny rule, whatever the spelling",
        "read",
        {"path": "./drafts/../.ENV"},
        _deny(7, "rule_chain", "RULE_DENY"),
    ),
    Act(
        "S7: no rule, so the default",
        "read",
        {"path": "/var/log/syslog"},
        _deny(7, "rule_chain", "DEFAULT"),
    ),
    Act(
        "S7: a tenant in read_only mode",
        "write",
        {"path": "restored/old.md", "content": "x"},
        _deny(7, "rule_chain", "MODE_READ_ONLY"),
        creates="restored/old.md",
        call={"tenant": "archive"},
    ),
    Act(
        "S8: an argument that the contract does not know",
        "write",
        {"path": "drafts/a.md", "content": "x", "approved": True},
        _deny(8, "input_contract", "CONTRACT_VIOLATION", "VALIDATION"),
        creates="drafts/a.md",
    ),
    Act(
        "S8: one key twice, so two readers see two calls",
        "write",
        '{"path":"drafts/a.md","path":"/etc/passwd","content":"x"}',
        _deny(8, "input_contract", "ARGUMENTS_MALFORMED", "VALIDATION"),
        creates="drafts/a.md",
    ),
    Act(
        "asks to create a file, and is rejected",
        "write",
        PLAN,
        _ask(),
        final=_deny(7, "approval_gate", "APPROVAL_DENIED", "STATE_ILLEGAL"),
        decisions=((OPERATOR, "deny"),),
        creates="plan.md",
    ),
    Act(
        "asks again, and nobody answers in time",
        "write",
        PLAN,
        _ask(),
        final=_deny(7, "approval_gate", "APPROVAL_EXPIRED", "STATE_ILLEGAL"),
        creates="plan.md",
        limit_seconds=1.0,
    ),
    Act(
        "asks again, and is approved",
        "write",
        PLAN,
        _ask(),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"),),
        creates="plan.md",
    ),
    Act(
        "asks to run a command, and is approved",
        "bash",
        {"command": "sort notes.txt | tee sorted.txt | wc -l"},
        _ask(),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"),),
        creates="sorted.txt",
    ),
    Act(
        "asks to tag a release, and is approved",
        "bash",
        {"command": "echo v1 > tag.txt"},
        _ask(),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"),),
        creates="tag.txt",
        call={"call_id": "tag"},
    ),
    Act(
        "comes back under that approval with another command",
        "bash",
        {"command": "echo v2 > tag.txt"},
        _deny(7, "approval_gate", "CALL_ID_REUSED", "STATE_ILLEGAL"),
        call={"call_id": "tag"},
    ),
    Act(
        "asks, the sidecar is killed with SIGKILL and started again, and then somebody approves",
        "write",
        {"path": "survivor.md", "content": "still here\n"},
        _ask(),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"),),
        creates="survivor.md",
        power_cut=True,
    ),
    Act(
        "asks to run rm -rf, and is rejected",
        "bash",
        {"command": "git status && rm -rf ."},
        _ask(),
        final=_deny(7, "approval_gate", "APPROVAL_DENIED", "STATE_ILLEGAL"),
        decisions=((OPERATOR, "deny"),),
    ),
    Act(
        "asks in ask_always mode for what is allowed",
        "read",
        {"path": "notes.txt"},
        _ask("MODE_ASK_ALWAYS"),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"),),
        call={"mode": "MODE_ASK_ALWAYS"},
    ),
    Act(
        "deploys: an Allow rule does not lift the gate, and two people approve",
        "deploy",
        {"environment": "staging", "version": "1.0.0", "token": SECRET},
        _ask("TOOL_REQUIRES_APPROVAL", "approval_gate"),
        final=_APPROVED,
        decisions=((OPERATOR, "approve"), (COLLEAGUE, "approve")),
        creates="staging/1.0.0",
    ),
)
