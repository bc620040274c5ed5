"""A load gives way to decisions, and leaves the interpreter as it found it."""

import gc
import sys

import pytest
from adjudicator.app.quiet_load import quiet_load
from adjudicator.policy import loader
from adjudicator.policy.problem import BundleError
from running import POLICIES


@pytest.fixture(autouse=True)
def unfrozen():
    """What a load set aside is given back."""
    yield
    gc.unfreeze()


def settings():
    """What a load changes for the whole process."""
    return sys.getswitchinterval(), gc.get_threshold(), gc.isenabled()


def test_others_get_their_turn_at_once():
    """While it loads the interpreter is handed over after microseconds; then all is as before."""
    before = settings()
    during = quiet_load(lambda _: settings())(None)
    assert during[0] < before[0] / 10
    assert settings() == before


def test_no_collection_is_full_while_a_bundle_is_read(monkeypatch):
    """Young garbage is collected as ever."""
    before, seen = settings(), []
    read = loader.read_sources

    def look(*arguments):
        seen.append(settings())
        return read(*arguments)

    monkeypatch.setattr(loader, "read_sources", look)
    loader.read_bundle(POLICIES)
    ((_, during, enabled),) = seen
    assert enabled
    assert during[:2] == before[1][:2]
    assert during[2] > before[1][2] * 1000
    assert settings() == before


def test_a_load_that_fails_leaves_no_trace():
    """The error goes on, and the settings are back."""
    before = settings()

    def fails(_):
        raise BundleError([])

    with pytest.raises(BundleError):
        quiet_load(fails)(None)
    assert settings() == before


def test_what_was_loaded_is_looked_at_by_no_collection():
    """A collection does not walk over a policy that is there for hours."""
    loaded = quiet_load(lambda _: [[number] for number in range(1000)])(None)
    assert gc.get_freeze_count() >= 1000
    assert not any(each is loaded for each in gc.get_objects())
