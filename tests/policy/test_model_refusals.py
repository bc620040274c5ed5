"""Model files that are refused: what could allow by default, ignore a column, or be read in two ways."""

import pytest

M = "models/rules.conf"
EFFECT = "e = some(where (p.eft == allow)) && !some(where (p.eft == deny))"
G = "g(r.sub, p.sub, r.tenant)"
FACET = "facet_match(r.facet, p.argument, p.unless, p.eft)"

EDITS = [
    ("deny override", EFFECT, "e = §!some(where (p.eft == deny))", "may allow when no row matches"),
    ("priority", EFFECT, "e = §priority(p.eft) || deny", "may allow when no row matches"),
    (
        "other spacing of plain allow",
        EFFECT,
        "e = §some(where(p.eft==allow))",
        "stock Casbin knows this effect only as",
    ),
    ("plain allow with deny rows", EFFECT, "e = some(where (p.eft == allow))", "gives a deny row no force"),
    ("unknown section", "[matchers]", "§[matcher]", "is not a section"),
    (
        "missing section",
        "[role_definition]\ng = _, _, _",
        "",
        "`g` is not a known function",
    ),
    (
        "unknown key",
        "[matchers]",
        "[matchers]\n§m2 = g(r.sub, p.sub)",
        "is not expected here; write `m = …`",
    ),
    ("key twice", EFFECT, EFFECT + "\n§" + EFFECT, "`e` is at line"),
    ("key without section", "[request_definition]", "", "is not expected here; write a section"),
    ("no value", "g = _, _, _", "§g =", "is not expected here"),
    ("line that goes on", "g = _, _, _", "§g = _, _, \\\n_", "write it on one line"),
    ("not ASCII", "g = _, _, _", "§g = _,\u00a0_, _", "outside of printable ASCII"),
    ("no effect", EFFECT, "", "there is no `e = …` in a section `[policy_effect]`"),
    ("roles without tenant", "g = _, _, _", "g = _, _", "`g` takes 2 arguments, not 3"),
    ("more roles", "g = _, _, _", "g = _, _, _\ng2 = _, _", "write `g = _, _, _` alone"),
    ("odd roles", "g = _, _, _", "g = §_", "write `_, _` for a member and its role"),
    (
        "other request",
        "r = sub, tenant, tool, facet",
        "r = §sub, tenant, tool, facet, more",
        "write `r = sub, tenant, tool, facet`",
    ),
    (
        "other columns",
        "unless, eft, reason",
        "unless, eft, why",
        "write `p = sub, tenant, tool, argument, unless,",
    ),
    ("eval of a request", f"&& {G}", f"&& {G} && §eval(r.tool)", "a condition comes from a row"),
    ("no tenant", "r.tenant == p.tenant && ", "", "no part `r.tenant == p.tenant`; join it with `&&`"),
    (
        "tenant or more",
        "r.tenant == p.tenant &&",
        "r.tenant == p.tenant ||",
        "no part `r.tenant == p.tenant`; join it with `&&`",
    ),
    (
        "tenant inside",
        "r.tenant == p.tenant",
        "(r.tenant == p.tenant || p.tool == 'x')",
        "no part `r.tenant == p.tenant`",
    ),
    ("ignored column", f" && {FACET}", "", f"no part `{FACET}`; join it"),
    (
        "ignored exception",
        FACET,
        "facet_match(r.facet, p.argument, p.argument, p.eft)",
        f"no part `{FACET}`; join it",
    ),
    (
        "no row at all",
        f'&& (p.tool == "*" || r.tool == p.tool) && {G} && {FACET}',
        "",
        f"no part `{G}`; join it",
    ),
    ("unknown column", "r.tool == p.tool", "r.tool == p.tol", "`p.tol` is not a column"),
    ("longer column", "r.tool == p.tool", "r.tool == p.tool2", "`p.tool2` is not a column"),
    (
        "built-in matcher",
        "r.tool == p.tool",
        "keyMatch(r.tool, p.tool)",
        "they are `eval`, `facet_match`, `g`",
    ),
    ("arguments too few", G, "g(r.sub, p.sub)", "`g` takes 3 arguments, not 2"),
    (
        "function that fails",
        FACET,
        "facet_match(r.tool, p.argument, p.unless, p.tool)",
        f"no part `{FACET}`; join it",
    ),
    ("not a truth", G, "p.sub", "a column is neither true nor false"),
    ("python words", f" && {G}", f" and {G}", "write `&&`, which every Casbin knows"),
    ("broken", G, "g(r.sub, p.sub, r.tenant", "separate arguments with a comma, and close the bracket"),
    ("quotes", "r.tool == p.tool", "r.tool == §'a", "`'` is not understood here"),
    ("rewritten quotes", "r.tool == p.tool", "r.tool == '§&&'", "would rewrite `&&` inside of quotes"),
    ("negation", "r.tool == p.tool", "!§r.tool == p.tool", "after `!` write a bracket or a function"),
    ("comparison chain", "r.tool == p.tool", "r.tool == p.tool == p.tool", "compare two values at a time"),
    ("pattern of a request", FACET, FACET.replace("p.argument", "r.tool"), "never from a request"),
    ("comment after", f"&& {FACET}", f"# && {FACET}", "a `#` would cut the matcher off"),
    ("attribute of a value", "r.tool == p.tool", "r.tool.x == p.tool", "none of the product's"),
    ("lambda", "r.tool == p.tool", "(lambda§: p.tool)() == p.tool", "`:` is not understood here"),
    ("keyword", G, "g(r.sub, p.sub, tenant§=r.tenant)", "`=` is not understood here"),
]


TENANT = "r.tenant == p.tenant"
TOOL = '(p.tool == "*" || r.tool == p.tool)'
WHOLE = f"{TENANT} && {TOOL} && {G} && {FACET}"

INERT = {
    "only allow rows": f'{WHOLE} && p.eft == "allow"',
    "no deny rows": f'{WHOLE} && p.eft != "deny"',
    "rows of one agent": f'{WHOLE} && r.sub == "agent:coder"',
    "rows of one reason": f'{WHOLE} && p.reason == "x"',
    "deny as closely as allow": WHOLE.replace("p.eft)", '"allow")'),
    "any argument": WHOLE.replace(FACET, 'facet_match(r.facet, "*", p.unless, p.eft) && p.argument != "-"'),
    "no pattern at all": WHOLE.replace(FACET, "p.argument == p.argument && p.unless == p.unless"),
    "all but the pattern": WHOLE.replace(FACET, f"!{FACET}"),
    "all but the tool": WHOLE.replace(TOOL, "!(r.tool == p.tool)"),
    "rows for all tools alone": WHOLE.replace(TOOL, 'p.tool == "*"'),
    "no rows for all tools": WHOLE.replace(TOOL, "r.tool == p.tool"),
    "one tool more": WHOLE.replace(TOOL, '(p.tool == "*" || r.tool == p.tool || p.tool == "read")'),
    "an order of tools": WHOLE.replace(TOOL, "r.tool >= p.tool"),
    "roles upside down": WHOLE.replace(G, "g(p.sub, r.sub, r.tenant)"),
    "roles of one tenant": WHOLE.replace(G, 'g(r.sub, p.sub, "studio")'),
    "roles of a tool": WHOLE.replace(G, "g(r.sub, p.sub, p.tool)"),
    "no roles": WHOLE.replace(G, "r.sub == p.sub"),
    "one part is enough": f"{TENANT} && ({TOOL} || {G} || {FACET})",
}


@pytest.mark.parametrize("matcher", INERT.values(), ids=INERT)
def test_a_matcher_that_means_something_else_by_a_row_is_refused(bundle, matcher):
    """Every column is looked at, and yet a Deny would do nothing, or an Allow more than it says."""
    bundle.replace(M, WHOLE, matcher)
    assert any("none of the product's, so that a row" in problem for problem in bundle.problems())


@pytest.mark.parametrize(("name", "have"), [("permission", "r.obj == p.obj"), ("scope", 'p.obj == "*"')])
def test_each_model_has_a_matcher_of_its_own(bundle, name, have):
    """Permissions and scopes are as exact about theirs as the rule chain."""
    bundle.replace(f"models/{name}.conf", have, 'p.obj == "x"')
    assert any("none of the product's, so that a row" in problem for problem in bundle.problems())


@pytest.mark.parametrize(("old", "new", "message"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS])
def test_a_model_is_refused_with_its_place(bundle, old, new, message):
    """The fault is told in the model's file, at the line and column where one was marked."""
    bundle.replace(M, old, new.replace("§", ""))
    found = [problem for problem in bundle.problems() if message in problem]
    text = (bundle.folder / M).read_text()
    assert found
    if "§" in new:
        offset = text.index(new.replace("§", "")) + new.index("§")
        line, column = text[:offset].count("\n") + 1, offset - text.rfind("\n", 0, offset)
        assert found[0].startswith(f"{M}:{line}:{column}: ")
    else:
        assert found[0].split(":")[0] in (M, "rules.csv")


def test_an_empty_matcher_is_refused(bundle):
    """A model without a matcher judges nothing."""
    text = (bundle.folder / M).read_text()
    bundle.write(M, text[: text.index("m = ")] + "m = \n")
    assert any("is not expected here; write `m = …`" in problem for problem in bundle.problems())


def test_plain_allow_is_fine_without_deny_rows(bundle):
    """The second of the two effects that are accepted."""
    bundle.replace("models/permission.conf", EFFECT, "e = some(where (p.eft == allow))")
    assert bundle.problems() == []


def test_the_order_of_conjuncts_is_the_authors(bundle):
    """The tenant may stand on either side and in any place."""
    roles = "g(r.sub, p.sub, p.tenant)"
    after = f"{FACET} && (r.tool == p.tool || p.tool == '*') && {roles} && p.tenant == r.tenant"
    bundle.replace(M, WHOLE, after)
    assert bundle.problems() == []
