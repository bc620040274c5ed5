"""Contracts: what is refused as a schema, and what arguments violate."""

import json
import socket

import pytest
from adjudicator.domain.arguments import read_arguments
from adjudicator.policy.schema_checks import drafts
from adjudicator.policy.schema_engine import compile_schema
from adjudicator.policy.snapshot import EvaluationError
from policy.contracts import CLOSED, NAME, contract, read, value_contract

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
    (
        "reference into a choice",
        {"properties": {"a": {"$ref": "#/anyOf/0"}}, "anyOf": [{"type": "object"}]},
        "leads into an `anyOf` or a `oneOf`; define that schema in `$defs`",
    ),
    ("endless", {"allOf": [{"$ref": "#"}]}, "/: leads back to itself about the same value"),
    ("endless at once", {"not": {"$ref": "#"}}, "/: leads back to itself about the same value"),
    (
        "endless inside",
        {
            "properties": {"a": {"$ref": "#/$defs/x"}},
            "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"if": {"$ref": "#/$defs/x"}}},
        },
        "/properties/a: leads back to itself",
    ),
    (
        "a long chain",
        {"$defs": {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(40)} | {"40": {}}},
        "/$defs/0: goes on for more than 32 parts about the same value",
    ),
    (
        "a long choice of fractions",
        {"properties": {"a": {"enum": [n / 2 for n in range(33)]}}},
        "/properties/a/enum: lists 33 fractions and integers beyond 64 bits",
    ),
    ("beside a reference", {**DRAFT_7, "not": {"$ref": "#", "type": "object"}}, "/not: draft 7 ignores"),
    (
        "unknown format",
        {"properties": {"a": {"format": "uuri"}}},
        "/properties/a/format: 'uuri' is not a format that is checked; known in this draft: date,",
    ),
    (
        "backtracking pattern",
        {"properties": {"a": {"pattern": "(?=a)b"}}},
        "/properties/a/pattern: '(?=a)b'",
    ),
    ("broken pattern", {"properties": {"a": {"pattern": "("}}}, "/properties/a/pattern: '(' is not a"),
    (
        "no object",
        {"type": ["object", "null"]},
        '/type: the arguments must be an object; write `"type": "object"`',
    ),
    ("open", {"additionalProperties": None}, "undeclared arguments would pass unjudged"),
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
    properties = {"b/c": {"type": "string", "minLength": 3, "pattern": "^x$"}}
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


READ = [
    ("9007199254740993", ["9007199254740993", "9007199254740992", "-1", "9007199254740992.0"], True),
    ("9007199254740993", ["9007199254740994", "18446744073709551616", "1e300"], False),
    ("18446744073709551617", ["18446744073709551617", "18446744073709551616"], True),
    ("18446744073709551617", ["18446744073709551618", "36893488147419103232"], False),
]


@pytest.mark.parametrize(("maximum", "number", "accepted"), [(m, n, ok) for m, ns, ok in READ for n in ns])
def test_numbers_stay_exact_from_the_texts_to_the_decision(maximum, number, accepted):
    """A bound and a value that a double would make equal are told apart, as both were written."""
    found = value_contract(maximum=int(maximum))
    arguments = read_arguments(
        f'{{"a": {number}}}', max_bytes=1000, max_depth=8, max_values=8, max_digits=100
    )
    assert (found.violations(arguments.value) == ()) is accepted


@pytest.mark.parametrize("draft", drafts().values(), ids=drafts())
def test_the_formats_that_are_known_are_those_that_are_checked(draft):
    """A schema with any other format does not load, and the library agrees with the list."""
    formats = {name for each in drafts().values() for name in each.formats} | {
        "color",
        "host-name",
        "phone",
    }
    for name in sorted(formats):
        schema = CLOSED | {"$schema": draft.uri, "properties": {"a": {"format": name}}}
        found, problems = read(json.dumps(schema))
        assert (found is not None) is (name in draft.formats)
        assert all(f"known in this draft: {', '.join(sorted(draft.formats))}" in each for each in problems)
        try:
            compile_schema(schema)
        except ValueError:
            assert name not in draft.formats
        else:
            assert name in draft.formats


@pytest.mark.parametrize("value", ["\ud800", object(), {1: 2}])
def test_a_value_that_cannot_be_judged_is_an_error(value):
    """What the validator cannot read is never accepted."""
    found = value_contract(pattern="^x$", propertyNames={"maxLength": 9}, maxProperties=9)
    with pytest.raises(EvaluationError, match=r"schemas/t\.json") as raised:
        found.violations({"a": value})
    assert raised.value.__cause__ is not None


def test_a_slow_pattern_is_judged_in_little_time():
    """Patterns run on an engine that does not backtrack; this one takes others longer than a life."""
    assert len(value_contract(pattern="^(a+)+$").violations({"a": "a" * 50_000 + "b"})) == 1


@pytest.mark.parametrize("pointer", ["/pth", "/path/inner", "/path/*", "/line"])
def test_a_declared_argument_that_the_schema_does_not_describe_is_refused(bundle, pointer):
    """With a slip in the pointer every Deny on that path would be off."""
    bundle.replace("registry/tools.yaml", "    /path: {kind: path}\n", f"    {pointer}: {{kind: path}}\n")
    problems = [each for each in bundle.problems() if each.startswith("schemas/read.json")]
    assert [f"`{pointer}`" in each and "not described" in each for each in problems] == (
        [] if pointer == "/line" else [True]
    )
