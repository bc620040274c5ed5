"""What the first page says of command lines is what the shipped policies answer."""

import json
import re
from pathlib import Path

import pytest
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import ToolCall

README = Path(__file__).parents[2] / "README.md"
EXAMPLES = re.findall(
    r"^\| `(.+)` \| (ALLOW|ASK|DENY) \| (.+) \|$", README.read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("line", "outcome"), [example[:2] for example in EXAMPLES])
def test_a_command_line_of_the_first_page_gets_its_answer(shipped, line, outcome):
    """The coder of the studio asks, as in the page."""
    call = ToolCall("studio", "coder", "bash", json.dumps({"command": line}), working_directory="/srv/app")
    limits = Limits()
    arguments = read_arguments(
        call.arguments_json,
        max_bytes=limits.arguments_bytes,
        max_depth=limits.arguments_depth,
        max_values=limits.arguments_values,
        max_digits=limits.arguments_digits,
    )
    verdict = judge(Case(call, arguments, shipped), lambda _check, _error: None)
    assert (verdict.outcome.value, verdict.reason_code.value) in {
        ("ALLOW", "ALLOWED"),
        ("ASK", "APPROVAL_REQUIRED"),
        ("DENY", "FORBIDDEN"),
    }
    assert verdict.outcome.value == outcome, verdict.reason


def test_the_first_page_has_examples():
    """The table is found, so that none of this passes by being empty."""
    assert len(EXAMPLES) == 6
