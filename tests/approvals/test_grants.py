"""What a wish for a grant comes to, and what its schema lets through."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from adjudicator.approvals.digest import Digester
from adjudicator.approvals.grant_schema import GrantSchema, Refusal, read_grant_schema
from adjudicator.approvals.grants import AskingCall, Giving, covers, granted, objection_to
from adjudicator.config.limits import GRANT_SCHEMA_BYTES
from adjudicator.domain.approval import ReceiptCode
from adjudicator.domain.arguments import Arguments
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.grant import GrantScope, GrantWish
from adjudicator.domain.request import Priority
from adjudicator.domain.strict_json import canonical_json
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.snapshot import EvaluationError
from chain.bundle import a_tool
from chain.people import Only
from hypothesis import given, settings
from hypothesis import strategies as st
from records import an_approval
from service.granting import granting_snapshot, with_tool
from service.stage import a_call

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DIGESTER = Digester(b"k")
TOOL = a_tool(
    "write",
    session_grants=SessionGrants.TOOL,
    arguments=(
        ArgumentSpec("/path", ArgumentKind.PATH),
        ArgumentSpec("/paths/*", ArgumentKind.PATH),
        ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE),
        ArgumentSpec("/url", ArgumentKind.URL),
    ),
)


def a_schema(**properties):
    """The text of a schema that requires these properties."""
    return json.dumps({"type": "object", "properties": properties, "required": sorted(properties)})


def an_asking(arguments, priority=Priority.MEDIUM, *, opaque=False, **fields):
    """A call that asks."""
    call = a_call(arguments_json=json.dumps(arguments), **({"session": "s", "tool": "write"} | fields))
    read = Arguments(arguments, canonical_json(arguments))
    return AskingCall(
        call, read, DIGESTER.likeness(call, read), DIGESTER.place(call), priority, opaque=opaque
    )


def a_grant(wish, asking, snapshot=None):
    """What ann's wish comes to, for a tool that is granted as a whole."""
    call = asking.call
    approval = an_approval(
        tenant=call.tenant,
        session=call.session,
        agent=call.agent,
        on_behalf_of=call.on_behalf_of,
        principal=call.principal,
        tool=call.tool,
    )
    if snapshot is None:
        snapshot = with_tool(granting_snapshot(), "write", session_grants=SessionGrants.TOOL)
    return granted(Giving("grt-1", approval, "user:ann", "", NOW), wish, asking, snapshot)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", ReceiptCode.GRANT_SCHEMA_INVALID),
        ("true", ReceiptCode.GRANT_SCHEMA_INVALID),
        ("{}", ReceiptCode.GRANT_SCHEMA_INVALID),
        ('{"type":"object","type":"object"}', ReceiptCode.GRANT_SCHEMA_INVALID),
        (json.dumps({"type": ["object", "null"]}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (json.dumps({"type": "object"}), ReceiptCode.GRANT_TOO_WIDE),
        (json.dumps({"type": "object", "properties": {}, "required": []}), ReceiptCode.GRANT_TOO_WIDE),
        (
            json.dumps({"type": "object", "properties": {"n": {"const": 1}}, "required": []}),
            ReceiptCode.GRANT_TOO_WIDE,
        ),
        (json.dumps({"type": "object", "properties": {"n": {"const": 1}}}), ReceiptCode.GRANT_TOO_WIDE),
        (
            json.dumps(
                {"type": "object", "anyOf": [{}], "properties": {"n": {"const": 1}}, "required": ["n"]}
            ),
            ReceiptCode.GRANT_TOO_WIDE,
        ),
        (
            json.dumps(
                {
                    "type": "object",
                    "additionalProperties": {},
                    "properties": {"n": {"const": 1}},
                    "required": ["n"],
                }
            ),
            ReceiptCode.GRANT_TOO_WIDE,
        ),
        (a_schema(n=True), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "boolean"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string", "minLength": 0}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "integer", "minimum": 0}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"not": {"const": 1}}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"$ref": "#"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"enum": []}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (a_schema(n={"const": 1, "x-secret": True}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"pattern": "^a$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": ["string", "null"], "pattern": "^a$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string", "pattern": "a"}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (a_schema(n={"type": "string", "pattern": "^(a|.*)$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string", "pattern": "^.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string", "pattern": "^[^\\x00]+$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(path={"type": "string", "pattern": "^/.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(path={"type": "string", "pattern": "^/.+$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(path={"type": "string", "pattern": "^.[^\\x00]{2}.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"type": "string", "pattern": "^..+$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(path={"type": "string", "pattern": "^(?=a)b$"}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (a_schema(path={"type": "string", "pattern": 1}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (a_schema(command={"type": "string", "pattern": "^git status.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(url={"type": "string", "pattern": "^https://a.test/.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(paths={"type": "string", "pattern": "^/srv/.*$"}), ReceiptCode.GRANT_TOO_WIDE),
        (a_schema(n={"const": "x" * GRANT_SCHEMA_BYTES}), ReceiptCode.GRANT_SCHEMA_INVALID),
        (a_schema(n={"const": 1, "if": {}}), ReceiptCode.GRANT_TOO_WIDE),
    ],
)
def test_a_schema_that_may_let_through_more_than_it_shows_is_refused(text, code):
    """With the code for what is wrong, and a sentence that says what to write."""
    refused = read_grant_schema(text, TOOL)
    assert isinstance(refused, Refusal)
    assert refused.code is code
    assert refused.message


@pytest.mark.parametrize(
    ("properties", "accepted", "refused"),
    [
        ({"n": {"const": 1}}, [1], [True, 1.0, "1", None, [1], 2]),
        ({"n": {"const": [[0]]}}, [[[0]]], [[[False]], [[0.0]], [0]]),
        ({"n": {"enum": [0, "a"]}}, [0, "a"], [False, 0.0, "A", ""]),
        ({"n": {"type": "integer", "minimum": 1, "maximum": 3}}, [1, 2, 3], [0, 4, "2", True, 2.5]),
        ({"n": {"type": "string", "pattern": "^a+$"}}, ["a", "aa"], ["a\n", "\na", "b", "ab", 1]),
        ({"command": {"const": "git status"}}, ["git status"], ["git status && rm x", "git  status"]),
    ],
)
def test_a_schema_accepts_what_it_says_and_nothing_like_it(properties, accepted, refused):
    """Values are the same only when their JSON text is; a missing one is none."""
    schema = read_grant_schema(a_schema(**properties), TOOL)
    assert isinstance(schema, GrantSchema)
    (name,) = properties
    assert all(schema.accepts({name: value, "other": 1}) for value in accepted)
    assert not any(schema.accepts({name: value}) for value in refused)
    assert not schema.accepts({})


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, -1.5])
    | st.text("ab/.", max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
PARTS = st.one_of(
    VALUES.map(lambda value: {"const": value}),
    st.lists(VALUES, max_size=3).map(lambda values: {"enum": values}),
    st.sampled_from(["^a$", "^/a.*$", "^(a|b)+$", "^.*$", "a", "^[ab]$", "^$"]).map(
        lambda pattern: {"type": "string", "pattern": pattern}
    ),
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)).map(
        lambda ends: {"type": "integer", "minimum": ends[0], "maximum": ends[1]}
    ),
    st.sampled_from([{}, True, False, {"type": "string"}, {"type": "integer", "minimum": 0}]),
)
ARGUMENTS = st.dictionaries(st.sampled_from(["path", "n", "command"]), VALUES, max_size=3)


def naive(part, value):
    """A plain reading of one form; None for what is no form of ours."""
    if "const" in part or "enum" in part:
        return json.dumps(value, sort_keys=True) in [
            json.dumps(each, sort_keys=True) for each in part.get("enum", [part.get("const")])
        ]
    if part.get("type") == "string":
        inner = part["pattern"]
        texts = {"^a$": value == "a", "^[ab]$": value in ("a", "b"), "^$": value == ""}
        if not isinstance(value, str):
            return False
        if inner == "^/a.*$":
            return value.startswith("/a")
        if inner == "^(a|b)+$":
            return value != "" and set(value) <= set("ab")
        return texts[inner]
    whole = isinstance(value, int) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and value.is_integer())
    return whole and part["minimum"] <= value <= part["maximum"]


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["path", "n", "command"]), PARTS, min_size=1, max_size=2), ARGUMENTS)
def test_a_schema_that_is_taken_accepts_exactly_what_a_plain_reading_does(properties, arguments):
    """Whatever is generated, it is refused or means what it says."""
    schema = read_grant_schema(a_schema(**properties), TOOL)
    if isinstance(schema, Refusal):
        assert not schema.code.accepted
        return
    expected = all(name in arguments and naive(part, arguments[name]) for name, part in properties.items())
    assert schema.accepts(arguments) is expected


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["path", "n"]), PARTS, min_size=1, max_size=2),
    ARGUMENTS,
    ARGUMENTS,
    st.sampled_from(list(Priority)),
)
def test_a_grant_covers_the_call_that_it_was_given_with_and_none_that_its_schema_does_not(
    properties, first, later, priority
):
    """Nor one of a higher priority, or in another directory; a refusal covers nothing."""
    asking = an_asking(first, working_directory="/srv")
    grant = a_grant(GrantWish(schema_json=a_schema(**properties)), asking)
    if isinstance(grant, Refusal):
        return
    tool = with_tool(granting_snapshot(), "write", session_grants=SessionGrants.TOOL).registry.tools[
        "write"
    ]
    assert covers(grant, asking, tool, NOW)
    call = an_asking(later, priority, working_directory="/srv")
    if covers(grant, call, tool, NOW):
        assert read_grant_schema(grant.schema_json, tool).accepts(later)
        assert priority.rank <= Priority.MEDIUM.rank
        assert not covers(grant, an_asking(later, priority, working_directory="/etc"), tool, NOW)
        assert not covers(grant, call, tool, NOW + timedelta(days=1))


@pytest.mark.parametrize(
    "schema",
    [
        {"path": {"const": "/b"}},
        {"missing": {"const": 1}},
        {"path": {"type": "string", "pattern": "^/b.*$"}},
    ],
)
def test_a_schema_has_to_cover_the_very_call(schema):
    """Else it would be about something that nobody looked at."""
    refused = a_grant(GrantWish(schema_json=a_schema(**schema)), an_asking({"path": "/a"}))
    assert refused.code is ReceiptCode.GRANT_EXCLUDES_CALL


def test_a_schema_for_a_call_that_cannot_be_known_is_too_wide():
    """Without one, exactly the same call is granted."""
    asking = an_asking({"path": "/a"}, opaque=True)
    refused = a_grant(GrantWish(schema_json=a_schema(path={"const": "/a"})), asking)
    assert refused.code is ReceiptCode.GRANT_TOO_WIDE
    assert a_grant(GrantWish(), asking).scope is GrantScope.ARGUMENTS


def test_a_tool_that_is_granted_narrowly_has_all_that_rules_look_at_in_the_schema():
    """A path that is left open would be any path."""
    asking = an_asking({"path": "/a", "n": 1})
    wish = GrantWish(schema_json=a_schema(n={"const": 1}))
    assert a_grant(wish, asking).scope is GrantScope.SCHEMA
    refused = a_grant(wish, asking, granting_snapshot())
    assert refused.code is ReceiptCode.GRANT_TOO_WIDE
    assert "'path'" in refused.message


def test_an_approval_without_a_likeness_grants_nothing_to_the_same_call():
    """Two empty texts are not alike."""
    asking = an_asking({"path": "/a"})
    unlike = AskingCall(asking.call, asking.arguments, "", asking.place, asking.priority)
    assert a_grant(GrantWish(), unlike, granting_snapshot()).code is ReceiptCode.GRANT_FORBIDDEN


class _Failing(Only):
    """Fails on every question."""

    def may_decide(self, *_):
        """See ApproverRules."""
        raise EvaluationError("division by zero")


def test_a_policy_on_approvers_that_fails_lets_no_grant_stand():
    """Whatever fails entitles nobody."""
    grant = a_grant(GrantWish(), an_asking({"path": "/a"}))
    assert (
        objection_to(grant, with_tool(granting_snapshot(), "write", session_grants=SessionGrants.TOOL))
        is None
    )
    assert "division by zero" in objection_to(
        grant,
        with_tool(granting_snapshot(approvers=_Failing()), "write", session_grants=SessionGrants.TOOL),
    )


def test_two_calls_are_alike_but_for_their_call_id_mode_and_flow():
    """Whatever else differs makes them two things; the digest is of a kind of its own."""
    one = an_asking({"path": "/a"})
    assert one.likeness == an_asking({"path": "/a"}, call_id="c9", flow=7).likeness
    others = [
        an_asking({"path": "/a"}, **fields)
        for fields in (
            {"session": "t"},
            {"tenant": "t"},
            {"agent": "designer"},
            {"on_behalf_of": ("designer",)},
            {"principal": "user:ann"},
            {"tool": "read"},
            {"working_directory": "/srv"},
            {"resolved_paths": (("/path", "/b"),)},
        )
    ]
    others += [an_asking({"path": value}) for value in ("/b", 1, True, 1.0)]
    assert len({one.likeness, *(each.likeness for each in others)}) == len(others) + 1
    assert bytes.fromhex(one.likeness) != DIGESTER.of(one.call, one.arguments)
