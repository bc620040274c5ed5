"""What counts as a change of a call's verdict, and which way it goes."""

import json
import random
import re

import pytest
from adjudicator.authoring.comparison.changes import Kind
from adjudicator.authoring.comparison.examples import Shelf
from adjudicator.authoring.comparison.report import Report
from adjudicator.domain.call import ToolCall

PUSH = "p, role:engineer, studio, bash, shell:git push *, , ask, what is pushed leaves the machine\n"
RELEASE = ToolCall(
    "studio", "coder", "deploy", '{"environment": "staging", "version": "1.4.0"}', principal="user:ann"
)


def call(tool="bash", agent="coder", **arguments):
    """A call in the studio."""
    arguments = arguments or {"command": "git push origin main"}
    return ToolCall("studio", agent, tool, json.dumps(arguments), working_directory="/srv/app")


def compared(was, now, *calls, examples=3):
    """The groups of the calls that change, each with its examples."""
    with Shelf() as shelf:
        report = Report.begun(("a", "b"), (was, now), shelf, examples)
        for number, each in enumerate(calls, start=1):
            assert report.compare(each, f"calls:{number}") == ""
        found = [(group, list(report.groups.examples(group))) for group in report.groups.in_order()]
        return found, report.summary()


def test_rows_in_another_order_change_nothing(shipped, edited):
    """A bundle whose rows were shuffled and spaced otherwise answers every test as before."""
    path = edited.folder / "rules.csv"
    rows = [line for line in path.read_text().splitlines() if re.match("[pg],", line)]
    random.Random(7).shuffle(rows)  # noqa: S311 - an order of rows, no secret
    path.write_text("".join(f"{row.replace(', ', ',  ')}\n" for row in rows))
    with Shelf() as shelf:
        report = Report.begun(("a", "b"), (shipped, edited.open()), shelf, 3)
        for each, source in report.calls_of_tests().items():
            assert report.compare(each, source) == ""
        # Where several rows deny, the first in the file is the one that is named.
        assert report.changes(only_loosened=True) == 0
        assert report.summary()["stricter"] == 0
    assert not [each for each in report.differences if each.part == "rules.csv"]


def test_a_row_that_only_moved_is_no_change(shipped, edited):
    """The deciding row is compared by what it says: another line number is not another reason."""
    edited.replace("rules.csv", PUSH, "")
    path = edited.folder / "rules.csv"
    path.write_text(f"\n\n{PUSH.replace(', ', ',')}{path.read_text()}")
    found, summary = compared(shipped, edited.open(), call())
    assert (found, summary["unchanged"]) == ([], 1)


@pytest.mark.parametrize(
    ("row", "outcome", "kind"),
    [
        (PUSH.replace("ask,", "allow,"), "ALLOW", Kind.LOOSENED),
        (PUSH.replace("ask,", "deny,"), "DENY", Kind.STRICTER),
        (PUSH.replace("leaves", "has left"), "ASK", Kind.OTHER_REASON),
    ],
)
def test_an_ask_that_becomes_something_else_is_told_by_the_new_row(shipped, edited, row, outcome, kind):
    """Looser, stricter, or the same by another row; the group has the row of the new bundle."""
    edited.replace("rules.csv", PUSH, row)
    ((group, examples),), summary = compared(shipped, edited.open(), call())
    assert (group.change.kind, group.change.now.outcome.value) == (kind, outcome)
    assert group.change.decided_by.text == row.strip()
    assert examples[0].arguments == '{"command":"git push origin main"}'
    assert summary[kind.value.replace(" ", "_")] == 1


def test_a_row_that_is_gone_is_told_by_the_old_bundle(shipped, edited):
    """Where the default decides now, the row that decided before says what was taken away."""
    row = "p, role:reader, studio, read, path:./**, path:**/.env*, allow, the project's files may be read\n"
    edited.replace("rules.csv", row, "")
    ((group, _),), _ = compared(shipped, edited.open(), call("read", path="src/a.py"))
    assert group.change.kind is Kind.STRICTER
    assert group.change.now.rule is None
    assert group.change.decided_by.text == row.strip()


@pytest.mark.parametrize(
    ("old", "new", "kind", "term"),
    [
        ("quorum: 2", "quorum: 1", Kind.LOOSENED, "quorum"),
        ("quorum: 2", "quorum: 3", Kind.STRICTER, "quorum"),
        ("four_eyes: true", "four_eyes: false", Kind.LOOSENED, "four_eyes"),
        ("approval_seconds: 900", "approval_seconds: 60", Kind.OTHER_REASON, "seconds"),
        ("priority: critical", "priority: high", Kind.LOOSENED, "priority approvers"),
        ("quorum: 2", "quorum: 2\n  options: [now, later]", Kind.OTHER_REASON, "options"),
    ],
)
def test_terms_of_an_ask_are_compared(shipped, edited, old, new, kind, term):
    """Both ask, on other terms: fewer people in the way is looser, however the outcome reads."""
    edited.replace("registry/tools.yaml", f"  {old}\n", f"  {new}\n")
    ((group, _),), _ = compared(shipped, edited.open(), RELEASE)
    assert group.change.kind is kind
    assert " ".join(group.change.terms) == term


@pytest.mark.parametrize(
    ("old", "new", "kind", "said"),
    [
        ("g, user:bob, role:lead, studio\n", "", Kind.STRICTER, ("3, here alone user:bob", "2")),
        (
            "g, user:bob, role:lead, studio\n",
            "g, user:eve, role:lead, studio\n",
            Kind.LOOSENED,
            ("3, here alone user:bob", "3, here alone user:eve"),
        ),
        ("role:approver, studio, *, high,", "role:approver, studio, *, *,", Kind.LOOSENED, None),
        ("role:approver, studio, *, low,", "role:approver, studio, read, low,", None, None),
    ],
)
def test_who_may_decide_on_an_ask_is_a_term_of_it(shipped, edited, old, new, kind, said):
    """Somebody more who may let it pass is looser, as is another one; fewer people are stricter."""
    edited.replace("approvers.csv", old, new)
    found, summary = compared(shipped, edited.open(), RELEASE)
    assert [group.change.kind for group, _ in found] == ([kind] if kind else [])
    assert summary["unchanged"] == (0 if kind else 1)
    assert all(list(group.change.terms) == ["approvers"] for group, _ in found)
    assert said is None or found[0][0].change.terms["approvers"] == said


def test_an_ask_that_waits_where_it_was_denied_is_looser(shipped, edited):
    """With too few people who could approve it nobody hears of a call that is denied at once."""
    edited.replace("bundle.yaml", "unattended: wait", "unattended: deny")
    ((group, _),), _ = compared(edited.open(), shipped, RELEASE)
    assert group.change.kind is Kind.LOOSENED
    assert group.change.terms == {"unattended": ("deny", "wait")}


def test_more_people_do_not_make_up_for_the_own_voter(shipped, edited):
    """One term that is milder is a loosening, however strict another one has become."""
    edited.replace("registry/tools.yaml", "  quorum: 2\n  four_eyes: true\n", "  quorum: 5\n")
    ((group, _),), _ = compared(shipped, edited.open(), RELEASE)
    assert group.change.kind is Kind.LOOSENED


def test_what_is_loosened_comes_first(shipped, edited):
    """DENY to ALLOW, then ASK to ALLOW, then what is stricter, then another reason."""
    edited.replace(
        "rules.csv",
        "p, role:reader, studio, *, path:/etc/**, , deny",
        "p, role:reader, studio, read, path:/etc/**, , allow",
    )
    edited.replace("rules.csv", PUSH, PUSH.replace("ask,", "allow,"))
    edited.replace("rules.csv", "shell:pwd, , allow", "shell:pwd, , deny")
    edited.replace("rules.csv", "shell:sudo *, , deny, agents", "shell:sudo *, , deny, all agents")
    calls = [call(command="sudo ls"), call(command="pwd"), call(), call("read", path="/etc/passwd")]
    found, _ = compared(shipped, edited.open(), *calls)
    pairs = [(group.change.was.outcome.value, group.change.now.outcome.value) for group, _ in found]
    assert pairs == [("DENY", "ALLOW"), ("ASK", "ALLOW"), ("ALLOW", "DENY"), ("DENY", "DENY")]


def test_few_examples_are_kept_and_all_are_counted(shipped, edited):
    """A group holds as many calls as were asked for; with None all of them, in their order."""
    edited.replace("rules.csv", PUSH, PUSH.replace("ask,", "allow,"))
    calls = [call(command=f"git push origin b{number}") for number in range(40)]
    ((group, few),), _ = compared(shipped, edited.open(), *calls)
    assert (group.calls, len(few)) == (40, 3)
    ((_, every),), _ = compared(shipped, edited.open(), *calls, examples=None)
    assert [each.source for each in every] == [f"calls:{number}" for number in range(1, 41)]


def test_no_example_has_what_a_bundle_hides(shipped, edited):
    """A secret of either bundle is redacted in what is shown of a call."""
    edited.replace(
        "rules.csv",
        "p, role:engineer, studio, fetch, *, , ask",
        "p, role:engineer, studio, fetch, *, , deny",
    )
    secret = call("fetch", url="https://example.com/", authorization="Bearer s3cr3t")
    ((_, (example,)),), _ = compared(shipped, edited.open(), secret)
    assert "example.com" in example.arguments
    assert "s3cr3t" not in str(example)


def test_a_call_that_would_not_be_judged_is_a_fault(shipped):
    """It is told, and is neither compared nor counted as unchanged."""
    with Shelf() as shelf:
        report = Report.begun(("a", "b"), (shipped, shipped), shelf, 3)
        odd = ToolCall("studio", "coder", "read", "{}", working_directory="not/absolute")
        assert "would not be judged" in report.compare(odd, "x")
        assert (report.compared, report.summary()["unchanged"]) == (0, 0)


def test_a_bundle_compared_with_itself_changes_nothing(shipped):
    """Every test's call is unchanged, and no part of the bundle differs."""
    with Shelf() as shelf:
        report = Report.begun(("a", "b"), (shipped, shipped), shelf, 3)
        for each, source in report.calls_of_tests().items():
            report.compare(each, source)
        assert report.summary()["unchanged"] == report.compared > 0
        assert report.differences == ()


def test_another_violation_is_told_by_its_place_and_keyword(shipped, edited):
    """Both deny at S8; which part of the contract is violated is what differs."""
    path = edited.folder / "schemas" / "ls.json"
    schema = json.loads(path.read_text())
    schema["properties"]["path"]["maxLength"] = 2
    path.write_text(json.dumps(schema) + "\n")
    ((group, _),), _ = compared(shipped, edited.open(), call("ls", path="docs", deep=True))
    assert group.change.kind is Kind.OTHER_REASON
    was, now = group.change.terms["violations"]
    assert "maxLength" in now
    assert "maxLength" not in was
