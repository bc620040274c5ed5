"""What is refused of who may decide: each with its place and what to write instead."""

import pytest
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.policy.problem import BundleError
from policy.approving import entitlements

A, M, T = "approvers.csv", "models/approvers.conf", "registry/tools.yaml"
NEVER = "an agent never decides"

ROWS = [
    # who
    ("an agent in p", "p, §agent:coder, studio, *, *, allow", f"{NEVER}; write `user:` or `role:` and"),
    ("an agent in g", "g, §agent:coder, role:lead, studio", f"{NEVER}; write `user:` or `role:` and"),
    ("an agent nobody registered", "g, §agent:ghost, role:lead, studio", NEVER),
    ("an agent that is denied", "p, §agent:coder, studio, *, *, deny", NEVER),
    ("an agent in capitals", "p, §Agent:coder, studio, *, *, allow", "is not a subject; write `user:` or"),
    ("an agent as a role", "g, user:ann, §agent:coder, studio", "'agent:coder' is not a role"),
    ("a person as a role", "g, user:ann, §user:bob, studio", "'user:bob' is not a role"),
    (
        "a person called like an agent",
        "p, §user:coder, studio, *, *, allow",
        f"called `coder`, and {NEVER}",
    ),
    ("the same with a role", "g, §user:critic, role:lead, studio", f"called `critic`, and {NEVER}"),
    ("a bare name", "p, §ann, studio, *, *, allow", "'ann' is not a subject; write `user:` or `role:`"),
    ("anybody", "p, §*, studio, *, *, allow", "'*' is not a subject"),
    ("any person", "p, §user:*, studio, *, *, allow", "'*' is not an approver's name: 1 to 64 of a-z"),
    ("a name in capitals", "g, §user:Ann, role:lead, studio", "'Ann' is not an approver's name"),
    ("no name", "p, §user:, studio, *, *, allow", "'' is not an approver's name"),
    ("a long name", f"p, §user:{'a' * 65}, studio, *, *, allow", "is not an approver's name"),
    ("a name with a path", "p, §user:../ann, studio, *, *, allow", "is not an approver's name"),
    ("nobody", "p, §, studio, *, *, allow", "the field `sub` is empty"),
    # roles
    ("an unknown role", "p, §role:laed, studio, *, *, allow", "add `g, user:…, role:laed, studio`, or"),
    ("a role of agents", "p, §role:engineer, studio, *, *, allow", "unknown role: no `g` row of tenant"),
    ("a role of another tenant", "p, §role:lead, archive, *, *, allow", "unknown role"),
    ("a role that nobody has", "g, §role:clerk, role:lead, studio", "nobody has `role:clerk` in tenant"),
    ("a role of agents in a role", "g, §role:engineer, role:lead, studio", "add `g, user:…, role:engineer"),
    ("the same link twice", "§g, user:ann, role:lead, studio", "the same as the row at approvers.csv:"),
    # where
    ("every tenant", "p, role:lead, §*, *, *, allow", "a row belongs to one tenant; write a row for each"),
    ("an unknown tenant", "p, role:lead, §stduio, *, *, allow", "'stduio' is not a registered tenant"),
    ("an unknown tenant in g", "g, user:ann, role:lead, §stduio", "'stduio' is not a registered tenant"),
    # what
    ("an unknown tool", "p, role:lead, studio, §deplyo, *, allow", "'deplyo' is not a registered tool"),
    ("no tool", "p, role:lead, studio, §, *, allow", "the field `tool` is empty"),
    ("questions in capitals", "p, role:lead, studio, §Question, *, allow", "is not a registered tool"),
    (
        "an unknown priority",
        "p, role:lead, studio, *, §urgent, allow",
        "write `low`, `medium`, `high`, `cri",
    ),
    ("a priority in capitals", "p, role:lead, studio, *, §High, allow", "'High' is not a priority"),
    ("a priority that is off", "p, role:lead, studio, *, §off, allow", "'off' is not a priority"),
    ("no priority", "p, role:lead, studio, *, §, allow", "the field `priority` is empty"),
    (
        "a priority below the tool's",
        "p, user:zoe, studio, deploy, §high, deny",
        "approvals of 'deploy' are `critical` at least; write that, or `*`",
    ),
    # how
    ("an ask", "p, role:lead, studio, *, *, §ask", "'ask' is not an effect: write `allow`, `deny`"),
    ("a capital effect", "p, role:lead, studio, *, *, §Deny", "`deny` was meant?"),
    ("no effect", "p, role:lead, studio, *, *, §", "the field `eft` is empty"),
    ("a field too few", "§p, role:lead, studio, *, allow", "has 5 fields after the first column"),
    ("a field too many", "§p, role:lead, studio, *, *, allow, why", "this one has 6"),
    ("a trailing comment", "p, role:lead, studio, *, *, §allow # ann", "a `#` after a blank"),
    ("the same twice", "§p,role:lead,studio,*,critical,allow", "the same as the row at approvers.csv:"),
]


@pytest.mark.parametrize(("row", "message"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_is_refused_with_its_place(bundle, row, message):
    """The one problem of the bundle is the row's, at the character where it goes wrong."""
    line = bundle.append(A, row.replace("§", ""))
    (problem,) = bundle.problems()
    assert problem.startswith(f"{A}:{line}:{row.index('§') + 1}: ")
    assert message in problem


@pytest.mark.parametrize("name", ["coder", "critic", "max"])
@pytest.mark.parametrize("row", ["p, user:{}, studio, write, low, allow", "g, user:{}, role:lead, studio"])
def test_case_does_not_tell_a_person_from_an_agent(name, row):
    """Whoever is called like a registered agent, in whatever letters it is registered, decides nothing."""
    with pytest.raises(BundleError) as raised:
        entitlements([row.format(name)])
    (problem,) = raised.value.problems
    assert (problem.line, problem.column) == (1, 4)
    assert problem.message.startswith(f"an agent is called `{name}`, and {NEVER}")


@pytest.mark.parametrize("name", ["permission.csv", "scope.csv", "rules.csv"])
def test_people_are_no_subjects_of_what_agents_may_do(bundle, name):
    """A person in another policy is refused, also where they have a role among the approvers."""
    line = bundle.append(name, "g, user:ann, role:reader, studio")
    assert any(
        problem.startswith(f"{name}:{line}:4: 'user:ann' is not a subject") for problem in bundle.problems()
    )


def test_a_role_of_one_name_means_two_things(bundle):
    """Agents and people may have roles of one name, and neither gets what the other's rows say."""
    before = bundle.load()
    bundle.append(A, "g, user:zoe, role:engineer, studio")
    bundle.append(A, "p, role:engineer, studio, deploy, critical, allow")
    after = bundle.load()
    assert after.approvers.may_decide("user:zoe", "studio", "deploy", Priority.CRITICAL)
    assert not after.approvers.may_decide("user:coder", "studio", "deploy", Priority.CRITICAL)
    assert not after.approvers.may_decide("agent:coder", "studio", "deploy", Priority.CRITICAL)
    assert not after.approvers.has_role("agent:coder", "role:engineer", "studio")
    assert before.registry == after.registry


def test_a_circle_of_roles_is_named_at_each_link(bundle):
    """A role that has itself in the end is told where it is made."""
    bundle.append(A, "g, role:approver, role:lead, studio")
    problems = bundle.problems()
    assert len(problems) == 2
    assert all("has itself as a role in the end" in problem for problem in problems)


@pytest.mark.parametrize("name", [A, M])
def test_a_bundle_without_it_is_refused(bundle, name):
    """Nothing stands for a file that is missing, or cut to nothing."""
    bundle.remove(name)
    (missing,) = bundle.problems()
    assert missing.startswith(f"{name}: the file is missing; add it")
    bundle.write(name, b"")
    assert all(problem.startswith(name) for problem in bundle.problems())
    assert bundle.problems()


def test_a_comment_alone_entitles_nobody(bundle):
    """Whoever writes no rows has nobody decide."""
    bundle.write(A, "# nobody yet\n")
    approvers = bundle.load().approvers
    assert approvers.tenants("user:operator") == frozenset()
    assert approvers.may_decide("user:operator", "studio", QUESTION, Priority.LOW) is None


def test_rows_may_be_in_a_folder_of_files(bundle):
    """Their places name the file, and a file beside the folder is refused."""
    head, tail = (bundle.folder / A).read_text().split("# archive", 1)
    bundle.write("approvers/10-studio.csv", head)
    bundle.write("approvers/20-archive.csv", "#" + tail)
    assert bundle.problems() == [f"{A}: there is a folder approvers/ as well; keep one of the two"]
    bundle.remove(A)
    row = bundle.load().approvers.may_decide("user:eve", "archive", "write", Priority.HIGH)
    assert row.file == "approvers/20-archive.csv"


G, TOOL = "g(r.sub, p.sub, r.tenant)", '(p.tool == "*" || r.tool == p.tool)'
PRIORITY = '(p.priority == "*" || r.priority == p.priority)'
WHOLE = f"r.tenant == p.tenant && {TOOL} && {PRIORITY} && {G}"
EFFECT = "some(where (p.eft == allow)) && !some(where (p.eft == deny))"

MODELS = [
    ("deny override", EFFECT, "§!some(where (p.eft == deny))", "may allow when no row matches"),
    ("no deny", EFFECT, "some(where (p.eft == allow))", ""),
    ("no tenant", "r.tenant == p.tenant && ", "", "no part `r.tenant == p.tenant`"),
    ("no tool", f"{TOOL} && ", "", f"no part `{TOOL}`"),
    ("no priority", f"{PRIORITY} && ", "", f"no part `{PRIORITY}`"),
    ("no roles", G, "r.sub == p.sub", f"no part `{G}`"),
    ("upside down", G, "g(p.sub, r.sub, r.tenant)", f"no part `{G}`"),
    ("one part is enough", WHOLE, WHOLE.replace(f" && {G}", f" || {G}"), "no part"),
    ("anybody", WHOLE, f'({WHOLE}) || r.sub == "agent:coder"', "no part"),
    ("one more part", WHOLE, f'{WHOLE} && r.sub != "user:ann"', "none of the product's"),
    ("an order of priorities", PRIORITY, "(r.priority >= p.priority)", "none of the product's"),
    ("a condition", WHOLE, f"{WHOLE} && eval(p.eft)", "none of the product's"),
    ("a pattern", TOOL, "keyMatch(r.tool, p.tool)", "is not a known function"),
    (
        "other request",
        "r = sub, tenant, tool, priority",
        "r = §sub, tool, tenant, priority",
        "write `r = sub",
    ),
    (
        "other columns",
        "p = sub, tenant, tool, priority, eft",
        "p = §sub, tenant, tool, eft, priority",
        "write",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "message"), [each[1:] for each in MODELS], ids=[m[0] for m in MODELS]
)
def test_a_model_is_refused_with_its_place(bundle, old, new, message):
    """Whatever would have rows mean something else, or let somebody through whom no row names."""
    bundle.replace(M, old, new.replace("§", ""))
    if not message:  # a model without denials is fine while no row denies
        assert bundle.problems() == []
        line = bundle.append(A, "p, user:eve, studio, *, *, deny")
        assert bundle.problems()[0].startswith(f"{A}:{line}:")
        return
    text = (bundle.folder / M).read_text()
    found = [problem for problem in bundle.problems() if message in problem]
    assert found
    if "§" in new:
        offset = text.index(new.replace("§", "")) + new.index("§")
        place = f"{M}:{text[:offset].count(chr(10)) + 1}:{offset - text.rfind(chr(10), 0, offset)}: "
        assert found[0].startswith(place)
    else:
        assert found[0].startswith(f"{M}:")


def test_the_order_of_the_parts_is_the_authors(bundle):
    """Spelt and ordered otherwise, the matcher means the same."""
    after = f"{G} && (r.priority == p.priority || p.priority == '*') && {TOOL} && p.tenant == r.tenant"
    bundle.replace(M, WHOLE, after)
    assert bundle.problems() == []
