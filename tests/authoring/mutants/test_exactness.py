"""A mutant is judged from what was there before it; loading its edited files has to come to the same."""

from itertools import islice

import pytest
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.killing import groups
from adjudicator.authoring.mutants.mutant import RefusedError
from adjudicator.authoring.progress import unheard
from adjudicator.authoring.trials import trials_of
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import BundleError, open_bundle, open_sources
from running import POLICIES

STEP = 29


@pytest.fixture(scope="module")
def grounds():
    """The shipped bundle with its own tests."""
    bundle = open_bundle(POLICIES)
    return Grounds(bundle, trials_of(bundle.bundle.tests, Limits()), unheard)


def mutants(grounds, group):
    """Every so many of the mutants of one kind of source."""
    found = (
        mutant
        for each in groups(grounds.bundle)
        if group in each.name
        for some in each.mutants
        for mutant in some
    )
    return islice(found, 0, None, STEP)


@pytest.mark.parametrize("group", ["rows of", "roles of", "bundle.yaml", "registry", "schemas"])
def test_each_test_says_the_same_of_both_forms_of_a_mutant(grounds, group):
    """What a test says of the changed snapshot is, word for word, what it says of the edited files."""
    compared = 0
    for mutant in mutants(grounds, group):
        try:
            loaded = open_sources(grounds.bundle.sources.edited(mutant.change.edits(grounds))).snapshot
        except BundleError:
            continue
        altered = mutant.change.altered(grounds)
        snapshot = altered.snapshot if altered else grounds.snapshot
        for number, trial in enumerate(grounds.trials):
            said = trial.fails(loaded)
            assert trial.fails(snapshot) == said, (mutant, trial.name)
            assert not said or (altered is not None and number in altered.trials), (mutant, trial.name)
        compared += 1
    assert compared or group == "roles of"


def test_what_is_refused_at_once_would_not_load(grounds):
    """A mutant that is refused without a look at its files has files that are refused."""
    refused = 0
    for mutant in mutants(grounds, ""):
        try:
            mutant.change.altered(grounds)
        except RefusedError:
            refused += 1
            with pytest.raises(BundleError):
                open_sources(grounds.bundle.sources.edited(mutant.change.edits(grounds)))
    assert refused
