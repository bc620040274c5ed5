"""Changes of the registry and of `bundle.yaml` that could let one call pass, or keep it out."""

from collections.abc import Iterator

from adjudicator.authoring.explanation.changes import Change, Defence, TextEdit
from adjudicator.authoring.explanation.yaml_edits import (
    Documents,
    with_entry,
    with_item,
    with_value,
    without_entry,
    without_item,
)
from adjudicator.domain.call import Mode
from adjudicator.policy.bundle_settings import FILE
from adjudicator.policy.document import Field
from adjudicator.policy.registry_reader import AGENTS, TENANTS, TOOLS

_LIST, _SWITCH, _TOOL_WIDE, _TENANT_WIDE = 3, 4, 6, 9
"""How much more than one call a change is about: one item of a list, an entry, a tool, a tenant."""


class RegistryChanges:
    """Makes them from the positions in one bundle's files. What cannot be edited is not suggested."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def enable(self, kind: str, file: str, code: str) -> Iterator[Change]:
        """Enable a tenant or an agent."""
        if (entry := self._documents.entry(file, code)) is not None:
            yield from _change(
                f"enable {kind} `{code}`", without_entry(entry, "enabled"), breadth=_TENANT_WIDE
            )

    def enable_tool(self, code: str, reason: str) -> Iterator[Change]:
        """Enable a tool, whose `disable_reason` goes with it."""
        entry = self._documents.entry(TOOLS, code)
        status = self._documents.entry(TOOLS, code, "status")
        if entry is None or status is None:
            return
        edits = (with_value(status, "enabled"), without_entry(entry, "disable_reason"))
        if all(edits):
            yield Change(
                f"enable tool `{code}`, which was disabled: {reason}",
                tuple(edit for edit in edits if edit),
                breadth=_TOOL_WIDE,
            )

    def add_agent_to_tenant(self, agent: str, tenant: str) -> Iterator[Change]:
        """Make an agent known in a tenant."""
        field = self._documents.entry(AGENTS, agent, "tenants")
        yield from _added(field, tenant, f"make agent `{agent}` known in tenant `{tenant}`", _TENANT_WIDE)

    def list_tool(self, tenant: str, tool: str) -> Iterator[Change]:
        """Put a tool on a tenant's allow-list."""
        field = self._documents.entry(TENANTS, tenant, "tools")
        yield from _added(field, tool, f"put tool `{tool}` on the allow-list of tenant `{tenant}`")

    def unlist_tool(self, tenant: str, tool: str) -> Iterator[Change]:
        """Take a tool from a tenant's allow-list."""
        field = self._documents.entry(TENANTS, tenant, "tools")
        what = f"take tool `{tool}` from the allow-list of tenant `{tenant}`"
        yield from _removed(field, tool, what, Defence.NONE, _TOOL_WIDE)

    def undeny_tool(self, agent: str, tool: str) -> Iterator[Change]:
        """Take a tool from an agent's `denied_tools`."""
        field = self._documents.entry(AGENTS, agent, "denied_tools")
        what = f"take tool `{tool}` from the denied tools of agent `{agent}`"
        yield from _removed(field, tool, what, Defence.REMOVES, _LIST)

    def deny_tool(self, agent: str, tool: str) -> Iterator[Change]:
        """Put a tool on an agent's `denied_tools`."""
        what = f"put tool `{tool}` on the denied tools of agent `{agent}`"
        field = self._documents.entry(AGENTS, agent, "denied_tools")
        if field is not None:
            yield from _added(field, tool, what, _TOOL_WIDE)
        elif (entry := self._documents.entry(AGENTS, agent)) is not None:
            yield from _change(what, with_entry(entry, "denied_tools", f"[{tool}]"), breadth=_TOOL_WIDE)

    def allow_agent(self, tool: str, agent: str) -> Iterator[Change]:
        """Put an agent on a tool's `allowed_agents`."""
        field = self._documents.entry(TOOLS, tool, "allowed_agents")
        yield from _added(field, agent, f"put agent `{agent}` on the agents that may call tool `{tool}`")

    def make_builder(self, agent: str) -> Iterator[Change]:
        """Make a critic a builder."""
        field = self._documents.entry(AGENTS, agent, "kind")
        what = f"make agent `{agent}` a builder: a critic never writes"
        yield from _set(field, "builder", what, Defence.CRITIC, _TENANT_WIDE)

    def no_approval(self, tool: str) -> Iterator[Change]:
        """Let a tool run without an approval of each call."""
        what = f"no longer have people approve every call of tool `{tool}`"
        field = self._documents.entry(TOOLS, tool, "require_approval")
        yield from _set(field, "false", what, Defence.REMOVES, _TOOL_WIDE)

    def approval(self, tool: str) -> Iterator[Change]:
        """Have people approve every call of a tool."""
        what = f"have people approve every call of tool `{tool}`"
        field = self._documents.entry(TOOLS, tool, "require_approval")
        entry = self._documents.entry(TOOLS, tool)
        if field is not None:
            yield from _set(field, "true", what, Defence.NONE, _TOOL_WIDE)
        elif entry is not None:
            yield from _change(what, with_entry(entry, "require_approval", "true"), breadth=_TOOL_WIDE)

    def no_four_eyes(self, tool: str) -> Iterator[Change]:
        """Let whom a call is made for approve it."""
        what = f"no longer keep whom a call of tool `{tool}` is made for from approving it"
        field = self._documents.entry(TOOLS, tool, "four_eyes")
        yield from _set(field, "false", what, Defence.REMOVES, _TOOL_WIDE)

    def mode(self, tenant: str, mode: Mode, defence: Defence) -> Iterator[Change]:
        """Another mode of a tenant."""
        what = f"set the mode of tenant `{tenant}` to {mode.value}"
        field = self._documents.entry(TENANTS, tenant, "mode")
        entry = self._documents.entry(TENANTS, tenant)
        if field is not None:
            yield from _set(field, mode.value, what, defence, _TENANT_WIDE)
        elif entry is not None:
            yield from _change(what, with_entry(entry, "mode", mode.value), breadth=_TENANT_WIDE)

    def default_ask(self) -> Iterator[Change]:
        """Have people decide on what no rule speaks of."""
        what = "ask people about every call that no rule speaks of, instead of denying it"
        field = self._documents.entry(FILE, "defaults", "effect")
        yield from _set(field, "ask", what, Defence.REMOVES, _TENANT_WIDE + 1)

    def take_from_list(self, key: str, tool: str, defence: Defence) -> Iterator[Change]:
        """Take a tool from `auto_approved`, or from `approval_required`."""
        field = self._documents.entry(FILE, key)
        yield from _removed(field, tool, f"take tool `{tool}` from `{key}`", defence, _TENANT_WIDE)


def _added(field: Field | None, item: str, what: str, breadth: int = _LIST) -> Iterator[Change]:
    if field is not None:
        yield from _change(what, with_item(field, item), breadth=breadth)


def _removed(field: Field | None, item: str, what: str, defence: Defence, breadth: int) -> Iterator[Change]:
    if field is not None:
        yield from _change(what, without_item(field, item), defence, breadth)


def _set(field: Field | None, value: str, what: str, defence: Defence, breadth: int) -> Iterator[Change]:
    if field is not None:
        yield from _change(what, with_value(field, value), defence, breadth)


def _change(
    what: str, edit: TextEdit | None, defence: Defence = Defence.NONE, breadth: int = _SWITCH
) -> Iterator[Change]:
    if edit is not None:
        yield Change(what, (edit,), defence=defence, breadth=breadth)
