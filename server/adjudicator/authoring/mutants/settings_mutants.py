"""Mutants of `bundle.yaml`: another default, another time limit, a tool out of its list or in the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import yaml

from adjudicator.authoring.asked import TOOL
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.mutant import Altered, Group, Mutant, RefusedError, TextEdit
from adjudicator.authoring.mutants.yaml_edits import both, replaced, with_item, without_entry, without_item
from adjudicator.policy.bundle_settings import FILE, read_bundle_settings
from adjudicator.policy.document import parse_document
from adjudicator.policy.model import RULES
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source, Sources
from adjudicator.policy.tool_lists import ListedTools

_LISTS = ("auto_approved", "approval_required")
_EFFECTS = ("deny", "ask")


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """`bundle.yaml` as it reads after an edit, which concerns one tool, or every call."""

    edit: TextEdit
    tool: str = ""

    def altered(self, grounds: Grounds) -> Altered | None:
        """The snapshot with the other settings, and the trials that they could concern."""
        trials = grounds.asking(TOOL, self.tool) if self.tool else grounds.everybody()
        if not trials:
            return None
        problems = Problems()
        source = Source(FILE, self.edits(grounds)[FILE])
        sources = Sources("", {FILE: source}, frozenset((FILE,)))
        settings = read_bundle_settings(sources, grounds.snapshot.registry, problems)
        for problem in problems:
            raise RefusedError(problem.message)
        changed = replace(
            grounds.snapshot,
            rules=ListedTools(grounds.bundle.rule_sets[RULES.name], settings.listed),
            default=settings.default,
            approvals=settings.approvals,
            record_arguments=settings.record_arguments,
            record_output=settings.record_output,
        )
        return Altered(changed, trials)

    def edits(self, grounds: Grounds) -> Mapping[str, str]:
        """The file after the edit."""
        return {FILE: self.edit.applied(grounds.bundle.sources.files[FILE].text)}


def settings_groups(sources: Sources) -> Iterator[Group]:
    """The mutants of `bundle.yaml`."""
    source = sources.files[FILE]
    root = parse_document(source, Problems())
    if root is not None and isinstance(root.node, yaml.MappingNode):
        yield Group(FILE, 1, iter([list(_mutants(source.text, root.node))]))


def _mutants(text: str, root: yaml.MappingNode) -> Iterator[Mutant]:
    for place, (key, value) in enumerate(root.value):
        if key.value == "defaults" and isinstance(value, yaml.MappingNode):
            yield from _of_defaults(text, value)
        elif key.value in _LISTS and isinstance(value, yaml.SequenceNode):
            for number in range(len(value.value)):
                yield from _of_listed(text, root, place, number)


def _of_defaults(text: str, defaults: yaml.MappingNode) -> Iterator[Mutant]:
    for key, value in defaults.value:
        others: list[str] = []
        if key.value == "effect":
            others = [each for each in _EFFECTS if each != value.value]
        elif key.value == "approval_seconds" and str(value.value).isdecimal():
            others = [str(int(value.value) - 1), str(int(value.value) + 1)]
        for other in others:
            edit = replaced(value, other)
            yield edit.mutant(f"default-{key.value}".replace("_", "-"), FILE, text, SettingsChange(edit))


def _of_listed(text: str, root: yaml.MappingNode, place: int, number: int) -> Iterator[Mutant]:
    key, items = root.value[place]
    item = items.value[number]
    dropped = (
        without_item(text, items, number) if len(items.value) > 1 else without_entry(text, root, place)
    )
    change = SettingsChange(dropped, str(item.value))
    line, before = item.start_mark.line + 1, f"{key.value}: {item.value}"
    yield Mutant("listed-tool-dropped", FILE, line, before, "", change)
    other = next(name for name in _LISTS if name != key.value)
    moved = both(text, dropped, _added(text, root, other, str(item.value)))
    yield Mutant(
        "listed-tool-moved",
        FILE,
        line,
        before,
        f"{other}: {item.value}",
        SettingsChange(moved, str(item.value)),
    )


def _added(text: str, root: yaml.MappingNode, name: str, tool: str) -> TextEdit:
    """The tool in the list of that name, which may not be there yet."""
    for key, items in root.value:
        if key.value == name and isinstance(items, yaml.SequenceNode) and items.value:
            return with_item(text, items, tool)
    return TextEdit(text.count("\n") + 1, len(text), len(text), f"{name}: [{tool}]\n")
