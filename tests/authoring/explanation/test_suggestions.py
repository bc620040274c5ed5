"""The ways to another outcome: each is made and judged, the narrowest come first, and none is too wide."""

import json

import pytest
from adjudicator.authoring.explanation.changes import Defence
from adjudicator.authoring.explanation.search import Search
from adjudicator.authoring.progress import unheard
from adjudicator.config.limits import Limits
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.loader import open_bundle


def whats(found, want):
    """The changes of each suggestion in words, in their order."""
    (ways,) = [each for each in found.ways if each.want is Outcome(want)]
    return [[made.change.what for made in each.changes] for each in ways.suggestions]


REPLACED = "Replaced by deploy, which two people approve."
WAYS = [
    ("TENANT_UNKNOWN", {"tenant": "studi"}, "ALLOW", ["name the tenant `studio`"]),
    (
        "AGENT_UNKNOWN",
        {"tenant": "archive", "agent": "designer"},
        "ALLOW",
        [
            "make agent `designer` known in tenant `archive`",
            "let `agent:designer` hold the permission `files.read`",
            "let `agent:designer` call tool `read`",
            "allow `read:./src/app.py` for `agent:designer` and tool `read`",
        ],
    ),
    ("AGENT_UNKNOWN", {"agent": "codr"}, "ALLOW", ["name the agent `coder`"]),
    ("TOOL_UNKNOWN", {"tool": "raed"}, "ALLOW", ["name the tool `read`"]),
    (
        "TOOL_NOT_LISTED",
        {"tenant": "archive", "tool": "codegraph_find_callers", "arguments": {"symbol": "main"}},
        "ALLOW",
        ["put tool `codegraph_find_callers` on the allow-list of tenant `archive`"],
    ),
    (
        "TOOL_DISABLED",
        {"tool": "legacy_deploy", "arguments": {"server": "web-1"}},
        "ASK",
        [
            f"enable tool `legacy_deploy`, which was disabled: {REPLACED}",
            "ask people about every call that no rule speaks of, instead of denying it",
        ],
    ),
    (
        "PERMISSION_MISSING",
        {"agent": "designer", "tool": "command_execution", "arguments": {"command": "make"}},
        "ASK",
        [
            "let `agent:designer` hold the permission `shell.run`",
            "take tool `command_execution` from the denied tools of agent `designer`",
        ],
    ),
    (
        "AGENT_READ_ONLY",
        {"tool": "write", "on_behalf_of": ("critic",), "arguments": {"path": "drafts/a", "content": ""}},
        "ALLOW",
        ["do not make the call on behalf of `critic`"],
    ),
    (
        "RULE_DENY",
        {"arguments": {"path": "services/.env"}},
        "ALLOW",
        [
            "except `read:./services/.env` from the deny row rules.csv:40",
            "allow `read:./services/.env` for `agent:coder` and tool `read`",
        ],
    ),
    (
        "DEFAULT",
        {"agent": "designer", "tool": "write", "arguments": {"path": "src/a.py", "content": ""}},
        "ASK",
        ["ask `write:./src/a.py` for `agent:designer` and tool `write`"],
    ),
    (
        "RULE_ASK",
        {"tool": "bash", "arguments": {"command": "make test"}},
        "ALLOW",
        ["allow `shell:make test` for `agent:coder` and tool `bash`"],
    ),
    (
        "RULE_DENY",
        {"tool": "bash", "arguments": {"command": "git status; sudo ls && git log"}},
        "ALLOW",
        ["leave `sudo ls` out of the command line: `git status && git log`"],
    ),
    (
        "RULE_DENY",
        {"tool": "bash", "arguments": {"command": "git status && cat /etc/shadow"}},
        "ALLOW",
        ["leave `cat /etc/shadow` out of the command line: `git status`"],
    ),
    (
        "RULE_ASK",
        {"tool": "bash", "arguments": {"command": "make; git log; make test; git status"}},
        "ALLOW",
        ["leave `make`, `make test` out of the command line: `git log; git status`"],
    ),
    (
        "OPAQUE_PATH",
        {"directory": ""},
        "ALLOW",
        ["state the working directory, as `/srv/app`: the path is relative"],
    ),
    (
        "MODE_READ_ONLY",
        {"tenant": "archive", "tool": "write", "arguments": {"path": "restored/a", "content": ""}},
        "ALLOW",
        ["set the mode of tenant `archive` to auto"],
    ),
    (
        "TOOL_REQUIRES_APPROVAL",
        {
            "tool": "deploy",
            "principal": "user:ann",
            "arguments": {"environment": "staging", "version": "1.0.0"},
        },
        "ALLOW",
        ["no longer have people approve every call of tool `deploy`"],
    ),
    (
        "PRINCIPAL_MISSING",
        {"tool": "deploy", "arguments": {"environment": "staging", "version": "1.0.0"}},
        "ASK",
        ["name the person for whom the agent works, as `user:somebody`"],
    ),
    (
        "CONTRACT_VIOLATION",
        {"arguments": {"path": "a", "line": 0, "follow": True}},
        "ALLOW",
        ["leave out `/follow`, which the contract does not know", "give `/line` as `1`"],
    ),
    (
        "RULE_ALLOW",
        {},
        "DENY",
        ["deny `read:./src/app.py` for `agent:coder` and tool `read`"],
    ),
    (
        "RULE_ALLOW",
        {"tool": "write", "arguments": {"path": "drafts/a", "content": ""}},
        "ASK",
        ["except `write:./drafts/a` from the allow row rules.csv:67"],
    ),
    (
        "RULE_ALLOW",
        {"tool": "codegraph_query", "arguments": {"query": "who?"}},
        "ASK",
        [
            "take tool `codegraph_query` from `auto_approved`",
            "ask `text:who?` for `agent:coder` and tool `codegraph_query`",
        ],
    ),
]


@pytest.mark.parametrize(("cause", "fields", "want", "changes"), WAYS)
def test_a_way_is_found_and_a_fresh_load_agrees(shipped, tmp_path, cause, fields, want, changes):
    """The way is among those that are found; of all of them a bundle edited by hand gives what is said."""
    found = shipped.of(shipped.call(**fields), want)
    assert found.verdict.cause.value == cause
    assert sorted(changes) in [sorted(each) for each in whats(found, want)]
    for number, suggestion in enumerate(found.ways[0].suggestions):
        assert suggestion.verdict.outcome is Outcome(want)
        again = shipped.after(suggestion, tmp_path / str(number))
        assert (again.outcome, again.cause) == (suggestion.verdict.outcome, suggestion.verdict.cause)


@pytest.mark.parametrize(("cause", "fields", "want", "changes"), WAYS)
def test_defences_go_last_and_no_row_is_for_everything(shipped, cause, fields, want, changes):
    """What takes a defence away stands behind what does not, and no new row has a `*` of its own."""
    del cause, changes
    found = shipped.of(shipped.call(**fields), want).ways[0].suggestions
    ranks = [list(Defence).index(each.defence) for each in found]
    assert ranks == sorted(ranks)
    for made in (made for each in found for made in each.changes):
        for hunk in made.hunks:
            assert not any(
                ", *," in line for line in hunk.after if line not in hunk.before and not hunk.before
            )


def test_a_critic_that_may_write_is_never_the_first_way(changed):
    """Where nothing else keeps the critic from writing, no way is named rather than that one alone."""
    changed.replace("scope.csv", "p, role:critic, studio, write, deny\n", "")
    changed.replace(
        "permission.csv",
        "p, role:reader, studio, files.read, allow",
        "p, role:reader, studio, files.read, allow\np, role:critic, studio, files.write, allow",
    )
    changed.append("rules.csv", "p, role:critic, studio, write, path:./notes/**, , allow, notes are theirs")
    call = changed.call(agent="critic", tool="write", arguments={"path": "notes/a", "content": ""})
    found = changed.of(call, "ALLOW")
    assert found.verdict.cause.value == "AGENT_READ_ONLY"
    assert found.ways[0].suggestions == ()


def test_the_bundles_tests_that_fail_are_named(shipped):
    """Whoever opens a Deny row sees which test was there to keep it."""
    found = shipped.of(shipped.call(arguments={"path": "/etc/passwd"}), "ALLOW")
    opened = [each for each in found.ways[0].suggestions if each.defence is Defence.OPENS]
    assert "step 7, a rule that denies" in [test.name for each in opened for test in each.failing]


def test_a_call_that_nobody_could_judge_has_no_way(shipped):
    """Arguments that cannot be read are not guessed at."""
    (ways,) = shipped.of(shipped.call(arguments="[1"), "ALLOW").ways
    assert ways.suggestions == ()
    assert ways.blocked


def test_what_the_loader_refuses_is_not_suggested(changed):
    """An Ask row that an Allow covers would never fire, and a bundle with one does not load."""
    changed.append("rules.csv", "p, role:engineer, studio, fetch, url:https://x.test/**, , allow, known")
    call = changed.call(tool="fetch", arguments={"url": "https://x.test/a"})
    found = changed.of(call, "ASK")
    assert found.verdict.outcome is Outcome.ALLOW
    assert ["ask `url:https://x.test/a` for `agent:coder` and tool `fetch`"] not in whats(found, "ASK")
    assert whats(found, "ASK")


def test_a_secret_is_not_repeated(changed):
    """A violation of a secret value has no suggestion that shows it."""
    arguments = {"environment": "staging", "version": "1.0.0", "token": 12345}
    call = changed.call(tool="deploy", principal="user:ann", arguments=arguments)
    found = changed.of(call, "ASK")
    assert found.verdict.cause.value == "CONTRACT_VIOLATION"
    assert "12345" not in json.dumps(whats(found, "ASK"))


def test_a_bundle_with_conditions_gets_rows_with_one(conditional, tmp_path):
    """The new row has the column, with a condition that always holds."""
    found = conditional.of(conditional.call(tool="bash", arguments={"command": "make test"}), "ALLOW")
    suggestion = found.ways[0].suggestions[0]
    (hunk,) = suggestion.changes[0].hunks
    assert hunk.after == ("p, agent:coder, studio, bash, shell:make test, , 1 == 1, allow, say here why",)
    assert conditional.after(suggestion, tmp_path / "after").outcome is Outcome.ALLOW


def test_without_time_only_calls_are_tried_and_the_answer_says_so(shipped):
    """A search that may load nothing suggests no change of the policy, and is not complete."""
    call = shipped.call(tool="bash", arguments={"command": "sudo ls; pwd"})
    search = Search(open_bundle(shipped.folder), call, Limits(), 0, unheard)
    ways = search.ways(Outcome.ALLOW, 0)
    assert [each.is_of_policy for each in ways.suggestions] == [False]
    assert not ways.complete


def test_many_things_in_the_way_are_cleared_by_no_small_change(shipped):
    """Five commands that ask would need five rows."""
    call = shipped.call(tool="bash", arguments={"command": "a1; b1; c1; d1; e1"})
    (ways,) = shipped.of(call, "ALLOW").ways
    assert not [each for each in ways.suggestions if each.is_of_policy]
