"""What `policy new` makes: it loads, its tests pass, and they notice what is taken away."""

import json

import jsonschema
import pytest
import yaml
from adjudicator.authoring.mutants.killing import mutate
from adjudicator.authoring.mutants.mutant import Fate
from adjudicator.authoring.progress import unheard
from adjudicator.authoring.starter.files import TESTS_SCHEMA, editor_files, starter_files
from adjudicator.authoring.starter.names import Names
from adjudicator.authoring.test_runs import failure_of
from adjudicator.authoring.trials import trials_of
from adjudicator.authoring.warnings.lints import warnings_of
from adjudicator.config.limits import Limits
from adjudicator.policy.bundle_tests import CallTest
from adjudicator.policy.loader import OpenBundle, open_sources
from adjudicator.policy.source import Sources
from running import POLICIES

ODD = ["no", "main", "a:", ":", "-", "---", "0x1f", "1e3", "null", "a/b", ".", "x" * 128]


def opened(files: dict[str, str]) -> OpenBundle:
    """The bundle of these files."""
    return open_sources(Sources("", {}, frozenset()).edited(files))


def failures(bundle: OpenBundle) -> list[str]:
    """Its tests that fail, and how."""
    found = [(test.name, failure_of(test, bundle.snapshot, Limits())) for test in bundle.bundle.tests]
    return [f"{name}: {failure}" for name, failure in found if failure]


def test_it_loads_and_passes_its_own_tests():
    """Whoever makes it can go on from there at once; what nothing speaks of is denied."""
    bundle = opened(starter_files(Names()))
    assert failures(bundle) == []
    assert bundle.settings.default.value == "DENY"
    assert set(bundle.snapshot.registry.tools) == {"read", "write", "bash", "fetch", "search"}
    calls = [test for test in bundle.bundle.tests if isinstance(test, CallTest)]
    assert {test.expected.step for test in calls} >= set(range(1, 9))


@pytest.mark.parametrize("name", ODD)
def test_any_code_that_the_loader_takes_can_be_its_name(name):
    """Also one that YAML would take for something else."""
    bundle = opened(starter_files(Names(tenant=name, agent=name)))
    assert failures(bundle) == []
    assert set(bundle.snapshot.registry.tenants) == {name}
    assert set(bundle.snapshot.registry.agents) == {name, "critic"}


@pytest.mark.parametrize(
    ("names", "field"),
    [
        (Names(tenant="*"), "tenant"),
        (Names(tenant=""), "tenant"),
        (Names(tenant="a, b"), "tenant"),
        (Names(tenant="a\n"), "tenant"),
        (Names(tenant="x" * 129), "tenant"),
        (Names(tenant="nowhere-else"), "tenant"),
        (Names(agent="Zoë"), "agent"),
        (Names(agent="critic"), "agent"),
        (Names(agent="nobody-else"), "agent"),
        (Names(approver="Ann"), "approver"),
        (Names(approver="critic"), "approver"),
        (Names(agent="ANN", approver="ann"), "approver"),
        (Names(agent="user:ann", approver="ann"), "approver"),
    ],
)
def test_a_name_that_would_not_load_is_told_before_anything_is_made(names, field):
    """Each has a sentence that says what to write instead."""
    faults = dict(names.faults())
    assert list(faults) == [field]
    assert "write" in faults[field]


def test_its_tests_notice_nearly_every_mistake():
    """All but one character more in a text that is long already; no row can go, and nothing pass unseen."""
    bundle = opened(starter_files(Names()))
    report = mutate(bundle, trials_of(bundle.bundle.tests, Limits()), unheard)
    unseen = [each for each in report.not_killed if each.fate is Fate.SURVIVED]
    assert [each for each in unseen if "maxLength" not in each.before] == []
    assert report.killed_percent > 95


def test_nobody_is_warned_of_it():
    """What is worth a warning elsewhere is meant here, and the file says why."""
    assert warnings_of(opened(starter_files(Names())), unheard).warnings == ()


def test_every_required_text_says_whether_it_may_be_empty_and_every_tool_that_writes_is_kept_from_critics():
    """Nothing in it is a bad example."""
    bundle = opened(starter_files(Names()))
    for tool in bundle.snapshot.registry.tools.values():
        if tool.access.value == "write":
            assert f"p, role:critic, main, {tool.code}, deny" in bundle.sources.files["scope.csv"].text
    for source in bundle.sources.under("schemas"):
        assert source.text.count('"type": "string"') == source.text.count('"minLength"')


def test_its_tests_satisfy_the_schema_that_they_begin_with():
    """An editor finds it in a dotfile, which is no part of the bundle, and underlines nothing."""
    schema = json.loads(editor_files()[TESTS_SCHEMA])
    for name, text in starter_files(Names()).items():
        if name.startswith("tests/"):
            first, _, rest = text.partition("\n")
            assert first == f"# yaml-language-server: $schema=../{TESTS_SCHEMA}"
            jsonschema.validate(yaml.safe_load(rest), schema)


def test_its_models_are_those_of_the_shipped_bundle():
    """An author who reads both finds the same."""
    files = starter_files(Names())
    for model in (POLICIES / "models").iterdir():
        assert files[f"models/{model.name}"] == model.read_text()
