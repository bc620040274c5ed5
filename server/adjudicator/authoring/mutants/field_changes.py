"""How the fields of a registry's entry may come to say something else by a slip, as edits of its text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import yaml

from adjudicator.authoring.asked import AGENT, TENANT, TOOL
from adjudicator.authoring.mutants.mutant import TextEdit
from adjudicator.authoring.mutants.yaml_edits import (
    both,
    replaced,
    with_entry,
    with_item,
    without_entry,
    without_item,
)
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.domain.request import Priority
from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.registry import AgentKind, Registry, SessionGrants

Named = tuple[str, TextEdit]
"""The kind of mutant, and the edit."""

ADDED = 16
"""Items that one list could have had too that are tried."""
_FLAG = ("true", "false")
_REQUIRED = frozenset(("title", "description", "tools", "tenants", "permission"))
_TOLD = frozenset(("title", "description", "disable_reason"))
_COUNTS = frozenset(("quorum", "approval_seconds"))
_ARGUMENT = "argument"


def _words(symbol: type[Symbol]) -> Sequence[str]:
    return [str(each.value) for each in symbol]


_CHOICES: Mapping[tuple[str, str], Sequence[str]] = {
    (TENANT, "enabled"): _FLAG,
    (TENANT, "mode"): _words(Mode),
    (AGENT, "enabled"): _FLAG,
    (AGENT, "kind"): _words(AgentKind),
    (TOOL, "access"): _words(Access),
    (TOOL, "require_approval"): _FLAG,
    (TOOL, "four_eyes"): _FLAG,
    (TOOL, "priority"): _words(Priority),
    (TOOL, "session_grants"): _words(SessionGrants),
    (TOOL, "record_arguments"): _words(Recorded),
    (TOOL, "record_output"): _words(Recorded),
    (_ARGUMENT, "kind"): _words(ArgumentKind),
    (_ARGUMENT, "access"): _words(Access),
    (_ARGUMENT, "needs_resolution"): _FLAG,
}
_DISABLED = {
    TENANT: ("enabled", ("enabled: false",)),
    AGENT: ("enabled", ("enabled: false",)),
    TOOL: ("status", (f"status: {ToolStatus.DISABLED.value}", "disable_reason: out of use")),
}


@dataclass(frozen=True, slots=True)
class Known:
    """The codes and permissions that a field could have named instead."""

    tenants: tuple[str, ...]
    agents: tuple[str, ...]
    tools: tuple[str, ...]
    other_permission: Mapping[str, str]
    """For each permission the one behind it; itself where there is no other."""

    @classmethod
    def of(cls, registry: Registry) -> "Known":
        """Those of a registry."""
        permissions = list(dict.fromkeys(tool.permission for tool in registry.tools.values()))
        others = dict(zip(permissions, [*permissions[1:], *permissions[:1]], strict=True))
        return cls(tuple(registry.tenants), tuple(registry.agents), tuple(registry.tools), others)

    def addable(self, kind: str, key: str) -> Sequence[str]:
        """What a list of this name opens more by one item more."""
        lists = {
            (TENANT, "tools"): self.tools,
            (AGENT, "tenants"): self.tenants,
            (TOOL, "allowed_agents"): self.agents,
        }
        return lists.get((kind, key), ())


@dataclass(frozen=True, slots=True)
class FieldChanges:
    """The changes of entries of one file's text."""

    text: str
    known: Known

    def of(self, kind: str, entry: yaml.Node) -> Iterator[Named]:
        """All changes of one entry; none of what is no mapping."""
        if not isinstance(entry, yaml.MappingNode) or not entry.value:
            return
        for place, (key, value) in enumerate(entry.value):
            for name, edit in self._of_field(kind, entry, place, str(key.value), value):
                yield f"{kind}-{key.value}-{name}".replace("_", "-"), edit
        if kind in _DISABLED:
            yield from self._disabled(kind, entry)
        arguments = _value(entry, "arguments") if kind == TOOL else None
        if isinstance(arguments, yaml.MappingNode):
            yield from self._of_arguments(arguments)

    def _of_field(
        self, kind: str, entry: yaml.MappingNode, place: int, key: str, value: yaml.Node
    ) -> Iterator[Named]:
        is_required = key in _REQUIRED or (kind in (AGENT, _ARGUMENT) and key == "kind")
        if not is_required and key not in _TOLD and (kind, key) not in ((TOOL, "access"), (TOOL, "status")):
            yield "dropped", without_entry(self.text, entry, place)
        if isinstance(value, yaml.ScalarNode):
            yield from self._of_scalar(kind, key, value)
        elif isinstance(value, yaml.SequenceNode) and value.value:
            yield from self._of_list(kind, key, value)

    def _of_scalar(self, kind: str, key: str, value: yaml.ScalarNode) -> Iterator[Named]:
        written = str(value.value)
        for word in _CHOICES.get((kind, key), ()):
            if word != written:
                yield f"to-{word}", replaced(value, word)
        if key in _COUNTS and written.isdecimal():
            yield "lowered", replaced(value, str(int(written) - 1))
            yield "raised", replaced(value, str(int(written) + 1))
        if key == "permission" and (other := self.known.other_permission[written]) != written:
            yield "changed", replaced(value, other)

    def _of_list(self, kind: str, key: str, items: yaml.SequenceNode) -> Iterator[Named]:
        for place in range(len(items.value)) if len(items.value) > 1 else ():
            yield "item-dropped", without_item(self.text, items, place)
        have = {item.value for item in items.value if isinstance(item, yaml.ScalarNode)}
        others = (code for code in self.known.addable(kind, key) if code not in have)
        for code in islice(others, ADDED):
            yield "item-added", with_item(self.text, items, code)

    def _disabled(self, kind: str, entry: yaml.MappingNode) -> Iterator[Named]:
        """What is in use taken out of use, and what is out of use taken into use."""
        key, lines = _DISABLED[kind]
        if _value(entry, key) is None:
            indent = " " * entry.value[0][0].start_mark.column
            between = ", " if entry.flow_style else f"\n{indent}"
            yield f"{kind}-disabled", with_entry(entry, between.join(lines))
        elif kind == TOOL:
            edits = [
                without_entry(self.text, entry, place)
                for place, (each, _) in enumerate(entry.value)
                if each.value in (key, "disable_reason")
            ]
            if len(edits) > 1:
                yield f"{kind}-enabled", both(self.text, edits[0], edits[1])

    def _of_arguments(self, arguments: yaml.MappingNode) -> Iterator[Named]:
        for place, (_, value) in enumerate(arguments.value):
            if len(arguments.value) > 1:
                yield "argument-dropped", without_entry(self.text, arguments, place)
            yield from self.of(_ARGUMENT, value)


def _value(entry: yaml.MappingNode, key: str) -> yaml.Node | None:
    values: Iterable[yaml.Node] = (value for each, value in entry.value if each.value == key)
    return next(iter(values), None)
