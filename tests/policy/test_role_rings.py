"""Which links of a role graph lead back to their own member."""

from adjudicator.policy.casbin.roles import RoleGraph
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.sampled_from("abcdef")
LINKS = st.lists(st.tuples(NAMES, NAMES, st.sampled_from(["t", "u"])), max_size=12, unique=True)


@given(LINKS)
def test_a_link_is_circular_when_its_role_leads_back_to_its_member(links):
    """As told by following every link from each role, one by one."""
    graph = RoleGraph(links)

    def leads(start, end, domain):
        reached, waiting = set(), [start]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting.extend(role for member, role, where in links if (member, where) == (name, domain))
        return end in reached

    assert sorted(graph.circular()) == sorted(
        (member, role, domain) for member, role, domain in links if leads(role, member, domain)
    )


def test_a_ring_of_many_links_is_found_in_one_walk():
    """Each link is looked at a few times, and not once for each other link."""
    links = [(f"r{number}", f"r{(number + 1) % 50_000}", "t") for number in range(50_000)]
    assert len(RoleGraph(links).circular()) == 50_000
