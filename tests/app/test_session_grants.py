"""Session grants over gRPC, on two sidecars that share a database, and through a power cut."""

import asyncio
import os
import signal
import subprocess
import sys

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as adjudication_grpc
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import approval_service_pb2_grpc as approval_grpc
from adjudicator.api.v1 import types_pb2 as types_pb
from adjudicator.config.limits import Limits
from adjudicator.domain.grant import GrantState, GrantWish
from adjudicator.domain.verdict import Cause, Outcome
from adjudicator.service.attendance import Attendance
from adjudicator.service.claim_approval import ClaimApproval
from adjudicator.service.reading import Reading
from adjudicator.storage.contract import TraceFilter
from adjudicator.transport.adjudication import AdjudicationServicer
from adjudicator.transport.approval import ApprovalServicer, ApprovalUseCases
from adjudicator.transport.approval_messages import ApprovalMessages
from adjudicator.transport.authentication import Approvers, RequireApprover
from grpc import aio
from opened import OTHER_SIGNER, SIGNER, open_postgres, open_sqlite
from service.granting import grant, granting_snapshot
from service.stage import Stage

S = {"session": "s"}
BOB = (("authorization", f"Bearer bob-{'x' * 40}"),)
EVE = (("authorization", f"Bearer eve-{'x' * 40}"),)

KEEPS_ASKING = """
import asyncio, sys
from pathlib import Path
from adjudicator.domain.grant import GrantWish
from service.granting import grant, granting_snapshot
from service.stage import Stage

async def main():
    stage = await Stage.set_up(Path(sys.argv[1]), granting_snapshot())
    asked = await stage.judge("first", session="s")
    waits = await stage.judge("waits", session="s")
    given = await grant(stage, asked.approval_id, GrantWish(uses=100_000), release=False)
    print(given.id, flush=True)
    for number in range(10_000):
        verdict = await stage.judge(f"c{number}", session="s")
        print(verdict.trace_number if verdict.allowed else "not allowed", flush=True)

asyncio.run(main())
"""


class Planes:
    """Both planes of a stage on ports of this machine."""

    def __init__(self, stage, tokens):
        approvers = Approvers(tokens)
        limits = Limits()
        self.server = aio.server(interceptors=(RequireApprover(approvers),))
        self.agents = aio.server()
        adjudication_grpc.add_AdjudicationServiceServicer_to_server(
            AdjudicationServicer(
                stage.adjudicate,
                stage.report_outcome,
                stage.open_flow,
                stage.close_flow,
                stage.withdraw_call,
                stage.close_session,
                stage.ask_question,
                limits,
            ),
            self.agents,
        )
        use_cases = ApprovalUseCases(
            stage.watch,
            Reading(stage.store, limits),
            stage.decide,
            ClaimApproval(stage.store, stage.clock),
            stage.list_grants,
            stage.revoke_grant,
        )
        messages = ApprovalMessages(stage.policy, Attendance(lambda: None))
        approval_grpc.add_ApprovalServiceServicer_to_server(
            ApprovalServicer(use_cases, stage.policy, approvers, messages, limits), self.server
        )
        ports = [each.add_insecure_port("127.0.0.1:0") for each in (self.agents, self.server)]
        self.channels = [aio.insecure_channel(f"127.0.0.1:{port}") for port in ports]
        self.adjudication = adjudication_grpc.AdjudicationServiceStub(self.channels[0])
        self.approvals = approval_grpc.ApprovalServiceStub(self.channels[1])

    async def judge(self, call_id, path="/a", session="s", agent="coder"):
        """One call; the verdict."""
        call = types_pb.ToolCall(
            tenant="studio",
            agent=agent,
            tool="read",
            session=session,
            call_id=call_id,
            arguments_json=f'{{"path":"{path}"}}',
        )
        response = await self.adjudication.Adjudicate(adjudication_pb.AdjudicateRequest(call=call))
        return response.verdict


@pytest.fixture
async def planes(tmp_path):
    """A stage that is served, with bob, who is entitled, and eve, who is not, as approvers."""
    stage = await Stage.set_up(tmp_path, granting_snapshot())
    tokens = tmp_path / "approvers"
    tokens.mkdir(mode=0o700)
    for name in ("bob", "eve"):
        descriptor = os.open(tokens / f"{name}.token", os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "w") as out:
            out.write(f"{name}-{'x' * 40}\n")
    served = Planes(stage, tokens)
    served.stage = stage
    await served.agents.start()
    await served.server.start()
    yield served
    for channel in served.channels:
        await channel.close()
    await served.agents.stop(0)
    await served.server.stop(0)
    await stage.store.close()


async def test_what_is_granted_passes_is_listed_and_is_revoked_over_the_wire(planes):
    """In its session only; another session, and everything after the end, asks."""
    asked = await planes.judge("c1")
    assert asked.outcome == types_pb.OUTCOME_ASK
    given = await grant(planes.stage, asked.approval_id, GrantWish(uses=5))
    verdict = await planes.judge("c2", "/b")
    assert (verdict.allowed, verdict.cause, verdict.grant_id) == (True, types_pb.CAUSE_GRANTED, given.id)
    assert (await planes.judge("c3", session="t")).outcome == types_pb.OUTCOME_ASK
    assert (await planes.judge("c4", agent="designer")).outcome == types_pb.OUTCOME_ASK
    listed = await planes.approvals.ListGrants(approval_pb.ListGrantsRequest(session="s"), metadata=BOB)
    assert [(each.id, each.used, each.uses, each.granted_by) for each in listed.grants] == [
        (given.id, 1, 5, "user:ann")
    ]
    assert not (await planes.approvals.ListGrants(approval_pb.ListGrantsRequest(), metadata=EVE)).grants
    request = approval_pb.RevokeGrantRequest(grant_id=given.id, reason="done")
    with pytest.raises(aio.AioRpcError) as caught:
        await planes.approvals.RevokeGrant(request, metadata=EVE)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    for _ in range(2):
        revoked = await planes.approvals.RevokeGrant(request, metadata=BOB)
        assert revoked.grant.state == approval_pb.GRANT_STATE_REVOKED
    assert (await planes.judge("c5")).outcome == types_pb.OUTCOME_ASK
    assert (await planes.judge("c2", "/b")).outcome == types_pb.OUTCOME_DENY


async def test_nobody_without_a_token_sees_or_ends_a_grant(planes):
    """Nor does the agent plane serve either."""
    asked = await planes.judge("c1")
    given = await grant(planes.stage, asked.approval_id)
    agents = approval_grpc.ApprovalServiceStub(planes.channels[0])
    for stub, code in (
        (planes.approvals, grpc.StatusCode.UNAUTHENTICATED),
        (agents, grpc.StatusCode.UNIMPLEMENTED),
    ):
        for call in (
            stub.ListGrants(approval_pb.ListGrantsRequest()),
            stub.RevokeGrant(approval_pb.RevokeGrantRequest(grant_id=given.id)),
        ):
            with pytest.raises(aio.AioRpcError) as caught:
                await call
            assert caught.value.code() is code
    assert (await planes.stage.store.grant(given.id)).state is GrantState.LIVE


async def test_two_sidecars_race_for_the_uses_of_a_grant(postgres_url, tmp_path):
    """Together they allow as many calls as there are uses; the others ask, and every use is on record."""
    stores = [open_postgres(postgres_url, signer)[0] for signer in (SIGNER, OTHER_SIGNER)]
    stages = [await Stage.set_up(tmp_path, granting_snapshot(), store=store) for store in stores]
    asked = await stages[0].judge("first", **S)
    given = await grant(stages[0], asked.approval_id, GrantWish(uses=7))
    verdicts = await asyncio.gather(*(stages[n % 2].judge(f"c{n}", **S) for n in range(40)))
    allowed = [each for each in verdicts if each.allowed]
    assert len(allowed) == 7
    assert all(each.outcome is Outcome.ASK for each in verdicts if not each.allowed)
    again = await asyncio.gather(
        *(stages[n % 2].judge(each.call_id, **S) for n, each in enumerate(allowed))
    )
    assert all(each.allowed and each.replayed for each in again)
    grants = [await store.grant(given.id) for store in stores]
    assert [(each.state, each.used) for each in grants] == [(GrantState.SPENT, 7)] * 2
    for store in stores:
        await store.close()


async def test_two_sidecars_release_and_use_what_waits_once(postgres_url, tmp_path):
    """Whoever is quicker; a revocation by one holds on the other."""
    stores = [open_postgres(postgres_url, signer)[0] for signer in (SIGNER, OTHER_SIGNER)]
    one, two = [await Stage.set_up(tmp_path, granting_snapshot(), store=store) for store in stores]
    asked = [await one.judge(f"c{n}", **S) for n in range(4)]
    given = await grant(one, asked[0].approval_id, release=False)
    await asyncio.gather(
        one.release_siblings(given.id), *((one, two)[n % 2].judge("c1", **S) for n in range(10))
    )
    final = await two.judge("c1", **S)
    assert final.allowed
    elements = (await two.store.trace(asked[1].trace_number)).elements
    assert sum(each.body.get("outcome") == "ALLOW" for each in elements) == 1
    assert (await two.store.grant(given.id)).used == 3
    revoked = await two.revoke_grant("user:bob", given.id, "")
    assert revoked.cancelled == 2
    for call_id in ("c1", "c2", "c3", "new"):
        assert not (await one.judge(call_id, **S)).allowed
    for store in stores:
        await store.close()


async def test_a_power_cut_loses_no_grant_and_no_use(tmp_path):
    """Every ALLOW that was answered is on record with its use, and the grant goes on where it stood."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KEEPS_ASKING, str(tmp_path), stdout=subprocess.PIPE, env=env
    )
    grant_id = (await process.stdout.readline()).decode().strip()
    answered = [int(await process.stdout.readline()) for _ in range(25)]
    process.send_signal(signal.SIGKILL)
    answered += [int(line) for line in (await process.stdout.read()).splitlines(keepends=True)[:-1]]
    await process.wait()
    store, _ = open_sqlite(tmp_path / "a.db")
    recorded = {
        each.number
        for each in await store.traces(TraceFilter(session="s"), None, 20_000)
        if each.verdict is not None and each.verdict.cause is Cause.GRANTED
    }
    given = await store.grant(grant_id)
    assert set(answered) <= recorded
    assert (given.state, given.used) == (GrantState.LIVE, len(recorded))
    stage = await Stage.set_up(tmp_path, granting_snapshot(), store=store)
    assert (await stage.judge("waits", **S)).cause is Cause.GRANTED
    assert (await store.grant(grant_id)).used == given.used + 1
    await store.close()
