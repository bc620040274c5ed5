"""Roles through roles: as deep as people build them, and every cycle told at the rows that make it."""

import time
from itertools import pairwise

import pytest
from adjudicator.policy.casbin.reader import read_engine
from adjudicator.policy.casbin.roles import RoleGraph
from adjudicator.policy.problem import BundleError
from hypothesis import given
from hypothesis import strategies as st
from policy.casbin.stock import ALLOW, model

TEXT = model("sub", "sub", "g(r.sub, p.sub)", ["g = _, _"], ALLOW)
LONG = 5000


def chain(*names):
    """Links from each name to the next."""
    return [(low, high, "") for low, high in pairwise(names)]


def circle(*names):
    """A chain that ends where it begins."""
    return chain(*names, names[0])


def test_a_role_may_be_thousands_of_links_away():
    """Stock Casbin stops at ten; here a Deny on a role reaches everybody below it."""
    names = [f"n{number}" for number in range(LONG)]
    graph = RoleGraph(chain(*names))
    assert graph.has(names[0], names[-1], "")
    assert not graph.has(names[-1], names[0], "")
    assert graph.held(names[0], "") == tuple(names)
    assert graph.circular() == []


def test_a_diamond_is_no_cycle():
    """Two ways to the same role are fine, and lead to it once."""
    graph = RoleGraph(chain("a", "b", "d") + chain("a", "c", "d"))
    assert graph.circular() == []
    assert sorted(graph.held("a", "")) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("length", [1, 2, 3, 10, 100])
def test_a_cycle_is_told_at_each_of_its_links(length):
    """And not at the links that lead into it or out of it."""
    names = [f"c{number}" for number in range(length)]
    links = circle(*names)
    graph = RoleGraph([*chain("below", "in", names[0]), *links, *chain(names[-1], "out", "above")])
    assert sorted(graph.circular()) == sorted(links)
    assert "above" in graph.held("below", "")


def test_a_path_between_two_cycles_is_on_neither():
    """Its links could stay as they are."""
    first, second = circle("a", "b"), circle("x", "y", "z")
    graph = RoleGraph([*first, *chain("b", "m", "n", "x"), *second])
    assert sorted(graph.circular()) == sorted(first + second)


def test_two_cycles_with_one_member_are_both_told():
    """A figure of eight is all cycle."""
    links = circle("a", "b") + circle("b", "c", "d")
    assert sorted(RoleGraph(links).circular()) == sorted(links)


def test_a_cycle_stays_in_its_domain():
    """Links of two domains make no cycle together."""
    assert RoleGraph([("a", "b", "east"), ("b", "a", "west")]).circular() == []
    assert RoleGraph([("a", "b", "east"), ("b", "a", "east")]).circular()


def test_looking_for_cycles_takes_no_time():
    """Neither a long chain below a cycle nor a long cycle is walked more than once."""
    names = [f"n{number}" for number in range(10 * LONG)]
    for links in (chain(*names) + circle(names[-1], "x"), circle(*names)):
        graph = RoleGraph(links)
        start = time.process_time()
        assert graph.circular()
        assert time.process_time() - start < 5


LINKS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"), st.sampled_from(["", "x"]))
)


@given(LINKS)
def test_a_link_is_circular_exactly_when_its_role_leads_back(links):
    """The member is then among all that its role has, which is the long way to tell."""
    graph = RoleGraph(links)
    naive = [link for link in links if link[0] in graph.held(link[1], link[2])]
    assert sorted(graph.circular()) == sorted(naive)


def test_the_rows_of_a_cycle_are_refused_with_their_places():
    """Those on the cycle, and no other."""
    rows = "g, in, a\ng, a, b\n  g, b, a\ng, b, out\np, out\n"
    with pytest.raises(BundleError) as raised:
        read_engine(TEXT, rows)
    assert [str(problem) for problem in raised.value.problems] == [
        "policy.csv:2:4: `a` has itself as a role in the end; take one link away",
        "policy.csv:3:6: `b` has itself as a role in the end; take one link away",
    ]


def test_a_domain_that_is_no_text_is_an_error():
    """Stock Casbin takes its text, and so a Deny might miss what it means."""
    graph = RoleGraph([("a", "b", "1")])
    with pytest.raises(TypeError, match="a domain is a text, not int"):
        graph.held("a", 1)
