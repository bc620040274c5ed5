"""What a model and rows of no bundle are refused for, each with its place and what to write instead."""

import pytest
from adjudicator.policy.casbin.reader import read_engine
from adjudicator.policy.problem import BundleError
from policy.casbin.stock import ALLOW, ALLOW_AND_NOT_DENY, model

MATCHER = "g(r.sub, p.sub) && r.obj == p.obj && keyMatch(r.act, p.act) && eval(p.when)"
SOUND = model("sub, obj, act", "sub, obj, act, when, eft", MATCHER, ["g = _, _"])
ROWS = "p, ann, plan, read, 1 == 1, allow\ng, bob, ann\n"

# What stands in the sound model, and what a hand made of it; the problem is at the `§`.
MODELS = [
    (ALLOW_AND_NOT_DENY, "§!some(where (p.eft == deny))", "may allow when no row matches"),
    (ALLOW_AND_NOT_DENY, "§priority(p.eft) || deny", "may allow when no row matches"),
    (ALLOW_AND_NOT_DENY, "§subjectPriority(p.eft) || deny", "may allow when no row matches"),
    (ALLOW_AND_NOT_DENY, "§some(where(p.eft==allow))", "stock Casbin knows this effect only as"),
    ("[matchers]", "§r2 = sub\n[matchers]", "'r2 = sub' is not expected here"),
    ("[role_definition]", "§p2 = sub\n[role_definition]", "'p2 = sub' is not expected here"),
    ("[matchers]", "§[Matchers]", "'[Matchers]' is not a section; the sections are `[request_definition]`"),
    ("[matchers]", "§[[matchers]]", "is not a section"),
    ("[request_definition]", "§\ufeff[request_definition]", "a character outside of printable ASCII"),
    ("[matchers]", "§; a comment\n[matchers]", "is not expected here"),
    ("m = ", "§M = ", "is not expected here; write `m = …`"),
    ("r = sub, obj, act", "r = §sub, obj, sub", "the column `sub` is there twice"),
    ("r = sub, obj, act", "r = §sub, o-bj, act", "'o-bj' is not the name of a column"),
    ("g = _, _", "g = §_, _, _, _", "write `_, _` for a member and its role"),
    ("eval(p.when)", "eval(p.when) §# always", "a `#` would cut the matcher off"),
    ("r.obj == p.obj", "r.obj == 'a§&&b'", "stock Casbin would rewrite `&&` inside of quotes"),
    ("r.obj == p.obj", "r.obj == 'a §r.b'", "stock Casbin would rewrite `r.` inside of quotes"),
    ("r.obj == p.obj", "r.obj == 'a§!'", "stock Casbin would rewrite `!` inside of quotes"),
    ("r.obj == p.obj", "r.obj == §'a", "`'` is not understood here"),
    ("r.obj == p.obj", "§r.obj.p.name == p.obj", "stock Casbin would rewrite `r.obj.p.name`"),
    ("r.obj == p.obj", "r.obj == p.obj §and 1 == 1", "write `&&`, which every Casbin knows"),
    ("r.obj == p.obj", "r.obj == p.obj §or 1 == 1", "write `||`, which every Casbin knows"),
    ("r.obj == p.obj", "§not (r.obj == p.obj)", "write `!`, which every Casbin knows"),
    ("r.obj == p.obj", "r.obj == §true", "`true` is not the same in every Casbin"),
    ("r.obj == p.obj", "r.obj == §None", "`None` is not the same in every Casbin"),
    ("r.obj == p.obj", "!§r.obj == p.obj", "after `!` write a bracket or a function"),
    ("r.obj == p.obj", "r.obj == p.obj §== p.act", "compare two values at a time"),
    ("r.obj == p.obj", "r.obj in §('a')", "write at least two values, or `==` for one"),
    ("r.obj == p.obj", "r.obj in §p.obj", "write the values in brackets"),
    ("r.obj == p.obj", "r.obj in ('a', r.sub§)", "write texts or numbers between the brackets"),
    ("r.obj == p.obj", "obj§", "`obj` is not a column"),
    ("r.obj == p.obj", "r.object == p.obj", "`r.object` is not a column of this model"),
    ("r.obj == p.obj", "r.obj == p.object", "`p.object` is not a column of this model"),
    ("keyMatch(r.act, p.act)", "§keyMatch(p.act, r.act)", "never from a request"),
    ("keyMatch(r.act, p.act)", "§keyMatch(r.act)", "`keyMatch` takes 2 arguments, not 1"),
    ("keyMatch(r.act, p.act)", "§keyMatch9(r.act, p.act)", "`keyMatch9` is not a known function; they are"),
    ("keyMatch(r.act, p.act)", "§keyMatch(r.act, 'a*b')", "keyMatch ignores what follows the first `*`"),
    ("g(r.sub, p.sub)", "§g(r.sub, p.sub, r.obj)", "`g` takes 2 arguments, not 3"),
    ("eval(p.when)", "§eval(r.obj)", "write `eval(p.…)`: a condition comes from a row"),
    (MATCHER, "§r.sub == 'root'", "the matcher looks at no column of a row"),
    (MATCHER, "(" * 40 + "r.sub == p.sub" + ")" * 40, "more than 32 brackets in one another"),
    (MATCHER, "r.sub == p.sub && 1 == 1" + " + 1" * 40, "more than 32 terms in one sum"),
    (MATCHER, "r.sub == p.sub && 1 == " + "1" * 5000, "longer than 4,096 characters"),
]


def problems(text, rows):
    """Every problem as it is printed."""
    with pytest.raises(BundleError) as raised:
        read_engine(text, rows)
    return [str(problem) for problem in raised.value.problems]


def test_what_the_refusals_spoil_is_sound():
    """The model and rows below load as they are."""
    assert read_engine(SOUND, ROWS).enforce("bob", "plan", "read")


@pytest.mark.parametrize(("old", "new", "message"), MODELS, ids=[each[1][:40] for each in MODELS])
def test_a_model_is_refused_with_its_place(old, new, message):
    """What could allow by default, be ignored, or be read by Casbins in two ways."""
    assert old in SOUND
    text = SOUND.replace(old, new.replace("§", ""), 1)
    found = [problem for problem in problems(text, ROWS) if message in problem]
    assert found
    if "§" in new[:-1]:
        at = text.index(new.replace("§", "")) + new.index("§")
        place = f"{text[:at].count(chr(10)) + 1}:{at - text.rfind(chr(10), 0, at)}"
        assert found[0].startswith(f"model.conf:{place}: ")


LINES = [
    (
        "p, ann, plan, read, 1 == 1, §Allow",
        "'Allow' is not an effect: write `allow` or `deny`, in lower case",
    ),
    ("p, ann, plan, read, 1 == 1, §ask", "'ask' is not an effect"),
    ("p, ann, plan, read, 1 == 1, §", "'' is not an effect"),
    ("§p, ann, plan, read, allow", "has 5 fields after the first column, this one has 4"),
    ("§p, ann, plan, read, 1 == 1, allow, more", "this one has 6"),
    ("§P, ann, plan, read, 1 == 1, allow", "a row begins with `p` or `g`, not 'P'"),
    ("§p2, ann, plan, read, 1 == 1, allow", "not 'p2'"),
    ("§g2, ann, bob", "not 'g2'"),
    ("§g, ann, bob, east", "a `g` row has 2 fields"),
    ("p, ann, plan, read, 1 == 1, §allow # since May", "a `#` after a blank would be part of the value"),
    ('p, ann,§ "plan, read, 1 == 1, allow', "a double quote that does not fit"),
    ('p, ann,§ "plan"s, read, 1 == 1, allow', "a double quote that does not fit"),
    ("p, ann, §plan(, read, 1 == 1, allow", "commas after an open bracket"),
    ("p, ann, plan, §re*d, 1 == 1, allow", "keyMatch ignores what follows the first `*`"),
    ("p, ann, plan, read, §r.sub, allow", "a column is neither true nor false"),
    ("p, ann, plan, read, §, allow", "the expression ends too early"),
    ("p, ann, plan, read, §r.subject == 'x', allow", "`r.subject` is not a column of this model"),
    ("p, ann, plan, read, §eval(p.when), allow", "a condition evaluates no other one"),
    ('p, ann, plan, read, §"keyMatch(r.obj, ""a*b"")", allow', "ignores what follows the first `*`"),
    ("§\ufeffp, ann, plan, read, 1 == 1, allow", "an invisible character '\\ufeff'"),
]


@pytest.mark.parametrize(("line", "message"), LINES, ids=[each[0] for each in LINES])
def test_a_row_is_refused_with_its_place(line, message):
    """One that would be dropped, ignored or read in two ways, or that would fail when it is asked."""
    (problem,) = problems(SOUND, ROWS + line.replace("§", ""))
    assert problem.startswith(f"policy.csv:3:{line.index('§') + 1}: ")
    assert message in problem


def test_a_deny_row_without_force_is_refused():
    """The plain effect would ignore it."""
    rows = "p, ann, plan, read, 1 == 1, deny\n"
    (problem,) = problems(SOUND.replace(ALLOW_AND_NOT_DENY, ALLOW), rows)
    assert problem == ("policy.csv:1:29: the model's effect gives a deny row no force; change one")


def test_a_pattern_in_a_shared_condition_is_checked_for_each_row():
    """That one row is sound says nothing of the next with the same condition."""
    shared = 'p, ann, {}, read, "keyMatch(r.obj, p.obj)", allow\n'
    (problem,) = problems(SOUND, shared.format("plan*") + shared.format("pl*n"))
    assert problem.startswith("policy.csv:2:9: keyMatch ignores what follows the first `*`")
