"""No schema that loads and no arguments within the limits take long, or end the process."""

import json
import subprocess
import sys
import time

import pytest
from adjudicator.config.limits import SCHEMA_CHAIN, Limits
from adjudicator.domain.arguments import Fault, read_arguments
from policy.contracts import CLOSED, contract, read

SECONDS = 3
"""Each case takes under half a second on an idle machine; without bounds some never end."""
NODE = {"$ref": "#/$defs/node"}
RECURSIVE = {
    "oneOf": {
        "type": "object",
        "properties": {"n": {"oneOf": [NODE, NODE]}},
        "additionalProperties": False,
    },
    "anyOf": {
        "type": "object",
        "properties": {"n": {"anyOf": [NODE, NODE]}},
        "additionalProperties": False,
    },
    "allOf": {
        "type": "object",
        "properties": {"n": {"allOf": [NODE, NODE]}},
        "additionalProperties": False,
    },
    "if": {"properties": {"n": {"if": NODE, "then": NODE, "else": NODE}}, "additionalProperties": False},
    "unevaluated": {
        "anyOf": [{"properties": {"n": NODE}}, {"properties": {"n": NODE, "m": True}}],
        "unevaluatedProperties": False,
    },
    "dependentSchemas": {
        "properties": {"n": NODE},
        "dependentSchemas": {"n": {"properties": {"n": NODE}}},
        "additionalProperties": False,
    },
    "patternProperties": {
        "properties": {"n": NODE},
        "patternProperties": {"^n$": NODE},
        "additionalProperties": False,
    },
}
BRANCHES = [
    {"type": "object", "properties": {"k": {"const": f"v{n}"}}, "required": ["k"]} for n in range(100)
]
NAMES = [f"r{n}" for n in range(300)]
WIDE = {f"name{n}": n for n in range(1_990)}
SLOW_TEXT = "".join("ab"[(n * 2654435761 >> 16) & 1] for n in range(250_000))


def nested(depth, leaf):
    """Objects in one another."""
    value = leaf
    for _ in range(depth):
        value = {"n": value}
    return value


def lists(schema):
    """A schema with a list of these."""
    return {"properties": {"l": {"type": "array", "items": schema}}}


CASES = [
    *[
        (f"recursive {name}", {"properties": {"n": NODE}, "$defs": {"node": node}}, nested(61, {"x": 1}))
        for name, node in RECURSIVE.items()
    ],
    ("many choices, no object", lists({"oneOf": BRANCHES}), {"l": [1] * 1_990}),
    ("many choices, objects", lists({"oneOf": BRANCHES}), {"l": [{"k": "q"}] * 990}),
    ("many names", {"propertyNames": {"maxLength": 3}, "additionalProperties": True}, WIDE),
    (
        "much missing of much text",
        {"properties": {name: {"type": "integer"} for name in NAMES}, "required": NAMES},
        {"a": "x" * 1_000_000},
    ),
    ("many values of none", lists({"enum": [f"s{n}" for n in range(1_000)]}), {"l": ["q"] * 1_990}),
    ("fractions", lists({"enum": [n + 0.5 for n in range(32)]}), {"l": [40.5] * 1_990}),
    ("a slow pattern", {"properties": {"a": {"pattern": "^(?:[ab]*a[ab]{99}b)c$"}}}, {"a": SLOW_TEXT}),
]


@pytest.mark.parametrize(("schema", "arguments"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_rejected_arguments_are_explained_in_little_time(schema, arguments):
    """However much could be told, a rejection is one, names something, and is there soon."""
    found = contract(**schema)
    began = time.perf_counter()
    violations = found.violations(arguments)
    assert time.perf_counter() - began < SECONDS
    assert violations


def test_unique_large_integers_take_little_time():
    """As many integers beyond 64 bits as arguments may hold are compared with one another."""
    found = contract(properties={"l": {"uniqueItems": True}})
    many = [2**63 + n for n in range(215)]
    began = time.perf_counter()
    assert found.violations({"l": many}) == ()
    assert found.violations({"l": [*many, many[0]]})
    assert time.perf_counter() - began < SECONDS


def test_more_digits_than_can_be_compared_are_refused():
    """The text is read, and the fault says what to send instead."""
    limits = Limits()
    read = read_arguments(
        json.dumps({"l": [2**63 + n for n in range(300)]}),
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    assert isinstance(read, Fault)
    assert "send strings" in read.message


def chain(length, keyword, **beside):
    """A schema of an object in itself, with a chain of parts about each of the objects."""
    defs = {str(n): {keyword: [{"$ref": f"#/$defs/{n + 1}"}], **beside} for n in range(length)}
    defs[str(length)] = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/0"}},
        "additionalProperties": False,
    }
    return {"properties": {"n": {"$ref": "#/$defs/0"}}, "$defs": defs}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
def test_the_longest_chain_at_the_greatest_depth_is_judged(keyword):
    """In a thread with an ordinary stack too, which an unbounded chain overruns."""
    length = SCHEMA_CHAIN // 2 - 2 if keyword == "allOf" else 5
    program = (
        "import json, sys, threading\n"
        "from policy.contracts import contract\n"
        "schema, arguments = json.loads(sys.stdin.read())\n"
        "found = contract(**schema)\n"
        "def judge(): print(len(found.violations(arguments)) > 0, flush=True)\n"
        "judge()\n"
        "thread = threading.Thread(target=judge)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    ran = in_a_process(program, json.dumps([chain(length, keyword), nested(62, {"x": 1})]))
    assert ran.stdout.split() == ["True", "True"]


def in_a_process(program, text):
    """Run a program that may be ended by what it tries."""
    path = ":".join(each for each in sys.path if each)
    return subprocess.run(
        [sys.executable, "-c", program],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"PYTHONPATH": path},
    )


BROAD = [
    ("a chain that is too long", chain(SCHEMA_CHAIN, "allOf"), "goes on for more than"),
    ("nested unevaluated", chain(6, "allOf", unevaluatedProperties=False), "judging would take long"),
    ("nested choices", chain(12, "oneOf"), "judging would take long"),
    (
        "twice at each level",
        {
            "$defs": {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(14)}
            | {"14": {}},
            "properties": {"n": {"$ref": "#/$defs/0"}},
        },
        "judging would take long",
    ),
]


@pytest.mark.parametrize(("schema", "fault"), [c[1:] for c in BROAD], ids=[c[0] for c in BROAD])
def test_a_schema_that_could_not_be_judged_soon_is_refused(schema, fault):
    """Before it may judge, and with advice."""
    found, (problem,) = read(json.dumps(CLOSED | schema))
    assert found is None
    assert fault in problem


LEAVING = ["http://127.0.0.1:9/x", "file:///etc/hostname", "other.json", "//127.0.0.1:9/x", "#anchor"]
WATCHED = """
import json, sys
from policy.contracts import CLOSED, read
texts = json.loads(sys.stdin.read())
read(json.dumps(CLOSED))
read(json.dumps({**CLOSED, "additionalProperties": True}))[0].violations({"a": 1})
seen = []
sys.addaudithook(lambda event, args: seen.append((event, str(args))) if event.split(".")[0] in
    ("open", "socket", "subprocess", "os", "urllib") else None)
for text in texts:
    found, problems = read(text)
    assert (found is None) == bool(problems), text
    print(found is None and "refused" or len(found.violations({"a": "http://127.0.0.1:9/"})))
print(seen)
"""


def test_no_reference_opens_a_file_or_a_socket():
    """Neither when a schema that leaves its file is read, nor when one with addresses in it judges."""
    schemas = [
        CLOSED | {"properties": {"a": {keyword: reference}}}
        for keyword in ("$ref", "$dynamicRef")
        for reference in LEAVING
    ]
    schemas.append(CLOSED | {"properties": {"a": {"format": "uri", "const": "http://127.0.0.1:9/"}}})
    schemas.append(CLOSED | {"$id": "http://127.0.0.1:9/x", "properties": {"a": {"$ref": "y"}}})
    ran = in_a_process(WATCHED, json.dumps([json.dumps(schema) for schema in schemas]))
    assert ran.stdout.split() == [*["refused"] * len(LEAVING) * 2, "0", "refused", "[]"]
