"""What becomes of the mistakes that an author can make in the shipped bundle."""

import shutil

import pytest
from adjudicator.authoring.mutants.killing import mutate
from adjudicator.authoring.mutants.mutant import Fate
from adjudicator.authoring.trials import trials_of
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import open_bundle
from running import POLICIES

HEAD = "defaults: {tenant: studio, agent: coder, tool: read, working_directory: /w}\n"


def report(folder, examined=0):
    """What the bundle's own tests notice."""
    bundle = open_bundle(folder)
    return mutate(bundle, trials_of(bundle.bundle.tests, Limits()), examined=examined)


def with_tests(tmp_path, text):
    """The shipped bundle with these tests alone."""
    folder = shutil.copytree(POLICIES, tmp_path / "p", ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    (folder / "tests" / "a.yaml").write_text(HEAD + text)
    return folder


def fates(found, file, word):
    """The fates of what was not killed in a file, of lines with this word, by kind."""
    return {each.kind: each.fate for each in found.not_killed if each.file == file and word in each.before}


def test_the_shipped_tests_notice_every_mistake():
    """Each mistake in the shipped bundle that could go live and change an answer makes a test fail."""
    found = report(POLICIES, examined=300)
    assert [each for each in found.not_killed if each.fate is Fate.SURVIVED] == []
    assert not found.unexamined
    assert not found.failing


def test_one_test_notices_what_it_is_about_and_nothing_else(tmp_path):
    """A test of one denial kills the mutants of its rule, and those of a rule beside it survive."""
    text = 'must_deny: [{arguments: {"path": "a/.ssh/b"}, because: {rule: "path:**/.ssh/**"}}]\n'
    found = report(with_tests(tmp_path, text))
    assert "row-dropped" not in fates(found, "rules.csv", "studio, *, path:**/.ssh/**")
    assert fates(found, "rules.csv", "studio, *, path:**/.aws/**")["row-dropped"] is Fate.SURVIVED


def test_a_test_of_a_person_notices_who_may_decide(tmp_path):
    """Dropping the row, or the membership, by which somebody decides fails a test that they may."""
    text = "may_decide: [{approver: user:eve, tool: read, priority: low}]\n"
    found = report(with_tests(tmp_path, text))
    assert "row-dropped" not in fates(found, "approvers.csv", "role:approver, studio, *, low")
    assert not fates(found, "approvers.csv", "g, user:eve, role:approver, studio")
    assert fates(found, "approvers.csv", "g, user:ann, role:lead, studio")


def test_a_test_that_fails_already_notices_nothing(tmp_path):
    """It is named, and no mutant is killed by it."""
    text = 'must_allow: [{name: wrong, arguments: {"path": "a/.ssh/b"}}]\n'
    found = report(with_tests(tmp_path, text))
    assert found.failing == ("wrong",)
    assert found.total(Fate.KILLED) == 0


def test_a_bundle_without_tests_notices_nothing():
    """Nothing is killed where nothing is run: an empty set of tests is never a pass."""
    bundle = open_bundle(POLICIES)
    found = mutate(bundle, (), examined=0)
    assert found.total(Fate.KILLED) == 0
    assert found.killed_percent == 0


@pytest.mark.parametrize("examined", [0, 3])
def test_survivors_beyond_the_bound_count_as_such_and_are_told(tmp_path, examined):
    """Only so many are loaded; of the others it is said that nobody looked."""
    text = 'must_allow: [{arguments: {"path": "a"}}]\n'
    found = report(with_tests(tmp_path, text), examined=examined)
    idle = found.total(Fate.EQUIVALENT)
    refused_later = sum(each.fate is Fate.REFUSED for each in found.not_killed)
    assert found.unexamined + examined >= found.total(Fate.SURVIVED)
    assert idle + refused_later <= found.mutants
    assert found.unexamined > 0
