"""Contracts: what is refused as a schema, what arguments violate, and what is hidden."""

import json
import socket
from types import SimpleNamespace

import pytest
from adjudicator.domain.facet import ArgumentKind, ArgumentSpec
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.schemas import FOLDER, read_contracts
from adjudicator.policy.snapshot import EvaluationError
from adjudicator.policy.source import Source, Sources
from hypothesis import given
from hypothesis import strategies as st

NAME = f"{FOLDER}/t.json"
CLOSED = {"type": "object", "additionalProperties": False}


def read(text, arguments=()):
    """The contract and the problems of a schema file with this text."""
    problems = Problems()
    sources = Sources("", {NAME: Source(NAME, text)}, frozenset({NAME}))
    tools = {"t": SimpleNamespace(arguments=arguments)}
    registry = Registry({}, {}, tools)
    contracts = read_contracts(sources, registry, problems)
    return contracts.get("t"), [str(problem) for problem in problems]


def contract(**schema):
    """The contract of a sound schema."""
    found, problems = read(json.dumps(CLOSED | schema))
    assert problems == []
    return found


def value_contract(**schema):
    """The contract of one argument `a`."""
    return contract(properties={"a": schema})


DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
REFUSED = [
    ("not JSON", "{", f"{NAME}:1:2: its contents are not JSON"),
    ("trailing comma", '{\n "type": "object",\n}', f"{NAME}:3:1: its contents are not JSON"),
    (
        "duplicate key",
        '{"type": "object", "type": "object"}',
        "its contents name the key 'type' twice; write it once",
    ),
    ("NaN", '{"const": NaN}', "its contents hold NaN, which is not JSON; write null"),
    ("lone surrogate", '{"title": "\\ud800"}', "half of a surrogate pair; write whole characters"),
    ("null", "null", "the file is `null`"),
    ("a list", "[]", "a schema here is an object"),
    ("too deep", "[" * 100 + "]" * 100, "nested more than 64 levels deep"),
    ("far too deep", "[" * 100_000, "nested more than 64 levels deep"),
    (
        "a number that would be rounded",
        '{"const": 9007199254740993.0}',
        "a number that a double cannot hold; write",
    ),
    ("a number out of range", '{"const": 1e400}', "out of range; write a smaller one"),
    ("number too long", '{"const": ' + "1" * 5000 + "}", "digits"),
    ("unknown draft", {"$schema": "http://json-schema.org/draft-04/schema#"}, "/$schema: not known here"),
    ("wrong type", {"properties": {"a": {"type": "strin"}}}, "/properties/a/type: 'strin' is not valid"),
    (
        "wrong keyword value",
        {"properties": {"a": {"minLength": "1"}}},
        "/properties/a/minLength: '1'",
    ),
    ("unknown keyword", {"properties": {"a": {"minlength": 1}}}, "/properties/a/minlength: not a keyword"),
    (
        "unknown keyword of a draft",
        {**DRAFT_7, "unevaluatedProperties": False},
        "not a keyword of this draft",
    ),
    (
        "remote reference",
        {"properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}},
        "/properties/a/$ref: 'http",
    ),
    ("file reference", {"allOf": [{"$ref": "file:///etc/hostname"}]}, "/allOf/0/$ref: 'file"),
    ("relative reference", {"$defs": {"a": {"$ref": "other.json"}}}, "nothing is ever fetched"),
    ("remote dynamic reference", {"items": {"$dynamicRef": "http://127.0.0.1:9/x"}}, "/items/$dynamicRef"),
    ("anchor reference", {"not": {"$ref": "#name"}}, "/not/$ref: '#name' is not a place in this file"),
    ("dangling reference", {"not": {"$ref": "#/$defs/x"}}, "'#/$defs/x' points at nothing"),
    (
        "reference to no schema",
        {"not": {"$ref": "#/required"}, "required": []},
        "does not point at a schema",
    ),
    ("reference to data", {"not": {"$ref": "#/default"}, "default": {}}, "does not point at a schema"),
    ("escaped reference", {"not": {"$ref": "#/$defs/%61"}, "$defs": {"a": {}}}, "has an escaped character"),
    ("another base", {"$id": "http://example.test/x"}, "/$id: changes what a reference means"),
    ("beside a reference", {**DRAFT_7, "not": {"$ref": "#", "type": "object"}}, "/not: draft 7 ignores"),
    ("unknown format", {"properties": {"a": {"format": "uuri"}}}, "Unknown format: 'uuri'"),
    (
        "backtracking pattern",
        {"properties": {"a": {"pattern": "(?=a)b"}}},
        "/properties/a/pattern: '(?=a)b'",
    ),
    ("broken pattern", {"properties": {"a": {"pattern": "("}}}, "/properties/a/pattern: '(' is not a"),
    ("no object", {"type": ["object", "null"]}, '/type: arguments are an object; write `"type": "object"`'),
    ("open", {"additionalProperties": None}, "undeclared arguments would reach the tool unjudged"),
    (
        "may be empty",
        {"properties": {"a": {"type": "string"}}, "required": ["a"]},
        "/properties/a: a required text",
    ),
    (
        "may be null",
        {"properties": {"a": {"type": ["string", "null"], "minLength": 1}}, "required": ["a"]},
        "null",
    ),
    (
        "of no type",
        {"properties": {"a": {"minLength": 1}}, "required": ["a"]},
        "state a `type` without null",
    ),
    ("undeclared", {"required": ["a"]}, "a required argument needs a schema"),
    ("empty choice", {"properties": {"a": {"enum": ["", "b"]}}, "required": ["a"]}, "take that value away"),
    (
        "may be empty elsewhere",
        {"$defs": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/s"}}, "required": ["a"]},
        "a required text may be empty",
    ),
]


@pytest.mark.parametrize(("schema", "message"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_a_schema_is_refused(schema, message):
    """The problem names the file and the place, and there is no contract."""
    if isinstance(schema, dict):
        schema = {key: value for key, value in (CLOSED | schema).items() if value is not None}
        schema = json.dumps(schema)
    found, problems = read(schema)
    assert found is None
    assert len(problems) == 1
    assert problems[0].startswith(NAME)
    assert message in problems[0]


def test_every_fault_of_a_schema_is_listed():
    """Two faults in one file are two problems."""
    _, problems = read(json.dumps({"properties": {"a": {"minlength": 1}, "b": {"$ref": "x"}}}))
    assert len(problems) == 4


def test_an_empty_text_that_is_meant_loads():
    """`"minLength": 0` says that the author thought of it."""
    found = contract(properties={"a": {"type": "string", "minLength": 0}}, required=["a"])
    assert found.violations({"a": ""}) == ()
    assert [v.keyword for v in found.violations({"a": None})] == ["type"]


@pytest.mark.parametrize(
    "draft",
    [
        "http://json-schema.org/draft-07/schema#",
        *[f"https://json-schema.org/draft/{version}/schema" for version in ("2019-09", "2020-12")],
    ],
)
def test_three_drafts_are_known(draft):
    """Each draft is judged by its own rules: only draft 7 has items as a list and no prefixItems."""
    found = contract(
        **{"$schema": draft}, properties={"a": {"type": "array", "items": {"type": "integer"}}}
    )
    assert [v.path for v in found.violations({"a": [1, "x"]})] == ["/a/1"]


def test_local_references_work_and_may_be_circular():
    """A tree of itself is judged, and nothing is fetched for it."""
    found = contract(
        properties={"a": {"$ref": "#/$defs/tree"}},
        **{"$defs": {"tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}}}},
    )
    assert found.violations({"a": {"next": {"next": {}}}}) == ()
    assert [v.path for v in found.violations({"a": {"next": {"next": 1}}})] == ["/a/next/next"]


def test_no_socket_is_ever_opened(monkeypatch):
    """Neither reading a schema with a remote reference nor judging by a schema touches the network."""

    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert read(json.dumps(CLOSED | {"not": {"$ref": "http://127.0.0.1:9/x"}}))[0] is None
    assert value_contract(format="uri").violations({"a": "http://127.0.0.1:9/"}) == ()


def test_every_violation_is_listed_in_order():
    """Order of path, then keyword; each with a pointer that is escaped as RFC 6901 says."""
    properties = {"b/c": {"type": "string", "minLength": 3, "pattern": "^x"}}
    properties |= {"a": {"type": "integer"}, "d": {"type": "integer"}}
    violations = contract(properties=properties, required=["d"]).violations({"b/c": "", "a": "1", "e": 1})
    assert [(v.path, v.keyword) for v in violations] == [
        ("", "additionalProperties"),
        ("", "required"),
        ("/a", "type"),
        ("/b~1c", "minLength"),
        ("/b~1c", "pattern"),
    ]


def test_a_violation_says_what_was_there_in_few_words():
    """The value is shown, cut, and escaped so that a terminal is safe."""
    (violation,) = value_contract(maxLength=3).violations({"a": "\x1b" + "x" * 10_000})
    assert violation.message.startswith("'\\x1bxxx")
    assert len(violation.message) < 400


def test_many_unknown_names_give_a_short_message():
    """Names that the caller makes up do not fill the record."""
    (violation,) = contract().violations({"x" * 1000 + str(n): 1 for n in range(1000)})
    assert len(violation.message) <= 601


EXACT = [
    ({"maximum": 2**53}, 2**53 + 1),
    ({"maximum": 2**64}, 2**64 + 1),
    ({"exclusiveMaximum": 2**70}, 2**70),
    ({"minimum": -(2**64)}, -(2**64) - 1),
    ({"const": 2**53}, 2**53 + 1),
    ({"const": 2**64}, 2**64 + 1),
    ({"enum": [2**53 + 1]}, float(2**53)),
    ({"multipleOf": 3}, 10**30),
    ({"type": "integer", "maximum": 10}, 10**400),
    ({"const": 1}, True),
    ({"enum": [[0]]}, [False]),
    ({"type": "integer"}, True),
    ({"type": "integer"}, 1.5),
    ({"uniqueItems": True}, [2**64, 2**64]),
    ({"pattern": "^[a-z]+$"}, "safe\n"),
    ({"pattern": "^\\d+$"}, "\u0663"),
    ({"minLength": 2}, "\U0001f44d"),
    ({"format": "date"}, "2024-02-30"),
    ({"format": "uri"}, "not one"),
]


@pytest.mark.parametrize(("schema", "value"), EXACT)
def test_values_are_compared_exactly(schema, value):
    """Integers beyond doubles, booleans, line ends, digits of other scripts, formats."""
    assert len(value_contract(**schema).violations({"a": value})) == 1


ACCEPTED = [
    ({"maximum": 2**64}, 2**64),
    ({"const": 2**64 + 1}, 2**64 + 1),
    ({"uniqueItems": True}, [2**64, 2**64 + 1]),
    ({"type": "integer"}, 10**400),
    ({"const": 1}, 1.0),
]


@pytest.mark.parametrize(("schema", "value"), ACCEPTED)
def test_exact_values_are_accepted(schema, value):
    """What is equal is equal, however large."""
    assert value_contract(**schema).violations({"a": value}) == ()


@pytest.mark.parametrize("value", ["\ud800", object(), {1: 2}])
def test_a_value_that_cannot_be_judged_is_an_error(value):
    """What the validator cannot read is never accepted."""
    found = value_contract(pattern="x", propertyNames={"maxLength": 9}, maxProperties=9)
    with pytest.raises(EvaluationError, match=r"schemas/t\.json") as raised:
        found.violations({"a": value})
    assert raised.value.__cause__ is not None


def test_a_slow_pattern_is_judged_in_little_time():
    """Patterns run on an engine that does not backtrack; this one takes others longer than a life."""
    assert len(value_contract(pattern="^(a+)+$").violations({"a": "a" * 50_000 + "b"})) == 1


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
        {"patternProperties": {"^x-": SECRET}},
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
    (
        "circle without an end",
        {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/x"}}},
        {"a": "t"},
        {"a": "t"},
    ),
]


UNDESCRIBED = [
    ("a slip in the name", {"properties": {"token": SECRET}}, {"tokn": "s"}, {"tokn": "*"}),
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
    ("described by a pattern", {"patternProperties": {"^a": {}}}, AB, {"a": "t", "b": "*"}),
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
    ("by pattern", {"patternProperties": {"^a": SECRET}}, "/a", "it, or"),
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


@pytest.mark.parametrize("pointer", ["/pth", "/path/inner", "/path/*", "/line"])
def test_a_declared_argument_that_the_schema_does_not_describe_is_refused(bundle, pointer):
    """With a slip in the pointer every Deny on that path would be off."""
    bundle.replace("registry/tools.yaml", "    /path: {kind: path}\n", f"    {pointer}: {{kind: path}}\n")
    problems = [each for each in bundle.problems() if each.startswith("schemas/read.json")]
    assert [f"`{pointer}`" in each and "not described" in each for each in problems] == (
        [] if pointer == "/line" else [True]
    )
