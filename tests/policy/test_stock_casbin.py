"""Stock Casbin with the product's functions reads the same files and gives the same answers."""

import itertools
from pathlib import Path

import casbin
import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.facets.derive import derive
from adjudicator.policy.casbin.rows import read_rows
from adjudicator.policy.functions import matcher_functions
from adjudicator.policy.problem import Problems
from adjudicator.policy.snapshot import Effect, RuleQuestion
from adjudicator.policy.source import Source
from hypothesis import example, given
from hypothesis import strategies as st

SHIPPED = Path(__file__).parents[2] / "policies"
SUBJECTS = ["agent:designer", "agent:coder", "agent:critic", "agent:ghost", "role:reader"]
TENANTS = ["studio", "archive", "elsewhere"]
PATHS = [
    *(
        "a.py",
        "src/a.py",
        ".",
        "drafts/a",
        "scratch/x/y",
        "design/logo.svg",
        "restored/x",
        ".git/config",
        "x/.GIT/y",
    ),
    *(
        ".env",
        ".ENV",
        ".env.local",
        ".env.example",
        "a/.env.example",
        "~/.ssh/id_rsa",
        "/etc/passwd",
        "../up",
        "a\\b",
    ),
]

URLS = ["https://example.test/a", "http://169.254.169.254/latest/meta-data", "http://[::1]:8080/", 7]
VALUES = {ArgumentKind.PATH: PATHS, ArgumentKind.URL: URLS}


def stock(name):
    """An enforcer over the shipped files, as anybody would make one."""
    enforcer = casbin.Enforcer(str(SHIPPED / "models" / f"{name}.conf"), str(SHIPPED / f"{name}.csv"))
    for function, implementation in matcher_functions().items():
        enforcer.add_function(function, implementation)
    return enforcer


def allowed(rules, question):
    """What a rule set's answers mean to Casbin: allowed by some row and denied by none."""
    return rules.match(Effect.DENY, question) is None and rules.match(Effect.ALLOW, question) is not None


@pytest.mark.parametrize("name", ["permission", "scope"])
def test_permission_and_scope_agree_with_stock_casbin(shipped, name):
    """Every subject, tenant and object, known and unknown, gets the same answer."""
    tools = shipped.registry.tools
    objects = [*tools, *{tool.permission for tool in tools.values()}, "ghost", "*", ""]
    enforcer, rules = stock(name), getattr(shipped, name)
    answers = set()
    for question in itertools.product(SUBJECTS, TENANTS, objects):
        answer = allowed(rules, RuleQuestion(*question))
        assert enforcer.enforce(*question) == answer, question
        answers.add(answer)
    assert answers == {True, False}


def test_rules_agree_with_stock_casbin(shipped):
    """Every tool with every path gets the same answer; stock Casbin takes an ask as not allowed."""
    enforcer, rules = stock("rules"), shipped.rules.rows
    effects = set()
    for subject, tenant, tool in itertools.product(
        SUBJECTS, ["studio", "archive"], shipped.registry.tools.values()
    ):
        for facet in facets_of(tool):
            question = RuleQuestion(subject, tenant, tool.code, facet)
            assert enforcer.enforce(subject, tenant, tool.code, facet) == allowed(rules, question), question
            effects |= {effect for effect in Effect if rules.match(effect, question)}
    assert effects == set(Effect)


def test_approvers_agree_with_stock_casbin(shipped):
    """Every person, known and unknown, is entitled to the same."""
    enforcer, approvers = stock("approvers"), shipped.approvers
    people = [f"user:{name}" for name in ("operator", "ann", "eve", "zoe", "coder")]
    answers = set()
    for who, tenant, tool, priority in itertools.product(
        people, TENANTS, [*shipped.registry.tools, QUESTION, "ghost"], Priority
    ):
        answer = approvers.may_decide(who, tenant, tool, priority) is not None
        assert enforcer.enforce(who, tenant, tool, priority.value) == answer
        answers.add(answer)
    assert answers == {True, False}


def facets_of(tool):
    """Facets of each kind that the tool declares, and one for a call without arguments."""
    yield Facet(kind=None, text="")
    for spec in tool.arguments:
        values = VALUES.get(spec.kind, ["one word", "a/b"])
        name = spec.pointer.split("/")[1]
        for value in values:
            yield from derive({name: [value] if "*" in spec.pointer else value}, (spec,), "/srv/app", {})


class Memory(casbin.persist.Adapter):
    """Feeds one line to stock Casbin's own line reader, as its file adapter does."""

    def __init__(self, line):
        self.line = line

    def load_policy(self, model):
        """Hand the line over."""
        casbin.persist.load_policy_line(self.line.strip(), model)


FIELD = st.text(alphabet='pg ab,\t#"()[]\u00a0\u200b\ufeffé.:*/', max_size=12)


@example("p, a, b, (c, d), e")
@example("p, a, b, c], d")
@example("p, a, (b, c, d")
@example('p, "a", b, c, d')
@example("p, a, b, c, d # e")
@example("p, a, b, c\u00a0, d")
@given(st.one_of(st.lists(FIELD, min_size=1, max_size=6).map(",".join), FIELD))
def test_a_line_loads_as_stock_casbin_loads_it_or_is_refused(line):
    """There is no line that the two read differently without one of them saying so."""
    problems = Problems()
    rows = read_rows([Source("x.csv", line)], {"p": 4, "g": 3}, problems)
    if len(problems):
        return
    model = casbin.Enforcer.new_model(str(SHIPPED / "models" / "scope.conf"))
    Memory(line).load_policy(model)
    ours = {kind: list(rows[kind].all_fields()) for kind in "pg"}
    stock_fields = {kind: model[kind][kind].policy for kind in "pg"}
    if all(not field.startswith('"') for fields in ours.values() for field in flat(stock_fields)):
        assert ours == stock_fields


def flat(by_kind):
    """All fields of all rows."""
    return [field for fields in by_kind.values() for row in fields for field in row]


QUOTED = [
    ('p, "a", b, c, d', ["a", "b", "c", "d"]),
    ('p, "a, b", c ,"say ""hi"""  , "x # (y"', ["a, b", "c", 'say "hi"', "x # (y"]),
    (
        'p,"", "{""k"": ""v"", ""n"": 1}","tool(a,b)", C:\\1\\2',
        ["", '{"k": "v", "n": 1}', "tool(a,b)", "C:\\1\\2"],
    ),
    ('p, a, say "hi", c, d', ["a", 'say "hi"', "c", "d"]),
]


@pytest.mark.parametrize(("line", "fields"), QUOTED)
def test_double_quotes_are_read_as_rfc_4180_says(line, fields):
    """A comma, a quote, a bracket and a blank may be part of a value that is quoted."""
    problems = Problems()
    rows = read_rows([Source("x.csv", line)], {"p": 4}, problems)["p"]
    assert list(problems) == []
    assert list(rows.all_fields()) == [fields]
    assert rows[0].fields == tuple(fields)


EXAMPLES = ["p,a,b,c,d", "p, a, b, c, d", "  p ,\ta , b,c,d  ", "p, a(b), [c], d, e", "# x", "", "  # x"]


@pytest.mark.parametrize("line", EXAMPLES)
def test_ordinary_spellings_load(line):
    """Blanks around separators, balanced brackets and comments are read, and as stock Casbin reads them."""
    problems = Problems()
    rows = read_rows([Source("x.csv", line)], {"p": 4, "g": 3}, problems)
    assert len(problems) == 0
    assert bool(rows["p"]) == line.strip().startswith("p")
