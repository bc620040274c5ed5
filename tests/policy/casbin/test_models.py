"""Ordinary kinds of Casbin models: on every request of a small world our answer is stock Casbin's."""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from policy.casbin.stock import ALLOW, ALLOW_AND_NOT_DENY, answer, model, ours, stock


@dataclass(frozen=True)
class Thing:
    """What an object is to a model that looks at attributes."""

    owner: str
    level: int = 0


class Kind(NamedTuple):
    """A model, its rows, and what stands in each column of a request."""

    request: str
    policy: str
    matcher: str
    rows: str
    world: tuple
    roles: tuple[str, ...] = ()
    effect: str = ALLOW


PEOPLE = ("ann", "bob", "root", "")
THINGS = ("plan", "budget", "nothing")
DOING = ("read", "write")

KINDS = {
    "access control list": Kind(
        "sub, obj, act",
        "sub, obj, act",
        "r.sub == p.sub && r.obj == p.obj && r.act == p.act",
        "p, ann, plan, read | p, bob, budget, write",
        (PEOPLE, THINGS, DOING),
    ),
    "with a superuser": Kind(
        "sub, obj, act",
        "sub, obj, act",
        'r.sub == p.sub && r.obj == p.obj && r.act == p.act || r.sub == "root"',
        "p, ann, plan, read | p, bob, budget, write",
        (PEOPLE, THINGS, DOING),
    ),
    "without users": Kind(
        "obj, act",
        "obj, act",
        "r.obj == p.obj && p.act == r.act",
        "p, plan, read | p, budget, write",
        (THINGS, DOING),
    ),
    "without resources": Kind(
        "sub, act",
        "sub, act",
        "p.sub == r.sub && r.act == p.act",
        "p, ann, read | p, bob, write",
        (PEOPLE, DOING),
    ),
    "roles": Kind(
        "sub, obj, act",
        "sub, obj, act",
        "g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act",
        "p, editor, plan, write | p, reader, plan, read | g, ann, editor | g, editor, reader"
        " | g, bob, reader",
        (("ann", "bob", "editor", "reader", "eve"), THINGS, DOING),
        ("g = _, _",),
    ),
    "roles of resources": Kind(
        "sub, obj, act",
        "sub, obj, act",
        "g(r.sub, p.sub) && g2(r.obj, p.obj) && r.act == p.act",
        "p, editor, papers, write | p, ann, plan, read | g, ann, editor | g, bob, editor"
        " | g2, plan, papers | g2, budget, papers",
        (PEOPLE, (*THINGS, "papers"), DOING),
        ("g = _, _", "g2 = _, _"),
    ),
    "roles in domains": Kind(
        "sub, dom, obj, act",
        "sub, dom, obj, act",
        "g(r.sub, p.sub, r.dom) && r.dom == p.dom && r.obj == p.obj && r.act == p.act",
        "p, admin, east, plan, write | p, admin, west, plan, write | g, ann, admin, east"
        " | g, bob, admin, west",
        (PEOPLE, ("east", "west", ""), THINGS, DOING),
        ("g = _, _, _",),
    ),
    "roles in the domain of the row": Kind(
        "sub, dom, obj",
        "sub, dom, obj",
        'g(r.sub, p.sub, p.dom) && (p.dom == r.dom || p.dom == "all") && r.obj == p.obj',
        "p, admin, east, plan | p, admin, all, budget | g, ann, admin, east | g, bob, admin, all",
        (PEOPLE, ("east", "west", "all"), THINGS),
        ("g = _, _, _",),
    ),
    "attributes of a mapping": Kind(
        "sub, obj",
        "obj",
        "r.sub.age >= 18 && r.sub.name != 'bob' && r.obj == p.obj",
        "p, plan | p, budget",
        ([{"age": age, "name": name} for age in (17, 18, 19.5) for name in ("ann", "bob")], THINGS),
    ),
    "attributes of an object": Kind(
        "sub, obj, act",
        "act",
        "r.obj.owner == r.sub && r.act == p.act && r.obj.level + 1 < 4 - 1",
        "p, read",
        (PEOPLE, [Thing("ann"), Thing("bob", 1), Thing("bob", 2)], DOING),
    ),
    "conditions in rows": Kind(
        "sub, obj",
        "condition, obj",
        "eval(p.condition) && r.obj == p.obj",
        "p, r.sub.age > 60 || r.sub.vip == 'yes', plan"
        " | p, !(r.sub.age >= 18) && r.sub.vip != 'yes', budget",
        ([{"age": age, "vip": vip} for age in (17, 18, 61) for vip in ("yes", "no")], THINGS),
    ),
    "conditions with functions": Kind(
        "sub, obj",
        "sub, obj, condition",
        "r.sub == p.sub && eval(p.condition)",
        "p, ann, /a/*, keyMatch(r.obj,p.obj) | p, bob, /b, !keyMatch(r.obj,p.obj) || g(r.sub,'friend')"
        " | g, bob, friend",
        (PEOPLE, ("/a/x", "/b", "/c")),
        ("g = _, _",),
    ),
    "paths": Kind(
        "sub, obj, act",
        "sub, obj, act",
        "r.sub == p.sub && keyMatch(r.obj, p.obj) && regexMatch(r.act, p.act)",
        "p, ann, /a/*, (GET)|(POST) | p, bob, /b, GET | p, root, *, .*",
        (PEOPLE, ("/a", "/a/", "/a/x", "/b", "/b/x"), ("GET", "POST", "GETS")),
    ),
    "paths with names": Kind(
        "sub, obj, act",
        "sub, obj, act",
        "r.sub == p.sub && keyMatch2(r.obj, p.obj) && regexMatch(r.act, p.act)",
        "p, ann, /user/:id, GET | p, ann, /user/:id/file/*, ^POST$ | p, bob, /:any/:thing, .",
        (PEOPLE, ("/user/1", "/user/1/x", "/user/1/file/", "/user/1/file/a/b", "/user/"), ("GET", "POST")),
    ),
    "allow and deny": Kind(
        "sub, obj, act",
        "sub, obj, act, eft",
        "g(r.sub, p.sub) && keyMatch(r.obj, p.obj) && (p.act == '*' || r.act == p.act)",
        "p, team, /a*, read, allow | p, ann, /a/b*, *, deny | p, bob, /a, write, allow"
        " | g, ann, team | g, bob, team",
        (("ann", "bob", "team"), ("/a", "/a/b", "/a/bc", "/c"), DOING),
        ("g = _, _",),
        ALLOW_AND_NOT_DENY,
    ),
    "lists": Kind(
        "sub, obj, act",
        "sub, obj",
        "r.sub == p.sub && (r.obj == p.obj || r.obj in ('shared', 'common')) && r.act in ['read', 1]",
        "p, ann, plan | p, bob, budget",
        (PEOPLE, (*THINGS, "shared", "common"), ("read", "list", "write", 1, 2)),
    ),
    "addresses": Kind(
        "ip, obj",
        "ip, obj",
        "ipMatch(r.ip, p.ip) && r.obj == p.obj",
        "p, 10.0.0.0/8, plan | p, 192.0.2.7, budget | p, 2001:db8::/32, plan",
        (("10.1.2.3", "11.0.0.1", "192.0.2.7", "2001:db8::5", "::1"), THINGS),
    ),
    "globs": Kind(
        "sub, obj",
        "sub, obj",
        "r.sub == p.sub && globMatch(r.obj, p.obj)",
        "p, ann, /a/* | p, ann, /b/** | p, bob, *.py | p, bob, **/x",
        (PEOPLE, ("/a/x", "/a/x/y", "/a/.x", "/b", "/b/c/d", "m.py", ".py", "d/m.py", "x", "d/x", "//a/x")),
    ),
    "either of two columns": Kind(
        "sub, obj",
        "sub, obj, all",
        "(p.all == 'yes' || r.sub == p.sub) && (p.obj == r.obj || r.obj == p.sub)",
        "p, ann, plan, no | p, bob, budget, yes",
        (PEOPLE, (*THINGS, "ann", "bob")),
    ),
    "negation": Kind(
        "sub, obj, act",
        "sub, obj",
        "!(r.sub == p.sub || r.act != 'read') && !keyMatch(r.obj, p.obj) && (!g(r.sub, 'out'))",
        "p, ann, pl* | p, bob, bud* | g, root, out",
        (PEOPLE, THINGS, DOING),
        ("g = _, _",),
    ),
    "a value of the row under a pattern of it": Kind(
        "sub, obj",
        "sub, obj, pattern",
        "r.sub == p.sub && r.obj == p.obj && keyMatch(p.obj, p.pattern)",
        "p, ann, plan, pl* | p, bob, budget, pl*",
        (PEOPLE, THINGS),
    ),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_request_gets_stock_casbins_answer(kind):
    """Known and unknown, in every combination; some are allowed and some are not."""
    text = model(kind.request, kind.policy, kind.matcher, kind.roles, kind.effect)
    rows = [row.split(", ") for row in kind.rows.split(" | ")]
    engine, enforcer = ours(text, rows), stock(text, rows)
    answers = set()
    for request in itertools.product(*kind.world):
        expected = answer(enforcer, request)
        assert answer(engine, request) == expected, request
        answers.add(expected)
    assert answers == {True, False}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_without_rows_nothing_is_allowed(kind):
    """Also where the matcher has a part that speaks of the request alone."""
    text = model(kind.request, kind.policy, kind.matcher, kind.roles, kind.effect)
    engine = ours(text, [])
    assert not any(engine.enforce(*request) for request in itertools.product(*kind.world))
