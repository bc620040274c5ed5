"""Whom a bearer token names, and how the method that serves the request learns it."""

import asyncio
import os
import time
from contextlib import asynccontextmanager

import grpc
import pytest
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.transport import authentication
from adjudicator.transport.authentication import Approvers, RequireApprover, current_actor
from grpc import aio
from structlog.testing import capture_logs

ANN, BOB = "a" * 40, "b" * 40


def put(folder, name, token, mode=0o600):
    """A token file."""
    file = folder / f"{name}.token"
    file.touch()
    file.write_text(f"{token}\n")
    file.chmod(mode)
    return file


def bearer(token):
    """The metadata of a request."""
    return (("authorization", f"Bearer {token}"),)


def later():
    """A clock by which every file was written long ago."""
    return time.time_ns() + 10**12


def refused(approvers, token=ANN):
    """Whether the token opens nothing."""
    try:
        approvers.actor(bearer(token))
    except AdjudicatorError as error:
        return error.reason is ErrorReason.UNAUTHENTICATED
    return False


@pytest.fixture
def reads(monkeypatch):
    """The names of the files that are read, in order."""
    names = []
    read = authentication.read_token

    def noting(file):
        names.append(file.name)
        return read(file)

    monkeypatch.setattr(authentication, "read_token", noting)
    return names


class TestWhoCounts:
    """What a file has to be, at every moment."""

    def test_a_token_names_its_file(self, tmp_path):
        """And no other."""
        put(tmp_path, "ann", ANN)
        put(tmp_path, "bob", BOB)
        approvers = Approvers(tmp_path)
        assert approvers.actor(bearer(ANN)) == "user:ann"
        assert approvers.actor(bearer(BOB)) == "user:bob"
        assert refused(approvers, ANN[:-1])

    def test_people_come_and_go_while_it_runs(self, tmp_path):
        """Added, removed, replaced: each holds for the next request."""
        approvers = Approvers(tmp_path, later)
        assert refused(approvers)
        file = put(tmp_path, "ann", ANN)
        assert approvers.actor(bearer(ANN)) == "user:ann"
        put(tmp_path, "ann", BOB)
        assert refused(approvers)
        assert approvers.actor(bearer(BOB)) == "user:ann"
        file.unlink()
        assert refused(approvers, BOB)

    def test_a_file_that_is_opened_to_others_counts_no_more(self, tmp_path):
        """Although its content is the same as it was."""
        approvers = Approvers(tmp_path, later)
        file = put(tmp_path, "ann", ANN)
        assert not refused(approvers)
        file.chmod(0o640)
        assert refused(approvers)
        file.chmod(0o600)
        assert not refused(approvers)

    def test_a_change_that_leaves_no_trace_in_the_time_is_seen(self, tmp_path, monkeypatch):
        """Two writes within one tick of the file system's clock have one time stamp."""
        monkeypatch.setattr(authentication, "_stamp", lambda _: (1,))
        approvers = Approvers(tmp_path)
        put(tmp_path, "ann", ANN)
        assert not refused(approvers)
        put(tmp_path, "ann", BOB)
        assert refused(approvers)

    def test_a_folder_that_cannot_be_listed_lets_nobody_in(self, tmp_path):
        """Also those whom it let in before."""
        folder = tmp_path / "approvers"
        folder.mkdir()
        put(folder, "ann", ANN)
        approvers = Approvers(folder, later)
        assert not refused(approvers)
        folder.rename(tmp_path / "elsewhere")
        with capture_logs() as logs:
            assert refused(approvers)
        assert logs[0]["problem"] == "No such file or directory"

    @pytest.mark.parametrize(
        ("name", "token", "mode", "problem"),
        [
            ("ann", ANN, 0o644, "others can reach it"),
            ("ann", "", 0o600, "no token of at least 32"),
            ("ann", ANN[:31], 0o600, "no token of at least 32"),
            ("ann", f"{ANN} {ANN}", 0o600, "one word of printable ASCII"),
            ("Ann", ANN, 0o600, "its name is no approver's"),
            ("a nn", ANN, 0o600, "its name is no approver's"),
            ("änn", ANN, 0o600, "its name is no approver's"),
            ("", ANN, 0o600, "its name is no approver's"),
        ],
    )
    def test_a_file_that_counts_for_nobody_is_told_once(self, tmp_path, name, token, mode, problem):
        """With the reason and without the token, until it is mended."""
        approvers = Approvers(tmp_path)
        file = put(tmp_path, name, token, mode)
        with capture_logs() as logs:
            assert refused(approvers, token or ANN)
            assert refused(approvers, token or ANN)
        (record,) = logs
        assert record["file"] == str(file)
        assert problem in record["problem"]
        assert ANN[:31] not in str(record)

    def test_a_symbolic_link_is_no_token(self, tmp_path):
        """It would follow whatever it leads to."""
        put(tmp_path, "real", ANN).rename(tmp_path / "real")
        (tmp_path / "ann.token").symlink_to("real")
        with capture_logs() as logs:
            assert refused(Approvers(tmp_path))
        assert "symbolic link" in logs[0]["problem"]

    def test_one_token_under_two_names_counts_for_neither(self, tmp_path):
        """One person would be a quorum of two."""
        approvers = Approvers(tmp_path)
        put(tmp_path, "ann", ANN)
        other = put(tmp_path, "bob", ANN)
        with capture_logs() as logs:
            assert refused(approvers)
        assert sorted(record["file"] for record in logs) == [
            str(tmp_path / "ann.token"),
            str(tmp_path / "bob.token"),
        ]
        other.unlink()
        assert approvers.actor(bearer(ANN)) == "user:ann"


class TestCost:
    """A request lists the folder; it reads what has changed."""

    def test_only_a_changed_file_is_read_again(self, tmp_path, reads):
        """Many requests, few reads."""
        put(tmp_path, "ann", ANN)
        put(tmp_path, "bob", BOB)
        approvers = Approvers(tmp_path, later)
        for _ in range(5):
            approvers.actor(bearer(ANN))
        assert sorted(reads) == ["ann.token", "bob.token"]
        os.utime(tmp_path / "bob.token")
        approvers.actor(bearer(ANN))
        assert reads[2:] == ["bob.token"]

    def test_a_file_that_has_just_changed_is_read_again(self, tmp_path, reads):
        """Until a further change must show in its time stamp."""
        put(tmp_path, "ann", ANN)
        approvers = Approvers(tmp_path)
        approvers.actor(bearer(ANN))
        approvers.actor(bearer(ANN))
        assert reads == ["ann.token", "ann.token"]

    def test_other_files_are_not_looked_at(self, tmp_path, reads):
        """A token that is being made has another name."""
        (tmp_path / ".new-x").write_text(ANN)
        with capture_logs() as logs:
            assert refused(Approvers(tmp_path))
        assert (reads, logs) == ([], [])


@asynccontextmanager
async def serving(*interceptors):
    """A server whose one method says, after a pause, who asks; a function that asks it."""

    async def who(_, context):
        await asyncio.sleep(0.01)
        try:
            return current_actor().encode()
        except AdjudicatorError as error:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, error.message)

    server = aio.server(interceptors=interceptors)
    methods = {"Who": grpc.unary_unary_rpc_method_handler(who)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Test", methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method = channel.unary_unary("/test.Test/Who")
        yield lambda metadata: method(b"", metadata=metadata, timeout=10)
    await server.stop(None)


class TestActorOfARequest:
    """The interceptor authenticates, and the method learns the result."""

    async def test_every_request_has_its_own_actor(self, tmp_path):
        """Also among many at once on one connection."""
        put(tmp_path, "ann", ANN)
        put(tmp_path, "bob", BOB)
        tokens = [ANN, BOB] * 50
        async with serving(RequireApprover(Approvers(tmp_path))) as ask:
            answers = await asyncio.gather(*(ask(bearer(token)) for token in tokens))
        assert answers == [b"user:ann", b"user:bob"] * 50

    async def test_who_is_not_let_through_is_nobody(self, tmp_path):
        """Also right after somebody who is, on the same connection."""
        put(tmp_path, "ann", ANN)
        async with serving(RequireApprover(Approvers(tmp_path))) as ask:
            assert await ask(bearer(ANN)) == b"user:ann"
            for metadata in ((), bearer(BOB), (*bearer(ANN), *bearer(ANN))):
                with pytest.raises(aio.AioRpcError) as caught:
                    await ask(metadata)
                assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED

    async def test_a_method_that_nobody_guards_has_no_actor(self):
        """Without the interceptor there is nobody, not somebody of an earlier request."""
        async with serving() as ask:
            with pytest.raises(aio.AioRpcError) as caught:
                await ask(bearer(ANN))
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED

    def test_nobody_acts_outside_of_a_request(self):
        """The absence of an actor is an error, not a name."""
        with pytest.raises(AdjudicatorError) as caught:
            current_actor()
        assert caught.value.reason is ErrorReason.UNAUTHENTICATED


class TestAdmission:
    """A stream that goes on asks before each message whether its person is still there."""

    def made(self, folder):
        """The people of the folder, and a clock that a test moves by hand."""
        self.now = 10**9
        return Approvers(folder, later, lambda: self.now)

    def ended(self, admission):
        """Whether nothing more is shown."""
        try:
            admission.check()
        except AdjudicatorError as error:
            return error.reason is ErrorReason.UNAUTHENTICATED
        return False

    def test_only_an_approver_has_one(self, tmp_path):
        """Nobody else even begins."""
        put(tmp_path, "ann", ANN)
        with pytest.raises(AdjudicatorError):
            self.made(tmp_path).admission(bearer(BOB))

    def test_who_is_removed_sees_nothing_more(self, tmp_path):
        """At the next message, a few milliseconds later, without waiting for the next look at all files."""
        file = put(tmp_path, "ann", ANN)
        put(tmp_path, "bob", BOB)
        approvers = self.made(tmp_path)
        ann, bob = approvers.admission(bearer(ANN)), approvers.admission(bearer(BOB))
        assert not self.ended(ann)
        file.unlink()
        os.utime(tmp_path, ns=(0, 10**18))  # as a clock that moves would have it
        self.now += 3_000_000
        assert self.ended(ann)
        assert not self.ended(bob)

    def test_a_token_that_is_written_over_ends_within_a_second(self, tmp_path):
        """The folder itself shows no mark of it."""
        file = put(tmp_path, "ann", ANN)
        admission = self.made(tmp_path).admission(bearer(ANN))
        file.write_text(f"{BOB}\n")
        os.utime(file, ns=(0, 10**18))
        self.now += 1_000_000_000
        assert self.ended(admission)

    def test_a_folder_that_is_gone_ends_all(self, tmp_path):
        """What cannot be read names nobody."""
        folder = tmp_path / "approvers"
        folder.mkdir()
        put(folder, "ann", ANN)
        admission = self.made(folder).admission(bearer(ANN))
        folder.rename(tmp_path / "elsewhere")
        self.now += 3_000_000
        assert self.ended(admission)

    def test_a_token_that_passes_to_another_name_is_another_person(self, tmp_path):
        """What was begun as ann does not go on as bob."""
        file = put(tmp_path, "ann", ANN)
        approvers = self.made(tmp_path)
        admission = approvers.admission(bearer(ANN))
        file.rename(tmp_path / "bob.token")
        self.now += 1_000_000_000
        assert approvers.actor(bearer(ANN)) == "user:bob"
        assert self.ended(admission)
        assert self.ended(admission)

    def test_many_messages_cost_few_looks(self, tmp_path, monkeypatch):
        """Hundreds within a quarter of a second do not look at the files again."""
        put(tmp_path, "ann", ANN)
        admission = self.made(tmp_path).admission(bearer(ANN))
        looks = []
        looks_like_one = authentication.is_token_file
        monkeypatch.setattr(
            authentication, "is_token_file", lambda name: looks.append(name) or looks_like_one(name)
        )
        for _ in range(1000):
            self.now += 500_000
            admission.check()
        assert 1 <= len(looks) <= 2
