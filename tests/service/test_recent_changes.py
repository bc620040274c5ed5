"""The latest changes, bounded by number and by bytes."""

from adjudicator.service.encoded_approval import ApprovalChange, fitting
from adjudicator.service.recent_changes import RecentChanges
from records import an_approval


def changes(*positions, size=10):
    """Changes at these positions."""
    return [ApprovalChange(each, f"c.{each}", an_approval(each), b"x" * size) for each in positions]


def positions(found):
    """Where they are."""
    return [each.position for each in found]


def test_what_is_kept_is_all_after_the_floor():
    """The oldest go; the floor says from where on nothing is missing."""
    recent = RecentChanges(10, most=3, most_bytes=1000)
    assert positions(recent.after(10)) == []
    recent.add(changes(11, 14, 15))
    assert (recent.floor, recent.end) == (10, 15)
    assert positions(recent.after(10)) == [11, 14, 15]
    recent.add(changes(20, 21))
    assert (recent.floor, recent.end) == (14, 21)
    assert positions(recent.after(14)) == [15, 20, 21]
    assert positions(recent.after(20)) == [21]
    assert positions(recent.after(21)) == positions(recent.after(30)) == []


def test_large_changes_push_out_more():
    """Also when that leaves nothing: then everybody reads from the store."""
    recent = RecentChanges(0, most=100, most_bytes=100)
    recent.add(changes(*range(1, 10)))
    recent.add(changes(10, size=70))
    assert positions(recent.after(recent.floor)) == [7, 8, 9, 10]
    recent.add(changes(11, size=101))
    assert (recent.floor, recent.end) == (11, 11)


def test_a_part_has_at_least_one():
    """However large it is; otherwise a watcher would never go on."""
    assert positions(fitting(changes(1, 2, 3, size=40), 100)) == [1, 2]
    assert positions(fitting(changes(1, 2, size=500), 100)) == [1]
    assert positions(fitting([], 100)) == []
