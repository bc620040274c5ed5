"""The schemas of tools, with the place of whatever is in them."""

from collections.abc import Iterator
from typing import Any

from adjudicator.authoring.json_places import JsonPlaces
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.json_file import parse_json
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Tool
from adjudicator.policy.schema_parts import subschemas
from adjudicator.policy.schemas import FOLDER
from adjudicator.policy.source import OUTPUT, Source

Place = tuple[str, ...]


class ToolSchema:
    """The schema of one tool's arguments, or of its output."""

    def __init__(self, tool: Tool, source: Source) -> None:
        self.tool = tool
        self.file = source.name
        self.value: dict[str, Any] = parse_json(source, Problems())
        self.places = JsonPlaces.of(source.text)
        self._parts = dict(subschemas(self.value))
        self._at = {id(part): at for at, part in self._parts.items()}

    def at(self, part: dict[str, Any], name: str | None, code: Code, message: str) -> BundleWarning:
        """A warning at a property of one of the schema's parts; without a name at the part itself."""
        path = self._at[id(part)] if name is None else (*self._at[id(part)], "properties", name)
        return BundleWarning(self.file, *self.places.at(path), code, message)

    def comments(self) -> Iterator[tuple[Place, str]]:
        """Each part that has a comment, with it."""
        return ((at, part["$comment"]) for at, part in self._parts.items() if "$comment" in part)

    def properties(self, at: Place) -> Iterator[Place]:
        """The properties that a part describes."""
        return ((*at, "properties", name) for name in self._parts[at].get("properties", {}))


def tool_schemas(bundle: OpenBundle) -> Iterator[ToolSchema]:
    """The schema of each tool's arguments."""
    return _schemas(bundle, ".json")


def output_schemas(bundle: OpenBundle) -> Iterator[ToolSchema]:
    """The schema of each output that a tool declares."""
    return _schemas(bundle, f"{OUTPUT}.json")


def _schemas(bundle: OpenBundle, suffix: str) -> Iterator[ToolSchema]:
    for code, tool in bundle.snapshot.registry.tools.items():
        source = bundle.sources.files.get(f"{FOLDER}/{code}{suffix}")
        if source is not None:
            yield ToolSchema(tool, source)
