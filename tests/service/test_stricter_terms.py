"""Session grants beside approvals that were opened on stricter terms than the policy has by now."""

import pytest
from adjudicator.approvals.states import Ballot
from adjudicator.domain.approval import Decision, ReceiptCode
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Outcome
from adjudicator.storage.contract import GrantFilter
from chain.people import People
from service.granting import grant, granting_snapshot, with_tool
from service.stage import Stage

FOR_ANN = {"session": "s", "principal": "user:ann"}


@pytest.fixture
async def stage(tmp_path):
    """A stage under whose policy something may be granted."""
    made = await Stage.set_up(tmp_path, granting_snapshot())
    yield made
    await made.store.close()


class Low(People):
    """Ann decides on what is of low priority, and bob on everything."""

    def __init__(self):
        super().__init__(
            ("user:ann", "studio", "read", Priority.LOW), ("user:bob", "studio", "read", Priority.CRITICAL)
        )

    def people(self):
        """See ApproverRules."""
        return frozenset({"user:ann", "user:bob"})


async def waiting_on(stage, **terms):
    """A call that waits on these terms of its tool, of which the policy has none any more."""
    before = stage.snapshot.registry
    await stage.activate(registry=with_tool(stage.snapshot, "read", **terms).registry)
    asked = await stage.judge("strict", **FOR_ANN)
    assert asked.outcome is Outcome.ASK
    await stage.activate(registry=before)
    return asked.approval_id


async def test_one_person_grants_nothing_with_an_approval_that_waits_for_two(stage):
    """The vote is no approval yet, so no grant is opened by it, and no call passes."""
    approval_id = await waiting_on(stage, quorum=2)
    digest = (await stage.store.approval(approval_id)).view_digest
    receipt = await stage.decide(approval_id, Ballot("user:ann", Decision.APPROVE_SESSION, digest, ""))
    assert receipt.code is ReceiptCode.GRANT_FORBIDDEN
    assert "waits for 2 people" in receipt.message
    assert not await stage.store.grants(GrantFilter(ended=True), None, 10)
    for call_id in ("strict", "other"):
        assert (await stage.judge(call_id, **FOR_ANN)).outcome is Outcome.ASK


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    "terms", [{"quorum": 2}, {"four_eyes": True}, {"priority": Priority.CRITICAL}], ids=str
)
async def test_a_grant_releases_nothing_that_its_giver_could_not_approve_alone(stage, terms, at_once):
    """Neither when it is given nor when the call that waits comes again; a new call passes."""
    await stage.activate(approvers=Low())
    registry = with_tool(stage.snapshot, "read", priority=Priority.LOW).registry
    await stage.activate(registry=registry)
    await waiting_on(stage, **terms)
    other = await stage.judge("other", **FOR_ANN)
    given = await grant(stage, other.approval_id, release=at_once)
    assert given.used == 0
    assert (await stage.judge("strict", **FOR_ANN)).outcome is Outcome.ASK
    assert (await stage.judge("new", **FOR_ANN)).allowed


async def test_what_waits_on_the_terms_of_now_is_released_as_before(stage):
    """A grant still takes the place of the one person whom such a call waits for."""
    first, _ = [await stage.judge(name, **FOR_ANN) for name in ("first", "second")]
    assert (await grant(stage, first.approval_id)).used == 1
    assert (await stage.judge("second", **FOR_ANN)).allowed
