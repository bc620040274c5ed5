"""`schemas/<tool>.output.json`: what a tool declares of its output, read as strictly as its arguments."""

import json

import pytest
from adjudicator.domain.trace import Recorded

NAME = "schemas/read.output.json"
CLOSED = {"type": "object", "additionalProperties": False}


def declare(bundle, **schema):
    """Let the shipped tool `read` declare its output; the problems."""
    bundle.write(NAME, json.dumps(CLOSED | schema))
    return bundle.problems()


def test_a_tool_may_declare_its_output(bundle):
    """The contract is the output's alone; other tools go without."""
    assert declare(bundle, properties={"text": {"type": "string"}}) == []
    snapshot = bundle.load()
    contract = snapshot.output_contracts["read"]
    assert contract.violations({"text": ""}) == ()
    assert [each.path for each in contract.violations({"text": 1})] == ["/text"]
    assert "write" not in snapshot.output_contracts
    assert snapshot.contracts["read"].violations({"text": ""})


def test_an_output_contract_counts_in_the_version(bundle):
    """It decides what is kept of a call."""
    before = bundle.load().version
    assert declare(bundle) == []
    assert bundle.load().version != before


REFUSED = [
    ("no JSON", "{", f"{NAME}:1:2: its contents are not JSON"),
    ("a key twice", '{"type": "object", "type": "object"}', "twice"),
    ("no object", {"type": "array"}, "/type: the output must be an object"),
    (
        "open",
        {"additionalProperties": None},
        "/additionalProperties: undeclared output would pass unjudged",
    ),
    ("an unknown word", {"secret": True}, "/secret: not a keyword of this draft"),
    ("a slip in the mark", {"x-secert": True}, "/x-secert: nearly `x-secret`, but would be ignored"),
    ("a mark in capitals", {"x-Secret": True}, "/x-Secret: nearly `x-secret`"),
    ("a mark of another type", {"x-secret": "yes"}, "/x-secret: write `true`, or `false`"),
    (
        "a mark on names",
        {"propertyNames": {"x-secret": True}},
        "/propertyNames: names are not hidden alone; mark the object",
    ),
    (
        "a mark on names from elsewhere",
        {"propertyNames": {"allOf": [{"$ref": "#/$defs/s"}]}, "$defs": {"s": {"writeOnly": True}}},
        "/propertyNames: names are not hidden alone",
    ),
    ("a reference elsewhere", {"$ref": "https://example.test/a"}, "nothing is ever fetched"),
    ("a search", {"properties": {"a": {"pattern": "a"}}}, "would be searched for"),
]


@pytest.mark.parametrize(("schema", "message"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_an_output_contract_is_read_strictly(bundle, schema, message):
    """The bundle does not load, and the problem names the file and the place."""
    if isinstance(schema, dict):
        schema = json.dumps({k: v for k, v in (CLOSED | schema).items() if v is not None})
    bundle.write(NAME, schema)
    (problem,) = bundle.problems()
    assert problem.startswith(NAME)
    assert message in problem


def test_a_required_output_may_be_empty_or_null(bundle):
    """It is arguments that may not be blank: an output is what it is."""
    nullable = {"type": ["string", "null"]}
    assert declare(bundle, properties={"text": nullable}, required=["text"]) == []


def test_the_output_of_a_tool_that_is_not_registered_is_refused(bundle):
    """With a slip in the file's name nothing would be checked."""
    bundle.write("schemas/raed.output.json", json.dumps(CLOSED))
    assert bundle.problems() == [
        "schemas/raed.output.json: 'raed' is not a registered tool; register it, or remove the file"
    ]


def test_a_tool_is_not_named_as_the_schema_of_an_output(bundle):
    """Nobody could tell whose schema the file is."""
    bundle.append(
        "registry/tools.yaml", "\nread.output: {title: t, description: d, access: read, permission: x}"
    )
    assert any("'read.output' ends as the schema of an output" in problem for problem in bundle.problems())


def test_an_output_contract_is_no_contract_of_arguments(bundle):
    """A tool needs that one in any case."""
    bundle.append("registry/tools.yaml", "\nx: {title: t, description: d, access: read, permission: x}")
    bundle.write("schemas/x.output.json", json.dumps(CLOSED))
    assert bundle.problems() == ["schemas/x.json: the tool `x` has no schema; add this file"]


class TestRedaction:
    """What an output contract hides."""

    def test_our_own_mark_hides_as_write_only_does(self, bundle):
        """In arrays, in choices and behind references."""
        secret = {"type": "string", "x-secret": True}
        schema = {
            "properties": {
                "cookies": {"type": "array", "items": {"$ref": "#/$defs/cookie"}},
                "either": {"anyOf": [{"type": "integer"}, secret]},
                "plain": {"type": "string", "x-secret": False},
            },
            "$defs": {"cookie": {"properties": {"name": {}, "value": secret}}},
        }
        assert declare(bundle, **schema) == []
        contract = bundle.load().output_contracts["read"]
        output = {"cookies": [{"name": "n", "value": "s", "valeu": "s"}], "either": "s", "plain": "t"}
        hidden = "[redacted]"
        assert contract.redact(output) == {
            "cookies": [{"name": "n", "value": hidden, "valeu": hidden}],
            "either": hidden,
            "plain": "t",
        }

    @pytest.mark.parametrize("output", ["MARKED", ["MARKED"], 1, None, True])
    def test_what_is_no_object_is_hidden_whole(self, bundle, output):
        """The schema speaks of an object, so nobody knows what this is; and it violates the contract."""
        assert declare(bundle, properties={"text": {}}) == []
        contract = bundle.load().output_contracts["read"]
        assert contract.redact(output) == "[redacted]"
        (violation,) = contract.violations(output)
        assert (violation.path, violation.keyword) == ("", "type")
        assert "MARKED" not in violation.message

    def test_a_violation_without_quotes_shows_form_and_names(self, bundle):
        """Where only a digest is kept no value is, wherever it stands."""
        assert declare(bundle, properties={"a": {"uniqueItems": True}, "b": {"const": 1}}) == []
        contract = bundle.load().output_contracts["read"]
        found = contract.violations({"a": ["MARKED", "MARKED"], "b": "MARKED"}, quoting=False)
        assert [each.path for each in found] == ["/a", "/b"]
        assert "MARKED" not in str(found)


class TestRecorded:
    """`record_arguments` and `record_output`, in the bundle and for a tool."""

    def test_nobody_said_anything(self, bundle):
        """Arguments and outputs are redacted, whoever knows the tool."""
        for key in ("record_arguments", "record_output"):
            bundle.replace("bundle.yaml", f"  {key}: redacted\n", "")
        snapshot = bundle.load()
        assert snapshot.recorded_arguments("bash") is Recorded.REDACTED
        assert snapshot.recorded_output("bash") is Recorded.REDACTED
        assert snapshot.recorded_output("gone") is Recorded.REDACTED

    def test_a_tool_overrides_the_bundle(self, bundle):
        """Each of the two for itself."""
        bundle.replace("bundle.yaml", "record_arguments: redacted", "record_arguments: full")
        bundle.replace("bundle.yaml", "record_output: redacted", "record_output: digest")
        bundle.replace(
            "registry/tools.yaml",
            "title: Read a file\n",
            "title: Read a file\n  record_arguments: digest\n",
        )
        snapshot = bundle.load()
        assert snapshot.recorded_arguments("read") is Recorded.DIGEST
        assert snapshot.recorded_output("read") is Recorded.DIGEST
        assert snapshot.recorded_arguments("bash") is Recorded.FULL

    def test_another_word_is_a_problem_at_its_place(self, bundle):
        """It names the words that there are."""
        bundle.replace("bundle.yaml", "record_output: redacted", "record_output: none")
        bundle.replace(
            "registry/tools.yaml", "title: Read a file\n", "title: Read a file\n  record_arguments: Full\n"
        )
        first, second = bundle.problems()
        assert first.startswith("bundle.yaml:")
        assert first.endswith("`record_output` is 'none'; write `full`, `redacted`, `digest`")
        assert "`record_arguments` is 'Full'" in second
