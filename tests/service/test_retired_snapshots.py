"""Snapshots that decide no more go when the last call that they judged has gone, and a piece at a time."""

import asyncio
import gc
import weakref

import pytest
from adjudicator.policy.loader import read_bundle
from adjudicator.service.active_policy import ActivePolicy, Reload
from adjudicator.service.retired_snapshots import RetiredSnapshots
from adjudicator.service.taking_apart import take_apart
from chain.bundle import a_snapshot
from running import POLICIES
from service.stage import HandClock, Stage


class Watched(list):
    """A part that tells when it is gone."""


async def test_a_snapshot_in_use_is_kept():
    """A call that still has it is answered by it; then it goes."""
    retired, mark = RetiredSnapshots(), Watched()
    gone = weakref.ref(mark)
    in_use = [a_snapshot(contracts={"read": mark})]
    del mark
    retired.add(in_use[0])
    assert await retired.drop_unused() == 1
    assert gone() is not None
    in_use.clear()
    assert await retired.drop_unused() == 0
    assert gone() is None


async def test_a_replaced_snapshot_is_dropped_by_itself(tmp_path):
    """The duty runs beside everything else; each reload hands it what was replaced."""
    retired = RetiredSnapshots()
    stage = await Stage.set_up(tmp_path)
    marks = [Watched(), Watched()]
    gone = [weakref.ref(mark) for mark in marks]
    policy = ActivePolicy(tmp_path, lambda _: stage.bundle(), HandClock(), retired.add)
    duty = asyncio.create_task(retired.run())
    for _ in range(2):
        stage.snapshot = a_snapshot(contracts={"read": marks.pop(0)})
        assert await policy.reload() is Reload.ACTIVATED
    stage.snapshot = policy.current()
    for _ in range(200):
        if gone[0]() is None:
            break
        await asyncio.sleep(0.01)
    assert gone[0]() is None
    assert gone[1]() is policy.current().contracts["read"]
    duty.cancel()
    await stage.store.close()


def test_what_has_another_owner_stays_whole():
    """Only what nothing else refers to is taken apart."""
    shared = {"a": [1, 2], "b": {"c": (3,)}}
    own = Watched([shared])
    gone = weakref.ref(own)
    parts = [{"x": own, "y": (own, shared), ("z", 1): [shared, {"more": own}]}]
    del own
    take_apart(parts)
    assert parts == []
    assert gone() is None
    assert shared == {"a": [1, 2], "b": {"c": (3,)}}


def test_parts_in_a_circle_come_to_an_end():
    """They are left to the collector."""
    first, second = [], {}
    first.append(second)
    second["first"] = first
    parts = [first]
    del first, second
    take_apart(parts)
    assert parts == []


@pytest.fixture
def garbage():
    """What only the collector would free, when it is called; until then nothing is collected."""
    gc.collect()
    gc.disable()

    def collected():
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        return {type(each) for each in gc.garbage}

    yield collected
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def test_a_snapshot_needs_no_collector(garbage):
    """What a load leaves behind is set aside from collections: a circle in it would stay for ever."""
    take_apart([read_bundle(POLICIES)])
    assert [kind for kind in garbage() if kind.__module__.startswith("adjudicator.")] == []
