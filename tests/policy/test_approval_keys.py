"""What a tool, and the bundle, say of approvals: how urgent, what to choose from, what may be granted."""

from dataclasses import fields

import pytest
from adjudicator.config.limits import OPTION_CHARS, OPTIONS
from adjudicator.domain.request import Priority, Trigger
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import PRIORITIES, ApprovalTerms, Unattended

T = "registry/tools.yaml"
READ, DEPLOY, BASH = "title: Read a file\n", "title: Deploy a release\n", "title: Run a shell command\n"
MANY = ", ".join(f"option {number}" for number in range(OPTIONS + 1))
TOO_MUCH = "is too much for a tool"

TOOLS = [
    (READ, "priority: §urgent", "write `low`, `medium`, `high`, `critical`"),
    (READ, "priority: §*", "not YAML"),
    (READ, "priority: §'*'", "write `low`, `medium`, `high`, `critical`"),
    (READ, "options: §now", "`options` must be a list"),
    (READ, "options: §[]", "`options` has nothing to choose from"),
    (READ, "options: [now, §'']", "`options` is empty"),
    (READ, "options: [now, §'  ']", "`options` is empty"),
    (READ, "options: [now, later, §now]", "'now' is in `options` already, as 'now'"),
    (READ, "options: [now, §NOW]", "'NOW' is in `options` already, as 'now'"),
    (READ, "options: [now, §' now']", "begins or ends with a blank"),
    (READ, "options: [now, §'no\u200bw']", "has a character that is not seen as itself"),
    (READ, "options: [now, §'no\u00a0w']", "has a character that is not seen as itself"),
    (READ, "options: [now, §[later]]", "`options` must be one text"),
    (READ, f"options: [§{'x' * (OPTION_CHARS + 1)}]", f"the limit is {OPTION_CHARS}, so say it in fewer"),
    (READ, f"options: §[{MANY}]", f"{OPTIONS + 1} options; the limit is {OPTIONS}"),
    (READ, "recommended_option: §now", "'now' is none of the `options`"),
    (READ, "options: [now]\n  recommended_option: §Now", "'Now' is none of the `options`"),
    (READ, "options: [now]\n  recommended_option: §''", "`recommended_option` is empty"),
    (READ, "session_grants: §always", "write `tool`, `narrowed`, `never`"),
    (READ, "session_grants: §true", "write `tool`, `narrowed`, `never`"),
    (READ, "require_approval: true\n  session_grants: §narrowed", f"{TOO_MUCH} of which people see every"),
    (READ, "require_approval: true\n  session_grants: §tool", TOO_MUCH),
    (READ, "quorum: 2\n  session_grants: §narrowed", f"{TOO_MUCH} of which 2 people see every call"),
    (READ, "quorum: 2\n  session_grants: §tool", TOO_MUCH),
    (DEPLOY, "session_grants: §tool", TOO_MUCH),
    (BASH, "session_grants: §tool", "grant every command; write `narrowed`"),
]


@pytest.mark.parametrize(("after", "lines", "message"), TOOLS, ids=[each[1][:40] for each in TOOLS])
def test_a_key_of_a_tool_is_refused_with_its_place(bundle, after, lines, message):
    """The problem is that of the key, where its value stands."""
    bundle.replace(T, after, f"{after}  {lines.replace('§', '')}\n")
    (problem,) = [each for each in bundle.problems() if message in each]
    before = (bundle.folder / T).read_text().split(after)[0] + after + "  " + lines.split("§")[0]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert problem.startswith(f"{T}:{line}:" if "not YAML" in message else f"{T}:{line}:{column}: ")


def test_no_tool_is_called_as_questions_are(bundle):
    """Whoever decides on questions would decide on its calls."""
    line = bundle.append(T, "\nquestion: {title: t, description: d, access: read, permission: files.read}")
    (problem,) = [each for each in bundle.problems() if each.startswith(T)]
    assert problem.startswith(f"{T}:{line + 1}:11: `question` stands for what agents ask people")


GRANTS = [
    ("read", "", SessionGrants.TOOL),
    ("read", "session_grants: narrowed", SessionGrants.NARROWED),
    ("read", "session_grants: never", SessionGrants.NEVER),
    ("read", "require_approval: true", SessionGrants.NEVER),
    ("read", "require_approval: true\n  session_grants: never", SessionGrants.NEVER),
    ("read", "require_approval: false", SessionGrants.TOOL),
    ("read", "quorum: 2", SessionGrants.NEVER),
    ("read", "quorum: 1", SessionGrants.TOOL),
    ("bash", "", SessionGrants.NARROWED),
    ("bash", "session_grants: narrowed", SessionGrants.NARROWED),
    ("bash", "quorum: 2", SessionGrants.NEVER),
    ("deploy", "", SessionGrants.NEVER),
]
TITLES = {"read": READ, "bash": BASH, "deploy": DEPLOY}


@pytest.mark.parametrize(("tool", "lines", "grants"), GRANTS)
def test_what_may_be_granted_to_a_session(bundle, tool, lines, grants):
    """Unless stated the most that the tool can have."""
    bundle.replace(T, TITLES[tool], f"{TITLES[tool]}  {lines}\n")
    assert bundle.load().registry.tools[tool].session_grants is grants


def test_a_list_of_commands_is_a_command_line_too(bundle):
    """Wherever in the arguments a command stands, a grant of the tool would grant every one."""
    bundle.replace(T, "/command: {kind: shell, access: write}", "/command/*: {kind: shell, access: write}")
    listed = '{"command": {"type": "array", "items": {"type": "string"}}}'
    bundle.write(
        "schemas/bash.json", f'{{"type": "object", "properties": {listed}, "additionalProperties": false}}'
    )
    assert bundle.load().registry.tools["bash"].session_grants is SessionGrants.NARROWED


def test_a_tool_says_how_urgent_it_is_and_what_to_choose_from(bundle):
    """Nothing where it says nothing."""
    more = (
        "priority: high\n  options: [now, 'at night, from ten']\n  recommended_option: at night, from ten"
    )
    bundle.replace(T, READ, f"{READ}  {more}\n")
    tools = bundle.load().registry.tools
    read, ls = tools["read"], tools["ls"]
    assert (read.priority, read.options) == (Priority.HIGH, ("now", "at night, from ten"))
    assert read.recommended_option == "at night, from ten"
    assert (ls.priority, ls.options, ls.recommended_option) == (None, (), "")


def test_the_shipped_terms_are_the_defaults(bundle):
    """What the file shows is what holds without it, as its comment says."""
    shipped = bundle.load().approvals
    text = (bundle.folder / "bundle.yaml").read_text()
    head, rest = text.split("approvals:\n", 1)
    bundle.write("bundle.yaml", head + rest[rest.index("\nauto_approved:") :])
    without = bundle.load().approvals
    assert shipped == without == ApprovalTerms(300)
    assert without.priorities == PRIORITIES
    assert PRIORITIES.keys() == set(Trigger)


def test_terms_are_what_is_written(bundle):
    """Each key is its own, and what is left out is the default."""
    text = (bundle.folder / "bundle.yaml").read_text()
    head, rest = text.split("approvals:\n", 1)
    terms = (
        "{priorities: {security_violation: critical, significant_change: off}, unattended: deny, "
        "pending_per_session: 1, pending_per_agent: 2, asks_per_minute_per_session: 3, "
        "asks_per_minute_per_agent: 100000, grant_seconds: 604800, grant_uses: 6}"
    )
    bundle.write("bundle.yaml", f"{head}approvals: {terms}\n{rest[rest.index('auto_approved:') :]}")
    priorities = {**PRIORITIES, Trigger.SECURITY_VIOLATION: Priority.CRITICAL}
    del priorities[Trigger.SIGNIFICANT_CHANGE]
    terms = bundle.load().approvals
    assert terms == ApprovalTerms(300, priorities, Unattended.DENY, 1, 2, 3, 100_000, 604_800, 6)
    assert len(fields(terms)) == 9
