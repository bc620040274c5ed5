"""Which keywords of a schema of arguments can reject something."""

from adjudicator.authoring.schema_keywords import rejected_by, rejecting_keywords
from adjudicator.policy.schema_engine import compile_schema

SCHEMA = {
    "$defs": {"short": {"type": "string", "minLength": 0, "maxLength": 3}},
    "type": "object",
    "properties": {
        "a": {"$ref": "#/$defs/short"},
        "not": {"anyOf": [{"type": "string"}, {"minimum": 3, "type": "integer"}]},
        "b": {"not": {"enum": ["x"]}, "if": {"type": "string"}, "then": {"pattern": "^y*$"}},
    },
    "required": ["a"],
    "additionalProperties": False,
}


def test_those_that_can_reject_are_listed_each_by_its_place():
    """A bound of 0, what stands in a probe, and that arguments are an object, reject nothing."""
    assert {keyword.pointer for keyword in rejecting_keywords(SCHEMA)} == {
        "/$defs/short/type",
        "/$defs/short/maxLength",
        "/properties/not/anyOf",
        "/properties/not/anyOf/0/type",
        "/properties/not/anyOf/1/minimum",
        "/properties/not/anyOf/1/type",
        "/properties/b/not",
        "/properties/b/then/pattern",
        "/required",
        "/additionalProperties",
    }


def test_what_rejected_is_found_behind_references_and_choices():
    """By the place of the keyword in the schema, not of the value."""
    errors = compile_schema(SCHEMA).iter_errors({"a": "long", "not": 1, "b": "x", "c": 1})
    found = set(rejected_by(errors))
    assert {("$defs", "short", "maxLength"), ("properties", "not", "anyOf", "1", "minimum")} <= found
    assert {("properties", "b", "not"), ("properties", "b", "then", "pattern")} <= found
    assert ("additionalProperties",) in found
