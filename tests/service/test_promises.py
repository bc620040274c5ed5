"""Random interleavings of all that people, runtimes, time and policies do, against what is promised."""

import asyncio
import shutil
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from adjudicator.approvals.states import Ballot
from adjudicator.config.limits import Limits
from adjudicator.config.private_files import publish_key
from adjudicator.domain.approval import Decision
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.grant import GrantWish
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import Effect
from adjudicator.service.claim_approval import ClaimApproval
from adjudicator.service.grants import RevokeGrant
from adjudicator.service.judge_again import JudgeAgain
from adjudicator.storage.contract import CallKey
from chain.bundle import Table
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from ledgers import faults, sign, verified
from opened import SIGNER, open_sqlite
from service.granting import granting_snapshot
from service.promises import Promises
from service.stage import Stage

TOOLS = ("read", "write", "deploy")
PEOPLE = ("user:ann", "user:bob", "user:cy", "user:eve", "user:coder")
AGENTS = ("coder", "designer")
NUMBER = st.integers(0, 99)
SECONDS = (0.001, 1, 59.999, 60, 239.999, 240, 299.999, 300)


class Rows:
    """Entitles these people to everything in the studio."""

    def __init__(self, people):
        self.version = "-".join(sorted(people))
        self._people = people

    def may_decide(self, actor, tenant, _tool, _priority):
        """See ApproverRules."""
        entitled = actor in self._people and tenant == "studio"
        return RuleRef("approvers.csv", 1, "p") if entitled else None

    def has_role(self, *_):
        """See ApproverRules."""
        return False

    def people(self):
        """See ApproverRules."""
        return self._people

    def tenants(self, actor):
        """See ApproverRules."""
        return frozenset({"studio"} if actor in self._people else ())


def snapshot_of(policy):
    """The model's policy as a snapshot."""
    snapshot = granting_snapshot()
    tools = dict(snapshot.registry.tools)
    for code in TOOLS:
        terms = {"quorum": policy.quorum[code], "session_grants": policy.grants[code]}
        tools[code] = replace(tools[code], **terms, four_eyes=code == "deploy")
    return replace(
        snapshot,
        registry=replace(snapshot.registry, tools=tools),
        rules=Table(*((effect, "*", code, None) for code, effect in policy.effects.items())),
        approvers=Rows(policy.people),
    )


class Interleavings(RuleBasedStateMachine):
    """The use cases on a store in a file, which is closed and opened again at any moment."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.model = Promises()
        self.stage = None

    @initialize()
    def begin(self):
        """Everything asks."""
        self.runner.run(self._open())

    async def _open(self):
        store, _ = open_sqlite(self.folder / "a.db")
        opened = await Stage.set_up(self.folder, snapshot_of(self.model.policy), store=store)
        opened.clock = self._go_on(opened.clock)
        self.stage = opened

    def _go_on(self, clock):
        if self.stage is not None:
            clock.time = self.stage.clock.time
        return clock

    @rule(
        session=st.sampled_from(("s", "t", "")),
        number=st.integers(0, 4),
        agent=st.sampled_from(AGENTS),
        tool=st.sampled_from(TOOLS),
        path=st.sampled_from(("/a", "/b")),
        times=st.integers(1, 3),
    )
    def call(self, session, number, agent, tool, path, times):
        """A call, under a call_id that may be new; its runtime may ask several times at once."""
        self.runner.run(self._judge((session, f"c{number}"), (agent, tool, path), times))

    @precondition(lambda self: self.model.calls)
    @rule(number=NUMBER, times=st.integers(1, 3))
    def retry(self, number, times):
        """A call comes again."""
        key, known = self._one_of(list(self.model.calls.items()), number)
        self.runner.run(self._judge(key, known.call, times))

    async def _judge(self, key, call, times):
        for verdict in await asyncio.gather(*(self._call(key, call) for _ in range(times))):
            await self._judged(key, call, verdict)

    def _call(self, key, call):
        (session, call_id), (agent, tool, path) = key, call
        fields = {"agent": agent, "tool": tool, "session": session, "principal": "user:ann"}
        return self.stage.judge(call_id, arguments_json=f'{{"path":"{path}"}}', **fields)

    async def _judged(self, key, call, verdict):
        event(f"{verdict.outcome} {verdict.cause}{' replayed' if verdict.replayed else ''}")
        found = await self.stage.store.approval(verdict.approval_id) if verdict.approval_id else None
        grants = [vote.grant_id for vote in found.votes if vote.grant_id] if found else []
        now = self.stage.clock.now()
        self.model.judged(key, call, verdict, now, grants[0] if grants else "")

    @staticmethod
    def _one_of(things, number):
        return things[number % len(things)]

    def _ballot(self, digest, actor, decision, *, seen, request_id, wish):
        view_digest = digest if seen else "0" * 64
        to = "user:cy" if decision is Decision.DELEGATE else ""
        return Ballot(
            actor,
            decision,
            view_digest,
            "",
            request_id=request_id,
            delegate_to=to,
            wish=GrantWish(uses=wish),
        )

    @precondition(lambda self: self.model.waiting())
    @rule(
        number=NUMBER,
        actors=st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=3),
        decision=st.sampled_from((*Decision, Decision.APPROVE, Decision.APPROVE_SESSION)),
        seen=st.integers(0, 5).map(bool),
        request_id=st.sampled_from(("", "r1", "r2")),
        wish=st.integers(1, 3),
        race=st.booleans(),
    )
    def vote(self, number, actors, decision, seen, request_id, wish, race):
        """Some people decide on one approval, perhaps at once, while its call comes again or not."""
        self.runner.run(self._vote(number, actors, decision, seen, request_id, wish, race))

    async def _vote(self, number, actors, decision, seen, request_id, wish, race):
        approval, known = self._one_of(self.model.waiting(), number)
        found = await self.stage.store.approval(approval.id)
        key = (found.session, found.call_id)
        decisions = (decision, Decision.APPROVE, Decision.DENY)
        ballots = [
            self._ballot(found.view_digest, actor, each, seen=seen, request_id=request_id, wish=wish)
            for actor, each in zip(actors, decisions, strict=False)
        ]
        calls = [self._call(key, known.call)] if race else []
        answers = await asyncio.gather(
            *(self.stage.decide(approval.id, ballot) for ballot in ballots), *calls
        )
        for ballot, receipt in zip(ballots, answers, strict=False):
            event(f"{ballot.decision} {receipt.code}{' replayed' if receipt.replayed else ''}")
            self.model.voted(known, ballot, receipt, found.view_digest, self.stage.clock.now())
        for verdict in answers[len(ballots) :]:
            await self._judged(key, known.call, verdict)

    @precondition(lambda self: self.model.waiting())
    @rule(number=NUMBER, actor=st.sampled_from(PEOPLE), seconds=st.sampled_from((0, 60)))
    def claim(self, number, actor, seconds):
        """Somebody says that they are on it, or are no more; nothing comes of it."""
        approval, _ = self._one_of(self.model.waiting(), number)
        use_case = ClaimApproval(self.stage.store, self.stage.clock)
        lease, sight = timedelta(seconds=seconds), self.stage.sight(actor)
        self._unless(ErrorReason.NOT_FOUND, use_case(approval.id, actor, lease, sight))

    def _unless(self, reason, what):
        try:
            return self.runner.run(_awaited(what))
        except AdjudicatorError as error:
            if error.reason is not reason:
                raise
            return None

    @precondition(lambda self: self.model.calls)
    @rule(number=NUMBER)
    def withdraw(self, number):
        """A runtime takes a call back."""
        (session, call_id), known = self._one_of(list(self.model.calls.items()), number)
        agent = known.call[0]
        answer = self._unless(
            ErrorReason.NOT_FOUND, self.stage.withdraw(call_id, agent=agent, session=session)
        )
        if answer and answer[1]:
            known.denied = True

    @precondition(lambda self: any(each.allowed_at for each in self.model.calls.values()))
    @rule(number=NUMBER)
    def report(self, number):
        """A runtime says what became of a call that was allowed."""
        allowed = [(key, each) for key, each in self.model.calls.items() if each.allowed_at]
        (session, call_id), known = self._one_of(allowed, number)
        self._unless(ErrorReason.TRACE_FROZEN, self._report(session, call_id, known.call[0]))
        known.reported = True

    async def _report(self, session, call_id, agent):
        found = await self.stage.store.call(_key(session, call_id))
        await self.stage.report(found.trace.number, call_id, agent)

    @rule(session=st.sampled_from(("s", "t")), chance=st.integers(0, 5))
    def close_session(self, session, chance):
        """A session ends, which is rare."""
        if chance == 0:
            self.runner.run(self.stage.end(session))
            self.model.closed.add(session)

    @rule(seconds=st.sampled_from(SECONDS))
    def time_passes(self, seconds):
        """The clock goes on, to the very moment of a limit too."""
        self.stage.clock.forward(seconds)

    @rule()
    def sweep(self):
        """What has run out is written down, and nothing stands then whose time is over."""
        self.runner.run(self.stage.expire.sweep())
        standing = self.runner.run(self.stage.store.all_standing(0, 99))
        assert all(each.expires_at > self.stage.clock.now() for each in standing)

    @precondition(lambda self: self.model.grants)
    @rule(number=NUMBER, actor=st.sampled_from(PEOPLE))
    def revoke(self, number, actor):
        """Somebody ends a grant, if they may."""
        grant_id, given = self._one_of(list(self.model.grants.items()), number)
        revoked = self._unless(ErrorReason.NOT_FOUND, self.stage.revoke_grant(actor, grant_id, ""))
        given.ended |= revoked is not None

    @rule(tool=st.sampled_from(TOOLS), effect=st.sampled_from((*Effect, Effect.ASK)), again=st.booleans())
    def change_rule(self, tool, effect, again):
        """Another effect for a tool; what stands is judged again at once or later."""
        self._activate("effects", tool, effect, again=again)

    @rule(tool=st.sampled_from(("read", "deploy")), quorum=st.integers(1, 3), again=st.booleans())
    def change_quorum(self, tool, quorum, again):
        """More people, or fewer."""
        self._activate("quorum", tool, quorum, again=again)

    @rule(tool=st.sampled_from(("read", "write")), kind=st.sampled_from(SessionGrants), again=st.booleans())
    def change_grants(self, tool, kind, again):
        """Another width of what may be granted."""
        self._activate("grants", tool, kind, again=again)

    @rule(actor=st.sampled_from(PEOPLE), again=st.booleans())
    def change_people(self, actor, again):
        """Somebody is entitled, or is no more."""
        policy = self.model.policy
        self.model.policy = replace(policy, people=policy.people ^ {actor})
        self.runner.run(self._reload(again=again))

    def _activate(self, name, tool, value, *, again):
        policy = self.model.policy
        self.model.policy = replace(policy, **{name: getattr(policy, name) | {tool: value}})
        self.runner.run(self._reload(again=again))

    async def _reload(self, *, again):
        self.stage.snapshot = snapshot_of(self.model.policy)
        await self.stage.policy.reload()
        if again:
            await self._judge_again()

    async def _judge_again(self):
        stage = self.stage
        revoke = RevokeGrant(stage.policy, stage.store, stage.clock, Limits())
        await JudgeAgain(stage.policy, stage.store, stage.clock, revoke).judge_all()

    @rule()
    def restart(self):
        """The store is closed and opened again on its file; what stands is judged again, as at a start."""
        self.runner.run(self._restart())

    async def _restart(self):
        await self.stage.store.close()
        await self._open()
        await self._judge_again()

    @invariant()
    def promises_hold(self):
        """Of every approval and grant there ever was."""
        if self.stage is not None:
            self.runner.run(self._check())

    async def _check(self):
        store = self.stage.store
        for approval, known in self.model.waiting():
            self.model.stands_as(approval, known, await store.approval(approval.id))
        for grant_id, given in self.model.grants.items():
            self.model.grant_is(given, await store.grant(grant_id))

    def teardown(self):
        """Every trace verifies."""
        try:
            self.runner.run(self._end())
            assert faults(verified(self.folder / "a.db")) == []
        finally:
            self.runner.close()
            shutil.rmtree(self.folder)

    async def _end(self):
        publish_key(self.folder / "signing.pub", SIGNER.public_key)
        if self.model.calls:
            await sign(self.stage.store, self.folder / "a.db")
        await self.stage.store.close()


async def _awaited(what):
    return await what


def _key(session, call_id):
    return CallKey("studio", session, call_id)


Interleavings.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestInterleavings = Interleavings.TestCase
