"""A reload that nobody waits for any more, and a bundle whose tests cannot be run."""

import asyncio
import shutil
import threading

import pytest
from adjudicator.authoring import test_runs
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import Bundle, BundleError, load_bundle
from adjudicator.service import activation
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.reload_policy import ReloadPolicy
from chain.bundle import a_snapshot
from running import POLICIES
from service.stage import HandClock
from structlog.testing import capture_logs


class SlowLoads:
    """Loads that wait for `go`, and count how many of them run at once."""

    def __init__(self):
        self.go = threading.Event()
        self.begun = threading.Event()
        self.running = self.most = self.count = 0

    def __call__(self, _):
        """A bundle of its own, once it may go on."""
        self.running += 1
        self.most = max(self.most, self.running)
        self.begun.set()
        assert self.go.wait(10)
        self.count += 1
        self.running -= 1
        return Bundle(a_snapshot(version=f"v{self.count}"), (), f"v{self.count}")


async def test_a_caller_who_goes_away_leaves_the_reload_to_its_end(tmp_path):
    """No second load begins beside the first, and what the first found is activated and told."""
    loads, told = SlowLoads(), []

    async def changed():
        told.append(policy.current().version)

    policy = ActivePolicy(tmp_path, loads, HandClock())
    reload = ReloadPolicy(policy, changed)
    with capture_logs() as logs:
        gone = asyncio.create_task(reload())
        await asyncio.to_thread(loads.begun.wait, 10)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        second = asyncio.create_task(reload())
        await asyncio.sleep(0.05)
        loads.go.set()
        assert await second
    assert loads.most == 1
    assert told == ["v1", "v2"]
    assert [entry["version"] for entry in logs] == ["v1", "v2"]


def test_a_test_that_cannot_be_run_is_a_problem(tmp_path, monkeypatch):
    """A fault of ours refuses the bundle at the test's place; it does not end the reload."""
    folder = shutil.copytree(POLICIES, tmp_path / "p")

    def fail(*_):
        raise RecursionError

    monkeypatch.setattr(test_runs, "judge", fail)
    with pytest.raises(BundleError) as raised:
        activation.admit(folder, Limits())
    assert all("could not be run: RecursionError" in each.message for each in raised.value.problems)
    assert all(each.line for each in raised.value.problems)


def test_a_folder_that_cannot_be_looked_at_is_no_fault_of_the_loader(tmp_path):
    """A name that the system refuses is told like a folder that is not there."""
    with pytest.raises(BundleError, match="is not a folder that can be read"):
        load_bundle(tmp_path / ("a" * 300))
