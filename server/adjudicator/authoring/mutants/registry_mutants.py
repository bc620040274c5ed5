"""Mutants of the registry: a field dropped, its value another, an item of a list gone, or one too many."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import yaml

from adjudicator.authoring.asked import AGENT, TENANT, TOOL
from adjudicator.authoring.mutants.field_changes import FieldChanges, Known
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.mutant import Altered, Group, Mutant, RefusedError, TextEdit
from adjudicator.authoring.mutants.overlay import Overlay
from adjudicator.policy.document import parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.registry_reader import AGENTS, TENANTS, TOOLS, read_registry
from adjudicator.policy.source import Source, Sources

_FILES = {TENANTS: TENANT, AGENTS: AGENT, TOOLS: TOOL}


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One entry of the registry as it reads after an edit. `start` and `end` are the entry in its file."""

    file: str
    code: str
    start: int
    end: int
    edit: TextEdit

    def altered(self, grounds: Grounds) -> Altered | None:
        """The registry with the other entry, and the trials that asked for it."""
        kind = _FILES[self.file]
        trials = grounds.asking(kind, self.code)
        if not trials:
            return None
        text = grounds.bundle.sources.files[self.file].text[self.start : self.end]
        edit = replace(self.edit, start=self.edit.start - self.start, end=self.edit.end - self.start)
        read = _read(self.file, edit.applied(text))
        registry = grounds.snapshot.registry
        changed = registry.holding(
            Overlay(read.tenants, registry.tenants),
            Overlay(read.agents, registry.agents),
            Overlay(read.tools, registry.tools),
        )
        return Altered(replace(grounds.snapshot, registry=changed), trials)

    def edits(self, grounds: Grounds) -> Mapping[str, str]:
        """The file after the edit."""
        return {self.file: self.edit.applied(grounds.bundle.sources.files[self.file].text)}


def _read(file: str, text: str) -> Registry:
    """What the registry reads in a file with one entry; what it says of others is not looked at."""
    problems = Problems()
    source = Source(file, text)
    registry = read_registry(Sources("", {file: source}, frozenset((file,))), problems)
    for problem in problems:
        raise RefusedError(problem.message)
    return registry


def registry_groups(sources: Sources, registry: Registry) -> Iterator[Group]:
    """The mutants of tenants, agents and tools."""
    known = Known.of(registry)
    for file, kind in _FILES.items():
        root = parse_document(sources.files[file], Problems())
        if root is not None and isinstance(root.node, yaml.MappingNode):
            yield Group(file, len(root.node.value), _of_file(sources.files[file], kind, root.node, known))


def _of_file(source: Source, kind: str, root: yaml.MappingNode, known: Known) -> Iterator[list[Mutant]]:
    text = source.text
    changes = FieldChanges(text, known)
    starts = [text.rfind("\n", 0, key.start_mark.index) + 1 for key, _ in root.value]
    for place, (key, value) in enumerate(root.value):
        start, end = starts[place], starts[place + 1] if place + 1 < len(starts) else len(text)
        if root.flow_style:
            start, end = 0, len(text)
        code = str(key.value)
        yield [
            edit.mutant(name, source.name, text, EntryChange(source.name, code, start, end, edit))
            for name, edit in changes.of(kind, value)
        ]
