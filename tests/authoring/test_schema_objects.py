"""What may stand in an object by a schema: never less than the compiled contract lets through."""

import json
import re

import pytest
from adjudicator.authoring.schema_objects import Possible, SchemaObjects
from adjudicator.policy.schema_chains import chain_faults
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.schema_places import SchemaPlaces
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

DRAFT = "https://json-schema.org/draft/2020-12/schema"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
TEXT = {"type": "string", "minLength": 1}
OPEN = {"type": "string"}


def blanks(schema):
    """Each required property that might be "" or null: the pointer of its object, its name, the value."""
    found, is_complete = looked_through(schema)
    assert is_complete
    return found


def looked_through(schema):
    """The same, and whether that is all."""
    possible, objects = Possible(schema), SchemaObjects(schema)
    found = {
        (each.pointer, name, value)
        for each in objects
        for name in each.part.get("required", ())
        for value in ("", None)
        if possible.in_object(each, name, value)
    }
    return found, objects.complete


def whole(inner, **more):
    """A schema of an object with these keywords, closed unless they say otherwise."""
    return {"type": "object", "additionalProperties": False, **inner, **more}


def one(schema, **more):
    """A schema whose required property `a` has this schema."""
    return whole({"properties": {"a": schema}, "required": ["a"]}, **more)


NOTHING = {"type": "null"}
WORD = {"enum": ["x", None]}
LIST = {"type": "array", "items": one(TEXT)}
SHAPES = [
    ("a length", one(TEXT), set()),
    ("no length", one(OPEN), {""}),
    ("no type", one({}), {"", None}),
    ("a pattern", one({"type": "string", "pattern": "^[a-z]+$"}), set()),
    ("a pattern with nothing in it", one({"type": "string", "pattern": "^[a-z]*$"}), {""}),
    ("a format that counts", one({"type": "string", "format": "date"}), set()),
    ("a format that takes nothing", one({"type": "string", "format": "json-pointer"}), {""}),
    ("listed values", one({"enum": ["x", 1]}), set()),
    ("a listed blank", one({"enum": ["x", ""]}), {""}),
    ("a listed null", one({"enum": ["x", None]}), {None}),
    ("one value", one({"const": "x"}), set()),
    ("not the blank", one({"type": "string", "not": {"const": ""}}), set()),
    ("all of two", one({"allOf": [OPEN, {"minLength": 1}]}), set()),
    ("in an object or nothing", whole({"properties": {"o": {"anyOf": [one(TEXT), NOTHING]}}}), set()),
    ("in a list or nothing", whole({"properties": {"o": {"oneOf": [LIST, NOTHING]}}}), set()),
    ("in an object or words", whole({"properties": {"o": {"anyOf": [one(TEXT), WORD]}}}), set()),
    ("any of two", one({"anyOf": [TEXT, {"type": "null"}]}), {None}),
    ("one of two that both take it", one({"oneOf": [OPEN, {"type": ["string", "integer"]}]}), set()),
    ("a reference", one({"$ref": "#/$defs/t"}, **{"$defs": {"t": TEXT}}), set()),
    ("a reference to an open one", one({"$ref": "#/$defs/t"}, **{"$defs": {"t": OPEN}}), {""}),
    ("beside a reference", one({"$ref": "#/$defs/t", "minLength": 1}, **{"$defs": {"t": OPEN}}), set()),
    ("the same object says more", one(OPEN, allOf=[{"properties": {"a": {"minLength": 1}}}]), set()),
    ("required elsewhere", whole({"properties": {"a": OPEN}}, allOf=[{"required": ["a"]}]), {""}),
    ("required in a choice", whole({"properties": {"a": OPEN}}, anyOf=[{"required": ["a"]}]), {""}),
    (
        "a choice that tells kinds apart",
        {
            "type": "object",
            "oneOf": [
                whole({"properties": {"k": {"const": 1}, "a": TEXT}, "required": ["k", "a"]}),
                whole({"properties": {"k": {"const": 2}}, "required": ["k"]}),
            ],
        },
        set(),
    ),
    (
        "a choice beside one that takes anything",
        {"type": "object", "anyOf": [one(TEXT), {"type": "object"}]},
        {"", None},
    ),
    (
        "a condition",
        one(OPEN, **{"if": {"required": ["k"]}, "then": {"properties": {"a": {"minLength": 1}}}}),
        {""},
    ),
    (
        "both ways of a condition",
        one(
            OPEN,
            **{
                "if": {"required": ["k"]},
                "then": {"properties": {"a": TEXT}},
                "else": {"properties": {"a": TEXT}},
            },
        ),
        set(),
    ),
    ("what depends on it", one(OPEN, dependentSchemas={"a": {"properties": {"a": TEXT}}}), set()),
    (
        "draft 7",
        one({"allOf": [{"$ref": "#/definitions/t"}]}, **{"$schema": DRAFT_7, "definitions": {"t": TEXT}}),
        set(),
    ),
    ("undeclared and closed", whole({"required": ["a"]}), set()),
    ("undeclared and open", {"type": "object", "required": ["a"]}, {"", None}),
    ("undeclared and described", whole({"required": ["a"]}, additionalProperties=TEXT), set()),
    (
        "what a pattern of names is for",
        whole({"required": ["a"]}, patternProperties={"^a": OPEN}),
        {"", None},
    ),
    ("what a probe requires", whole({"properties": {"a": OPEN}, "not": {"required": ["a"]}}), set()),
]


@pytest.mark.parametrize(("name", "schema", "values"), SHAPES, ids=[name for name, *_ in SHAPES])
def test_what_a_required_property_may_be(name, schema, values):
    """Whatever combination says so; at the root and in the same schema deeper down."""
    del name
    assert blanks(schema) == {((), "a", value) for value in values}
    keep = {key: schema[key] for key in ("$schema", "$defs", "definitions") if key in schema}
    inner = {key: value for key, value in schema.items() if key not in keep}
    for outer, part in [
        ({"properties": {"o": inner}}, "o"),
        ({"properties": {"o": {"type": "array", "items": inner}}}, "o/*"),
        ({"additionalProperties": inner}, "*"),
        ({"patternProperties": {"^x": inner}}, "*"),
    ]:
        found = blanks(
            whole({**keep, **outer}) if "additionalProperties" not in outer else {**keep, **outer}
        )
        assert found == {(tuple(part.split("/")), "a", value) for value in values}


def test_a_choice_further_out_lets_a_blank_past():
    """Arguments that satisfy one choice without the blank satisfy the other one with it."""
    schema = {"type": "object", "anyOf": [{"properties": {"o": one(TEXT)}}, {"properties": {"o": {}}}]}
    assert compile_schema(schema).is_valid({"o": {"a": ""}})
    assert blanks(schema) == {(("o",), "a", ""), (("o",), "a", None)}


def test_odd_names_are_found():
    """A name is a part of a pointer whatever characters it has."""
    name = 'a b%/~é"#?'
    schema = whole(
        {"properties": {name: whole({"properties": {name: OPEN, "t": TEXT}, "required": [name, "t"]})}}
    )
    assert blanks(schema) == {((name,), name, "")}


def test_a_schema_in_itself_is_looked_through():
    """Once, where it comes back."""
    schema = one(OPEN)
    schema["properties"]["next"] = {"$ref": "#"}
    assert blanks(schema) == {((), "a", ""), (("next",), "a", "")}
    recursive = {"$schema": DRAFT_2019, "$recursiveAnchor": True, **one(TEXT)}
    recursive["properties"]["next"] = {"$recursiveRef": "#"}
    assert blanks(recursive) == set()


def test_a_schema_with_too_many_objects_says_so():
    """Nobody takes it for looked through."""
    definitions = {
        f"d{number}": {"properties": {name: {"$ref": f"#/$defs/d{number + 1}"} for name in ("x", "y")}}
        for number in range(20)
    }
    objects = SchemaObjects({"$ref": "#/$defs/d0", "$defs": {**definitions, "d20": {"type": "object"}}})
    assert len(list(objects)) < 10_000
    assert not objects.complete


NAMES = st.sampled_from(["a", "b"])
LEAVES = st.sampled_from(
    [
        TEXT,
        OPEN,
        {},
        {"type": ["string", "null"]},
        {"enum": ["", "x"]},
        {"pattern": "^.+$"},
        {"$ref": "#/$defs/t"},
        {"type": "string", "not": {"const": ""}},
        {"anyOf": [TEXT, {"type": "null"}]},
        {"type": "integer"},
        False,
    ]
)
KIND = {"properties": {"k": {"const": "x"}}, "required": ["k"]}


def objects(inner):
    """Schemas of objects and lists made of others; most of them require something."""
    known = {
        "properties": st.dictionaries(NAMES, inner, min_size=1, max_size=2),
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.just("^b$"), inner, min_size=1, max_size=1),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=3),
        "then": inner,
        "else": inner,
        "items": inner,
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
    }
    required = st.sampled_from([["a"], ["a"], ["b"], ["a", "b"], []])
    chosen = st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=3, unique=True)
    written = chosen.flatmap(
        lambda keys: st.fixed_dictionaries({**{key: known[key] for key in keys}, "required": required})
    )
    return written.map(lambda part: {**part, "if": KIND} if {"then", "else"} & part.keys() else part)


BLANKS = st.sampled_from(["", None, "", None, "x", 1])
VALUES = st.recursive(
    BLANKS,
    lambda inner: (
        st.fixed_dictionaries({"a": inner}, optional={"b": inner, "k": st.just("x")})
        | st.lists(inner, max_size=2)
    ),
    max_leaves=5,
)
OBJECTS = st.fixed_dictionaries({"a": VALUES}, optional={"b": VALUES, "k": st.just("x")})
SCHEMAS = objects(st.recursive(LEAVES, objects, max_leaves=6))


def blank_places(value, at=()):
    """Every object of a value with a name that has "" or null in it."""
    if isinstance(value, dict):
        for name, child in value.items():
            if child in ("", None):
                yield at, name, child
            yield from blank_places(child, (*at, name))
    elif isinstance(value, list):
        for number, child in enumerate(value):
            yield from blank_places(child, (*at, number))


def is_required(places, at, name):
    """Whether any part that may apply there requires the name, by what redaction knows of the schema."""
    place = places.root
    for part in at:
        is_index = isinstance(part, int)
        place = places.item(place, part) if is_index else places.property(place, part)
    return any(name in part.get("required", ()) for part in place.describing)


def is_told(found, place):
    """Whether one of the warnings is about the place; a `*` is any name or number."""
    at, name, value = place
    return any(
        (each, word) == (name, value)
        and len(pointer) == len(at)
        and all(known in ("*", part) for known, part in zip(pointer, at, strict=True))
        for pointer, each, word in found
    )


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=SCHEMAS, definition=SCHEMAS, values=st.lists(OBJECTS, min_size=1, max_size=12))
def test_no_blank_gets_past_without_a_warning(schema, definition, values):
    """Where the contract takes a blank under a name that some part of it requires, there is a warning."""
    # As it is read from a file: no two parts are one object.
    schema = json.loads(json.dumps({"$schema": DRAFT, **schema, "$defs": {"t": definition}}))
    assume(not list(chain_faults(schema)))
    validator = compile_schema(schema)
    places = SchemaPlaces(schema, lambda pattern, name: re.search(pattern, name) is not None)
    found, is_complete = looked_through(schema)
    assume(is_complete)
    for value in values:
        if validator.is_valid(value):
            for place in blank_places(value):
                if is_required(places, *place[:2]):
                    event("a blank that is required")
                    assert is_told(found, place), (value, place, found)
