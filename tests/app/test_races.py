"""People and calls that are there at once, on one sidecar and on two that share a database."""

import shutil
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import types_pb2 as pb
from running import POLICIES, Running, until

PEOPLE = [f"person-{number:02}" for number in range(50)]
ENDS = {
    approval_pb.DECISION_APPROVE: (approval_pb.APPROVAL_STATE_APPROVED, pb.CAUSE_APPROVED),
    approval_pb.DECISION_APPROVE_SESSION: (approval_pb.APPROVAL_STATE_APPROVED, pb.CAUSE_APPROVED),
    approval_pb.DECISION_DENY: (approval_pb.APPROVAL_STATE_DENIED, pb.CAUSE_APPROVAL_DENIED),
    approval_pb.DECISION_SKIP: (approval_pb.APPROVAL_STATE_DENIED, pb.CAUSE_APPROVAL_SKIPPED),
    approval_pb.DECISION_CANCEL: (approval_pb.APPROVAL_STATE_CANCELLED, pb.CAUSE_APPROVAL_CANCELLED),
}


@pytest.fixture(scope="module")
def policies(tmp_path_factory):
    """The shipped bundle without its tests, under which fifty more people decide."""
    folder = tmp_path_factory.mktemp("races") / "policies"
    shutil.copytree(POLICIES, folder, ignore=shutil.ignore_patterns("tests"))
    with (folder / "approvers.csv").open("a") as rows:
        rows.writelines(f"g, user:{name}, role:lead, studio\n" for name in PEOPLE)
    return folder


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def sidecars(request, tmp_path_factory, policies):
    """One sidecar twice, or two on one database."""
    folder = tmp_path_factory.mktemp(request.param)
    extra, count = (), 1
    if request.param == "PostgreSQL":
        url = request.getfixturevalue("shared_postgres").new_database()
        extra, count = ("--database", url), 2
    started = [Running(folder / f"{number}", policies, extra=extra).start() for number in range(count)]
    yield started[0], started[-1]
    for each in started:
        each.stop()


def a_call():
    """A call that asks, in a session of its own."""
    fetch = {"tool": "fetch", "arguments": {"url": "https://example.test/"}}
    return fetch | {"call_id": f"c-{uuid.uuid4().hex}", "session": f"s-{uuid.uuid4().hex}"}


@pytest.mark.parametrize("turn", range(2))
def test_of_fifty_people_with_different_decisions_one_wins_and_all_others_are_told(sidecars, turn):
    """Each has a token of their own; what the call comes to is what the winner said."""
    fields = a_call()
    asked = sidecars[0].judge(**fields)
    digest = sidecars[1].approval(asked.approval_id).view_digest
    decisions = [list(ENDS)[(number + turn) % len(ENDS)] for number in range(len(PEOPLE))]
    for name in PEOPLE:
        for sidecar in sidecars:
            sidecar.token(name)

    def decide(number):
        sidecar = sidecars[number % 2]
        return sidecar.resolve(asked.approval_id, decisions[number], name=PEOPLE[number], digest=digest)

    with ThreadPoolExecutor(len(PEOPLE)) as pool:
        receipts = list(pool.map(decide, range(len(PEOPLE))))
    (winner,) = [number for number, receipt in enumerate(receipts) if receipt.accepted]
    state, cause = ENDS[decisions[winner]]
    for number, receipt in enumerate(receipts):
        lost = approval_pb.RECEIPT_CODE_ALREADY_RESOLVED
        assert receipt.code == (approval_pb.RECEIPT_CODE_ACCEPTED if number == winner else lost)
        assert receipt.approval.state == state
    votes = sidecars[0].approval(asked.approval_id).votes
    assert [(vote.actor, vote.decision) for vote in votes] == [
        (f"user:{PEOPLE[winner]}", decisions[winner])
    ]
    verdict = sidecars[1].judge(**fields)
    assert (verdict.cause, verdict.allowed) == (cause, state == approval_pb.APPROVAL_STATE_APPROVED)


def test_of_two_calls_of_one_agent_that_wait_at_once_approving_one_releases_only_that_one(sidecars):
    """The same call but for its call_id, in one session, both held: the other goes on waiting."""
    first = a_call()
    second = first | {"call_id": f"{first['call_id']}-2"}
    held = {}
    for sidecar, fields in zip(sidecars, (first, second), strict=True):
        held[fields["call_id"]] = sidecar.judge_later(wait=30, **fields)
    waiting = until(lambda: _waiting(sidecars[0], held))
    chosen, other = waiting
    assert sidecars[0].approve(chosen.id).accepted
    assert held[chosen.call_id].result(timeout=20).verdict.allowed
    assert not held[other.call_id].done()
    assert sidecars[1].approval(other.id).state == approval_pb.APPROVAL_STATE_PENDING
    assert sidecars[1].deny(other.id).accepted
    denied = held[other.call_id].result(timeout=20).verdict
    assert (denied.outcome, denied.cause) == (pb.OUTCOME_DENY, pb.CAUSE_APPROVAL_DENIED)


def _waiting(sidecar, held):
    """What is pending of these calls, once it is all of them."""
    found = [each for each in sidecar.pending() if each.call_id in held]
    return found if len(found) == len(held) else None
