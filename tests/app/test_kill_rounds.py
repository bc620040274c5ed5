"""Rounds of ask, kill -9, restart, resolve, kill -9, restart, redeem: nothing is lost or released twice.

A round is that of one approval. Several go through the same kills, each with a kill between any two of its
steps, while others are cut off in the middle of whatever they were at. ADJUDICATOR_ROUNDS=500 runs so many.
"""

import os
import random
import threading
import uuid

import grpc
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import types_pb2 as pb
from ledgers import faults, verified
from running import Running

ROUNDS = int(os.environ.get("ADJUDICATOR_ROUNDS", "24"))
TOGETHER = 16
"""Rounds that begin between two kills."""
MOST_ANSWERS = 24
"""To those that a kill cuts off; it comes after a random number of them."""
ASK = {"tool": "bash", "arguments": {"command": "make release"}}


class Life:
    """One call on its way through its approval, and what was answered of it. Any step may be done again."""

    def __init__(self, session):
        self.fields = ASK | {"call_id": f"c-{uuid.uuid4().hex}", "session": session}
        self.yes = uuid.uuid4().int % 4 > 0
        self.request_id = uuid.uuid4().hex
        self.approval_id = ""
        self.trace_number = 0
        self.vote_was_sent = self.vote_was_answered = self.end_was_answered = False
        self.first_allows = 0
        self._steps = [self.ask, self.resolve, self.redeem, self.redeem]

    def step(self, sidecar):
        """The next of its steps; whether there are more."""
        self._steps.pop(0)(sidecar)
        return bool(self._steps)

    def ask(self, sidecar):
        """It asks, for the first time or again; the answer fits all that was answered before."""
        verdict = sidecar.judge(**self.fields, timeout=20)
        assert self.approval_id in ("", verdict.approval_id)
        assert self.trace_number in (0, verdict.trace_number)
        self.approval_id, self.trace_number = verdict.approval_id, verdict.trace_number
        if self.vote_was_answered or verdict.outcome != pb.OUTCOME_ASK:
            assert self.vote_was_sent
            self._end(verdict)

    def resolve(self, sidecar):
        """A person decides; the same request after a lost answer has the same receipt."""
        digest = sidecar.approval(self.approval_id).view_digest
        decision = approval_pb.DECISION_APPROVE if self.yes else approval_pb.DECISION_DENY
        request = approval_pb.ResolveRequest(
            approval_id=self.approval_id,
            decision=decision,
            view_digest=digest,
            request_id=self.request_id,
        )
        self.vote_was_sent = True
        receipt = sidecar.approvals.Resolve(request, metadata=sidecar.token(), timeout=20)
        assert receipt.code == approval_pb.RECEIPT_CODE_ACCEPTED
        assert receipt.replayed or not self.vote_was_answered
        self.vote_was_answered = True

    def redeem(self, sidecar):
        """It comes again and gets what the person said, as often as it comes."""
        self._end(sidecar.judge(**self.fields, timeout=20))

    def _end(self, verdict):
        assert verdict.outcome == (pb.OUTCOME_ALLOW if self.yes else pb.OUTCOME_DENY)
        assert verdict.replayed or not self.end_was_answered
        self.end_was_answered = True
        self.first_allows += verdict.allowed and not verdict.replayed

    def finish(self, sidecar):
        """All of it once more, whatever was done and answered so far."""
        self.ask(sidecar)
        self.resolve(sidecar)
        self.redeem(sidecar)

    def check(self, sidecar):
        """The record says once what was answered, and nobody was told twice that it is the first ALLOW."""
        trace = sidecar.trace(self.trace_number)
        said = [each.body_json for each in trace.elements if '"outcome":"ALLOW"' in each.body_json]
        assert len(said) == int(self.yes)
        assert self.first_allows <= int(self.yes)
        state = sidecar.approval(self.approval_id).state
        consumed, denied = approval_pb.APPROVAL_STATE_CONSUMED, approval_pb.APPROVAL_STATE_DENIED
        assert state == (consumed if self.yes else denied)


class Answers:
    """Counted, until there are enough."""

    def __init__(self, left):
        self.left = left
        self.enough = threading.Event()

    def count(self):
        """One more."""
        self.left -= 1
        if self.left <= 0:
            self.enough.set()


class Rounds:
    """Sidecars of one state, of which one after the other is killed."""

    def __init__(self, sidecars):
        self.sidecars = sidecars
        self.chance = random.Random(ROUNDS)  # noqa: S311 - moments to kill at
        self.kills = 0
        self.under_way, self.cut, self.done = [], [], []

    def run(self, rounds):
        """So many approvals that a kill stands between all steps of, and those that are cut off."""
        left = rounds
        while left or self.under_way:
            new = min(left, TOGETHER)
            left -= new
            self.under_way += [Life(f"s{self.kills}") for _ in range(new)]
            self._step()
            self._kill()

    def _step(self):
        """What the last kill cut off is finished; all others do one step."""
        for life in self.cut:
            life.finish(self._any())
        self.done += self.cut
        for life in list(self.under_way):
            if not life.step(self._any()):
                self.under_way.remove(life)
                self.done.append(life)

    def _any(self):
        return self.chance.choice(self.sidecars)

    def _kill(self):
        self.kills += 1
        self.cut = []
        killed, answers = self._any(), Answers(self.chance.randrange(MOST_ANSWERS))
        callers = [
            threading.Thread(target=self._live, args=(each, f"s{self.kills}-{place}", answers))
            for place, each in enumerate((*self.sidecars, killed))
        ]
        for each in callers:
            each.start()
        answers.enough.wait(20)
        killed.kill()
        for each in callers:
            each.join()
        killed.start()

    def _live(self, sidecar, session, answers):
        """Whole lives, one after the other, until a call gets no answer."""
        while not answers.enough.is_set():
            life = Life(session)
            self.cut.append(life)
            try:
                while life.step(sidecar):
                    answers.count()
            except (grpc.RpcError, ValueError):
                return

    def end(self, record):
        """Finish what is left, look at everything, and say how much there was."""
        for life in self.cut:
            life.finish(self._any())
        self.done += self.cut
        for life in self.done:
            life.check(self._any())
        assert self._any().pending() == []
        for name, value in (
            ("kills", self.kills),
            ("approvals", len(self.done)),
            ("allowed", sum(life.yes for life in self.done)),
            ("first ALLOW lost", sum(life.yes and not life.first_allows for life in self.done)),
        ):
            record(name, value)


def test_rounds_of_ask_kill_restart_resolve_lose_and_double_nothing(tmp_path, record_testsuite_property):
    """Whatever a kill cut off is done again; every approval ends once, as the person said."""
    sidecar = Running(tmp_path / "data").start()
    rounds = Rounds([sidecar])
    rounds.run(ROUNDS)
    rounds.end(record_testsuite_property)
    assert sidecar.stop() == 0
    assert faults(verified(sidecar.data / "adjudicator.db")) == []


def test_rounds_in_which_one_of_two_sidecars_is_killed_lose_and_double_nothing(
    tmp_path, postgres_url, record_testsuite_property
):
    """What one was killed over goes on at the other, and at itself when it is back."""
    extra = ("--database", postgres_url)
    sidecars = [Running(tmp_path / f"sidecar-{number}", extra=extra).start() for number in range(2)]
    rounds = Rounds(sidecars)
    rounds.run(ROUNDS)
    rounds.end(record_testsuite_property)
    assert [sidecar.stop() for sidecar in sidecars] == [0, 0]
