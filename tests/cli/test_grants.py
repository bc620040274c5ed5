"""`adjudicator grants` and `grant revoke`: what was granted to sessions, and its end."""

import json

from adjudicator.api.v1.approval_service_pb2 import (
    Grant,
    GrantScope,
    GrantState,
    ListGrantsResponse,
    RevokeGrantResponse,
)
from adjudicator.api.v1.trace_service_pb2 import GetTraceResponse, ListTracesResponse, Trace, TraceKind

GRANT = Grant(
    id="grt-1",
    state=GrantState.GRANT_STATE_LIVE,
    tenant="acme",
    session="s",
    agent="coder",
    tool="write",
    scope=GrantScope.GRANT_SCOPE_SCHEMA,
    arguments_schema_json='{"type":"object"}',
    uses=5,
    used=2,
    granted_by="user:ann",
)
TRACE = Trace(
    number=4, kind=TraceKind.TRACE_KIND_GRANT, object_id="grt-1", tenant="acme", agent="coder", tool="write"
)


def test_grants_are_listed_with_their_uses_and_how_far_they_reach(run, script):
    """One row for each, whole ids, and the filters go along."""
    script.answers["ListGrants"] = ListGrantsResponse(
        grants=[GRANT, Grant(id="grt-0", state=GrantState.GRANT_STATE_SPENT, used=1, uses=1)]
    )
    lines = run("grants", "--tenant", "acme", "--session", "s", "--ended").stdout.splitlines()
    assert lines[1].split()[:2] == ["grt-1", "LIVE"]
    assert "2/5" in lines[1]
    assert '{"type":"object"}' in lines[1]
    assert lines[2].split()[:4] == ["grt-0", "SPENT", "-", "1/1"]
    request = script.requests[0]
    assert (request.tenant, request.session, request.ended) == ("acme", "s", True)


def test_no_grants_are_said_to_be_none(run, script):
    """An empty list is no empty screen."""
    script.answers["ListGrants"] = ListGrantsResponse()
    assert run("grants").stdout == "Nothing is granted.\n"


def test_grants_are_json_on_a_line_each(run, script):
    """With the short names of enums."""
    script.answers["ListGrants"] = ListGrantsResponse(grants=[GRANT])
    found = json.loads(run("grants", "--json").stdout)
    assert (found["id"], found["state"], found["scope"]) == ("grt-1", "LIVE", "SCHEMA")


def test_a_grant_is_revoked_and_its_end_is_shown(run, script):
    """With the reason, and how many waiting calls were cancelled with it."""
    revoked = Grant(id="grt-1", state=GrantState.GRANT_STATE_REVOKED)
    script.answers["RevokeGrant"] = RevokeGrantResponse(grant=revoked, cancelled=3)
    result = run("grant", "revoke", "grt-1", "--reason", "done")
    assert result.stdout == "REVOKED  grt-1; cancelled: 3\n"
    request = script.requests[0]
    assert (request.grant_id, request.reason) == ("grt-1", "done")
    answer = json.loads(run("grant", "revoke", "grt-1", "--json").stdout)
    assert answer["cancelled"] == 3


def test_the_trace_of_a_grant_says_which_grant_and_whether_it_is_over(run, script):
    """In the list and alone."""
    over = Trace(number=5, kind=TraceKind.TRACE_KIND_GRANT, object_id="grt-2", agent="coder")
    over.finished_at.FromSeconds(1)
    script.answers["ListTraces"] = ListTracesResponse(traces=[over, TRACE])
    lines = run("traces").stdout.splitlines()
    assert "GRANT" in lines[1]
    assert lines[1].rstrip().endswith("grt-2, over")
    assert lines[2].rstrip().endswith("grt-1, live")
    script.answers["GetTrace"] = GetTraceResponse(trace=TRACE)
    assert run("trace", "4").stdout.startswith("GRANT  trace 4: grt-1, live")
