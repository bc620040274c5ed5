"""Judged by the official JSON Schema test suite, the decisions and the violations are right."""

import json
from collections import Counter
from pathlib import Path

import pytest
from adjudicator.policy.explanation import Explanation
from adjudicator.policy.schema_chains import chain_faults
from adjudicator.policy.schema_engine import compile_schema
from policy.reference import REFERENCES, our_violations, reference_violations
from schema_suite import SUITE

pytestmark = pytest.mark.skipif(
    not SUITE.exists(), reason="the suite is not here; `make schema-suite` brings it, and needs a network"
)

DRAFTS = dict(zip(("draft2020-12", "draft2019-09", "draft7"), REFERENCES, strict=True))
LEAST_CASES = {"draft2020-12": 1800, "draft2019-09": 1800, "draft7": 1400}
# Schemas that are not compiled, by file: nothing is fetched, and no format and no vocabulary is ignored.
REFUSED = {
    "refRemote.json": "refers to another file",
    "dynamicRef.json": "refers to another file",
    "optional/cross-draft.json": "refers to another file",
    "vocabulary.json": "names a meta-schema of its own, with other keywords",
    "optional/format-assertion.json": "names a meta-schema of its own, with other keywords",
    "optional/format/unknown.json": "has a format that nobody knows",
}
# Decisions that differ on purpose, by draft and file.
DIFFERENT = {("draft2020-12", "format.json"): "the suite takes formats for remarks; here they count"}
# What is found wrong differs, by the group's name; the decision is the same.
OTHERWISE_WRONG = {
    "unevaluatedProperties with adjacent non-bool additionalProperties": "evaluated, although wrongly",
    "dynamic evalation inside nested refs": "a failed branch evaluates nothing, as the specification says",
}


def groups(draft):
    """Each group of cases with its file, required ones first; its schema says which draft it is of."""
    folder = SUITE / "tests" / draft
    for path in [*sorted(folder.glob("*.json")), *sorted((folder / "optional").rglob("*.json"))]:
        for group in json.loads(path.read_text()):
            if isinstance(group["schema"], dict):
                group["schema"] = {"$schema": DRAFTS[draft], **group["schema"]}
            yield str(Path(path).relative_to(folder)), group


def compiled(schema):
    """The validator of a schema, or None when it is refused."""
    try:
        return compile_schema(schema)
    except Exception:  # noqa: BLE001 - the library has no common class for what it refuses
        return None


@pytest.mark.parametrize("draft", DRAFTS)
def test_decisions_are_those_of_the_suite(draft):
    """Every required and every optional case is decided as the suite says, but for those in the tables."""
    wrong, refused, judged = [], Counter(), 0
    for file, group in groups(draft):
        validator = compiled(group["schema"])
        if validator is None:
            refused[file] += 1
            continue
        for case in group["tests"]:
            judged += 1
            if validator.is_valid(case["data"]) != case["valid"] and (draft, file) not in DIFFERENT:
                wrong.append((file, group["description"], case["description"]))
    assert wrong == []
    assert refused.keys() <= REFUSED.keys()
    assert judged >= LEAST_CASES[draft]


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_reference_agrees_with_the_suite(draft):
    """What the generated tests compare with is itself right on every required case that is compiled."""
    wrong = [
        (file, group["description"], case["description"])
        for file, group in groups(draft)
        if not file.startswith("optional") and compiled(group["schema"]) is not None
        for case in group["tests"]
        if REFERENCES[DRAFTS[draft]](group["schema"]).is_valid(case["data"]) != case["valid"]
    ]
    assert wrong == []


def explainable(schema):
    """Whether violations of the schema can be listed: what the loader refuses cannot be."""
    if not isinstance(schema, dict):
        return False
    try:
        return not list(chain_faults(schema)) and Explanation(schema) is not None
    except Exception:  # noqa: BLE001 - references that are not local, or that cannot be compiled
        return False


@pytest.mark.parametrize("draft", DRAFTS)
def test_violations_are_those_of_the_reference(draft):
    """Each invalid case has the same paths and keywords; `false` stands at the value that it forbids."""
    wrong, compared = [], 0
    for file, group in groups(draft):
        if "/" in file or file == "format.json" or not explainable(group["schema"]):
            continue
        for case in group["tests"]:
            ours = set() if case["valid"] else our_violations(group["schema"], case["data"])
            if not ours or any(keyword == "falseSchema" for _, keyword in ours):
                continue
            compared += 1
            theirs = reference_violations(REFERENCES[DRAFTS[draft]](group["schema"]), case["data"])
            if ours != theirs and group["description"] not in OTHERWISE_WRONG:
                wrong.append((file, group["description"], case["description"], ours ^ theirs))
    assert wrong == []
    assert compared >= 300
