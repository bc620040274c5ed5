"""Laws of explanations, on the bundle's own tests and on calls that real coding agents made."""

import json
import os
from pathlib import Path

import pytest
from adjudicator.authoring.explanation.explain import explain
from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import unheard
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.loader import open_bundle

ROOT = Path(__file__).parents[3]
CALLS = Path(
    os.environ.get("ADJUDICATOR_TEST_CALLS", ROOT.parent / "shared" / "data" / "agent-calls.jsonl")
)
EVERY_WITH_WAYS = 40


@pytest.fixture(scope="module")
def opened(shipped):
    """The shipped bundle."""
    return open_bundle(shipped.folder)


@pytest.fixture(scope="module")
def recorded():
    """The recorded calls."""
    if not CALLS.exists():
        pytest.skip(f"there is no {CALLS}")
    with CALLS.open() as lines:
        read = [json.loads(line) for line in lines]
    return [
        ToolCall(
            "studio", "coder", each["tool"], json.dumps(each["arguments"]), working_directory="/srv/app"
        )
        for each in read
    ]


def check(call, opened):
    """The verdict is the chain's, one check decides, and the verdict's rule is among those that match."""
    found = explain(call, opened, Limits(), (), unheard)
    verdict = judged(call, opened.snapshot, Limits())
    assert found.verdict == verdict
    (decides,) = [each for each in found.steps if each.decides]
    assert (decides.check.name, decides.finding.outcome) == (verdict.check, verdict.outcome)
    assert {each.check.step for each in found.steps if each.reached and not each.note} <= set(
        range(1, verdict.step_reached + 1)
    )
    deciding = [
        match.rule for each in (*found.facets, *found.objects) for match in each.matches if match.decides
    ]
    if verdict.rule is not None:
        assert verdict.rule in deciding
    for each in found.facets:
        if each.finding is not None and each.finding.rule is not None:
            assert [match.rule for match in each.matches if match.decides] == [each.finding.rule]
        matched = {match.number for match in each.matches}
        assert not matched & {miss.number for miss in each.misses.nearest}


def test_explanations_of_the_bundles_tests_agree_with_the_chain(opened):
    """Every test of the shipped bundle is explained as it is judged."""
    for test in opened.bundle.call_tests:
        check(test.call, opened)


def test_explanations_of_recorded_calls_agree_with_the_chain(recorded, opened):
    """So are calls that agents made, whatever is in them."""
    for call in recorded:
        check(call, opened)


def test_ways_for_recorded_calls_hold_when_somebody_goes_them(recorded, shipped, opened, tmp_path):
    """What is suggested, done by hand in a copy, gives the outcome that was promised."""
    number = 0
    for call in recorded[::EVERY_WITH_WAYS]:
        for ways in explain(call, opened, Limits(), list(Outcome), unheard).ways:
            for suggestion in ways.suggestions:
                number += 1
                again = shipped.after(suggestion, tmp_path / str(number))
                assert again.outcome is ways.want
                assert again.cause is suggestion.verdict.cause
    assert number
