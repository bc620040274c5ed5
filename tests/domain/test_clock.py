"""The clock never goes back, so a time limit that ran out stays run out."""

from datetime import UTC, datetime, timedelta

from adjudicator.domain import clock as clock_module
from adjudicator.domain.clock import SystemClock


def test_a_wall_clock_that_is_set_back_does_not_take_time_back(monkeypatch):
    """Neither an hour nor a month back is seen; a step forward is."""
    wall = [datetime(2026, 1, 1, 12, tzinfo=UTC)]
    monkeypatch.setattr(clock_module, "_wall", lambda: wall[0])
    clock = SystemClock()
    first = clock.now()
    for step in (timedelta(hours=-1), timedelta(days=-31), timedelta(hours=1)):
        wall[0] += step
        assert clock.now() >= first
    wall[0] = first + timedelta(hours=2)
    assert clock.now() >= first + timedelta(hours=2)


def test_time_goes_on_while_the_wall_clock_is_behind(monkeypatch):
    """With the wall clock set back, time limits still run out in process."""
    wall = [datetime(2026, 1, 1, 12, tzinfo=UTC)]
    monotonic = [0]
    monkeypatch.setattr(clock_module, "_wall", lambda: wall[0])
    monkeypatch.setattr(clock_module.time, "monotonic_ns", lambda: monotonic[0])
    clock = SystemClock()
    started = clock.now()
    wall[0] -= timedelta(hours=1)
    monotonic[0] = 60 * 1_000_000_000
    assert clock.now() == started + timedelta(seconds=60)


def test_after_a_restart_time_does_not_fall_behind_what_was_recorded():
    """The latest recorded time is a floor."""
    future = datetime.now(UTC) + timedelta(days=1)
    assert SystemClock(floor=future).now() >= future


def test_a_clock_that_was_set_back_says_so_and_a_small_correction_does_not():
    """Beyond what keeping time takes back, somebody set it."""
    now = datetime.now(UTC)
    assert SystemClock(floor=now + timedelta(minutes=1)).was_set_back
    assert not SystemClock(floor=now + timedelta(seconds=1)).was_set_back
    assert not SystemClock(floor=now - timedelta(days=1)).was_set_back
    assert not SystemClock().was_set_back


def test_time_goes_on_after_a_jump_forward_that_is_taken_back(monkeypatch):
    """Otherwise no limit would run out until the wall clock has caught up."""
    wall = [datetime(2026, 1, 1, 12, tzinfo=UTC)]
    monotonic = [0]
    monkeypatch.setattr(clock_module, "_wall", lambda: wall[0])
    monkeypatch.setattr(clock_module.time, "monotonic_ns", lambda: monotonic[0])
    clock = SystemClock()
    wall[0] += timedelta(hours=5)
    jumped = clock.now()
    wall[0] -= timedelta(hours=5)
    for _ in range(1000):
        monotonic[0] += 2_000_700
        clock.now()
    assert timedelta(seconds=2) <= clock.now() - jumped < timedelta(seconds=2.001)
