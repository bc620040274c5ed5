"""The contracts of tools: JSON Schemas, compiled once. Nothing here opens a file or a socket."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from adjudicator.domain.call import quoted
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.domain.verdict import Violation
from adjudicator.policy.argument_checks import check_arguments
from adjudicator.policy.explanation import Explanation, Wrong
from adjudicator.policy.json_file import parse_json
from adjudicator.policy.problem import Problems
from adjudicator.policy.redaction import MARKER, redact, without_values
from adjudicator.policy.registry import Registry
from adjudicator.policy.schema_checks import Subject, check_schema
from adjudicator.policy.schema_engine import MASK, compile_schema
from adjudicator.policy.schema_parts import subschemas
from adjudicator.policy.schema_places import SchemaPlaces
from adjudicator.policy.snapshot import Contract, EvaluationError
from adjudicator.policy.source import OUTPUT, Source, Sources

FOLDER = "schemas"
_SUFFIX = ".json"
_OUTPUT_SUFFIX = f"{OUTPUT}{_SUFFIX}"
_TELLING_NAMES = ("additionalProperties", "unevaluatedProperties", "propertyNames")
SHOWN_VALUE = 200
SHOWN_MESSAGE = 600


class SchemaContract:
    """A contract that one JSON Schema states. Build it only from a schema that was checked."""

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        self._name = name
        self._validator = compile_schema(schema)
        self._explanation = Explanation(schema)
        patterns = {name for _, part in subschemas(schema) for name in part.get("patternProperties", {})}
        compiled = {pattern: compile_schema({"pattern": pattern}) for pattern in patterns}
        # No method of this object: a circle would outlive the snapshot that it belongs to.
        self.places = SchemaPlaces(schema, partial(_matches, compiled))

    def violations(self, value: Any, *, quoting: bool = True) -> Sequence[Violation]:
        """Every violation up to a limit, by path, then keyword; empty when the value satisfies it.

        No message quotes a secret; without `quoting` none quotes any value. Raises EvaluationError when
        the value cannot be judged.
        """
        try:
            if self._validator.is_valid(value):
                return ()
            shown = redact(value, self.places)
            shown = shown if quoting else without_values(shown)
            found = {_violation(wrong, shown) for wrong in self._explanation.of(value)}
        except Exception as error:  # whatever fails must deny, never pass; it stays the cause
            raise EvaluationError(
                f"{self._name}: the schema cannot be evaluated: {type(error).__name__}"
            ) from error
        return tuple(
            sorted(found, key=lambda violation: (violation.path, violation.keyword, violation.message))
        )

    def redact(self, value: Any) -> Any:
        """A copy in which a marker replaces every value that the schema marks, or does not describe.

        An object stays one. Raises EvaluationError when the value cannot be redacted.
        """
        try:
            return redact(value, self.places)
        except Exception as error:  # whatever fails must hide, never show; it stays the cause
            raise EvaluationError(
                f"{self._name}: the value cannot be redacted: {type(error).__name__}"
            ) from error


def argument_schemas(sources: Sources) -> dict[str, Source]:
    """The files with the schemas of arguments, by tool; those of outputs are others."""
    return {
        source.name.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX): source
        for source in sources.under(FOLDER)
        if source.name.endswith(_SUFFIX) and not source.name.endswith(_OUTPUT_SUFFIX)
    }


def read_contracts(sources: Sources, registry: Registry, problems: Problems) -> dict[str, Contract]:
    """The contract of every registered tool; a schema too many or too few is a problem."""
    contracts: dict[str, Contract] = {}
    for source in sources.under(FOLDER):
        if not source.name.endswith(_SUFFIX):
            message = "not a schema; a schema's file is named `<tool>.json` or `<tool>.output.json`"
            problems.add(source.name, message)
            continue
        if source.name.endswith(_OUTPUT_SUFFIX):
            continue
        tool = source.name.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
        contract = _contract_of(tool, source, Subject.ARGUMENTS, registry, problems)
        if contract is not None:
            contracts[tool] = contract
            if tool in registry.tools:
                arguments = registry.tools[tool].arguments
                check_arguments(source.name, contract.places, arguments, problems)
    for code in registry.tools:
        file = f"{FOLDER}/{code}.json"
        if file not in sources.names:
            problems.add(file, f"the tool `{code}` has no schema; add this file")
    return contracts


def read_output_contracts(sources: Sources, registry: Registry, problems: Problems) -> dict[str, Contract]:
    """The contract of each output that a tool declares; a tool need not declare any."""
    contracts: dict[str, Contract] = {}
    for source in sources.under(FOLDER):
        if source.name.endswith(_OUTPUT_SUFFIX):
            tool = source.name.removeprefix(f"{FOLDER}/").removesuffix(_OUTPUT_SUFFIX)
            contract = _contract_of(tool, source, Subject.OUTPUT, registry, problems)
            if contract is not None:
                contracts[tool] = contract
    return contracts


def _contract_of(
    tool: str, source: Source, subject: Subject, registry: Registry, problems: Problems
) -> SchemaContract | None:
    if registry.tools and tool not in registry.tools:
        problems.add(source.name, f"{tool!a} is not a registered tool; register it, or remove the file")
        return None
    schema = parse_json(source, problems)
    if schema is None or not check_schema(source, schema, subject, problems):
        return None
    try:
        return SchemaContract(source.name, schema)
    except Exception as error:  # noqa: BLE001 - the library has no common class for what it refuses
        at, value = _visible(schema, tuple(getattr(error, "instance_path", ())))
        place = to_pointer(at)
        message = _told(getattr(error, "message", str(error)), value)
        problems.add(source.name, f"{place or '/'}: {message}; the schema cannot be compiled")
        return None


def _matches(compiled: dict[str, Any], pattern: str, name: str) -> bool:
    return bool(compiled[pattern].is_valid(name))


def _violation(wrong: Wrong, shown: Any) -> Violation:
    at, value = _visible(shown, wrong.path)
    message = wrong.message
    if len(at) < len(wrong.path):
        message = f"something in it does not satisfy `{wrong.keyword}`"
    elif value == MARKER and wrong.keyword in _TELLING_NAMES:
        message = f"{MASK} does not satisfy `{wrong.keyword}`"
    path = to_pointer(at)
    return Violation(
        path if len(path) <= SHOWN_VALUE else path[:SHOWN_VALUE] + "…", wrong.keyword, _told(message, value)
    )


def _told(message: str, value: Any) -> str:
    """The library's message with the value, cut, in the place of the mask."""
    text = value if isinstance(value, str) else json.dumps(value)
    whole = message.replace(MASK, quoted(text, SHOWN_VALUE))
    return whole if len(whole) <= SHOWN_MESSAGE else whole[:SHOWN_MESSAGE] + "…"


def _visible(shown: Any, path: Sequence[str | int]) -> tuple[Sequence[str | int], Any]:
    """The value at the path of a redacted one; or what hides it, for the names in there are hidden too."""
    for depth, part in enumerate(path):
        if not isinstance(shown, dict | list):
            return path[:depth], shown
        shown = shown[part]  # type: ignore[index]  # the library gives a name for an object, a number for a list
    return path, shown
