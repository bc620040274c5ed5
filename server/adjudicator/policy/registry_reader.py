"""The registry's three files, read into tenants, agents and tools, and checked against each other."""

from adjudicator.config.limits import APPROVAL_SECONDS, QUORUM
from adjudicator.domain.call import Mode, is_identifier
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.json_pointer import is_pointer
from adjudicator.domain.request import QUESTION
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.approval_keys import (
    APPROVAL_KEYS,
    read_options,
    read_priority,
    read_session_grants,
)
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Agent, AgentKind, Registry, Tenant, Tool
from adjudicator.policy.source import OUTPUT, Sources

TENANTS = "registry/tenants.yaml"
AGENTS = "registry/agents.yaml"
TOOLS = "registry/tools.yaml"

RECORDED_KEYS = frozenset({"record_arguments", "record_output"})
"""What a tool, and the bundle for all of them, says of what traces keep."""

_MODES = {mode.value: mode for mode in Mode}
_KINDS = {kind.value: kind for kind in AgentKind}
_STATUSES = {status.value: status for status in ToolStatus}
_ACCESS = {access.value: access for access in Access}
_ARGUMENT_KINDS = {kind.value: kind for kind in ArgumentKind}
_RECORDED = {recorded.value: recorded for recorded in Recorded}

_TENANT_REQUIRED = frozenset({"title", "tools"})
_TENANT_OPTIONAL = frozenset({"enabled", "mode"})
_AGENT_REQUIRED = frozenset({"title", "kind", "tenants"})
_AGENT_OPTIONAL = frozenset({"enabled", "denied_tools"})
_TOOL_REQUIRED = frozenset({"title", "description", "access", "permission"})
_TOOL_OPTIONAL = frozenset(
    {
        "status",
        "disable_reason",
        "allowed_agents",
        "require_approval",
        "quorum",
        "four_eyes",
        "approval_seconds",
        "arguments",
        *RECORDED_KEYS,
        *APPROVAL_KEYS,
    }
)


def read_registry(sources: Sources, problems: Problems) -> Registry:
    """The registry, as far as it can be read; whatever is wrong with it is among the problems."""
    return _RegistryReader(sources, problems).read()


class _RegistryReader:
    def __init__(self, sources: Sources, problems: Problems) -> None:
        self._sources = sources
        self._problems = problems
        # What one file says about codes of another; checked when all three are read.
        self._mentions: list[tuple[str, Field, str]] = []

    def read(self) -> Registry:
        tools = {code: self._tool(code, field) for code, field in self._entries(TOOLS).items()}
        agents = {code: self._agent(code, field) for code, field in self._entries(AGENTS).items()}
        tenants = {code: self._tenant(code, field) for code, field in self._entries(TENANTS).items()}
        known = {"tool": tools.keys(), "agent": agents.keys(), "tenant": tenants.keys()}
        for kind, field, code in self._mentions:
            # A file that cannot be read at all is one problem, not one for each mention.
            if known[kind] and code not in known[kind]:
                field.refuse(f"{code!a} is not a registered {kind}; register it, or correct the name")
        return Registry(tenants, agents, tools)

    def _entries(self, file: str) -> dict[str, Field]:
        source = self._sources.files.get(file)
        root = parse_document(source, self._problems) if source else None
        if root is None:
            return {}
        entries = root.entries()
        if not entries:
            root.refuse(f"`{file}` registers nothing; add at least one entry")
        return {code: field for code, field in entries.items() if self._is_code(file, code, field)}

    def _is_code(self, file: str, code: str, field: Field) -> bool:
        fault = tool_code_fault(code) if file == TOOLS else code_fault(code)
        if fault:
            field.refuse(fault)
        return not fault

    def _tenant(self, code: str, field: Field) -> Tenant:
        at = field.known_entries(_TENANT_REQUIRED, _TENANT_OPTIONAL)
        mode = at["mode"].as_choice(_MODES) if "mode" in at else Mode.AUTO
        return Tenant(
            code=code,
            title=_text(at, "title"),
            enabled=_flag(at, "enabled", default=True),
            mode=mode or Mode.READ_ONLY,
            tools=self._codes(at, "tools", "tool"),
        )

    def _agent(self, code: str, field: Field) -> Agent:
        at = field.known_entries(_AGENT_REQUIRED, _AGENT_OPTIONAL)
        kind = at["kind"].as_choice(_KINDS) if "kind" in at else None
        return Agent(
            code=code,
            title=_text(at, "title"),
            kind=kind or AgentKind.CRITIC,
            enabled=_flag(at, "enabled", default=True),
            tenants=self._codes(at, "tenants", "tenant"),
            denied_tools=self._codes(at, "denied_tools", "tool"),
        )

    def _tool(self, code: str, field: Field) -> Tool:
        at = field.known_entries(_TOOL_REQUIRED, _TOOL_OPTIONAL)
        access = at["access"].as_choice(_ACCESS) if "access" in at else None
        status = at["status"].as_choice(_STATUSES) if "status" in at else ToolStatus.ENABLED
        allowed = self._codes(at, "allowed_agents", "agent") if "allowed_agents" in at else None
        require_approval = _flag(at, "require_approval", default=False)
        quorum = _count(at, "quorum", 1, QUORUM) or 1
        arguments = _arguments(at["arguments"], access) if "arguments" in at else ()
        options, recommended = read_options(at)
        tool = Tool(
            code=code,
            title=_text(at, "title"),
            description=_text(at, "description"),
            status=status or ToolStatus.DISABLED,
            disable_reason=_text(at, "disable_reason"),
            access=access or Access.WRITE,
            permission=_text(at, "permission"),
            allowed_agents=allowed,
            require_approval=require_approval,
            quorum=quorum,
            four_eyes=_flag(at, "four_eyes", default=False),
            approval_seconds=_count(at, "approval_seconds", 1, APPROVAL_SECONDS),
            arguments=arguments,
            record_arguments=read_recorded(at, "record_arguments"),
            record_output=read_recorded(at, "record_output"),
            priority=read_priority(at),
            options=options,
            recommended_option=recommended,
            session_grants=read_session_grants(
                at.get("session_grants"), arguments, require_approval=require_approval, quorum=quorum
            ),
        )
        self._check_tool(tool, field, at)
        return tool

    def _check_tool(self, tool: Tool, field: Field, at: dict[str, Field]) -> None:
        if tool.permission and not is_identifier(tool.permission):
            at["permission"].refuse(f"{tool.permission!a} is not a permission; write one like `files.read`")
        disabled = tool.status is ToolStatus.DISABLED
        if disabled and "disable_reason" not in at:
            field.refuse(f"`{tool.code}` is disabled and has no `disable_reason`; say why")
        if not disabled and "disable_reason" in at:
            at["disable_reason"].refuse(f"`{tool.code}` is enabled; take `disable_reason` away")

    def _codes(self, at: dict[str, Field], key: str, kind: str) -> frozenset[str]:
        codes: set[str] = set()
        for item in at[key].items() if key in at else ():
            code = item.as_text()
            if code is None:
                continue
            if code in codes:
                item.refuse(f"{code!a} is in `{key}` twice; keep one")
            codes.add(code)
            self._mentions.append((kind, item, code))
        return frozenset(codes)


def code_fault(code: str) -> str:
    """What keeps the text from being a code, and what to write instead; empty when nothing does."""
    if is_identifier(code):
        return ""
    return f"{code!a} is not a code; write 1 to 128 of the characters A-Z a-z 0-9 . _ : / -"


def tool_code_fault(code: str) -> str:
    """The same of a tool's code, which names files too."""
    parts = code.split("/")
    if not is_identifier(code):
        return code_fault(code)
    if code == QUESTION:
        return f"`{QUESTION}` stands for what agents ask people; give the tool another code"
    if not all(parts) or any(part.startswith(".") for part in parts):
        return f"{code!a} cannot name a schema file; leave out empty parts and a first `.`"
    if code.endswith(OUTPUT):
        return f"{code!a} ends as the schema of an output is named; leave out the `{OUTPUT}`"
    return ""


def _arguments(field: Field, tool_access: Access | None) -> tuple[ArgumentSpec, ...]:
    specs = [_argument(pointer, entry, tool_access) for pointer, entry in field.entries().items()]
    return tuple(spec for spec in specs if spec is not None)


def _argument(pointer: str, field: Field, tool_access: Access | None) -> ArgumentSpec | None:
    if not is_pointer(pointer):
        field.refuse(f"{pointer!a} is not a JSON Pointer; write one like `/path`, or `/paths/*` for a list")
        return None
    at = field.known_entries(frozenset({"kind"}), frozenset({"access", "needs_resolution", "absent"}))
    kind = at["kind"].as_choice(_ARGUMENT_KINDS) if "kind" in at else None
    access = at["access"].as_choice(_ACCESS) if "access" in at else Access.READ
    if kind is ArgumentKind.PATH and tool_access is Access.WRITE and "access" not in at:
        field.refuse(f"the tool writes; say whether it does so at `{pointer}`: `access: read` or `write`")
    if access is Access.WRITE and tool_access is Access.READ:
        at["access"].refuse(f"`{pointer}` writes but the tool only reads; make the tool's `access: write`")
    if kind is ArgumentKind.SHELL and tool_access is Access.READ:
        at["kind"].refuse("a command line can write; make the tool's `access: write`")
    resolve = _flag(at, "needs_resolution", default=False)
    if resolve and kind not in (None, ArgumentKind.PATH):
        at["needs_resolution"].refuse("only a path can be resolved; take `needs_resolution` away")
    absent = at["absent"].as_text() if "absent" in at else None
    if absent is not None and "*" in pointer:
        at["absent"].refuse("a list that is left out has no items; take `absent` away")
    return ArgumentSpec(pointer, kind, access or Access.WRITE, resolve, absent) if kind else None


def read_recorded(at: dict[str, Field], key: str) -> Recorded | None:
    """How much traces keep; None where nothing is said. What cannot be read stands as its digest."""
    if key not in at:
        return None
    recorded: Recorded | None = at[key].as_choice(_RECORDED)
    return recorded or Recorded.DIGEST


def _text(at: dict[str, Field], key: str) -> str:
    return (at[key].as_text() or "") if key in at else ""


def _flag(at: dict[str, Field], key: str, *, default: bool) -> bool:
    value = at[key].as_flag() if key in at else default
    return default if value is None else value


def _count(at: dict[str, Field], key: str, least: int, most: int) -> int | None:
    return at[key].as_count(least, most) if key in at else None
