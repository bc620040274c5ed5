"""The published schema of bundle tests says to editors what the reader says at load."""

import json
from pathlib import Path

import adjudicator.policy.bundle_tests as reader
import pytest
import yaml
from adjudicator.domain.call import Mode
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode
from adjudicator.policy.registry import SessionGrants
from jsonschema import Draft202012Validator
from policy.spoiled_tests import EDITS, HEAD, LISTS, LISTS_EDITS, SOUND

PUBLISHED = Path(reader.__file__).with_name("bundle_tests.schema.json")
SCHEMA = json.loads(PUBLISHED.read_text())
VALID = Draft202012Validator(SCHEMA)
# What only a look at the text shows, or at what comes together of it.
UNSEEN = ("is here twice", "nor have the `defaults`", "`arguments` must be JSON", "is called")


def keys(name):
    """The keys that the schema knows of one of its parts."""
    return set(SCHEMA["$defs"][name]["properties"])


def values(symbols):
    """What stands for each of them in a file."""
    return [symbol.value for symbol in symbols]


def test_it_is_a_schema():
    """It satisfies the schema of schemas."""
    Draft202012Validator.check_schema(SCHEMA)


def test_both_know_the_same_keys():
    """No key that one of them has is missing from the other."""
    assert set(SCHEMA["properties"]) == {"description", "defaults", *reader.LISTS}
    assert set(SCHEMA["properties"]["defaults"]["properties"]) == reader.DEFAULTS
    assert keys("call") == reader.CALL | {"arguments"}
    assert keys("must") == reader.CALL | {"arguments", "name", "because"}
    assert keys("why") == reader.WHY
    assert keys("expect") == reader.WHY | {"verdict", "approval"}
    assert keys("approval") == reader.TERMS == set(reader.ExpectedApproval.__slots__)


def test_both_know_the_same_words():
    """Outcomes, codes, causes, modes, priorities."""
    why = SCHEMA["$defs"]["why"]["properties"]
    assert why["cause"]["enum"] == values(Cause)
    assert why["reason_code"]["enum"] == values(ReasonCode)
    assert SCHEMA["$defs"]["call"]["properties"]["mode"]["enum"] == values(Mode)
    assert SCHEMA["$defs"]["approver"]["properties"]["priority"]["enum"] == values(Priority)
    assert SCHEMA["$defs"]["approval"]["properties"]["session_grants"]["enum"] == values(SessionGrants)
    assert SCHEMA["$defs"]["expect"]["properties"]["verdict"]["enum"] == values(Outcome)


def test_the_shipped_tests_satisfy_it():
    """So an editor that uses it marks nothing in them."""
    for file in (Path(__file__).parents[2] / "policies" / "tests").rglob("*.yaml"):
        assert [error.message for error in VALID.iter_errors(yaml.safe_load(file.read_text()))] == []


@pytest.mark.parametrize("sound", [HEAD + SOUND, LISTS])
def test_what_the_reader_takes_satisfies_it(sound):
    """The examples that the reader's own tests start from."""
    assert VALID.is_valid(yaml.safe_load(sound))


REFUSED = [(HEAD + SOUND, *edit) for edit in EDITS] + [(LISTS, *edit) for edit in LISTS_EDITS]


@pytest.mark.parametrize(("sound", "old", "new", "message"), REFUSED)
def test_what_the_reader_refuses_an_editor_marks(sound, old, new, message):
    """As far as that can be told without the text."""
    if any(unseen in message for unseen in UNSEEN):
        return
    assert not VALID.is_valid(yaml.safe_load(sound.replace(old, new.replace("§", ""), 1)))
