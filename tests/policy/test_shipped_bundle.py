"""What the shipped bundle says, and that no spoilt copy of it does anything but load or be refused."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.domain.verdict import Outcome, ToolStatus
from adjudicator.facets.derive import derive
from adjudicator.policy.loader import BundleError, load_bundle
from adjudicator.policy.registry import AgentKind
from adjudicator.policy.snapshot import Effect, RuleQuestion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SHIPPED = Path(__file__).parents[2] / "policies"
CALLS = Path(
    os.environ.get("ADJUDICATOR_TEST_CALLS", SHIPPED.parents[1] / "shared" / "data" / "agent-calls.jsonl")
)
FILES = sorted(
    str(path.relative_to(SHIPPED))
    for path in SHIPPED.rglob("*")
    if path.suffix in (".yaml", ".conf", ".csv")
)
STRICTEST = ["deny", "default", "ask", "allow"]


def rule_chain(snapshot, agent, tenant, tool, arguments, root="/srv/app"):
    """Deny, Allow, Ask, default on each facet; the strictest wins, as in step 7."""
    answers = []
    for facet in derive(arguments, snapshot.registry.tools[tool].arguments, root, {}):
        question = RuleQuestion(f"agent:{agent}", tenant, tool, facet)
        order = (Effect.DENY, Effect.ALLOW, Effect.ASK)
        found = next((e.value for e in order if snapshot.rules.match(e, question)), "default")
        if found != "default" or not facet.mention:
            answers.append(found)
    return min(answers, key=STRICTEST.index)


VERDICTS = [
    ("coder", "studio", "read", {"path": "src/a.py"}, "allow"),
    ("coder", "studio", "read", {"path": "/srv/app/src/a.py"}, "allow"),
    ("coder", "studio", "read", {"path": "/srv/other/a.py"}, "default"),
    ("coder", "studio", "read", {"path": "../other/a.py"}, "default"),
    ("coder", "studio", "read", {"path": ".env"}, "deny"),
    ("coder", "studio", "read", {"path": "x/.ENV.local"}, "deny"),
    ("coder", "studio", "read", {"path": "x/.env.example"}, "allow"),
    ("coder", "studio", "read", {"path": "~/.ssh/config"}, "deny"),
    ("coder", "studio", "read", {"path": "/etc/passwd"}, "deny"),
    ("coder", "studio", "read", {"path": "~/notes"}, "default"),
    ("critic", "studio", "read", {"path": "src/a.py"}, "allow"),
    ("critic", "studio", "ls", {"path": "."}, "allow"),
    ("critic", "studio", "find_file", {"name": "a.py"}, "allow"),
    ("critic", "studio", "find_file", {"name": "a.py", "dir": "src"}, "allow"),
    ("critic", "studio", "find_file", {"name": "a.py", "dir": "/"}, "default"),
    ("critic", "studio", "find_file", {"name": "../a.py"}, "default"),
    ("coder", "studio", "write", {"path": "drafts/a"}, "allow"),
    ("coder", "studio", "write", {"path": "scratch/a/b"}, "allow"),
    ("coder", "studio", "write", {"path": "src/a.py"}, "ask"),
    ("coder", "studio", "write", {"path": "drafts/../src/a.py"}, "ask"),
    ("coder", "studio", "write", {"path": "drafts/.env"}, "deny"),
    ("coder", "studio", "write", {"path": ".git/config"}, "deny"),
    ("coder", "studio", "write", {"path": "/srv/other/a"}, "default"),
    ("coder", "studio", "edit", {"text": "x"}, "ask"),
    ("coder", "studio", "edit", {"text": "x", "path": "drafts/a"}, "allow"),
    ("coder", "studio", "patch", {"path": "/etc/hosts"}, "deny"),
    ("designer", "studio", "write", {"path": "design/a.svg"}, "ask"),
    ("designer", "studio", "write", {"path": "src/a.py"}, "default"),
    ("designer", "studio", "edit", {"text": "x"}, "default"),
    ("critic", "studio", "write", {"path": "drafts/a"}, "default"),
    ("coder", "studio", "bash", {"command": "ls"}, "ask"),
    ("coder", "studio", "bash", {"command": "git status --short"}, "allow"),
    ("coder", "studio", "bash", {"command": "cd src && git log -3 | cat"}, "ask"),
    ("coder", "studio", "bash", {"command": "git status && git diff --stat"}, "allow"),
    ("coder", "studio", "bash", {"command": "git diff /home/u/a /dev/null"}, "ask"),
    ("coder", "studio", "bash", {"command": "git log --output=a"}, "ask"),
    ("coder", "studio", "bash", {"command": "git status > a"}, "ask"),
    ("coder", "studio", "bash", {"command": "git push"}, "ask"),
    ("coder", "studio", "bash", {"command": "git status; git -C . push origin --force"}, "deny"),
    ("coder", "studio", "bash", {"command": "timeout 5 bash -c 'sudo ls'"}, "deny"),
    ("coder", "studio", "bash", {"command": "rm --recursive --force /srv"}, "deny"),
    ("coder", "studio", "bash", {"command": "rm -rf build"}, "ask"),
    ("coder", "studio", "bash", {"command": "cat .env"}, "deny"),
    ("coder", "studio", "bash", {"command": "echo x > /etc/hosts"}, "deny"),
    ("coder", "studio", "bash", {"command": "cd /etc && cat passwd"}, "deny"),
    ("coder", "studio", "fetch", {"url": "https://example.test/"}, "ask"),
    ("coder", "studio", "fetch", {"url": "http://169.254.169.254/latest/meta-data"}, "deny"),
    ("designer", "studio", "fetch", {"url": "http://[fd00:ec2:0::254]:80/latest"}, "deny"),
    ("designer", "studio", "fetch", {"url": "https://METADATA.google.internal/"}, "deny"),
    ("coder", "studio", "fetch", {"url": ["http://169.254.169.254/"]}, "deny"),
    ("critic", "studio", "codegraph_query", {"query": "x"}, "allow"),
    ("coder", "studio", "codegraph_find_callers", {"symbol": "x"}, "allow"),
    ("coder", "studio", "codegraph_find_callees", {"symbol": "x"}, "allow"),
    ("coder", "studio", "codegraph_explain", {"symbol": "x"}, "allow"),
    ("coder", "studio", "apply_autofix", {"path": "src/a.py"}, "ask"),
    ("coder", "studio", "apply_autofix", {"path": ".git/x"}, "deny"),
    ("coder", "studio", "apply_pattern_fix", {"paths": ["a", "b"]}, "ask"),
    ("coder", "studio", "apply_pattern_fix", {"paths": ["a", ".env"]}, "deny"),
    ("coder", "studio", "command_execution", {"command": "make"}, "ask"),
    ("coder", "studio", "deploy", {"environment": "staging"}, "allow"),
    ("coder", "archive", "read", {"path": "a"}, "allow"),
    ("coder", "archive", "write", {"path": "restored/a"}, "allow"),
    ("coder", "archive", "write", {"path": "a"}, "default"),
    ("critic", "archive", "write", {"path": "restored/a"}, "default"),
    ("critic", "archive", "codegraph_explain", {"symbol": "x"}, "allow"),
]


@pytest.mark.parametrize(("agent", "tenant", "tool", "arguments", "answer"), VERDICTS)
def test_the_rule_chain_answers(shipped, agent, tenant, tool, arguments, answer):
    """All four effects, for each agent, in each tenant."""
    assert rule_chain(shipped, agent, tenant, tool, arguments) == answer


def test_what_the_registry_holds(shipped):
    """Two tenants, three agents, one disabled tool with its reason, one tool for two approvers."""
    registry = shipped.registry
    assert {code: tenant.mode for code, tenant in registry.tenants.items()} == {
        "studio": Mode.AUTO,
        "archive": Mode.READ_ONLY,
    }
    assert registry.agents.keys() == {"designer", "coder", "critic"}
    assert registry.agents["critic"].kind is AgentKind.CRITIC
    assert [t.code for t in registry.tools.values() if t.status is ToolStatus.DISABLED] == ["legacy_deploy"]
    assert registry.tools["legacy_deploy"].disable_reason == "Replaced by deploy, which two people approve."
    deploy = registry.tools["deploy"]
    assert (deploy.require_approval, deploy.quorum, deploy.four_eyes, deploy.approval_seconds) == (
        True,
        2,
        True,
        900,
    )
    assert registry.tenants["studio"].tools == registry.tools.keys()
    assert registry.tenants["archive"].tools < registry.tools.keys()
    assert (shipped.default, shipped.approvals.seconds) == (Outcome.DENY, 300)
    assert shipped.contracts.keys() == registry.tools.keys()


DECIDES = {
    "user:operator": "low medium high critical",
    "user:ann": "low medium high critical",
    "user:bob": "low medium high critical",
    "user:eve": "low medium high",
    "user:zoe": "",
    "user:coder": "",
    "agent:coder": "",
    "role:lead": "",
}


@pytest.mark.parametrize(("actor", "priorities"), DECIDES.items())
def test_who_decides(shipped, actor, priorities):
    """In the studio leads alone decide what is critical; in the archive whoever decides, decides all."""
    for tool in (*shipped.registry.tools, QUESTION):
        may = [each.value for each in Priority if shipped.approvers.may_decide(actor, "studio", tool, each)]
        assert may == priorities.split()
        archive = [shipped.approvers.may_decide(actor, "archive", tool, each) for each in Priority]
        assert all(archive) if priorities else not any(archive)
    assert shipped.approvers.tenants(actor) == ({"studio", "archive"} if priorities else set())


def test_a_release_finds_two_people_whoever_it_is_for(shipped):
    """Of those who may decide on it two are left when it is for one of them."""
    deploy = shipped.registry.tools["deploy"]
    able = [
        who for who in DECIDES if shipped.approvers.may_decide(who, "studio", "deploy", deploy.priority)
    ]
    assert len(able) > deploy.quorum


def test_a_critic_has_two_defences(shipped):
    """Each write tool of a tenant is denied to the critic in scope, beside what its kind says."""
    for tenant in shipped.registry.tenants.values():
        for code in tenant.tools:
            tool = shipped.registry.tools[code]
            denied = shipped.scope.match(Effect.DENY, RuleQuestion("agent:critic", tenant.code, code))
            assert bool(denied) == (tool.access is Access.WRITE), code


def test_a_critic_holds_no_permission_to_write(shipped):
    """Nor does it hold a permission that a write tool requires."""
    for tool in shipped.registry.tools.values():
        question = RuleQuestion("agent:critic", "studio", tool.permission)
        assert tool.access is Access.READ or shipped.permission.match(Effect.ALLOW, question) is None


@pytest.mark.parametrize(
    "tool", sorted(path.stem for path in (SHIPPED / "schemas").glob("*.json") if "." not in path.stem)
)
def test_a_required_text_may_not_be_empty_unless_it_is_content(shipped, tool):
    """A required argument that is null or empty is caught; only new text may be nothing."""
    schema = json.loads((SHIPPED / "schemas" / f"{tool}.json").read_text())
    for name in schema["required"]:
        for blank in ("", None):
            paths = [v.path for v in shipped.contracts[tool].violations({name: blank})]
            meant = (tool, name, blank) in [("write", "content", ""), ("edit", "text", "")]
            assert (f"/{name}" in paths) != meant


@pytest.mark.parametrize("tool", ["read", "ls", "write", "patch", "apply_autofix"])
def test_a_path_with_a_control_character_is_no_path(shipped, tool):
    """NUL, line ends and escapes are caught by the contract too."""
    for path in ("a\0b", "a\n", "\x1b[2J", "a\x7f"):
        assert "/path" in [v.path for v in shipped.contracts[tool].violations({"path": path})]


def test_calls_of_real_agents_fit_the_contracts(shipped):
    """Whatever real coding agents sent to tools of these names is judged, and none is malformed."""
    if not CALLS.exists():
        pytest.skip(f"there is no {CALLS}; ADJUDICATOR_TEST_CALLS names another file of recorded calls")
    calls = [json.loads(line) for line in CALLS.read_text().splitlines()]
    known = [call for call in calls if call["tool"] in shipped.contracts]
    assert len(known) > 50
    for call in known:
        assert shipped.contracts[call["tool"]].violations(call["arguments"]) == ()
        assert rule_chain(shipped, "coder", "studio", call["tool"], call["arguments"], "") in STRICTEST


# Laws ------------------------------------------------------------------------------------------------

QUESTIONS = [(agent, tenant, tool, arguments) for agent, tenant, tool, arguments, _ in VERDICTS]


def answers(snapshot):
    """The rule chain's answer to every question above."""
    return [rule_chain(snapshot, *question) for question in QUESTIONS]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_says_nothing(shipped, seed):
    """Shuffled, the rows give the same answers."""
    lines = (SHIPPED / "rules.csv").read_text().splitlines()
    seed.shuffle(lines)
    with copied({"rules.csv": ("\n".join(lines) + "\n").encode()}) as folder:
        assert answers(load_bundle(folder)) == answers(shipped)


DENIES = st.tuples(
    st.sampled_from(["role:reader", "role:engineer", "agent:critic"]),
    st.sampled_from(["*", "read", "write", "patch"]),
    st.sampled_from(["*", "path:./**", "path:**/a.py", "path:/srv/**", "path:./drafts/"]),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(row=DENIES)
def test_one_more_deny_row_only_denies(shipped, row):
    """No answer becomes milder, and no denial becomes anything else."""
    subject, tool, argument = row
    more = f"p, {subject}, studio, {tool}, {argument}, , deny, one more\n".encode()
    with copied({"rules.csv": (SHIPPED / "rules.csv").read_bytes() + more}) as folder:
        after = answers(load_bundle(folder))
    for old, new in zip(answers(shipped), after, strict=True):
        assert new in (old, "deny")


MUTATIONS = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.sampled_from(["flip", "cut", "insert", "drop"]),
        st.sampled_from(
            [
                b"\0",
                b"\xff",
                b"\n",
                b",",
                b'"',
                b":",
                b"[",
                b"&",
                b"*",
                b"#",
                b"\\",
                b"-",
                b"\xc2\xa0",
                b" ",
            ]
        ),
    ),
    min_size=1,
    max_size=3,
)


def mutated(content, mutations):
    """The bytes with a few of them changed."""
    for place, kind, byte in mutations:
        at = int(place * len(content))
        head, tail = content[:at], content[at:]
        content = {
            "flip": head + byte + tail[1:],
            "cut": head,
            "insert": head + byte + tail,
            "drop": head + tail[1:],
        }[kind]
    return content


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from([*FILES, "schemas/edit.json", "schemas/fetch.json"]), mutations=MUTATIONS)
def test_a_spoilt_bundle_loads_or_is_refused(name, mutations):
    """No bytes make loading raise anything but the list of problems, each in a file of the bundle."""
    with copied({name: mutated((SHIPPED / name).read_bytes(), mutations)}) as folder:
        problems = problems_of(folder)
    assert all(problem.message and problem.line >= 0 for problem in problems)
    assert not [problem for problem in problems if "a fault of the loader" in problem.message]


def problems_of(folder):
    """What loading lists; nothing when it loads."""
    try:
        load_bundle(folder)
    except BundleError as error:
        return error.problems or [None]
    return []


class copied:  # noqa: N801 - reads as a word
    """The shipped bundle in a folder of its own, with some files replaced."""

    def __init__(self, files):
        self.files = files
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self):
        target = Path(self.folder.name) / "policies"
        shutil.copytree(SHIPPED, target)
        for name, content in self.files.items():
            (target / name).write_bytes(content)
        return target

    def __exit__(self, *_exc):
        self.folder.cleanup()
