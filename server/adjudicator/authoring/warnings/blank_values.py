"""Required arguments that a call may leave empty, or send as null."""

from collections.abc import Iterator

from adjudicator.authoring.schema_objects import ObjectPart, Possible, SchemaObjects
from adjudicator.authoring.warnings.tool_schemas import ToolSchema, tool_schemas
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.loader import OpenBundle

_BLANKS: tuple[tuple[Code, str | None, str], ...] = (
    (Code.MAY_BE_EMPTY, "", 'be empty; write `"minLength": 1`'),
    (Code.MAY_BE_NULL, None, "be null; state a `type` without null"),
)


def blank_values(bundle: OpenBundle) -> Iterator[BundleWarning]:
    """Each property that a schema requires, at any depth, where "" or null might pass the contract."""
    for schema in tool_schemas(bundle):
        told: dict[tuple[int, int, Code], BundleWarning] = {}
        for each in _of_schema(schema):
            told.setdefault((each.line, each.column, each.code), each)  # one definition serves many places
        yield from told.values()


def _of_schema(schema: ToolSchema) -> Iterator[BundleWarning]:
    possible = Possible(schema.value)
    objects = SchemaObjects(schema.value)
    for found in objects:
        for name in found.part.get("required", ()):
            for code, value, what in _BLANKS:
                if possible.in_object(found, name, value):
                    pointer = to_pointer((*found.pointer, name))
                    yield schema.at(
                        *_declared(found, name), code, f"`{pointer}` is required and may {what}"
                    )
    if not objects.complete:
        message = "the schema has too many objects in one another to look through; combine fewer"
        yield schema.at(schema.value, None, Code.MAY_BE_EMPTY, message)


def _declared(found: ObjectPart, name: str) -> tuple[dict[str, object], str | None]:
    """The part, and its property, at which the warning is: where the property is described, if it is."""
    for part in (found.part, found.top):
        if name in part.get("properties", {}):
            return part, name
    return found.part, None
