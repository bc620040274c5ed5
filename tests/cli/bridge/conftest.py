"""Bridges to a scripted sidecar."""

from dataclasses import replace
from datetime import timedelta

import pytest
from adjudicator.api.v1.approval_service_pb2 import PendingSnapshot, WatchPendingResponse
from adjudicator.api.v1.types_pb2 import Priority
from adjudicator.cli.bridge.wanted import FORMS, Wanted
from adjudicator.client.approver import ApproverClient
from cli.bridge.editor import Feed, Inside
from scripted import TOKEN, refusal

WANTED = Wanted(
    forms=FORMS,
    tenant="",
    tool="",
    least_priority=Priority.PRIORITY_UNSPECIFIED,
    file_change_limit=timedelta(minutes=5),
    approver="ann",
)


@pytest.fixture
def feed(script):
    """What the scripted sidecar tells of approvals; it serves no questions."""
    script.answers["WatchQuestions"] = lambda _: iter([refusal("UNIMPLEMENTED", "", "not here")])
    feed = Feed(script)
    yield feed
    feed.put(None, None)


@pytest.fixture
def edit(script, feed):
    """Starts an editor that is told of these approvals; a keyword is a field of what it wants."""
    editors = []

    def start(*approvals, reads=True, **wanted):
        feed.put(pending(*approvals))
        client = ApproverClient(script.address, token=TOKEN)
        editors.append(Inside(client, replace(WANTED, **wanted), reads=reads))
        return editors[-1]

    yield start
    for editor in editors:
        editor.close()


def pending(*approvals, cursor="1"):
    """A whole snapshot."""
    return WatchPendingResponse(cursor=cursor, snapshot=PendingSnapshot(approvals=approvals, complete=True))
