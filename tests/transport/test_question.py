"""A watch of questions shows nothing to whoever is not, or not any more, the person who began it."""

import contextlib

from adjudicator.api.v1 import question_service_pb2 as pb
from adjudicator.config.limits import Limits
from adjudicator.service.watch import Resync
from adjudicator.transport import question
from adjudicator.transport.authentication import Approvers
from adjudicator.transport.question import QuestionServicer
from grpc import StatusCode

TOKEN = "a" * 40


class Call:
    """A request of whoever has the token, and what they are sent."""

    def __init__(self):
        self.sent = []
        self.code = None

    def invocation_metadata(self):
        """The credential."""
        return (("authorization", f"Bearer {TOKEN}"),)

    async def write(self, message):
        """Note it."""
        self.sent.append(message)

    async def abort_with_status(self, status):
        """Note why it ends."""
        self.code = status.code
        raise EOFError


async def test_a_token_that_is_somebody_elses_now_ends_the_watch(tmp_path, monkeypatch):
    """As one that is gone: what follows would be shown to another person by the first one's rights."""
    (tmp_path / "ann.token").touch(0o600)
    (tmp_path / "ann.token").write_text(TOKEN)
    monkeypatch.setattr(question, "current_actor", lambda: "user:ann")

    async def watch(*_):
        yield "1", Resync("first")
        (tmp_path / "ann.token").rename(tmp_path / "bob.token")
        now[0] += 10**9
        yield "2", Resync("second")

    now = [10**9]
    approvers = Approvers(tmp_path, lambda: 10**18 * 2, lambda: now[0])
    call = Call()
    servicer = QuestionServicer(watch, None, None, approvers, Limits())
    with contextlib.suppress(EOFError):
        await servicer.WatchQuestions(pb.WatchQuestionsRequest(), call)
    assert [each.cursor for each in call.sent] == ["1"]
    assert call.code is StatusCode.UNAUTHENTICATED
