"""`adjudicator grants`, `grant revoke`: what was granted to sessions, and its end."""

from datetime import datetime

import click
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Grant, GrantScope, GrantState
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import remaining
from adjudicator.cli.output import Cell, out, print_json, print_line, print_table
from adjudicator.cli.planes import ApproverPlane, approver_plane, json_option
from adjudicator.config.limits import Limits
from adjudicator.domain.clock import SystemClock

_HEADER = ["GRANT", "STATE", "TIME LEFT", "USES", "TENANT", "SESSION", "AGENT", "TOOL", "BY", "REACHES"]


@click.command(
    epilog="\b\nExamples:\n  adjudicator grants --session s-1\n  adjudicator grants --ended --json",
    short_help="What was granted to sessions, newest first.",
)
@click.option("--tenant", default="", help="Only this tenant.")
@click.option("--session", default="", help="Only this session.")
@click.option("--ended", is_flag=True, help="Those that are over as well.")
@json_option
@approver_plane
def grants(*, plane: ApproverPlane, tenant: str, session: str, ended: bool, as_json: bool) -> None:
    """List the session grants on which you may decide, newest first. With --json, one on each line."""
    with plane.open() as client:
        found = list(client.grants(tenant=tenant, session=session, ended=ended))
    if as_json:
        for each in found:
            print_json(message_json(each))
    elif found:
        _print_grants(out(), found, SystemClock().now())
    else:
        print_line(out(), "Nothing is granted.")


@click.group(short_help="End what was granted to a session.")
def grant() -> None:
    """A grant lets later calls of one session pass without a question of their own."""


@grant.command(
    epilog="\b\nExample:\n  adjudicator grant revoke grt-... --reason 'the task is done'",
    short_help="End a grant for good.",
)
@click.argument("grant_id", metavar="ID")
@click.option("--reason", default="", help=f"Why, at most {Limits().reason_chars:,} characters.")
@json_option
@approver_plane
def revoke(*, plane: ApproverPlane, grant_id: str, reason: str, as_json: bool) -> None:
    """End a grant for good, and cancel what it has released and nobody has run yet.

    One that is over stays as it was, so that the same command again does no harm.
    """
    with plane.open() as client:
        response = client.revoke_grant(grant_id, reason=reason)
    if as_json:
        print_json(message_json(response))
        return
    print_line(out(), _state(response.grant), f"  {response.grant.id}; cancelled: {response.cancelled}")


def _print_grants(console: Console, found: list[Grant], now: datetime) -> None:
    print_table(console, _HEADER, [_row(each, now) for each in found])


def _row(each: Grant, now: datetime) -> list[Cell]:
    live = each.state == GrantState.GRANT_STATE_LIVE
    return [
        each.id,
        _state(each),
        remaining(each.expires_at, now) if live else "-",
        f"{each.used}/{each.uses}",
        each.tenant,
        each.session,
        each.agent,
        each.tool,
        each.granted_by,
        _reach(each),
    ]


def _state(each: Grant) -> Text:
    live = each.state == GrantState.GRANT_STATE_LIVE
    return Text(enum_name(each, "state"), style="bold green" if live else "bold")


def _reach(each: Grant) -> str:
    if each.scope == GrantScope.GRANT_SCOPE_SCHEMA:
        return each.arguments_schema_json
    known = {
        GrantScope.GRANT_SCOPE_TOOL: "every call of the tool in the same folder",
        GrantScope.GRANT_SCOPE_ARGUMENTS: "exactly the same call",
    }
    return known.get(each.scope, enum_name(each, "scope"))
