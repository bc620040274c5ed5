"""The contracts of an imported tool: of its arguments, closed and strict, and of its output, as it is."""

from typing import Any

from adjudicator.authoring.imports.notes import ImportFaultError, Notes
from adjudicator.authoring.imports.schema_texts import schema_text
from adjudicator.authoring.imports.schemas_taken.dialects import dialect_of
from adjudicator.authoring.imports.schemas_taken.hoisting import NotTakenError
from adjudicator.authoring.imports.schemas_taken.required import with_required
from adjudicator.authoring.imports.schemas_taken.taking import EXACT, INSIDE, Taker
from adjudicator.domain.invisible import is_all_plain
from adjudicator.policy.problem import Problems
from adjudicator.policy.schema_checks import Subject, check_schema
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.schema_parts import REFERENCES, subschemas
from adjudicator.policy.source import Source

_OPEN: tuple[Any, ...] = (True, {})
_COMBINING = ("allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$ref")


def arguments_contract(schema: Any, notes: Notes) -> dict[str, Any]:
    """A contract that the loader takes: whatever it accepts, the schema accepts too.

    Raises ImportFaultError when there is none, or only one that accepts nothing.
    """
    above = ("inputSchema",)
    root = _object(schema, notes, above)
    taker = Taker(root, dialect_of(root), notes, above)
    try:
        contract = with_required(root, _closed(taker.whole(INSIDE), taker), notes, above)
    except NotTakenError as error:
        raise ImportFaultError(f"its arguments cannot be described strictly: {error}") from error
    _check(contract, Subject.ARGUMENTS)
    return contract


def output_contract(schema: Any, notes: Notes) -> dict[str, Any]:
    """A contract that accepts what the schema accepts. Raises ImportFaultError when there is none."""
    above = ("outputSchema",)
    root = _object(schema, notes, above)
    try:
        contract = Taker(root, dialect_of(root), notes, above).whole(EXACT)
    except NotTakenError as error:
        raise ImportFaultError(f"its output cannot be described exactly: {error}") from error
    if "additionalProperties" not in contract and "unevaluatedProperties" not in contract:
        contract["additionalProperties"] = True
    _check(contract, Subject.OUTPUT)
    return contract


def _object(schema: Any, notes: Notes, above: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(schema, dict):
        raise ImportFaultError(f"its `{above[0]}` is not there, or no object")
    types = schema.get("type", "object")
    if "object" not in (types if isinstance(types, list) else [types]):
        raise ImportFaultError(f"its `{above[0]}` is of no object")
    parts = list(subschemas(schema))
    if any("$id" in part for at, part in parts if at) and any(
        part.keys() & set(REFERENCES) for _, part in parts
    ):
        raise ImportFaultError(f"its `{above[0]}` has an `$id` inside, which changes what references mean")
    names = [name for _, part in parts for name in part.get("properties", ())]
    if not all(map(is_all_plain, names)):
        raise ImportFaultError(f"its `{above[0]}` names something with characters that nobody sees")
    if types != schema.get("type"):
        notes.add("says no type; arguments are an object", f"/{above[0]}")
    return schema | {"type": "object"}


def _closed(contract: dict[str, Any], taker: Taker) -> dict[str, Any]:
    """The contract with no arguments but those that it describes, or for which it states a schema."""
    stated = [contract.get("additionalProperties", True), contract.get("unevaluatedProperties", True)]
    if any(each not in _OPEN for each in stated):
        return contract
    kept = {
        key: each
        for key, each in contract.items()
        if key not in ("additionalProperties", "unevaluatedProperties")
    }
    taker.note("closed: arguments that it does not describe are refused", ())
    combines = any(keyword in contract for keyword in _COMBINING)
    return kept | {"unevaluatedProperties" if combines else "additionalProperties": False}


def _check(contract: dict[str, Any], subject: Subject) -> None:
    problems = Problems()
    sound = check_schema(Source("schema", schema_text(contract)), contract, subject, problems)
    if not sound:
        raise ImportFaultError(f"the loader would refuse it: {next(iter(problems)).message}")
    try:
        compile_schema(contract)
    except Exception as error:  # the library has no common class for what it refuses
        raise ImportFaultError("it cannot be compiled") from error
