"""The reload as a use case: what is kept, what is replaced, what is told."""

import asyncio
import threading

import pytest
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.policy.loader import Bundle
from adjudicator.policy.problem import BundleError, Problem
from adjudicator.service.active_policy import ActivePolicy, Reload
from adjudicator.service.reload_policy import ReloadPolicy
from chain.bundle import a_snapshot
from service.stage import HandClock
from structlog.testing import capture_logs

WRONG = Problem("rules.csv", 4, 12, "'alow' is no effect")
WORSE = Problem("rules.csv", 5, 1, "no row")


class Folder:
    """What the next loads give: a name of contents, or problems."""

    def __init__(self, path, *loads):
        self.path = path
        self.loads = list(loads)
        self.policy = ActivePolicy(path, self.load, HandClock())

    def load(self, _):
        """The next bundle, or BundleError."""
        found = self.loads.pop(0)
        if isinstance(found, Problem):
            raise BundleError([found])
        return Bundle(a_snapshot(version=found), (), found)


async def test_without_a_bundle_nothing_can_be_judged(tmp_path):
    """Before the first good load, and after one that failed, there is no snapshot to ask."""
    folder = Folder(tmp_path, WRONG)
    for _ in range(2):
        with pytest.raises(AdjudicatorError) as raised:
            folder.policy.current()
        assert raised.value.reason is ErrorReason.POLICY_INVALID
        if folder.loads:
            assert await folder.policy.reload() is Reload.REFUSED
    assert folder.policy.status.problems == (WRONG,)


async def test_the_same_contents_keep_the_snapshot_and_clear_the_problems(tmp_path):
    """A folder that was spoilt and put right again is the bundle that decided all the time."""
    folder = Folder(tmp_path, "a", WRONG, "a", "b")
    assert await folder.policy.reload() is Reload.ACTIVATED
    first = folder.policy.current()
    assert await folder.policy.reload() is Reload.REFUSED
    assert folder.policy.current() is first
    assert await folder.policy.reload() is Reload.UNCHANGED
    assert folder.policy.current() is first
    assert folder.policy.status.problems == ()
    assert await folder.policy.reload() is Reload.ACTIVATED
    assert folder.policy.current().version == "b"


async def test_a_rule_saved_during_a_slow_load_is_not_lost(tmp_path):
    """The load has read the folder of before, so the folder counts as changed."""
    (tmp_path / "rules.csv").write_text("allow\n")
    reading, saved = threading.Event(), threading.Event()

    def slow(directory):
        text = (directory / "rules.csv").read_text()
        reading.set()
        saved.wait(10)
        return Bundle(a_snapshot(version=text), (), text)

    policy = ActivePolicy(tmp_path, slow, HandClock())
    first = asyncio.create_task(policy.reload())
    await asyncio.to_thread(reading.wait, 10)
    (tmp_path / "rules.csv").write_text("allow\ndeny\n")
    saved.set()
    await first
    assert policy.current().version == "allow\n"
    assert await policy.is_stale()
    await policy.reload()
    assert policy.current().version == "allow\ndeny\n"
    assert not await policy.is_stale()


async def test_reloads_run_one_after_the_other(tmp_path):
    """However many are asked for at once, no two load together."""
    running, most = [], []

    def load(_):
        running.append(1)
        most.append(len(running))
        running.pop()
        return Bundle(a_snapshot(), (), str(len(most)))

    policy = ActivePolicy(tmp_path, load, HandClock())
    await asyncio.gather(*(policy.reload() for _ in range(10)))
    assert most == [1] * 10


async def test_a_load_that_fails_for_another_reason_changes_nothing(tmp_path):
    """The fault reaches whoever reloads; the snapshot decides on, and the next reload is served."""
    folder = Folder(tmp_path, "a")
    await folder.policy.reload()
    before = folder.policy.status
    with pytest.raises(IndexError):
        await folder.policy.reload()
    assert folder.policy.status is before
    folder.loads.append("b")
    assert await folder.policy.reload() is Reload.ACTIVATED


async def test_the_log_has_each_set_of_problems_once(tmp_path):
    """A folder that stays broken is told once, another fault is told, and so is the end of it."""
    shown = []
    folder = Folder(tmp_path, "a", WRONG, WRONG, WORSE, "a", "a", WORSE, "b")

    async def show():
        shown.append(folder.policy.status.problems)

    reload = ReloadPolicy(folder.policy, show)
    with capture_logs() as logs:
        answers = [await reload() for _ in range(8)]
    assert answers == [True, False, False, False, True, True, False, True]
    assert len(shown) == 8
    assert [(each["event"], each.get("at", each.get("kept", each.get("version")))) for each in logs] == [
        ("policy activated", "a"),
        ("policy problem", "rules.csv:4:12"),
        ("policy not activated", "a"),
        ("policy problem", "rules.csv:5:1"),
        ("policy not activated", "a"),
        ("the policy folder is in order again", "a"),
        ("policy problem", "rules.csv:5:1"),
        ("policy not activated", "a"),
        ("policy activated", "b"),
    ]
