"""Step 7 on command lines: every command is judged, and the strictest result is the call's."""

import json
from dataclasses import replace

import pytest
from adjudicator.chain import judge as judge_module
from adjudicator.domain.call import Mode
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, RuleRef
from adjudicator.policy.patterns import parse_pattern
from adjudicator.policy.registry import Registry
from adjudicator.policy.snapshot import Effect
from chain.bundle import AGENTS, TOOLS, Schema, a_case, a_snapshot, a_tool

COMMAND = ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE)
BASH = a_tool("read", access=Access.WRITE, arguments=(COMMAND,))


class Rows:
    """Rules of one effect and pattern each."""

    def __init__(self, *rows):
        self.rows = [
            (effect, parse_pattern(text, loose=effect is not Effect.ALLOW)) for effect, text in rows
        ]

    def match(self, effect, question):
        """See RuleSet."""
        for number, (each, pattern) in enumerate(self.rows, 1):
            if each is effect and pattern.matches(question.facet):
                return RuleRef("rules.csv", number, "p")
        return None


RULES = Rows(
    (Effect.DENY, "shell:rm *"),
    (Effect.DENY, "path:**/.env"),
    (Effect.ALLOW, "shell:git status *"),
    (Effect.ALLOW, "shell:cat *"),
    (Effect.ASK, "shell:git push *"),
)


def judge(command, **call):
    """The verdict on a command line."""
    snapshot = a_snapshot(rules=RULES)
    registry = Registry(snapshot.registry.tenants, AGENTS, TOOLS | {"read": BASH})
    snapshot = replace(snapshot, registry=registry, contracts={code: Schema() for code in registry.tools})
    case = a_case(snapshot, json.dumps({"command": command}), working_directory="/srv/app", **call)
    return judge_module.judge(case, lambda _check, error: pytest.fail(str(error)))


VERDICTS = [
    ("git status -s", Outcome.ALLOW, Cause.RULE_ALLOW),
    ("git status | cat", Outcome.ALLOW, Cause.RULE_ALLOW),
    ("git status && rm x", Outcome.DENY, Cause.RULE_DENY),
    ("git status; git push", Outcome.ASK, Cause.RULE_ASK),
    ("git push; ls", Outcome.DENY, Cause.DEFAULT),
    ("cat a", Outcome.ALLOW, Cause.RULE_ALLOW),
    ("cat .env", Outcome.DENY, Cause.RULE_DENY),
    ("cat a > b", Outcome.DENY, Cause.DEFAULT),
    ("cat $X", Outcome.DENY, Cause.OPAQUE_EXPANSION),
    ("cat $(git status)", Outcome.DENY, Cause.OPAQUE_SUBSTITUTION),
    ("cat 'a", Outcome.DENY, Cause.OPAQUE_SYNTAX),
    ("A=1 cat a", Outcome.DENY, Cause.OPAQUE_ENVIRONMENT),
    ("c\\at a", Outcome.DENY, Cause.OPAQUE_PROGRAM_NAME),
    ("cat a\x07", Outcome.DENY, Cause.OPAQUE_CHARACTER),
    ("git -c a=b status", Outcome.DENY, Cause.OPAQUE_PROGRAM_RUN),
    ("cd /etc && cat a", Outcome.DENY, Cause.OPAQUE_PATH),
    ("cat a;" * 1_000, Outcome.DENY, Cause.TOO_COMPLEX),
    ("", Outcome.DENY, Cause.ARGUMENT_INVALID),
    ("# cat a", Outcome.DENY, Cause.ARGUMENT_INVALID),
    ([], Outcome.DENY, Cause.ARGUMENT_INVALID),
    (["git", "status"], Outcome.ALLOW, Cause.RULE_ALLOW),
    (["git", 1], Outcome.DENY, Cause.OPAQUE_FORM),
]


@pytest.mark.parametrize(("command", "outcome", "cause"), VERDICTS)
def test_a_command_line_is_what_its_strictest_part_is(command, outcome, cause):
    """The verdict and its cause, for each way in which a line may be judged."""
    verdict = judge(command)
    assert (verdict.outcome, verdict.cause) == (outcome, cause)


def test_a_line_without_a_command_is_a_validation_error():
    """There is nothing to judge, so the call is wrong rather than forbidden."""
    assert judge(" \n").reason_code is ReasonCode.VALIDATION


def test_an_opaque_command_is_explained():
    """The sentence names what kept rules from matching, so that an agent can write it otherwise."""
    assert "the variable X is only known when the shell runs" in judge("cat $X").reason


def test_a_tool_of_commands_writes():
    """In read_only mode no command line runs, whatever it says."""
    assert judge("git status", mode=Mode.READ_ONLY).cause is Cause.MODE_READ_ONLY
