"""What of the shipped bundle tests come to."""

import shutil

import pytest
from adjudicator.authoring.coverage.measuring import cover
from adjudicator.authoring.trials import trials_of
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import open_bundle
from running import POLICIES

HEAD = "defaults: {tenant: studio, agent: coder, tool: read, working_directory: /w}\n"


def parts(tmp_path, text):
    """What these tests alone cover, part by part, as the texts of what they came to."""
    folder = shutil.copytree(POLICIES, tmp_path / "p", ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    (folder / "tests" / "a.yaml").write_text(HEAD + text)
    bundle = open_bundle(folder)
    report = cover(bundle, trials_of(bundle.bundle.tests, Limits()), Limits())
    return {part.name: {item.text for item in part.items if item.covered} for part in report.parts}


def test_rows_that_answered_are_covered(tmp_path):
    """One call asks for a permission, for the scope, and for each effect until one answers."""
    found = parts(tmp_path, 'must_allow: [{arguments: {"path": "a"}}]\n')
    assert found["permission.csv"] == {"p, role:reader, studio, files.read, allow"}
    assert found["scope.csv"] == {"p, role:reader, studio, *, allow"}
    assert len(found["rules.csv"]) == 1
    assert found["effects"] == {"permission: allow", "scope: allow", "rules: allow"}
    assert found["steps"] == found["checks"] == found["schema keywords"] == set()


def test_a_row_behind_another_one_is_matched_and_not_covered(tmp_path):
    """A push in full matches the row for its short form too, which answers nothing."""
    folder = shutil.copytree(POLICIES, tmp_path / "p", ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    text = 'must_deny: [{tool: bash, arguments: {"command": "git push --force"}}]\n'
    (folder / "tests" / "a.yaml").write_text(HEAD + text)
    bundle = open_bundle(folder)
    report = cover(bundle, trials_of(bundle.bundle.tests, Limits()), Limits())
    (rules,) = [part for part in report.parts if part.name == "rules.csv"]
    rows = {item.text.split(", ")[4]: item for item in rules.items if "git push" in item.text}
    assert rows["shell:git push --force *"].covered
    assert (rows["shell:git push -f *"].covered, rows["shell:git push -f *"].matched) == (False, True)


@pytest.mark.parametrize(
    ("text", "part", "item"),
    [
        (
            'must_allow: [{tool: codegraph_query, arguments: {"query": "a"}}]',
            "lists of bundle.yaml",
            "auto_approved: codegraph_query",
        ),
        ('must_deny: [{arguments: {"path": "/x"}}]', "effects", "rules: nothing matches"),
        ('must_deny: [{arguments: {"path": "/x"}}]', "checks", "rule_chain"),
        ('must_deny: [{arguments: {"path": "/x"}}]', "steps", "step 7 denies (gate)"),
        ('must_ask: [{tool: bash, arguments: {"command": "x"}}]', "effects", "rules: ask"),
        (
            "may_decide: [{approver: user:ann, tool: deploy}]",
            "approvers.csv",
            "p, role:lead, studio, *, critical, allow",
        ),
        ("may_not_decide: [{approver: user:eve, tool: deploy}]", "effects", "approvers: nothing matches"),
        ("must_deny: [{tool: bash, arguments: {}, because: {step: 8}}]", "schema keywords", "/required"),
    ],
)
def test_what_a_test_comes_to_is_covered(tmp_path, text, part, item):
    """Lists, defaults, steps, people and keywords count like rules."""
    assert item in parts(tmp_path, text + "\n")[part]


def test_arguments_that_met_no_schema_cover_no_keyword(tmp_path):
    """A call that a rule denies is never judged by the schema, whatever is wrong with it."""
    found = parts(tmp_path, 'must_deny: [{arguments: {"path": ".env", "follow": 1}}]\n')
    assert found["schema keywords"] == set()


def test_nothing_is_covered_by_no_tests():
    """An empty set of tests covers nothing."""
    report = cover(open_bundle(POLICIES), (), Limits())
    assert report.covered == 0
    assert report.percent == 0
