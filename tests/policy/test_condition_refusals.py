"""Conditions in rows that are refused where they stand: too large, not readable, or never true."""

import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.snapshot import Effect, RuleQuestion

M = "models/rules.conf"
ROW = "p, agent:coder, studio, read, path:./**, , §, deny, why"


@pytest.fixture
def conditional(bundle):
    """The shipped bundle with a condition in each rule; answers what is wrong with one more row."""
    bundle.replace(M, "unless, eft", "unless, when, eft")
    bundle.replace(M, "p.unless, p.eft)", "p.unless, p.eft) && eval(p.when)")
    text = (bundle.folder / "rules.csv").read_text()
    effects = (", allow,", ", ask,", ", deny,")
    for effect in effects:
        text = text.replace(effect, f", 1 == 1{effect}")
    bundle.write("rules.csv", text)
    assert bundle.problems() == []

    def problems(when):
        line = bundle.append("rules.csv", ROW.replace("§", f'"{when}"'))
        return line, bundle.problems()

    return problems


REFUSED = {
    "a sum without end": ("r.tool == 1" + "+1" * 1000, "more than 32 terms in one sum"),
    "a number without end": ("1 == " + "9" * 5000, "longer than 4,096 characters"),
    "a number for a text": ("r.tool == 5", "what a call says is text, and no number"),
    "a number among texts": ("r.tool in ('read', 5)", "what a call says is text, and no number"),
    "never": ("'a' == 'b'", "looks at no call; write `1 == 1`"),
    "always": ("p.tool == p.tool", "looks at no call; write `1 == 1`"),
    "the whole facet": ("r.facet == 'x'", "`r.facet` is nothing to compare; write one of `r.facet.kind`"),
    "no part of a facet": ("r.facet.txt == 'x'", "`r.facet.txt` is nothing to compare"),
    "a part of a text": ("r.sub.rank == 'x'", "`r.sub.rank` is nothing that a call has; write `r.sub`"),
    "a range that runs backwards": ("globMatch(r.tool, '[z-a]')", "`[z-a]` is not understood"),
}


@pytest.mark.parametrize(("when", "message"), REFUSED.values(), ids=REFUSED)
def test_a_condition_is_refused_at_its_field(conditional, when, message):
    """The problem has the place of the condition, and is no fault of the loader."""
    line, problems = conditional(when)
    assert len(problems) == 1
    assert problems[0].startswith(f"rules.csv:{line}:{ROW.index('§') + 1}: ")
    assert message in problems[0]


def test_a_pattern_from_another_field_is_checked_in_each_row(conditional, bundle):
    """The same condition is sound in one row and not in the next, whose field is no pattern."""
    when = "regexMatch(r.tool, p.reason)"
    assert conditional(when)[1] == []
    line = bundle.append("rules.csv", f'p, agent:coder, studio, read, path:./x/**, , "{when}", deny, "("')
    assert [problem.partition(": ")[0] for problem in bundle.problems()] == [f"rules.csv:{line}:84"]
    assert "not a regular expression of RE2" in bundle.problems()[0]


def test_a_rule_matches_where_its_condition_holds(conditional, bundle):
    """A bundle with conditions loads and judges."""
    line, problems = conditional("r.facet.kind == 'path' && r.tool in ('read', 'ls')")
    assert problems == []
    rules = bundle.load().rules
    for path, expected in (("/w/a", line), ("/x/a", None)):
        facet = Facet(ArgumentKind.PATH, path, inside="a" if path == "/w/a" else None)
        found = rules.match(Effect.DENY, RuleQuestion("agent:coder", "studio", "read", facet))
        assert (found and found.line) == expected
