"""Where we answer otherwise than stock Casbin on purpose: each case with both answers, side by side."""

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import casbin
import pytest
from adjudicator.policy.casbin.rows import read_rows
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source
from policy.casbin.stock import ALLOW, ALLOW_AND_NOT_DENY, answer, model, ours, stock

DOCUMENT = Path(__file__).parents[3] / "docs" / "casbin.md"


class Case(NamedTuple):
    """A model, its rows, a request; stock Casbin's answer and ours, or the error that stands for one."""

    request: str
    policy: str
    matcher: str
    rows: list
    asked: tuple
    stock: bool | str
    ours: bool | str
    roles: tuple[str, ...] = ()
    effect: str = ALLOW


class Colour(Enum):
    """A value with a name."""

    RED = "red"


@dataclass(frozen=True)
class Person:
    """Has an attribute and a method."""

    colour: Colour = Colour.RED

    def name(self):
        """A method is no attribute here."""
        return "ann"


YES, NO = True, False
CHAIN = [("g", f"n{each}", f"n{each + 1}") for each in range(12)]
ONE = ("sub", "sub")


def one_pattern(function, pattern, value, *answers):
    """A model that matches one value with one pattern."""
    return Case(*ONE, f"{function}(r.sub, p.sub)", [("p", pattern)], (value,), *answers)


def attributes(matcher, subject, *answers):
    """A model that looks at an attribute of the subject."""
    return Case("sub", "any", f"{matcher} && p.any == 'x'", [("p", "x")], (subject,), *answers)


CASES = {
    "roles-depth": Case(*ONE, "g(r.sub, p.sub)", [("p", "n12"), *CHAIN], ("n0",), NO, YES, ("g = _, _",)),
    "no-rows": Case(*ONE, "r.sub == p.sub", [], ("",), YES, NO),
    "domain-text": Case(
        *(
            "sub, dom",
            "sub",
            "g(r.sub, p.sub, r.dom)",
            [("p", "admin"), ("g", "ann", "admin", "1")],
            ("ann", 1),
        ),
        *(YES, "TypeError", ("g = _, _, _",)),
    ),
    "condition-fails": Case(
        *("sub, age", "sub, when", "r.sub == p.sub && eval(p.when)"),
        [("p", "ann", "1 == 1"), ("p", "ann", "r.age > 18")],
        ("ann", "old"),
        *(YES, "RowError"),
    ),
    "alternative-fails": Case(
        *(
            "sub, who",
            "sub",
            "r.sub == p.sub || r.who.age > 18",
            [("p", "ann")],
            ("ann", {}),
            YES,
            "RowError",
        ),
    ),
    "row-first": Case(
        *("sub, who", "sub", "r.who.age > 18 && r.sub == p.sub", [("p", "ann")], ("bob", {})),
        *("AttributeDoesNotExist", NO),
    ),
    "unknown-effect": Case(
        *("sub", "sub, eft", "r.sub == p.sub", [("p", "ann", "allow"), ("p", "ann", "denied")], ("ann",)),
        *(YES, "BundleError", (), ALLOW_AND_NOT_DENY),
    ),
    "pattern-of-request": Case(
        *ONE, "keyMatch(p.sub, r.sub)", [("p", "/a/b")], ("/a/*",), YES, "BundleError"
    ),
    "regex-end": one_pattern("regexMatch", "^a$", "a\n", YES, NO),
    "regex-ascii": one_pattern("regexMatch", r"\d", "\u0663", YES, NO),
    "regex-look-around": one_pattern("regexMatch", "(?=a)", "a", YES, "BundleError"),
    "regex-at-most": one_pattern("regexMatch", "^a{,2}$", "aa", YES, "BundleError"),
    "path-end": one_pattern("keyMatch2", "/a/b", "/a/b\n", YES, NO),
    "path-dots": one_pattern("keyMatch2", "/a.b", "/axb", YES, NO),
    "path-regex": one_pattern("keyMatch2", "/(a|b)", "/a", YES, "BundleError"),
    "key-after-star": one_pattern("keyMatch", "/a/*/b", "/a/x/c", YES, "BundleError"),
    "glob-braces": one_pattern("globMatch", "{a,b}", "a", YES, "BundleError"),
    "ip-no-address": one_pattern("ipMatch", "localhost", "10.0.0.1", NO, "BundleError"),
    "attribute-method": attributes("r.sub.name != 'x'", Person(), YES, "RowError"),
    "attribute-of-text": attributes("r.sub.upper != 'x'", "ann", YES, "RowError"),
    "attribute-entry": attributes("r.sub.items == 'x'", {"items": "x"}, NO, YES),
    "attribute-none": attributes("r.sub.boss != 'x'", {"boss": None}, YES, "RowError"),
    "attribute-enumeration": attributes("r.sub.colour == 'red'", Person(), NO, YES),
    "sum-of-texts": attributes("r.sub.a + r.sub.b == 'xy'", {"a": "x", "b": "y"}, YES, "RowError"),
    "joined-closely": Case(
        "sub",
        "sub, when",
        "eval(p.when)",
        [("p", "x", "1 == 1&&r.sub == 'a'")],
        ("a",),
        "SyntaxError",
        YES,
    ),
}


def our_answer(case):
    """The answer, or the name of what loading or asking raises."""
    text = model(case.request, case.policy, case.matcher, case.roles, case.effect)
    try:
        engine = ours(text, case.rows)
    except Exception as error:  # noqa: BLE001 - the name is compared
        return type(error).__name__
    return answer(engine, case.asked)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_difference_is_what_it_is_said_to_be(case):
    """Neither answer changes without somebody noticing."""
    text = model(case.request, case.policy, case.matcher, case.roles, case.effect)
    assert (answer(stock(text, case.rows), case.asked), our_answer(case)) == (case.stock, case.ours)


def test_quotes_are_a_difference_of_the_file():
    """Stock Casbin keeps double quotes in the value, and splits at the comma between them."""
    assert our_rows('p, "a, b"') == [["a, b"]]
    assert stock_rows('p, "a, b"') == [['"a', 'b"']]


def our_rows(line):
    """The fields of the rows of a file with this line."""
    problems = Problems()
    rows = read_rows([Source("x.csv", line)], {"p": 1}, problems)["p"]
    problems.raise_any()
    return list(rows.all_fields())


def stock_rows(line):
    """The same as stock Casbin reads them."""
    read = casbin.Enforcer.new_model(text=model("sub", "sub", "r.sub == p.sub"))
    casbin.persist.load_policy_line(line, read)
    return read["p"]["p"].policy


def test_the_documentation_lists_each_difference_by_its_name():
    """And no other."""
    listed = re.findall(r"^\| `([a-z-]+)` \|", DOCUMENT.read_text(), flags=re.MULTILINE)
    assert sorted(listed) == sorted([*CASES, "quotes"])


def test_the_example_of_the_documentation_runs():
    """Whoever copies it gets what it says."""
    (example,) = re.findall(
        r"<!-- A test runs this. -->\n```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL
    )
    exec(compile(example, str(DOCUMENT), "exec"), {})  # noqa: S102 - our own documentation
