"""Random interleavings of all that people, runtimes, time and policies do, against what is promised."""

import asyncio
import itertools
import os
import random
from dataclasses import replace
from datetime import timedelta

import pytest
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
from ledgers import faults, sign, verified
from opened import SIGNER, open_sqlite
from service.granting import granting_snapshot
from service.promises import Promises
from service.stage import Stage

TOOLS = ("read", "write", "deploy")
PEOPLE = ("user:ann", "user:bob", "user:cy", "user:eve", "user:coder")
AGENTS = ("coder", "designer")
SEEDS = int(os.environ.get("ADJUDICATOR_TEST_ORDERS", "30"))
STEPS_OF_ONE = 60
SECONDS = (0.001, 1, 1, 1, 59.999, 60, 239.999, 240, 299.999, 300)


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


class Interleaving:
    """The use cases on a store in a file, which is closed and opened again at any moment."""

    def __init__(self, folder):
        self.folder = folder
        self.database = folder / "a.db"
        self.runner = asyncio.Runner()
        self.model = Promises()
        self.stage = None
        self.runner.run(self._open())

    async def _open(self):
        store, _ = open_sqlite(self.database)
        opened = await Stage.set_up(self.folder, snapshot_of(self.model.policy), store=store)
        opened.clock = self._go_on(opened.clock)
        self.stage = opened

    def _go_on(self, clock):
        if self.stage is not None:
            clock.time = self.stage.clock.time
        return clock

    def call(self, session, number, agent, tool, path, times):
        """A call, under a call_id that may be new; its runtime may ask several times at once."""
        self.runner.run(self._judge((session, f"c{number}"), (agent, tool, path), times))

    def retry(self, number, times):
        """A call comes again."""
        if not self.model.calls:
            return
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

    def vote(self, number, actors, decision, seen, request_id, wish, race, other):
        """Some people decide on one approval, perhaps at once, while its call comes again or not."""
        if not self.model.waiting():
            return
        self.runner.run(self._vote(number, actors, decision, seen, request_id, wish, race, other))

    async def _vote(self, number, actors, decision, seen, request_id, wish, race, other):
        waiting = self.model.waiting()
        pending = [each for each in waiting if not each[0].resolved] if number % 4 else []
        approval, known = self._one_of(pending or waiting, number)
        found = await self.stage.store.approval(approval.id)
        key = (found.session, found.call_id)
        decisions = (decision, other)
        ballots = [
            self._ballot(found.view_digest, actor, each, seen=seen, request_id=request_id, wish=wish)
            for actor, each in zip(actors, decisions, strict=False)
        ]
        calls = [self._call(key, known.call)] if race else []
        answers = await asyncio.gather(
            *(self.stage.decide(approval.id, ballot) for ballot in ballots), *calls
        )
        for ballot, receipt in zip(ballots, answers, strict=False):
            self.model.voted(known, ballot, receipt, found.view_digest, self.stage.clock.now())
        for verdict in answers[len(ballots) :]:
            await self._judged(key, known.call, verdict)

    def claim(self, number, actor, seconds):
        """Somebody says that they are on it, or are no more; nothing comes of it."""
        if not self.model.waiting():
            return
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

    def withdraw(self, number):
        """A runtime takes a call back."""
        if not self.model.calls:
            return
        (session, call_id), known = self._one_of(list(self.model.calls.items()), number)
        agent = known.call[0]
        answer = self._unless(
            ErrorReason.NOT_FOUND, self.stage.withdraw(call_id, agent=agent, session=session)
        )
        if answer and answer[1]:
            known.denied = True

    def report(self, number):
        """A runtime says what became of a call that was allowed."""
        allowed = [(key, each) for key, each in self.model.calls.items() if each.allowed_at]
        if not allowed:
            return
        (session, call_id), known = self._one_of(allowed, number)
        self._unless(ErrorReason.TRACE_FROZEN, self._report(session, call_id, known.call[0]))
        known.reported = True

    async def _report(self, session, call_id, agent):
        found = await self.stage.store.call(_key(session, call_id))
        await self.stage.report(found.trace.number, call_id, agent)

    def close_session(self, session):
        """A session ends."""
        self.runner.run(self.stage.end(session))
        self.model.closed.add(session)

    def time_passes(self, seconds):
        """The clock goes on, to the very moment of a limit too."""
        self.stage.clock.forward(seconds)

    def sweep(self):
        """What has run out is written down, and nothing stands then whose time is over."""
        self.runner.run(self.stage.expire.sweep())
        standing = self.runner.run(self.stage.store.all_standing(0, 99))
        assert all(each.expires_at > self.stage.clock.now() for each in standing)

    def revoke(self, number, actor):
        """Somebody ends a grant, if they may."""
        if not self.model.grants:
            return
        grant_id, given = self._one_of(list(self.model.grants.items()), number)
        revoked = self._unless(ErrorReason.NOT_FOUND, self.stage.revoke_grant(actor, grant_id, ""))
        given.ended |= revoked is not None

    def change_rule(self, tool, effect, again):
        """Another effect for a tool; what stands is judged again at once or later."""
        self._activate("effects", tool, effect, again=again)

    def change_quorum(self, tool, quorum, again):
        """More people, or fewer."""
        self._activate("quorum", tool, quorum, again=again)

    def change_grants(self, tool, kind, again):
        """Another width of what may be granted."""
        self._activate("grants", tool, kind, again=again)

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

    def restart(self):
        """The store is closed and opened again on its file; what stands is judged again, as at a start."""
        self.runner.run(self._restart())

    async def _restart(self):
        await self.stage.store.close()
        await self._open()
        await self._judge_again()

    def promises_hold(self):
        """Of every approval and grant there ever was."""
        self.runner.run(self._check())

    async def _check(self):
        store = self.stage.store
        for approval, known in self.model.waiting():
            self.model.stands_as(approval, known, await store.approval(approval.id))
        for grant_id, given in self.model.grants.items():
            self.model.grant_is(given, await store.grant(grant_id))

    def end(self):
        """Close the store; its head is signed, as at a stop."""
        try:
            self.runner.run(self._end())
        finally:
            self.runner.close()

    async def _end(self):
        publish_key(self.folder / "signing.pub", SIGNER.public_key)
        if self.model.calls:
            await sign(self.stage.store, self.database)
        await self.stage.store.close()


async def _awaited(what):
    return await what


def _key(session, call_id):
    return CallKey("studio", session, call_id)


NUMBERS = range(100)
ACTORS = (*PEOPLE, *("user:bob", "user:cy") * 4)
AGAIN = (True, False, False)
STEPS = {
    "call": (
        20,
        {
            "session": ("s", "s", "s", "t", ""),
            "number": range(8),
            "agent": ("coder", "coder", "coder", "designer"),
            "tool": ("read", "read", "write", "deploy"),
            "path": ("/a", "/b"),
            "times": (1, 1, 3),
        },
    ),
    "vote": (
        24,
        {
            "number": NUMBERS,
            "actors": [list(each) for count in (1, 2) for each in itertools.product(ACTORS, repeat=count)],
            "decision": (*Decision, *(Decision.APPROVE, Decision.APPROVE, Decision.APPROVE_SESSION) * 3),
            "seen": (True, True, True, True, False),
            "other": (Decision.APPROVE, Decision.APPROVE, Decision.DENY, Decision.CANCEL),
            "request_id": ("", "", "r1", "r2"),
            "wish": range(1, 4),
            "race": (True, False),
        },
    ),
    "retry": (16, {"number": NUMBERS, "times": range(1, 4)}),
    "time_passes": (6, {"seconds": SECONDS}),
    "claim": (2, {"number": NUMBERS, "actor": ACTORS, "seconds": (0, 60)}),
    "withdraw": (2, {"number": NUMBERS}),
    "report": (2, {"number": NUMBERS}),
    "close_session": (0.5, {"session": ("s", "t")}),
    "sweep": (2, {}),
    "revoke": (1, {"number": NUMBERS, "actor": ACTORS}),
    "change_rule": (3, {"tool": TOOLS, "effect": (*Effect, Effect.ASK, Effect.ASK), "again": AGAIN}),
    "change_quorum": (3, {"tool": ("read", "deploy"), "quorum": (1, 1, 2, 3), "again": AGAIN}),
    "change_grants": (2, {"tool": ("read", "write"), "kind": tuple(SessionGrants), "again": AGAIN}),
    "change_people": (4, {"actor": PEOPLE, "again": AGAIN}),
    "restart": (2, {}),
}
"""How often each is done, and what with."""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_happens_in_whatever_order_the_promises_hold(tmp_path, seed):
    """After each step, for every approval and grant there ever was; and every trace verifies at the end."""
    chance = random.Random(seed)  # noqa: S311 - an order of steps
    names, weights = zip(*((name, weight) for name, (weight, _) in STEPS.items()), strict=True)
    interleaving = Interleaving(tmp_path)
    try:
        for name in chance.choices(names, weights, k=STEPS_OF_ONE):
            options = {key: chance.choice(values) for key, values in STEPS[name][1].items()}
            getattr(interleaving, name)(**options)
            interleaving.promises_hold()
    finally:
        interleaving.end()
    assert faults(verified(interleaving.database)) == []
