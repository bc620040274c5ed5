"""Reading what is recorded, as far as whoever reads may see it."""

from adjudicator.config.limits import Limits
from adjudicator.service.reading import Reading
from adjudicator.storage.contract import ApprovalFilter
from chain.people import People
from service.stage import Stage


async def test_who_may_see_nothing_is_told_so_without_a_look(tmp_path, monkeypatch):
    """However much is pending: the time that it takes neither says how much, nor holds up others."""
    stage = await Stage.set_up(tmp_path)
    asked = (await stage.judge()).approval_id
    reading, looks, pending = Reading(stage.store, Limits()), [], stage.store.pending

    async def counting(*asked_for):
        looks.append(asked_for)
        return await pending(*asked_for)

    monkeypatch.setattr(stage.store, "pending", counting)
    page, _ = await reading.pending(ApprovalFilter(), stage.sight("user:ann"), 1, "")
    assert ([each.id for each in page], len(looks)) == ([asked], 1)
    assert await reading.pending(ApprovalFilter(), stage.sight("user:coder"), 1, "") == ([], "")
    await stage.activate(approvers=People())
    assert await reading.pending(ApprovalFilter(), stage.sight("user:ann"), 1, "") == ([], "")
    assert len(looks) == 1
    await stage.store.close()
