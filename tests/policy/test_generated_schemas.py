"""On schemas and values that nobody thought of, the decisions and violations are those of the reference."""

from adjudicator.policy.explanation import Explanation
from adjudicator.policy.schema_chains import chain_faults
from adjudicator.policy.schema_engine import compile_schema
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from policy.reference import GENERATED, our_violations, reference_violations

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NAMES = st.sampled_from(["a", "b", "c", "\u00e9"])
EDGES = [
    0,
    1,
    -1,
    2,
    3,
    2**53 - 1,
    2**53,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64,
    2**64 + 1,
    10**30,
    -(2**63) - 1,
]
INTEGERS = st.sampled_from(EDGES) | st.integers(-5, 5)
NUMBERS = INTEGERS | st.sampled_from([1.0, 0.0, -0.0, 0.5, 1.5, 2.0**53, 2.0**64, 1e-7, 1e300])
TEXTS = st.sampled_from(["", "a", "ab", "\u00e9", "e\u0301", "\U0001f44d", "a\n", "1", "\u0661"])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
COUNTS = st.integers(0, 3)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
PATTERNS = st.sampled_from(["^a$", "^[a-z]*$", "^.+$", "^(?:a|1)+$", "^$"])
SIMPLE = {
    "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "const": VALUES,
    "minimum": NUMBERS,
    "maximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    # Beyond what a double holds the reference divides inexactly: see test_a_large_divisor_is_exact.
    "multipleOf": st.sampled_from([1, 2, 3, 7]),
    "minLength": COUNTS,
    "maxLength": COUNTS,
    "pattern": PATTERNS,
    "required": st.lists(NAMES, max_size=2, unique=True),
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
    "minProperties": COUNTS,
    "maxProperties": COUNTS,
    "minItems": COUNTS,
    "maxItems": COUNTS,
    "uniqueItems": st.booleans(),
}


def combined(inner):
    """Schemas made of others."""
    many = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, min_size=1, max_size=2)
    places = dict.fromkeys(
        ["additionalProperties", "items", "contains", "not", "if", "then", "else"], inner
    )
    places |= dict.fromkeys(["allOf", "anyOf", "oneOf", "prefixItems"], many)
    places |= {"properties": named, "dependentSchemas": named}
    return keywords(SIMPLE | places)


def keywords(known):
    """Schemas of a few of these keywords, and references."""
    chosen = st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=4, unique=True)
    written = chosen.flatmap(lambda names: st.fixed_dictionaries({name: known[name] for name in names}))
    return written | st.sampled_from([{"$ref": "#/$defs/x"}, {"$ref": "#"}])


SCHEMAS = st.recursive(keywords(SIMPLE), combined, max_leaves=6)
MANY = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def whole(schema, definition):
    """A schema with its definition, if it is one that a loader would accept."""
    found = {"$schema": DRAFT, **schema, "$defs": {"x": definition}}
    assume(not list(chain_faults(found)))
    return found


@MANY
@given(schema=SCHEMAS, definition=keywords(SIMPLE), values=st.lists(VALUES, min_size=1, max_size=8))
def test_every_decision_is_that_of_the_reference(schema, definition, values):
    """Large integers, booleans beside numbers, fractions, letters of all kinds, references: all alike."""
    schema = whole(schema, definition)
    ours, theirs = compile_schema(schema), GENERATED(schema)
    for value in values:
        assert ours.is_valid(value) == theirs.is_valid(value), (schema, value)


@MANY
@given(schema=SCHEMAS, definition=keywords(SIMPLE), values=st.lists(VALUES, min_size=1, max_size=8))
def test_every_violation_is_that_of_the_reference(schema, definition, values):
    """What is rejected has the same paths and keywords; a choice counts as one, whatever is in it."""
    schema = whole(schema, definition)
    validator = compile_schema(schema)
    for value in values:
        if not validator.is_valid(value):
            assert our_violations(schema, value) == reference_violations(GENERATED(schema), value), (
                schema,
                value,
            )


@MANY
@given(schema=SCHEMAS, definition=keywords(SIMPLE), values=st.lists(VALUES, min_size=1, max_size=8))
def test_the_explanation_rejects_what_the_contract_rejects(schema, definition, values):
    """The schema with conditions for choices means the same, so each rejection has its true place."""
    schema = whole(schema, definition)
    validator, explanation = compile_schema(schema), Explanation(schema)
    for value in values:
        if not validator.is_valid(value):
            assert "schema" not in {wrong.keyword for wrong in explanation.of(value)}


def test_a_large_divisor_is_exact():
    """The reference says that this is a multiple, for it divides two doubles."""
    schema, value = {"multipleOf": 2**53 + 1}, 2.0**53
    assert not compile_schema(schema).is_valid(value)
    assert GENERATED(schema).is_valid(value)
