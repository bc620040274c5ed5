"""`adjudicator trace stats`: counts for a person, at any width, and for a script."""

import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.api.v1.approval_service_pb2 import ApprovalState
from adjudicator.api.v1.trace_service_pb2 import Count, SummarizeTracesResponse
from adjudicator.api.v1.types_pb2 import Step
from adjudicator.cli.spark import bar, timeline
from adjudicator.cli.trace_stats import stats
from click.testing import CliRunner
from rich.console import Console

START = datetime(2026, 1, 5, 8, tzinfo=UTC)
PENDING, DENIED = ApprovalState.APPROVAL_STATE_PENDING, ApprovalState.APPROVAL_STATE_DENIED


@pytest.fixture
def run(script, data):
    """Runs the command against the scripted server."""
    environment = {
        "ADJUDICATOR_APPROVER_ADDRESS": script.address,
        "ADJUDICATOR_DATA": str(data),
        "ADJUDICATOR_AS": "ann",
        "TERM": "dumb",
        "COLUMNS": "80",
    }
    return lambda *words: CliRunner(env=environment).invoke(stats, words)


def a_summary(buckets=40, minutes=15):
    """Counts of a day; what callers named holds an escape."""
    found = SummarizeTracesResponse(
        calls=1000,
        flows=1,
        outcomes=[Count(name="ALLOW", count=900), Count(name="DENY", count=100)],
        steps=[Count(name="GATE", count=999), Count(name="TENANT", count=1)],
        causes=[Count(name="RULE_ALLOW", count=900), Count(name="RULE_DENY", count=100)],
        denied_tools=[Count(name="ba\x1b[2Jsh", count=60), Count(name="", count=40)],
        denied_agents=[Count(name="critic", count=100)],
        denying_rules=[Count(name="rules.csv:12", count=30)],
        denials_read=100,
    )
    found.approvals.add(state=PENDING, count=3)
    denied = found.approvals.add(state=DENIED, count=3)
    denied.median.FromTimedelta(timedelta(seconds=4.25))
    denied.ninetieth.FromTimedelta(timedelta(seconds=190))
    found.bucket.FromTimedelta(timedelta(minutes=minutes))
    for place in range(buckets):
        bucket = found.buckets.add(outcomes=[Count(name="ALLOW", count=place + 1)])
        bucket.starts_at.FromDatetime(START + timedelta(minutes=minutes) * place)
    return found


def a_console(width=80, encoding="utf-8"):
    """A console that writes into memory."""
    return Console(file=io.TextIOWrapper(io.BytesIO(), encoding), width=width)


def drawn(found, **console):
    """The chart over time as plain text."""
    return [str(line) for line in timeline(found, a_console(**console))]


def test_counts_for_a_person(run, script):
    """Each with its share; what callers named acts on no terminal; no line is wider than the terminal."""
    script.answers["SummarizeTraces"] = a_summary()
    result = run("--tenant", "acme", "--step", "S7", "--bucket", "15m")
    assert result.exit_code == 0
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert rows[0] == "1,000 calls, and 1 flow"
    assert any(row.startswith("ALLOW 900 90.0% █") for row in rows)
    assert any(row.startswith("S1 tenant 1 0.1% ▏") for row in rows)
    for row in ("ba\\x1b[2Jsh 60", "(blank) 40", "rules.csv:12 30", "PENDING 3 - -", "DENIED 3 4.2s 3m10s"):
        assert row in rows
    assert "CALLS OVER TIME, 15m A COLUMN" in rows
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    request = script.requests[0]
    assert (request.filter.tenant, request.filter.step) == ("acme", Step.STEP_GATE)
    assert request.bucket.seconds == 900


def test_rules_of_some_denials_only_are_said_to_be(run, script):
    """Who reads the counts knows what they are counts of."""
    found = a_summary()
    found.denials_read = 50
    script.answers["SummarizeTraces"] = found
    assert "among the newest 50 of 100 denials" in run().stdout
    assert not script.requests[0].bucket.seconds


def test_no_call_is_said(run, script):
    """Whether there are flows or not."""
    script.answers["SummarizeTraces"] = SummarizeTracesResponse(flows=2)
    assert run().stdout == "No call matches, and 2 flows.\n"


def test_json_is_the_answer_as_it_came(run, script):
    """One object."""
    script.answers["SummarizeTraces"] = a_summary()
    printed = json.loads(run("--json").stdout)
    assert printed["outcomes"][0] == {"name": "ALLOW", "count": "900"}
    assert printed["approvals"][1]["ninetieth"] == "190s"


@pytest.mark.parametrize("length", ["0s", "x", "15", "-1m", "999999999w"])
def test_a_bucket_that_is_no_length_is_a_wrong_command_line(run, script, length):
    """It is sent nowhere."""
    assert run("--bucket", length).exit_code == 2
    assert script.requests == []


def test_columns_rise_with_the_calls_and_gaps_are_blank():
    """To the scale of their row; the title says how long a column is."""
    found = a_summary(8)
    del found.buckets[3]
    title, allowed, axis = drawn(found)
    assert title == "CALLS OVER TIME, 15m A COLUMN"
    assert allowed == "ALLOW   ▁▂▃ ▅▆▇█  8 max"
    assert " to " in axis


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_however_many_buckets_there_are_the_chart_fits(width):
    """Buckets are put together, and none of them is left out."""
    found = a_summary(1000, minutes=1)
    for bucket in found.buckets:
        bucket.outcomes[0].count = 1
    title, allowed, _ = drawn(found, width=width)
    columns, most = allowed.removeprefix("ALLOW   ").removesuffix(" max").split("  ")
    assert len(columns) <= max(10, width - 18)
    assert len(columns) * int(most) >= 1000
    assert set(columns[:-1]) == {"█"}
    assert title.endswith("A COLUMN")


def test_a_terminal_without_blocks_gets_ascii():
    """Nothing is drawn that its encoding cannot say."""
    assert drawn(a_summary(8), encoding="ascii")[1].startswith("ALLOW   .:-=+*%#")
    console = a_console(encoding="ascii")
    assert [bar(share, 10, console) for share in (0.5, 0.0001, 0)] == ["#####", "#", ""]
