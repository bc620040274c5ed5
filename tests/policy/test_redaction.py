"""What a schema marks, or does not provide for, is shown nowhere."""

import json

import pytest
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec
from hypothesis import given
from hypothesis import strategies as st
from policy.contracts import CLOSED, NAME, contract, read, value_contract

SECRET = {"type": "string", "writeOnly": True}
ONE_OF = [{"properties": {"k": {"const": "x"}, "v": SECRET}}, {"properties": {"k": {"const": "y"}}}]
HAS_SECRET = {"properties": {"b": SECRET}}
AB = {"a": "t", "b": "s"}
HIDDEN = [
    ("property", {"properties": {"a": SECRET, "b": {}}}, {"a": "s", "b": "t"}, {"a": "*", "b": "t"}),
    ("a slip beside it", {"properties": {"a": SECRET}}, {"a": "s", "A": "s"}, {"a": "*", "A": "*"}),
    ("any type", {"properties": {"a": {"writeOnly": True}}}, {"a": {"b": [1]}}, {"a": "*"}),
    ("null too", {"properties": {"a": SECRET}}, {"a": None}, {"a": "*"}),
    ("said to be shown", {"properties": {"a": {"writeOnly": False}}}, {"a": "t"}, {"a": "t"}),
    (
        "nested",
        {"properties": {"a": {"properties": {"b": SECRET}}}},
        {"a": {"b": "s", "c": 1}},
        {"a": {"b": "*", "c": "*"}},
    ),
    (
        "additional",
        {"properties": {"a": {}}, "additionalProperties": SECRET},
        {"a": "t", "b": "s"},
        {"a": "t", "b": "*"},
    ),
    (
        "by pattern",
        {"patternProperties": {"^x-.*$": SECRET}},
        {"x-a": "s", "X-a": "s"},
        {"x-a": "*", "X-a": "*"},
    ),
    ("items", {"properties": {"a": {"items": SECRET}}}, {"a": ["s", "s"]}, {"a": ["*", "*"]}),
    (
        "prefix items",
        {"properties": {"a": {"prefixItems": [{}, SECRET]}}},
        {"a": ["t", "s"]},
        {"a": ["t", "*"]},
    ),
    ("contains", {"properties": {"a": {"contains": SECRET}}}, {"a": ["s"]}, {"a": ["*"]}),
    ("all of", {"allOf": [{"properties": {"a": SECRET}}]}, {"a": "s"}, {"a": "*"}),
    ("any of", {"anyOf": [{}, {"properties": {"a": SECRET}}]}, {"a": "s"}, {"a": "*"}),
    ("one of, whichever", {"oneOf": ONE_OF}, {"k": "y", "v": "s"}, {"k": "y", "v": "*"}),
    ("condition", {"if": {}, "then": {"properties": {"a": SECRET}}}, {"a": "s"}, {"a": "*"}),
    ("otherwise", {"if": {}, "else": {"properties": {"a": SECRET}}}, {"a": "s"}, {"a": "*"}),
    ("dependent", {"dependentSchemas": {"b": {"properties": {"a": SECRET}}}}, {"a": "s"}, {"a": "*"}),
    (
        "reference",
        {"properties": {"a": {"$ref": "#/$defs/s"}}, "$defs": {"s": SECRET}},
        {"a": "s"},
        {"a": "*"},
    ),
    (
        "circle",
        {"properties": {"a": {"$ref": "#"}, "b": SECRET, "c": {}}},
        {"a": {"a": {"b": "s"}, "c": 1}},
        {"a": {"a": {"b": "*"}, "c": 1}},
    ),
]


UNDESCRIBED = [
    ("a slip in the name", {"properties": {"token": SECRET}}, {"tokn": "s"}, {"tokn": "*"}),
    (
        "a slip where another branch is open",
        {"allOf": [{"additionalProperties": True}, {"properties": {"token": SECRET}}]},
        {"tokn": "s"},
        {"tokn": "*"},
    ),
    (
        "a slip in one of two forms",
        {"anyOf": [HAS_SECRET, {"properties": {"c": {}}, "additionalProperties": {"type": "string"}}]},
        {"b": "s", "B": "s", "c": "t"},
        {"b": "*", "B": "*", "c": "t"},
    ),
    ("nobody closed it", {"properties": {"a": {"type": "object"}}}, {"a": {"b": "s"}}, {"a": {"b": "*"}}),
    ("a list of anything", {"properties": {"a": {"type": "array"}}}, {"a": ["s"]}, {"a": ["*"]}),
    ("below an open place", {"properties": {"a": True}}, {"a": {"b": "s"}}, {"a": {"b": "*"}}),
    ("a property in place of a text", {"properties": {"a": {"type": "string"}}}, {"a": {"b": "s"}}, None),
    ("forbidden", {"properties": {"a": False}}, {"a": "s"}, {"a": "*"}),
    ("ruled out", {"not": {"properties": {"a": {"const": "t"}}}}, {"a": "s"}, {"a": "*"}),
    ("after the last", {"properties": {"a": {"prefixItems": [{}]}}}, {"a": ["t", "s"]}, {"a": ["t", "*"]}),
    ("said of one item", {"properties": {"a": {"contains": {}}}}, {"a": ["s"]}, {"a": ["*"]}),
    ("a text in place of an object", {"properties": {"a": HAS_SECRET}}, {"a": "s"}, {"a": "*"}),
    ("a number in place of a list", {"properties": {"a": {"items": SECRET}}}, {"a": 1}, {"a": "*"}),
    ("a list in place of an object", {"properties": {"a": HAS_SECRET}}, {"a": ["s"]}, {"a": ["*"]}),
    (
        "a text in place of a list of objects",
        {"properties": {"a": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"items": {"anyOf": [HAS_SECRET]}}}},
        {"a": "s"},
        {"a": "*"},
    ),
    (
        "JSON in a text",
        {"properties": {"a": {"contentMediaType": "application/json", "contentSchema": HAS_SECRET}}},
        {"a": '{"b": "s"}'},
        {"a": "*"},
    ),
    ("described as anything", {"additionalProperties": {}}, {"a": "t"}, {"a": "t"}),
    ("described elsewhere", {"allOf": [{"properties": {"a": {}}}]}, {"a": "t"}, {"a": "t"}),
    ("described by a pattern", {"patternProperties": {"^a$": {}}}, AB, {"a": "t", "b": "*"}),
]


@pytest.mark.parametrize(
    ("schema", "arguments", "shown"), [c[1:] for c in UNDESCRIBED], ids=[c[0] for c in UNDESCRIBED]
)
def test_what_is_not_provided_for_is_hidden(schema, arguments, shown):
    """A value that the schema says nothing of, or that is not of the form it has there, may be a secret."""
    redacted = json.dumps(contract(**schema).redact(arguments)).replace("[redacted]", "*")
    assert json.loads(redacted) == (shown or {"a": {"b": "*"}})


def test_an_unknown_name_is_in_the_violation_and_its_value_is_not():
    """The denial of a call with a slip in a name says which, and repeats no value."""
    (violation,) = contract(properties={"token": SECRET}).violations({"tokn": "hunter2"})
    assert "tokn" in violation.message
    assert "hunter2" not in violation.message


LEAF = st.just(({"type": "string"}, "plain"))
LOST = st.recursive(
    st.just("HUNTER2"),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2) | st.dictionaries(st.just("x"), inner, min_size=1)
    ),
    max_leaves=3,
)
MARKED = LOST.map(lambda value: ({"writeOnly": True}, value))
MISPLACED = st.tuples(st.sampled_from([HAS_SECRET, {"items": SECRET}, {"allOf": [HAS_SECRET]}]), LOST)


@st.composite
def objects(draw, inner):
    """A schema and a value of described properties, beside others that it does not describe."""
    described = draw(st.dictionaries(st.sampled_from("abc"), inner, max_size=3))
    schema = {"properties": {name: part for name, (part, _) in described.items()}}
    schema |= draw(st.sampled_from([{}, {"additionalProperties": False}]))
    value = {name: child for name, (_, child) in described.items()}
    return schema, value | draw(st.dictionaries(st.sampled_from("xyz"), LOST, max_size=2))


@st.composite
def lists(draw, inner):
    """The same for a list: described items, then others."""
    described = draw(st.lists(inner, min_size=1, max_size=2))
    value = [child for _, child in described] + draw(st.lists(LOST, max_size=2))
    return {"prefixItems": [part for part, _ in described]}, value


WRAPPED = st.sampled_from(["plain", "allOf", "oneOf", "then"])


@given(
    st.recursive(LEAF | MARKED | MISPLACED, lambda inner: objects(inner) | lists(inner), max_leaves=8),
    WRAPPED,
)
def test_no_secret_is_shown_wherever_it_was_put(drawn, wrapped):
    """Marked, under a name or in a place that nobody described, or in a form that nobody expected."""
    part, value = drawn
    if wrapped != "plain":
        part = {wrapped: [part] if wrapped != "then" else part} | ({"if": {}} if wrapped == "then" else {})
    shown = json.dumps(value_contract(**part).redact({"a": value, "b": ["HUNTER2"]}))
    assert "HUNTER2" not in shown
    assert shown.count("plain") == json.dumps(value).count("plain")


DECLARED = [
    ("itself", {"properties": {"a": SECRET}}, "/a", "it, or what it is in, is marked"),
    ("around it", {"properties": {"a": {"writeOnly": True}}}, "/a/b", "it, or what it is in, is marked"),
    ("everything", {"writeOnly": True}, "/a", "it, or what it is in, is marked"),
    ("in it", {"properties": {"a": HAS_SECRET}}, "/a", "a value in it is marked"),
    ("items", {"properties": {"a": {"items": SECRET}}}, "/a/*", "it, or"),
    ("one item", {"properties": {"a": {"prefixItems": [{}, SECRET]}}}, "/a/*", "it, or"),
    ("that item", {"properties": {"a": {"prefixItems": [{}, SECRET]}}}, "/a/1", "it, or"),
    ("contained", {"properties": {"a": {"contains": SECRET}}}, "/a/0", "it, or"),
    ("in items", {"properties": {"a": {"items": HAS_SECRET}}}, "/a/*", "a value in it"),
    ("of items", {"properties": {"a": {"items": HAS_SECRET}}}, "/a/*/b", "it, or"),
    ("reference", {"properties": {"a": {"$ref": "#/$defs/s"}}, "$defs": {"s": SECRET}}, "/a", "it, or"),
    ("any of", {"anyOf": [{}, {"properties": {"a": SECRET}}]}, "/a", "it, or"),
    ("otherwise", {"if": {}, "else": {"properties": {"a": SECRET}}}, "/a", "it, or"),
    ("by pattern", {"patternProperties": {"^a$": SECRET}}, "/a", "it, or"),
    ("additional", {"additionalProperties": SECRET}, "/a", "it, or"),
    ("escaped", {"properties": {"a/b": SECRET}}, "/a~1b", "it, or"),
    ("beside", {"properties": {"a": HAS_SECRET}}, "/a/c", "a value beside it in `/a` is marked"),
    ("of no list", {"properties": {"a": SECRET}}, "/*", "a value beside it in `/` is marked"),
]


@pytest.mark.parametrize(
    ("schema", "pointer", "message"), [c[1:] for c in DECLARED], ids=[c[0] for c in DECLARED]
)
def test_a_secret_is_no_declared_argument(schema, pointer, message):
    """Rules look at declared arguments and verdicts show them, so the two may not be the same."""
    spec = ArgumentSpec(pointer, ArgumentKind.TEXT)
    _, problems = read(json.dumps(CLOSED | schema), (spec,))
    (problem,) = problems
    assert problem.startswith(f"{NAME}: `{pointer}` is an argument that the registry declares")
    assert message in problem
    assert "take it out of the tool's `arguments`" in problem


@pytest.mark.parametrize("pointer", ["/b", "/c/0", "/c/*", "/d/e"])
def test_an_argument_beside_a_secret_may_be_declared(pointer):
    """Only what may hold the secret is refused."""
    schema = {"properties": {"a": SECRET, "b": {}, "c": {"items": {}}, "d": {"properties": {"e": {}}}}}
    assert read(json.dumps(CLOSED | schema), (ArgumentSpec(pointer, ArgumentKind.TEXT),))[1] == []


@pytest.mark.parametrize(
    ("schema", "arguments", "shown"), [c[1:] for c in HIDDEN], ids=[c[0] for c in HIDDEN]
)
def test_what_is_marked_is_hidden(schema, arguments, shown):
    """Every branch of the schema counts; the arguments themselves stay as they are."""
    before = json.dumps(arguments)
    redacted = contract(**{"additionalProperties": {}, **schema}).redact(arguments)
    assert json.loads(json.dumps(redacted).replace("[redacted]", "*")) == shown
    assert json.dumps(arguments) == before


KEYWORDS = [
    {"minLength": 100},
    {"maxLength": 1},
    {"pattern": "^z$"},
    {"format": "uri"},
    {"const": "z"},
    {"enum": ["z"]},
    {"type": "integer"},
    {"not": {"type": "string"}},
    {"anyOf": [{"type": "integer"}, {"maxLength": 1}]},
    {"oneOf": [{"type": "integer"}, {"maxLength": 1}]},
    {"if": {"type": "string"}, "then": {"maxLength": 1}},
    {"contentEncoding": "base64", "maxLength": 1},
]


@pytest.mark.parametrize("schema", KEYWORDS)
@pytest.mark.parametrize("place", ["property", "item", "key"])
def test_a_hidden_value_is_in_no_message(schema, place):
    """Whichever keyword fails, and wherever the value is, its violation does not repeat it."""
    secret = "hunter2-hunter2"  # noqa: S105 - it only plays one
    if place == "property":
        found, arguments = value_contract(writeOnly=True, **schema), {"a": secret}
    elif place == "item":
        found, arguments = value_contract(items={"writeOnly": True, **schema}), {"a": [secret]}
    else:
        found, arguments = value_contract(writeOnly=True, additionalProperties=schema), {"a": {"k": secret}}
    violations = found.violations(arguments)
    assert violations
    assert "hunter2" not in str(violations)


SECRET_NAME = {"SECRETNAME": "v"}
TELLING = [
    ("a name too many", {"additionalProperties": False, "properties": {"a": {}}}),
    ("nothing evaluated", {"unevaluatedProperties": False}),
    ("no such name", {"propertyNames": {"pattern": "^z$"}}),
    ("below the name", {"additionalProperties": {"type": "integer"}}),
    ("forbidden", {"patternProperties": {"^S.*$": False}}),
    ("in a list", {"additionalProperties": {"items": False}}),
    ("too few", {"minProperties": 3}),
]


@pytest.mark.parametrize("schema", [c[1] for c in TELLING], ids=[c[0] for c in TELLING])
@pytest.mark.parametrize("value", [SECRET_NAME, {"SECRETNAME": ["v"]}], ids=["text", "list"])
def test_names_in_a_hidden_object_are_in_no_violation(schema, value):
    """The whole object is the secret: neither a path leads into it, nor does a message list its names."""
    found = value_contract(type="object", writeOnly=True, **schema).violations({"a": value})
    assert "SECRETNAME" not in str(found)
    assert {each.path for each in found} <= {"/a"}


def test_a_violation_above_a_hidden_value_shows_it_hidden():
    """A message about the whole object shows the object as an approver would see it."""
    found = contract(properties={"a": {"properties": {"k": SECRET}, "minProperties": 3}})
    (violation,) = found.violations({"a": {"k": "hunter2", "b": 1}})
    assert "[redacted]" in violation.message
    assert "hunter2" not in violation.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["path", "content", "text", "url", "authorization", "x"]), JSON))
def test_any_arguments_are_judged_and_redacted(shipped, arguments):
    """No JSON object crashes a shipped contract, and the hidden argument never shows."""
    for one in shipped.contracts.values():
        one.violations(arguments)
    redacted = shipped.contracts["fetch"].redact(arguments)
    assert redacted.keys() == arguments.keys()
    assert redacted.get("authorization") in (None, "[redacted]")
