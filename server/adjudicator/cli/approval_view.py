"""An approval as the person who decides on it sees it."""

import hashlib
from collections.abc import Iterator
from datetime import datetime

from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval
from adjudicator.cli.approval_notes import approved_by, is_pending, notes, vote_line
from adjudicator.cli.json_text import JsonTextError, indented, members
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import local, remaining
from adjudicator.cli.output import Cell, print_line, print_row, print_table
from adjudicator.cli.plain import plain
from adjudicator.cli.request_view import headline, print_request, print_warnings, request_in
from adjudicator.cli.verdicts import print_facts, rule_label

PREVIEW_CHARACTERS = 160
STATE_STYLES = {
    "PENDING": "bold yellow",
    "APPROVED": "bold green",
    "CONSUMED": "green",
    "DENIED": "bold red",
    "EXPIRED": "red",
    "CANCELLED": "red",
}


def digest_of_view(approval: Approval) -> str:
    """The digest of the view that was received, which is the one that gets shown."""
    return hashlib.sha256(approval.view_json.encode()).hexdigest()


def state(approval: Approval) -> Text:
    """The state in its colour."""
    name = enum_name(approval, "state")
    return Text(name, style=STATE_STYLES.get(name, "bold red"))


def approve_votes(approval: Approval) -> str:
    """How many of the approvals that are needed are there."""
    return f"{len(approved_by(approval))}/{approval.quorum}"


def preview(approval: Approval) -> str:
    """The beginning of the arguments on one line; never something to decide on."""
    try:
        text = members(approval.view_json).get("arguments", approval.view_json)
    except JsonTextError:
        text = approval.view_json
    text = plain(text[: PREVIEW_CHARACTERS + 1])
    return text if len(text) <= PREVIEW_CHARACTERS else text[:PREVIEW_CHARACTERS] + "…"


def asked(approval: Approval) -> Cell:
    """What is asked, on one line: the request, or the beginning of the arguments where there is none."""
    request = request_in(approval.view_json)
    return headline(request) if request else preview(approval)


def print_below(console: Console, approval: Approval, now: datetime) -> None:
    """Below the line of an approval: what to know first, then the beginning of the arguments."""
    request = request_in(approval.view_json)
    if request is not None:
        print_warnings(console, request)
    print_notes(console, approval, now)
    if request is not None:
        print_line(console, Text("    arguments  ", style="dim"), preview(approval))


def print_notes(console: Console, approval: Approval, now: datetime) -> None:
    """What holds of it now, each on a line."""
    for note in notes(approval, now):
        print_row(console, ["  ", Text(plain(note), style="yellow")], (0,))


def print_approvals(console: Console, approvals: list[Approval], now: datetime) -> None:
    """A table of what is pending; every id is whole."""
    rows: list[list[Cell]] = [
        [
            approval.id,
            remaining(approval.expires_at, now),
            approval.tenant,
            approval.agent,
            approval.tool,
            approve_votes(approval),
            asked(approval) or "(too large to show here)",
        ]
        for approval in approvals
    ]
    header = ["APPROVAL", "TIME LEFT", "TENANT", "AGENT", "TOOL", "VOTES", "REQUEST"]
    print_table(console, header, rows, below=lambda row: print_below(console, approvals[row], now))


def print_approval(console: Console, approval: Approval, now: datetime) -> None:
    """Everything about one approval, and its exact view."""
    print_line(console, state(approval), f"  {approval.id}  ", _time_left(approval, now))
    request = request_in(approval.view_json)
    if request is not None:
        print_request(console, request)
    print_notes(console, approval, now)
    print_facts(console, _facts(approval, now))
    print_line(console, Text("  view", style="dim"))
    for line in indented(approval.view_json, indent="  "):
        print_line(console, f"    {line}")


def print_reminder(console: Console, approval: Approval, now: datetime) -> None:
    """What matters of it once more, below a view that may have filled the screen."""
    print_line(console, "")
    request = request_in(approval.view_json)
    if request is not None:
        print_line(console, "  ", headline(request))
        print_warnings(console, request)
    print_notes(console, approval, now)
    print_line(console, "  ", _time_left(approval, now))


def _facts(approval: Approval, now: datetime) -> Iterator[tuple[str, Cell]]:
    yield "tool", approval.tool
    yield "agent", approval.agent
    yield "tenant", approval.tenant
    yield "session", approval.session or "(none)"
    yield "call_id", approval.call_id
    yield "trace", str(approval.trace_number)
    yield "reason", approval.ask_reason
    if approval.HasField("rule"):
        yield "rule", rule_label(approval.rule)
    yield "asked", local(approval.created_at)
    yield "expires", _expires(approval, now)
    yield "votes", approve_votes(approval)
    for vote in approval.votes:
        yield "vote", vote_line(vote)
    if approval.four_eyes:
        yield "four eyes", "the person for whom the call is made may not decide it"
    yield "view digest", digest_of_view(approval)
    if not approval.approvable:
        yield "approvable", Text("no: too large to be shown whole, it can only be rejected", style="red")


def _expires(approval: Approval, now: datetime) -> Text:
    left = _time_left(approval, now)
    return Text(local(approval.expires_at)).append(", " if left else "").append_text(left)


def _time_left(approval: Approval, now: datetime) -> Text:
    if not is_pending(approval):
        return Text("")
    return Text("time left ").append_text(remaining(approval.expires_at, now))
