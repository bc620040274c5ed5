"""Whatever an imported contract accepts, the schema that it was made of accepts too."""

from typing import Any

import jsonschema
import jsonschema_rs
from adjudicator.authoring.imports.notes import ImportFaultError, Notes
from adjudicator.authoring.imports.schemas_taken.contracts import arguments_contract, output_contract
from adjudicator.policy.schema_engine import compile_schema
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from jsonschema.exceptions import _WrappedReferencingError
from referencing.exceptions import Unresolvable

NAMES = ["a", "b", "ab", ""]
SCALARS = st.sampled_from([None, True, 0, 1, 7, "", "a", "ab", "b a"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)
TYPES = ["string", "integer", "number", "null", "object", "array", "boolean"]
REFERENCES = ["#", "#/$defs/one", "#/$defs/two", "#/properties/a", "#/properties/b/anyOf/0", "#/$defs/none"]
DRAFTS = {
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
}
COUNTS = st.integers(0, 2)


def parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Parts of schemas with up to four keywords, of which some are no keywords of some drafts."""
    few = st.lists(inner, min_size=1, max_size=2)
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": st.sampled_from(TYPES)
        | st.lists(st.sampled_from(TYPES), min_size=1, max_size=2, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=2, unique_by=repr),
        "const": SCALARS,
        "minLength": COUNTS,
        "maximum": COUNTS,
        "minItems": COUNTS,
        "maxProperties": COUNTS,
        "required": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
        "dependentRequired": st.just({"a": ["b"]}),
        "pattern": st.sampled_from(["^a", "^a$", "b", "^(?!a)", "^a|b$"]),
        "format": st.sampled_from(["uri", "date", "int32"]),
        "default": SCALARS,
        "description": st.just("what\u202e it is"),
        "nullable": st.booleans(),
        "$ref": st.sampled_from(REFERENCES),
        "properties": named,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$", "^(?=a)"]), inner, max_size=1),
        "additionalProperties": inner,
        "propertyNames": inner,
        "unevaluatedProperties": inner,
        "dependencies": st.dictionaries(st.sampled_from(NAMES), inner | st.just(["a"]), max_size=1),
        "dependentSchemas": named,
        "items": inner,
        "prefixItems": few,
        "additionalItems": inner,
        "unevaluatedItems": inner,
        "contains": inner,
        "maxContains": COUNTS,
        "minContains": COUNTS,
        "allOf": few,
        "anyOf": few,
        "oneOf": few,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


PARTS = st.recursive(st.booleans() | parts(st.booleans()), parts, max_leaves=12)
WHOLES = st.fixed_dictionaries(
    {"$schema": st.sampled_from(sorted(DRAFTS)), "type": st.just("object")},
    optional={
        "properties": st.dictionaries(st.sampled_from(NAMES), PARTS, min_size=1, max_size=3),
        "required": st.lists(st.sampled_from(NAMES), max_size=1),
        "additionalProperties": PARTS,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), PARTS, max_size=1),
        "unevaluatedProperties": PARTS,
        "anyOf": st.lists(PARTS, min_size=1, max_size=2),
        "oneOf": st.lists(PARTS, min_size=1, max_size=2),
        "allOf": st.lists(PARTS, min_size=1, max_size=2),
        "$defs": st.fixed_dictionaries({"one": PARTS, "two": PARTS}),
    },
)
OBJECTS = st.lists(
    st.dictionaries(st.sampled_from([*NAMES, "c"]), VALUES, max_size=3), min_size=6, max_size=6
)
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def accepts(schema: dict[str, Any], value: Any) -> bool | None:
    """What two references say of the schema as it was stated; None where they differ, or one cannot say.

    They do not check formats. Of older drafts each of them misreads something: a `false` in the place of a
    list of items, `additionalProperties` beside `unevaluatedProperties`.
    """
    try:
        first = DRAFTS[schema["$schema"]](schema).is_valid(value)
        second = jsonschema_rs.validator_for(schema, validate_formats=False).is_valid(value)
    except (_WrappedReferencingError, Unresolvable, RecursionError, TypeError, ValueError):
        return None
    return first if first is second else None


@SETTINGS
@given(WHOLES, OBJECTS)
def test_an_imported_contract_of_arguments_accepts_nothing_more(schema, values):
    """Whatever had to be changed; and it is closed, and the loader takes it, or there is none."""
    try:
        contract = arguments_contract(schema, Notes("tool"))
    except ImportFaultError:
        event("left out")
        return
    validator = compile_schema(contract)
    for value in values:
        if validator.is_valid(value):
            event("accepted")
            assert accepts(schema, value) is not False, (contract, value)


@SETTINGS
@given(WHOLES, OBJECTS)
def test_an_imported_contract_of_an_output_accepts_the_same(schema, values):
    """It is exact, or there is none."""
    try:
        contract = output_contract(schema, Notes("tool"))
    except ImportFaultError:
        event("left out")
        return
    validator = compile_schema(contract)
    for value in values:
        assert accepts(schema, value) in (None, validator.is_valid(value)), (contract, value)
