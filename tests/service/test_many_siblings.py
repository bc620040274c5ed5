"""A grant in a session in which many calls wait: looking at them keeps nobody else waiting."""

import asyncio

import pytest
from adjudicator.service import release_siblings, turns
from service.granting import grant, granting_snapshot
from service.stage import Stage

S = {"session": "s"}


@pytest.fixture
async def stage(tmp_path):
    """A stage under whose policy something may be granted."""
    made = await Stage.set_up(tmp_path, granting_snapshot())
    yield made
    await made.store.close()


class Looked:
    """Counts the waiting calls that are looked at, and how many of them between two turns of others."""

    def __init__(self, monkeypatch):
        self.all, self.most, self._since = 0, 0, 0
        self._seen_case = release_siblings.seen_case
        monkeypatch.setattr(release_siblings, "seen_case", self._look)
        monkeypatch.setattr(turns, "_SLICE_SECONDS", 0.0)

    def _look(self, *arguments):
        self.all += 1
        self._since += 1
        self.most = max(self.most, self._since)
        return self._seen_case(*arguments)

    async def others(self):
        """Take a turn whenever there is one."""
        while True:
            self._since = 0
            await asyncio.sleep(0)


async def looked_at(stage, approval_id, monkeypatch):
    """What was looked at for a grant that is given with the approval."""
    given = await grant(stage, approval_id, release=False)
    looked = Looked(monkeypatch)
    others = asyncio.ensure_future(looked.others())
    await stage.release_siblings(given.id)
    others.cancel()
    return looked


async def test_between_two_waiting_calls_others_have_their_turn(stage, monkeypatch):
    """An agent chooses how long it takes to look at one."""
    # On behalf of somebody else, so that none of them is covered.
    await asyncio.gather(*(stage.judge(f"w{n}", on_behalf_of=("designer",), **S) for n in range(20)))
    asked = await stage.judge("first", **S)
    looked = await looked_at(stage, asked.approval_id, monkeypatch)
    assert (looked.all, looked.most) == (20, 1)


async def test_a_grant_for_exactly_one_call_looks_at_no_other(stage, monkeypatch):
    """That a call is another one is known without reading it."""
    for number in range(5):
        await stage.judge(f"w{number}", tool="bash", arguments_json=f'{{"command":"echo {number}"}}', **S)
    same = {"tool": "bash", "arguments_json": '{"command":"ls"}'} | S
    await stage.judge("same", **same)
    asked = await stage.judge("first", **same)
    looked = await looked_at(stage, asked.approval_id, monkeypatch)
    assert looked.all == 1
    assert (await stage.judge("same", **same)).allowed
