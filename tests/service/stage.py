"""The use cases on a real store, with a clock and a policy that a test moves by hand."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from adjudicator.approvals.digest import Digester
from adjudicator.approvals.states import Ballot
from adjudicator.config.limits import Limits
from adjudicator.domain.approval import Decision
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.domain.flow import Flow, FlowStatus
from adjudicator.domain.ids import RandomIds
from adjudicator.domain.question import Asking
from adjudicator.domain.strict_json import Json
from adjudicator.domain.trace import TraceKind
from adjudicator.policy.loader import Bundle
from adjudicator.policy.snapshot import Effect
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.adjudicate import Adjudicate
from adjudicator.service.answer_question import AnswerQuestion, Reply
from adjudicator.service.approval_feed import ApprovalFeed
from adjudicator.service.ask_question import AskQuestion
from adjudicator.service.attendance import Attendance
from adjudicator.service.close_flow import CloseFlow, Opener
from adjudicator.service.close_session import CloseSession, Closing
from adjudicator.service.encoded_approval import Encoding
from adjudicator.service.ending import Ending
from adjudicator.service.expire import Expire
from adjudicator.service.finish_closings import FinishClosings
from adjudicator.service.grants import ListGrants, PlanGrant, RevokeGrant
from adjudicator.service.list_questions import ListQuestions
from adjudicator.service.open_flow import OpenFlow
from adjudicator.service.opening import Opening
from adjudicator.service.question_access import QuestionAccess
from adjudicator.service.recording import Recording
from adjudicator.service.release_siblings import ReleaseSiblings
from adjudicator.service.report_outcome import Reporter, ReportOutcome
from adjudicator.service.resolve import Resolve
from adjudicator.service.sight import Sight
from adjudicator.service.waits import Waits
from adjudicator.service.watch import Watch
from adjudicator.service.watch_questions import WatchQuestions
from adjudicator.service.watch_traces import WatchTraces
from adjudicator.service.withdraw_call import Withdrawal, WithdrawCall
from adjudicator.storage.contract import CallKey
from adjudicator.tracing.elements import Execution, ExecutionStatus
from chain.bundle import Table, a_snapshot
from opened import open_sqlite

ZERO = timedelta(0)
PLAIN = Encoding(lambda approval: approval.view_json.encode(), lambda cursor, sent: cursor.encode() + sent)
ASK_ALL = Table((Effect.ASK, "*", "*", None))


class HandClock:
    """Stands still until it is moved."""

    def __init__(self):
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        """The present."""
        return self.time

    def forward(self, seconds):
        """Move it."""
        self.time += timedelta(seconds=seconds)


class CountingIds:
    """apr-1, apr-2 and so on."""

    def __init__(self):
        self.numbers = itertools.count(1)

    def approval(self):
        """The next approval id."""
        return f"apr-{next(self.numbers)}"

    def grant(self):
        """The next grant id."""
        return f"grt-{next(self.numbers)}"

    def call(self):
        """The next call_id."""
        return f"call-{next(self.numbers)}"

    def question(self):
        """The next id of a question."""
        return f"qst-{next(self.numbers)}"

    def question_key(self):
        """The next question_id."""
        return f"question-{next(self.numbers)}"


class Stage:
    """Everything between transport and disk. Make it with `await Stage.set_up(folder)`."""

    @classmethod
    async def set_up(cls, folder, snapshot=None, limits=None, store=None):
        """Open the store and activate the snapshot, which asks for everything unless one is given.

        Several stages may stand on one store of their database each.
        """
        stage = cls()
        stage.clock = HandClock()
        stage.people = None
        stage.snapshot = snapshot or a_snapshot(rules=ASK_ALL)
        stage.store = store or open_sqlite(folder / "a.db")[0]
        ids = CountingIds() if store is None else RandomIds()
        stage.waits = Waits()
        stage.store.subscribe(stage.waits.changed)
        limits = limits or Limits()
        stage.contents = itertools.count()
        stage.policy = ActivePolicy(Path("nowhere"), lambda _: stage.bundle(), stage.clock)
        await stage.policy.reload()
        digester = Digester(b"k")
        stage.recording = Recording(stage.policy, digester, limits)
        stage.adjudicate = Adjudicate(
            stage.policy,
            stage.store,
            stage.waits,
            digester,
            Opening(stage.recording, digester, ids, Attendance(lambda: stage.people), limits),
            stage.clock,
            ids,
            limits,
        )
        stage.open_flow = OpenFlow(stage.policy, stage.store, digester, stage.clock)
        stage.close_flow = CloseFlow(stage.store, stage.clock)
        stage.close_session = CloseSession(stage.policy, stage.store, stage.clock, limits)
        stage.withdraw_call = WithdrawCall(stage.store, stage.clock, limits)
        stage.ask_question = AskQuestion(
            stage.policy, stage.store, stage.waits, digester, stage.clock, CountingIds(), limits
        )
        access = QuestionAccess(stage.policy)
        stage.answer_question = AnswerQuestion(access, stage.store, stage.clock, limits)
        stage.list_questions = ListQuestions(access, stage.store, stage.clock, limits)
        stage.watch_questions = WatchQuestions(access, stage.store, stage.waits, stage.clock, limits)
        stage.finish = FinishClosings(stage.store, Ending(stage.store, stage.clock))
        stage.report_outcome = ReportOutcome(stage.store, stage.clock, stage.recording)
        stage.plan_grant = PlanGrant(digester, ids)
        stage.release_siblings = ReleaseSiblings(
            stage.policy, stage.store, stage.waits, digester, stage.clock
        )
        stage.list_grants = ListGrants(stage.policy, stage.store, limits)
        stage.revoke_grant = RevokeGrant(stage.policy, stage.store, stage.clock, limits)
        stage.decide = Resolve(
            stage.policy, stage.store, stage.clock, limits, stage.plan_grant, stage.release_siblings
        )
        stage.expire = Expire(stage.store, stage.clock)
        stage.feed = ApprovalFeed(stage.store, stage.waits, PLAIN, lambda: stage.sight().version, limits)
        stage.watch = Watch(stage.store, stage.feed, stage.clock, limits)
        stage.watch_traces = WatchTraces(stage.store, stage.waits, stage.clock, limits)
        return stage

    def sight(self, actor="user:ann"):
        """What one person may see."""
        return Sight(self.policy, actor)

    def bundle(self):
        """The snapshot as a bundle without tests, which is another at each reload."""
        return Bundle(self.snapshot, (), str(next(self.contents)))

    async def activate(self, **changes):
        """Change the policy and activate it."""
        self.snapshot = replace(self.snapshot, **changes)
        await self.policy.reload()

    async def judge(self, call_id="c1", wait=ZERO, limit=ZERO, **fields):
        """One call by the coder of the studio."""
        return await self.adjudicate(a_call(call_id, **fields), wait, limit)

    async def vote(self, approval_id, decision=Decision.APPROVE, actor="user:ann", digest=None):
        """One person's decision on the view as it is."""
        if digest is None:
            digest = (await self.store.approval(approval_id)).view_digest
        return await self.decide(approval_id, Ballot(actor, decision, digest, ""))

    async def flow(self, flow_id="f1", **fields):
        """Open a flow of the coder in the studio; its number."""
        return await self.open_flow(a_flow(flow_id, **fields))

    async def close(self, number, flow_id="f1", agent="coder", tenant="studio"):
        """Close it as its opener, unless something else is said."""
        await self.close_flow(number, Opener(tenant, agent, flow_id), FlowStatus.SUCCEEDED, "")

    async def end(self, session="s", **fields):
        """Close a session as the coder of the studio."""
        return await self.close_session(
            Closing(**({"tenant": "studio", "agent": "coder", "session": session} | fields))
        )

    async def withdraw(self, call_id="c1", **fields):
        """Withdraw a call of the coder of the studio; its verdict, and whether."""
        who = {"tenant": "studio", "agent": "coder", "session": ""}
        return await self.withdraw_call(Withdrawal(**(who | {"call_id": call_id} | fields)))

    async def ask(self, question_id="q1", wait=ZERO, limit=ZERO, **fields):
        """One question of the coder of the studio."""
        asking = {"tenant": "studio", "agent": "coder", "session": "s", "text": "Which database?"}
        return await self.ask_question(Asking(question_id=question_id, **(asking | fields)), wait, limit)

    async def answer(self, question_id="q1", text="", option="", actor="user:ann", session="s"):
        """One person's answer to the question of that question_id, or to one of that own id."""
        key = CallKey("studio", session, question_id, TraceKind.QUESTION)
        record = await self.store.call(key)
        own = record.question.id if record else question_id
        return await self.answer_question(own, Reply(actor, option, text))

    async def report(self, number, call_id="c1", agent="coder"):
        """Report that the call of that trace ran."""
        execution = Execution(ExecutionStatus.SUCCEEDED, Json({"secret": "o"}, b"{}"), "", ZERO, "")
        await self.report_outcome(number, Reporter("studio", agent, call_id), execution)


def a_flow(flow_id="f1", **fields):
    """A flow of the coder in the studio."""
    return Flow(**({"tenant": "studio", "agent": "coder", "session": "", "flow_id": flow_id} | fields))


def a_call(call_id="c1", **fields):
    """A call by the coder of the studio to read /a."""
    defaults = {"tenant": "studio", "agent": "coder", "tool": "read", "arguments_json": '{"path":"/a"}'}
    return ToolCall(call_id=call_id, **(defaults | fields))


async def refusal(request):
    """Why the request is refused."""
    with pytest.raises(AdjudicatorError) as caught:
        await request
    return caught.value


async def state_of(stage, asked):
    """The state of the approval that the verdict opened."""
    return (await stage.store.approval(asked.approval_id)).state
