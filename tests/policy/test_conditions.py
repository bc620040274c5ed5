"""Rules with conditions: the shipped bundle with a `when` column, from its files to the verdict."""

import re

import pytest
from adjudicator.chain.case import Case
from adjudicator.chain.judge import judge
from adjudicator.domain.arguments import read_arguments
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode

MODEL = "models/rules.conf"
COLUMNS = "p = sub, tenant, tool, argument, unless, eft, reason"
ALWAYS = "1 == 1"


@pytest.fixture
def conditional(bundle):
    """A copy of the shipped bundle whose rules have a condition each, which is always true."""
    bundle.replace(MODEL, COLUMNS, COLUMNS.replace("unless,", "unless, when,"))
    bundle.replace(MODEL, "&& facet_match", "&& eval(p.when) && facet_match")
    rows = (bundle.folder / "rules.csv").read_text()
    with_when = re.sub(r"^(p,.*), (allow|ask|deny),", rf"\1, {ALWAYS}, \2,", rows, flags=re.MULTILINE)
    bundle.write("rules.csv", with_when)
    return bundle


def rule(condition, effect="deny", tool="read"):
    """A rule of the studio's readers about a whole tool."""
    return f'p, role:reader, studio, {tool}, *, , "{condition}", {effect}, as it was said'


def verdict(bundle, path="src/a.py", tool="read"):
    """What the chain says to the studio's coder who wants to read."""
    arguments = f'{{"path": "{path}"}}'
    call = ToolCall(
        tenant="studio",
        agent="coder",
        tool=tool,
        call_id="c1",
        arguments_json=arguments,
        working_directory="/srv/app",
    )
    bounds = {"max_bytes": 1000, "max_depth": 9, "max_values": 99, "max_digits": 99}
    return judge(Case(call, read_arguments(arguments, **bounds), bundle.load(), None), lambda *_: None)


def test_rules_that_always_hold_change_nothing(conditional):
    """The bundle loads with the column and answers as without it."""
    assert conditional.problems() == []
    assert verdict(conditional).outcome is Outcome.ALLOW
    assert verdict(conditional, ".env").cause is Cause.RULE_DENY


HOLDS = [
    "r.facet.text == '/srv/app/src/a.py'",
    "r.facet.kind == 'path' && r.facet.access == 'read'",
    "r.sub == 'agent:coder' && r.tenant == 'studio' && r.tool in ('read', 'write')",
    "globMatch(r.facet.text, '/srv/app/**')",
    "regexMatch(r.facet.text, '.*[.]py$') && !keyMatch(r.sub, 'agent:d*')",
    "r.tool == p.tool && g(r.sub, 'role:engineer', r.tenant)",
    "r.facet.text != 'x' || ipMatch(r.facet.text, '::1')",
]


@pytest.mark.parametrize("condition", HOLDS)
def test_a_condition_that_holds_makes_its_rule_count(conditional, condition):
    """It sees the subject, tenant, tool and facet, and may call Casbin's functions."""
    conditional.append("rules.csv", rule(condition))
    found = verdict(conditional)
    assert (found.outcome, found.cause) == (Outcome.DENY, Cause.RULE_DENY)
    assert condition in found.rule.text


@pytest.mark.parametrize("condition", HOLDS)
def test_a_condition_that_does_not_hold_takes_its_rule_away(conditional, condition):
    """The call is judged as if the rule were not there."""
    conditional.append("rules.csv", rule(f"!({condition})"))
    assert verdict(conditional).outcome is Outcome.ALLOW


FAILS = ["ipMatch(r.facet.text, '10.0.0.0/8')", "r.tool != 'x' && !ipMatch(r.sub, '::1')"]


@pytest.mark.parametrize("effect", ["deny", "allow"])
@pytest.mark.parametrize("condition", FAILS)
def test_a_condition_that_fails_denies_and_names_its_row(conditional, condition, effect):
    """No other rule makes up for it, whether it stands before or after."""
    line = conditional.append("rules.csv", rule(condition, effect))
    found = verdict(conditional)
    assert (found.outcome, found.reason_code) == (Outcome.DENY, ReasonCode.EVALUATION_ERROR)
    assert (found.rule.file, found.rule.line) == ("rules.csv", line)


def test_a_condition_of_another_tool_does_not_fail(conditional):
    """Only rules that could match are evaluated."""
    conditional.append("rules.csv", rule(FAILS[0], tool="write"))
    assert verdict(conditional).outcome is Outcome.ALLOW


WHEN_AT = len("p, role:reader, studio, read, *, , ") + 1
REFUSED = [
    ("", "the field `when` is empty; write `1 == 1` for a rule without a condition"),
    (
        "r.facet.text",
        "a column is neither true nor false; compare it, or call a function (at character 13)",
    ),
    ("r.tol == 'x'", "`r.tol` is not a column of this model"),
    ("p.tol == 'x'", "`p.tol` is not a column of this model"),
    ("when == 'x'", "`when` is not a column"),
    ("r.tool = 'x'", "`=` is not understood here (at character 8)"),
    ("r.tool == 'a&&b'", "would rewrite `&&` inside of quotes"),
    ("r.tool == 'x' and 1 == 1", "write `&&`, which every Casbin knows"),
    ("size(r.tool)", "`size` is not a known function; they are `eval`, `g`, `globMatch`"),
    ("facet_match(r.facet, 'path:./x', '', 'deny')", "`facet_match` is not a known function"),
    ("g(r.sub, 'role:reader')", "`g` takes 3 arguments, not 2"),
    ("keyMatch(r.facet.text, r.tool)", "never from a request"),
    ("globMatch(r.facet.text, '[z-a]')", "write letters, digits and ranges of them in the brackets"),
    ("eval(p.when)", "a condition evaluates no other one"),
    ("true", "is not the same in every Casbin; compare a column"),
]


@pytest.mark.parametrize(("condition", "message"), REFUSED, ids=[each[0] for each in REFUSED])
def test_a_bad_condition_is_refused_with_its_place(conditional, condition, message):
    """The bundle does not load, and the problem is at the condition."""
    line = conditional.append("rules.csv", rule(condition))
    (problem,) = conditional.problems()
    assert problem.startswith(f"rules.csv:{line}:{WHEN_AT}: ")
    assert message in problem


def test_a_pattern_of_the_row_is_checked_in_each_row(conditional):
    """Two rows may share a condition that takes its pattern from a column."""
    shared = 'p, role:reader, studio, {}, *, , "globMatch(r.tool, p.reason)", deny, {}'
    conditional.append("rules.csv", shared.format("read", "rea?"))
    row = shared.format("edit", "{a}")
    line = conditional.append("rules.csv", row)
    (problem,) = conditional.problems()
    assert problem.startswith(f"rules.csv:{line}:{row.index('{a}') + 1}: ")


def test_a_model_that_ignores_its_conditions_is_refused(conditional):
    """A column that nobody looks at would be taken for a condition by everybody who reads it."""
    conditional.replace(MODEL, "eval(p.when) && ", "")
    assert any("the matcher has no part `eval(p.when)`" in problem for problem in conditional.problems())


def test_a_condition_may_not_stand_in_another_column(conditional):
    """The columns are the product's, in this order."""
    conditional.replace(MODEL, "unless, when,", "when, unless,")
    assert any("the columns are not the product's" in problem for problem in conditional.problems())
