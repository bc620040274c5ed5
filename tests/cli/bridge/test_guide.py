"""The guide says what works."""

import hashlib
import json
import re
import sys

import pytest
from adjudicator.api.v1 import types_pb2 as types_pb
from adjudicator.cli.bridge.answers import answer_in
from adjudicator.cli.bridge.file_changes import DECISIONS as FILE_CHANGE_DECISIONS
from adjudicator.cli.bridge.wanted import FORMS
from adjudicator.config import limits
from cli.bridge.editor import SCHEMA, validator
from running import ROOT

GUIDE = (ROOT / "docs" / "bridge.md").read_text()
LINES = [
    line for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:50])
def test_every_line_of_the_guide_is_one_of_the_protocol(line):
    """It has one form of the schema, and the bridge understands those that go to it."""
    message = json.loads(line)
    is_out = validator("out").is_valid(message)
    assert is_out != validator("in").is_valid(message)
    if not is_out:
        answer_in(line.encode())


def test_the_digest_in_the_guide_is_that_of_its_view():
    """Whoever tries it out gets the same."""
    (request,) = [each for each in map(json.loads, LINES) if each.get("type") == "approval_request"]
    assert request["view_digest"] == hashlib.sha256(request["view_json"].encode()).hexdigest()


def test_the_guide_has_every_form_of_the_schema():
    """Each can be seen once."""
    messages = [json.loads(line) for line in LINES]
    forms = {
        each["$ref"].rsplit("/", 1)[1] for side in ("out", "in") for each in SCHEMA["$defs"][side]["oneOf"]
    }
    assert forms == {name for name in forms if any(map(validator(name).is_valid, messages))}


def test_the_guide_names_every_decision_form_and_bound():
    """A word that is not in it is one that nobody finds."""
    for word in (*FILE_CHANGE_DECISIONS, *FORMS, *SCHEMA["$defs"]["approval_response"]["properties"]):
        assert f"`{word}`" in GUIDE or f'"{word}"' in GUIDE, word
    assert (limits.FILE_CHANGE_SECONDS, limits.BRIDGE_LINE_BYTES) == (300, limits.MIB)
    assert (limits.BRIDGE_PATIENCE_SECONDS, limits.BRIDGE_BUFFER_BYTES) == (5, 4 * limits.MIB)


def test_the_python_example_runs_as_it_is_printed(sidecar):
    """With nothing changed but how the command is found and which sidecar it speaks to."""
    example = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL).group(1)
    assert '"adjudicator", "bridge"' in example
    command = [sys.executable, "-m", "adjudicator.cli.main", "bridge"]
    command += ["--approver-address", sidecar.approver_address, "--data", str(sidecar.data)]
    words = ", ".join(map(repr, command))
    asked = sidecar.judge(arguments={"command": "git push"}, call_id="c1", working_directory="/srv/app")
    verdict = sidecar.judge(
        arguments={"command": "rm -r build"}, call_id="c2", working_directory="/srv/app"
    )
    assert {asked.outcome, verdict.outcome} == {types_pb.OUTCOME_ASK}
    names = {}
    exec(example.replace('"adjudicator", "bridge"', words), names)  # noqa: S102 - the guide's own text
    assert names["receipt"]["code"] == "ACCEPTED"
    assert names["receipt"]["approval_id"] == verdict.approval_id
