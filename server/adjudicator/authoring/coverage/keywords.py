"""Which keywords of the schemas of arguments rejected something in some test."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.authoring.coverage.report import Item
from adjudicator.authoring.json_places import JsonPlaces
from adjudicator.authoring.progress import Progress
from adjudicator.authoring.schema_keywords import rejected_by, rejecting_keywords
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.schemas import argument_schemas
from adjudicator.policy.source import Source, Sources


def keyword_items(
    sources: Sources, judged: Mapping[str, Sequence[Any]], progress: Progress
) -> Iterator[Item]:
    """An item for each keyword that can reject. `judged` are the arguments that met a tool's contract."""
    schemas = argument_schemas(sources)
    for number, (tool, source) in enumerate(schemas.items()):
        progress("looking at schemas", number, len(schemas))
        yield from _of_schema(source, judged.get(tool, ()))


def _of_schema(source: Source, values: Sequence[Any]) -> Iterator[Item]:
    schema = json.loads(source.text)
    places = JsonPlaces.of(source.text)
    rejected: set[tuple[str, ...]] = set()
    if values:
        validator = compile_schema(schema)
        for value in values:
            rejected.update(rejected_by(validator.iter_errors(value)))
    for keyword in rejecting_keywords(schema):
        yield Item(keyword.pointer, source.name, places.line(keyword.path), keyword.path in rejected)
