"""What is PostgreSQL's own: URLs, a server that is away or silent, and writers that meet."""

import asyncio
import contextlib
import time

import psycopg
import pytest
from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.question import QuestionState
from adjudicator.domain.trace import Element, ElementKind, TraceKind
from adjudicator.domain.verdict import Cause
from adjudicator.storage.contract import ApprovalFilter, Barred, CallKey, CallRecord, Change, Stranded
from adjudicator.storage.postgres import PostgresEngine, without_password
from opened import OTHER_SIGNER, open_postgres
from records import NOW, a_trace, an_approval
from storage.test_questions import ALLOW, ANSWERED, a_question, the_end


@pytest.fixture
async def pair(postgres_url):
    """Two stores on one database."""
    one, _ = open_postgres(postgres_url)
    two, _ = open_postgres(postgres_url, OTHER_SIGNER)
    yield one, two
    await one.close()
    await two.close()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@db.test:5433/state", "postgresql://ann@db.test:5433/state"),
        ("postgresql://db.test/state?password=secret@1", "postgresql://db.test/state"),
        ("postgres://ann:secret@db.test/state", "postgresql://ann@db.test/state"),
    ],
)
def test_a_password_is_never_shown(url, shown):
    """Whatever way it is written in the URL."""
    assert without_password(url) == shown


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:p@ss/word-secret@db.test/state",
        "postgresql://ann:1/secret@db.test/state",
        "postgresql://ann:a@b:secret@db.test/state",
        "postgresql://ann:secret/db.test",
    ],
)
def test_a_password_that_is_read_as_something_else_is_not_shown(url):
    """Its signs have to be escaped; without that a part of it would be the name of a host or database."""
    with pytest.raises(AdjudicatorError, match="write %40 for @") as caught:
        PostgresEngine(url)
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("url", ["postgresql://ann:sec ret@[/state", "postgresql://h/x?secret=1"])
def test_a_url_that_cannot_be_read_is_refused_without_repeating_it(url):
    """The message says how to write one, and has no part of this one."""
    with pytest.raises(AdjudicatorError, match="postgresql://USER@HOST") as caught:
        PostgresEngine(url)
    assert "sec" not in caught.value.message


def test_a_server_that_is_not_there_is_refused_by_name():
    """As a file that cannot be opened is."""
    with pytest.raises(AdjudicatorError, match=r"postgresql://ann@127\.0\.0\.1:1/x cannot be used"):
        open_postgres("postgresql://ann:secret@127.0.0.1:1/x")


async def test_two_stores_that_open_the_same_calls_never_open_one_twice(pair):
    """In whatever order each has them, every key has one trace, and nobody waits in a circle."""
    forth = list(range(1, 61))
    answers = await asyncio.gather(
        *(pair[0].open_trace(a_trace(each)) for each in forth),
        *(pair[1].open_trace(a_trace(each, approval=an_approval(each + 100))) for each in forth[::-1]),
    )
    opened = [each for each in answers if isinstance(each, int)]
    found = [each.trace.number for each in answers if isinstance(each, CallRecord)]
    assert sorted(opened) == sorted(found)
    assert len(set(opened)) == 60


async def test_two_stores_that_change_the_same_calls_count_each_change_once(pair):
    """A decision is made on what is recorded, by whomever."""
    for each in range(1, 21):
        await pair[0].open_trace(a_trace(each))

    def close(record):
        if record.approval.state is not ApprovalState.PENDING:
            return None, False
        return Change(NOW, ApprovalState.DENIED), True

    ids = [f"apr-{each}" for each in range(1, 21)]
    wins = await asyncio.gather(
        *(pair[0].change_approval(each, close) for each in ids),
        *(pair[1].change_approval(each, close) for each in ids[::-1]),
    )
    assert sum(wins) == 20
    assert await pair[1].pending(ApprovalFilter(), 0, None, 99) == []


async def test_a_call_that_another_store_changes_meanwhile_is_not_taken_for_altered(pair):
    """What is recorded under its key is read as of one moment."""
    one, two = pair
    number = await one.open_trace(a_trace(1))

    async def go_on_changing():
        for _ in range(60):
            noted = (Element(ElementKind.RESULT, {}, NOW),)
            await one.change_call(number, lambda _: (Change(NOW, elements=noted), None))  # noqa: B023 - decided before the next round

    changing = asyncio.create_task(go_on_changing())
    while not changing.done():
        found = await asyncio.gather(*(two.open_trace(a_trace(1)) for _ in range(4)))
        assert {each.trace.number for each in found} == {number}
    await changing


async def test_positions_appear_in_their_order(pair):
    """A reader that goes on from the last position it saw misses no change of anybody."""
    ended = asyncio.Event()

    async def read():
        position, seen = 0, []
        while True:
            last = ended.is_set()
            events = await pair[0].events(position, 50)
            seen += [event.approval.id for event in events]
            position = events[-1].position if events else position
            if last and not events:
                return seen

    reading = asyncio.create_task(read())
    await asyncio.gather(*(pair[each % 2].open_trace(a_trace(each)) for each in range(1, 201)))
    ended.set()
    assert sorted(await reading) == sorted(f"apr-{each}" for each in range(1, 201))


async def test_records_of_every_writer_are_read_once_and_in_order(pair):
    """A cursor of one number a writer misses nothing, in whatever order writers commit."""
    ended, cursor, seen = asyncio.Event(), {}, []

    async def read():
        while True:
            last = ended.is_set()
            found = await pair[0].records(cursor, 7)
            for record in found:
                assert record.sequence == cursor.get(record.writer, 0) + 1
                cursor[record.writer] = record.sequence
                seen.append(record.trace)
            if last and not found:
                return

    reading = asyncio.create_task(read())
    await asyncio.gather(*(pair[each % 2].open_trace(a_trace(each)) for each in range(1, 201)))
    ended.set()
    await reading
    assert len(set(seen)) == len(seen) == 200
    assert cursor == await pair[1].tails()


async def test_a_silent_server_is_given_up_in_time(postgres_server):
    """A server that is stopped keeps its socket open; whoever writes is told within seconds."""
    store, _ = open_postgres(postgres_server.new_database())
    await store.open_trace(a_trace(1))
    postgres_server.pause()
    begun = time.monotonic()
    with pytest.raises(AdjudicatorError) as caught:
        await store.open_trace(a_trace(2))
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert time.monotonic() - begun < 8
    postgres_server.resume()
    for _ in range(100):
        with contextlib.suppress(AdjudicatorError):
            await store.probe()
        if not store.failing:
            break
        await asyncio.sleep(0.1)
    assert isinstance(await store.open_trace(a_trace(3)), int)
    await store.close()


async def test_a_chain_that_somebody_else_went_on_with_is_read_again(postgres_url):
    """Two stores by one key, against all rules: their records interleave and none is overwritten."""
    one, _ = open_postgres(postgres_url)
    two, _ = open_postgres(postgres_url)
    for each in range(1, 11):
        await (one, two)[each % 2].open_trace(a_trace(each))
    assert await one.tails() == {one.writer.name: 10}
    await one.close()
    await two.close()


async def test_a_server_that_lost_what_was_committed_is_not_gone_on_with(postgres_url):
    """A copy that lags takes the place of the server: nothing is recorded there until somebody looked."""
    store, _ = open_postgres(postgres_url)
    await store.open_trace(a_trace(1))
    await store.open_trace(a_trace(2))
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("ALTER TABLE records DISABLE TRIGGER USER")
        db.execute("DELETE FROM records WHERE sequence = 2")
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    for number in (3, 4, 5):
        with pytest.raises(AdjudicatorError) as caught:
            await store.open_trace(a_trace(number))
        assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE
    assert store.failing
    await store.close()


async def test_text_that_the_database_cannot_hold_fails_its_own_call_only(pair):
    """A NUL in a text is refused by PostgreSQL; what is committed together with it is not."""
    results = await asyncio.gather(
        *(pair[0].open_trace(a_trace(each)) for each in range(1, 10)),
        pair[0].open_trace(a_trace(50, agent="a\x00b")),
        *(pair[0].open_trace(a_trace(each)) for each in range(10, 20)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, int) for each in results) == 19
    refused = [each for each in results if isinstance(each, AdjudicatorError)]
    assert [each.reason for each in refused] == [ErrorReason.INTERNAL]
    assert not pair[0].failing


@pytest.mark.parametrize("value", ["two", "", "-1"])
def test_a_table_of_another_programs_is_refused_by_name(postgres_url, value):
    """It happens to be called as ours is, and to say something of a schema."""
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        db.execute("INSERT INTO meta VALUES ('schema', %s)", (value,))
    with pytest.raises(AdjudicatorError, match="another program's") as caught:
        open_postgres(postgres_url)
    assert caught.value.reason is ErrorReason.STORE_UNAVAILABLE


def test_an_old_server_is_refused(monkeypatch, postgres_url):
    """What was never tried is not run."""
    monkeypatch.setattr("adjudicator.storage.postgres.OLDEST_VERSION", 99)
    with pytest.raises(AdjudicatorError, match="99 is the oldest"):
        open_postgres(postgres_url)


@pytest.mark.parametrize("table", ["records", "heads", "archives", "writers", "traces", "approvals"])
async def test_no_table_of_what_is_on_record_is_emptied(postgres_url, table):
    """TRUNCATE deletes no row, and is refused all the same."""
    store, _ = open_postgres(postgres_url)
    await store.open_trace(a_trace(1))
    await store.close()
    with psycopg.connect(postgres_url) as db, pytest.raises(psycopg.errors.CheckViolation):
        db.execute(f"TRUNCATE {table} CASCADE")


async def test_what_a_shared_database_refuses_is_told_from_what_fails(postgres_url):
    """Its own guards say no with an error of integrity."""
    store, _ = open_postgres(postgres_url)
    await store.open_trace(a_trace(1))
    await store.close()
    with psycopg.connect(postgres_url) as db, pytest.raises(psycopg.errors.CheckViolation):
        db.execute("DELETE FROM records")


async def test_what_one_sidecar_closes_is_closed_to_another_at_once(pair):
    """An ask that the other recorded at the same moment is found, and is allowed by neither."""
    one, two = pair
    for number in range(8):
        session = f"s{number}"
        key = CallKey("studio", session, "c")
        ask = a_trace(number, key=key, approval=an_approval(number, session=session))
        asked, _ = await asyncio.gather(
            one.open_trace(ask), two.open_trace(the_end(session)), return_exceptions=True
        )
        if isinstance(asked, Barred):
            assert asked.cause is Cause.SESSION_CLOSED
            continue
        assert Stranded(asked, TraceKind.SESSION) in await two.stranded(0, 99)
        for store in (one, two):
            with pytest.raises(Barred):
                await store.change_call(asked, lambda _: (ALLOW, None))
        assert (await one.approval(f"apr-{number}")).state is ApprovalState.PENDING


async def test_of_answers_through_two_sidecars_one_is_recorded(pair):
    """The other finds the question answered."""
    one, two = pair

    def decide(record):
        over = record.question.state is not QuestionState.OPEN
        return (None, False) if over else (ANSWERED, True)

    for number in range(8):
        asked = await one.open_trace(a_question(number))
        answers = [store.change_call(asked, decide) for store in (one, two) * 3]
        assert sum(await asyncio.gather(*answers)) == 1
