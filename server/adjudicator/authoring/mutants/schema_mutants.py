"""Mutants of the schemas of arguments: a keyword that can reject is gone, or rejects a little less."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.authoring.asked import CONTRACT
from adjudicator.authoring.json_places import JsonPlaces
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.mutant import Altered, Group, Mutant, RefusedError, TextEdit
from adjudicator.authoring.mutants.overlay import Overlay
from adjudicator.authoring.schema_keywords import Keyword, rejecting_keywords
from adjudicator.policy.problem import Problems
from adjudicator.policy.schema_checks import Subject, check_schema
from adjudicator.policy.schemas import FOLDER, SchemaContract, argument_schemas
from adjudicator.policy.source import Source, Sources

_SUFFIX = ".json"
_UP = frozenset(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxContains", "maxProperties"))
_DOWN = frozenset(("minimum", "exclusiveMinimum", "minLength", "minItems", "minContains", "minProperties"))
_NEW = "other"


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """The schema of a tool's arguments as it reads after an edit of one keyword."""

    tool: str
    keyword: Keyword
    edit: TextEdit

    def altered(self, grounds: Grounds) -> Altered | None:
        """The contracts with the other one, and the trials whose arguments it judges."""
        trials = grounds.asking(CONTRACT, self.tool)
        if not trials:
            return None
        ((name, text),) = self.edits(grounds).items()
        contract = _contract(name, text)
        contracts = Overlay({self.tool: contract}, grounds.snapshot.contracts)
        return Altered(replace(grounds.snapshot, contracts=contracts), trials)

    def edits(self, grounds: Grounds) -> Mapping[str, str]:
        """The file after the edit."""
        name = f"{FOLDER}/{self.tool}{_SUFFIX}"
        return {name: self.edit.applied(grounds.bundle.sources.files[name].text)}


def _contract(name: str, text: str) -> SchemaContract:
    schema = json.loads(text)
    problems = Problems()
    if not check_schema(Source(name, text), schema, Subject.ARGUMENTS, problems):
        raise RefusedError(next(iter(problems)).message)
    try:
        return SchemaContract(name, schema)
    except Exception as error:  # the library has no common class for what it refuses
        raise RefusedError("the schema cannot be compiled") from error


def schema_groups(sources: Sources) -> Iterator[Group]:
    """The mutants of every tool's schema; those of outputs judge no call."""
    schemas = argument_schemas(sources)
    mutants = (list(_of_schema(tool, source)) for tool, source in schemas.items())
    yield Group(FOLDER, len(schemas), mutants)


def _of_schema(tool: str, source: Source) -> Iterator[Mutant]:
    places = JsonPlaces.of(source.text)
    for keyword in rejecting_keywords(json.loads(source.text)):
        for kind, edit in _edits(keyword, places):
            yield edit.mutant(kind, source.name, source.text, SchemaChange(tool, keyword, edit))


def _edits(keyword: Keyword, places: JsonPlaces) -> Iterator[tuple[str, TextEdit]]:
    line, member = places.line(keyword.path), places.members[keyword.path]
    yield "keyword-dropped", TextEdit(line, *places.without(keyword.path), "")
    for value in _looser(keyword.name, keyword.value):
        yield "keyword-loosened", TextEdit(line, member.value, member.end, json.dumps(value))


def _looser(name: str, value: Any) -> Iterator[Any]:
    """Values of the keyword that reject a little less."""
    if isinstance(value, bool):
        if value is False:
            yield True
    elif isinstance(value, int | float):
        yield from [value + 1] * (name in _UP)
        yield from [value - 1] * (name in _DOWN and (value > 0 or name in ("minimum", "exclusiveMinimum")))
    elif name == "type":
        yield [*(value if isinstance(value, list) else [value]), "null"]
    elif name == "enum" and isinstance(value, list):
        yield [*value, _NEW]
    elif name == "required" and isinstance(value, list):
        yield from ([each for each in value if each != name] for name in value if len(value) > 1)
    elif name == "dependentRequired" and isinstance(value, dict):
        for key, names in value.items():
            yield from (
                value | {key: [each for each in names if each != name]} for name in names if len(names) > 1
            )
