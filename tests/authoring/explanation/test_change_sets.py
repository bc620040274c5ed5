"""Sets of changes that clear all obstacles."""

from adjudicator.authoring.explanation.change_sets import covering, edits_twice, same
from adjudicator.authoring.explanation.changes import CallEdit, Change, Defence, TextEdit
from adjudicator.authoring.explanation.obstacles import Obstacle

EDIT = (TextEdit("f", 0, 0, ""),)
A, B, BOTH = (Change(name, EDIT, breadth=3) for name in ("a", "b", "both"))
OWN, ROLE = (Change(name, EDIT, breadth=breadth) for breadth, name in enumerate(("own", "role")))


def sets(*obstacles, most=4):
    """The sets for obstacles with these changes, by the names of their changes."""
    found = covering([Obstacle("", changes) for changes in obstacles], most)
    return [sorted(change.what for change in each) for each in found]


def test_one_change_may_clear_several_obstacles():
    """It is taken once, and nothing is added to it."""
    assert sets((A, BOTH), (B, BOTH)) == [["a", "b"], ["a", "both"], ["both"]]


def test_an_obstacle_that_nothing_clears_has_no_set():
    """Nor do more obstacles than changes are allowed; and without any there is nothing to do."""
    assert sets((A,), ()) == []
    assert sets((A,), (B,), most=1) == []
    assert sets() == []


def test_rows_for_the_agent_and_for_a_role_are_not_mixed():
    """The variant for a role is one of its own, and none where a defence goes."""
    other_own, other_role = (Change(f"{each.what}2", EDIT, breadth=each.breadth) for each in (OWN, ROLE))
    assert sets((OWN, ROLE), (other_own, other_role)) == [["own", "own2"], ["role", "role2"]]
    opened = Change("open", EDIT, defence=Defence.OPENS, breadth=2)
    assert sets((opened,), (OWN, ROLE)) == [["open", "own"]]


def test_the_order_of_changes_makes_no_other_set():
    """Two sets are the same when their changes are."""
    assert same((A, B), (B, A))
    assert not same((A,), (A, B))


def test_one_argument_is_edited_once():
    """Of two changes of it the later one is all that counts; other arguments, and agents, are others."""
    one, other = (Change("", call=(CallEdit("arguments", value, ("path",)),)) for value in "ab")
    line = Change("", call=(CallEdit("arguments", 1, ("line",)),))
    agents = [Change("", call=(CallEdit("on_behalf_of", value),)) for value in (("a",), ())]
    assert edits_twice([one, line, other])
    assert not edits_twice([one, line, *agents])
