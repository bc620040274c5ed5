"""Who may decide: as stock Casbin says of people, and nobody who is none."""

import itertools

import pytest
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.policy import approver_rules
from adjudicator.policy.snapshot import EvaluationError
from chain.bundle import a_tool
from hypothesis import example, given, settings
from hypothesis import strategies as st
from policy.approving import MODEL, REGISTRY, TENANTS, TOOLS, entitlements
from policy.casbin.stock import stock

PEOPLE = ["user:ann", "user:bob", "user:zoe"]
NO_PEOPLE = [
    *("agent:coder", "role:lead", "role:approver", "ann", "user:", "user:Ann", "User:ann", "user:ann "),
    *("user: ann", "user:user:ann", "*", "user:*", "", "user:ann\n", "user:änn", "user:coder"),
]
ASKED = list(itertools.product(TENANTS, (*TOOLS, QUESTION, "ghost"), Priority))

ROLES = ["role:lead", "role:approver", "role:coder"]
ABOUT = (
    st.sampled_from(TENANTS),
    st.sampled_from(["*", QUESTION, *TOOLS]),
    st.sampled_from(["*", *(priority.value for priority in Priority)]),
)
ROW = st.tuples(st.sampled_from(["user:ann", "user:bob", *ROLES]), *ABOUT)
ROWS = st.lists(st.tuples(ROW, st.sampled_from(["allow", "allow", "deny"])), max_size=6, unique=True)
# A role is only given to those before it, so that no role has itself.
LINK = st.one_of(
    st.tuples(st.sampled_from(["user:ann", "user:bob"]), st.sampled_from(ROLES), st.sampled_from(TENANTS)),
    st.tuples(st.just(ROLES[0]), st.sampled_from(ROLES[1:]), st.sampled_from(TENANTS)),
    st.tuples(st.just(ROLES[1]), st.just(ROLES[2]), st.sampled_from(TENANTS)),
)
LINKS = st.lists(LINK, max_size=6, unique=True)


def lines(links, rows):
    """The rows as a file has them."""
    return [
        *(f"g, {', '.join(link)}" for link in links),
        *(f"p, {', '.join(row)}, {effect}" for row, effect in rows),
    ]


def entitled(rules, people=PEOPLE):
    """Everything that anybody of them may decide on."""
    return {(who, *asked) for who in people for asked in ASKED if rules.may_decide(who, *asked)}


@settings(max_examples=40)
@given(links=LINKS, rows=ROWS)
def test_generated_rows_agree_with_stock_casbin(links, rows):
    """Stock Casbin, with the same model and rows, entitles the same people to the same."""
    enforcer = stock(
        MODEL, [("g", *link) for link in links] + [("p", *row, effect) for row, effect in rows]
    )
    rules = entitlements(lines(links, rows), unchecked=True)
    for who, (tenant, tool, priority) in itertools.product(PEOPLE, ASKED):
        ours = rules.may_decide(who, tenant, tool, priority) is not None
        assert enforcer.enforce(who, tenant, tool, priority.value) == ours


@settings(max_examples=40)
@given(links=LINKS, rows=ROWS, row=ROW)
def test_one_more_deny_row_entitles_nobody(links, rows, row):
    """It only takes away, and from those it names it takes all that it is about."""
    before = entitled(entitlements(lines(links, rows), unchecked=True))
    after = entitled(entitlements(lines(links, [*rows, (row, "deny")]), unchecked=True))
    assert after <= before
    subject, tenant, tool, priority = row
    for who, *asked in after:
        assert (
            who != subject
            or asked[0] != tenant
            or tool not in ("*", asked[1])
            or (priority not in ("*", asked[2].value))
        )


@settings(max_examples=40)
@given(links=LINKS, rows=ROWS, seed=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_says_nothing(links, rows, seed):
    """Shuffled, they entitle the same people to the same, in the same tenants."""
    in_order = lines(links, rows)
    shuffled = list(in_order)
    seed.shuffle(shuffled)
    one, other = (entitlements(each, unchecked=True) for each in (in_order, shuffled))
    assert entitled(one) == entitled(other)
    assert [one.tenants(who) for who in PEOPLE] == [other.tenants(who) for who in PEOPLE]


ODD = st.sampled_from(["agent:coder", "agent:ann", "coder", "role:coder", "role:lead", "user:ann", "*"])


@settings(max_examples=60)
@example(links=[("agent:coder", "role:lead", "studio")], rows=[])
@example(links=[("role:lead", "agent:coder", "studio")], rows=[])
@given(
    links=st.lists(st.tuples(ODD, st.one_of(ODD, st.sampled_from(ROLES)), ABOUT[0]), max_size=4),
    rows=st.lists(st.tuples(st.tuples(ODD, *ABOUT), st.just("allow")), max_size=4),
)
def test_whatever_the_rows_say_only_people_are_entitled(links, rows):
    """Even rows that no bundle can have, since they are refused, give an agent or a role nothing."""
    everybody = [(f"{who}, studio, *, *".split(", "), "allow") for who in ("agent:coder", *ROLES)]
    rules = entitlements(lines(links, [*rows, *everybody]), unchecked=True)
    assert entitled(rules, NO_PEOPLE) == set()
    for who in NO_PEOPLE:
        assert rules.tenants(who) == frozenset()
        assert not any(rules.has_role(who, role, tenant) for role in ROLES for tenant in TENANTS)


LEADS = [
    "g, user:ann, role:lead, studio",
    "g, role:lead, role:approver, studio",
    "g, user:bob, role:approver, studio",
    "p, role:approver, studio, *, low, allow",
    "p, role:lead, studio, deploy, critical, allow",
    "p, user:bob, archive, question, *, allow",
    "p, user:zoe, archive, write, low, allow",
    "p, user:zoe, archive, *, *, deny",
]


@pytest.fixture
def leads():
    """Leads decide on releases, approvers on what is little; bob answers questions; zoe nothing."""
    return entitlements(LEADS)


@pytest.mark.parametrize(
    ("actor", "tenant", "tool", "priority", "line"),
    [
        ("user:ann", "studio", "deploy", Priority.CRITICAL, 5),
        ("user:ann", "studio", "write", Priority.LOW, 4),
        ("user:ann", "studio", QUESTION, Priority.LOW, 4),
        ("user:ann", "studio", "write", Priority.MEDIUM, None),
        ("user:ann", "studio", "deploy", Priority.HIGH, None),
        ("user:ann", "archive", "write", Priority.LOW, None),
        ("user:bob", "studio", "deploy", Priority.CRITICAL, None),
        ("user:bob", "studio", "deploy", Priority.LOW, 4),
        ("user:bob", "archive", QUESTION, Priority.CRITICAL, 6),
        ("user:bob", "archive", "write", Priority.LOW, None),
        ("user:zoe", "archive", "write", Priority.LOW, None),
        ("user:eve", "studio", "write", Priority.LOW, None),
        ("user:ann", "", "write", Priority.LOW, None),
        ("user:ann", "*", "write", Priority.LOW, None),
    ],
)
def test_the_row_that_entitles_is_named(leads, actor, tenant, tool, priority, line):
    """By file and line; without one nobody is entitled, and a Deny outweighs."""
    for _ in range(2):
        row = leads.may_decide(actor, tenant, tool, priority)
        assert (row and (row.file, row.line)) == (line and ("approvers.csv", line))


def test_roles_are_held_in_their_tenant_and_through_others(leads):
    """A role is told of people alone, and a person has no role by being called so."""
    assert leads.has_role("user:ann", "role:lead", "studio")
    assert leads.has_role("user:ann", "role:approver", "studio")
    assert not leads.has_role("user:ann", "role:lead", "archive")
    assert not leads.has_role("user:bob", "role:lead", "studio")
    assert not leads.has_role("role:lead", "role:approver", "studio")
    assert not leads.has_role("user:ann", "user:ann", "studio")
    assert not leads.has_role("user:ann", "lead", "studio")


def test_the_tenants_of_a_person_are_those_where_they_decide(leads):
    """A tenant in which all that a row allows is denied again is none of theirs."""
    assert {who: set(leads.tenants(who)) for who in (*PEOPLE, "user:eve")} == {
        "user:ann": {"studio"},
        "user:bob": {"studio", "archive"},
        "user:zoe": set(),
        "user:eve": set(),
    }


@settings(max_examples=40)
@given(links=LINKS, rows=ROWS)
def test_the_tenants_are_exactly_those_of_the_answers(links, rows):
    """No tenant is left out in which somebody decides, and none is in that should not be."""
    rules = entitlements(lines(links, rows), unchecked=True)
    for who in PEOPLE:
        assert rules.tenants(who) == {asked[0] for _, *asked in entitled(rules, [who])}


def test_a_policy_without_rows_entitles_nobody():
    """Nor does one whose rows speak of nobody."""
    assert entitled(entitlements([]), [*PEOPLE, *NO_PEOPLE]) == set()


class Counting:
    """Allows everything with the row of line 1, and counts how often it is asked."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.asked = 0

    def first(self, *asked):
        """See CompiledRules."""
        self.asked += 1
        return self.wrapped.first(*asked)


def test_what_is_remembered_is_bounded_and_changes_no_answer(monkeypatch):
    """Asked again it answers from memory; past the bound it asks anew, and answers the same."""
    monkeypatch.setattr(approver_rules, "REMEMBERED", 5)
    made = []
    leads = entitlements(LEADS, through=lambda rules: made.append(Counting(rules)) or made[0])
    (counting,) = made
    first = entitled(leads)
    counting.asked = 0
    assert entitled(leads) == first
    assert counting.asked > 0
    leads.may_decide("user:bob", "studio", "deploy", Priority.LOW)
    counting.asked = 0
    assert leads.may_decide("user:bob", "studio", "deploy", Priority.LOW).line == 4
    assert counting.asked == 0


def test_another_priority_of_a_tool_is_another_version():
    """Its approvals are then for other people, so whoever watches has to start over."""
    urgent = REGISTRY.tools | {"deploy": a_tool("deploy", priority=Priority.CRITICAL)}
    assert entitlements(LEADS, tools=urgent).version != entitlements(LEADS).version
    assert entitlements(LEADS).version == entitlements(LEADS).version


class Broken:
    """Fails on whatever it is asked."""

    def __init__(self, _wrapped):
        pass

    def first(self, *_):
        """See CompiledRules."""
        raise EvaluationError("broken")


def test_a_failure_is_no_answer_and_fails_each_time():
    """It is raised, and never remembered as an entitlement."""
    leads = entitlements(LEADS, through=Broken)
    for _ in range(2):
        with pytest.raises(EvaluationError):
            leads.may_decide("user:ann", "studio", "deploy", Priority.CRITICAL)
    with pytest.raises(EvaluationError):
        leads.tenants("user:ann")
    assert leads.may_decide("agent:coder", "studio", "deploy", Priority.CRITICAL) is None
