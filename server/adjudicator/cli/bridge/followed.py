"""The two streams of the sidecar, put together: what is asked of it, and what the editor is told."""

from collections.abc import Callable
from dataclasses import dataclass

import grpc

from adjudicator.api.v1.approval_service_pb2 import Approval
from adjudicator.cli.bridge.approvals import ApprovalForms, ApprovalScreen, unknown
from adjudicator.cli.bridge.file_changes import FileChanges
from adjudicator.cli.bridge.outbox import Outbox
from adjudicator.cli.bridge.questions import QuestionScreen
from adjudicator.cli.bridge.streams import Desk, Link, Restarting, SidecarTime
from adjudicator.cli.bridge.wanted import FILE_CHANGES, REQUESTS, Wanted
from adjudicator.cli.following import Following
from adjudicator.client.approver import ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.domain.clock import SystemClock

_NOT_SHOWN = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED)


@dataclass(frozen=True, slots=True)
class Followed:
    """One stream: `run` follows it for as long as that makes sense; answers are held against `desk`."""

    desk: Desk
    run: Callable[[], None]


def follow_approvals(
    client: ApproverClient, wanted: Wanted, outbox: Outbox, file_changes: FileChanges
) -> Followed:
    """Approvals, in one form or both. `run` raises ClientError when coming again cannot help."""

    def look_up(approval_id: str) -> Approval:
        try:
            return client.approval(approval_id)
        except ClientError as error:
            if error.code in _NOT_SHOWN:
                return unknown(approval_id)
            raise

    def run() -> None:
        try:
            Following(restarting.follow, screen, patient=True).run()
        except ClientError as error:
            link.down(str(error))
            raise

    link = Link("approvals", outbox)
    forms = ApprovalForms(requests=REQUESTS in wanted.forms, file_changes=FILE_CHANGES in wanted.forms)
    screen = ApprovalScreen(link, outbox, forms, file_changes, SidecarTime(SystemClock().now), look_up)
    restarting = Restarting(
        link,
        outbox,
        lambda cursor: client.watch(
            tenant=wanted.tenant, tool=wanted.tool, least_priority=wanted.least_priority, cursor=cursor
        ),
        screen.forget,
    )
    return Followed(Desk(link, screen.shown), run)


def follow_questions(client: ApproverClient, wanted: Wanted, outbox: Outbox) -> Followed:
    """Questions. A sidecar that serves none is no reason to end."""

    def run() -> None:
        try:
            Following(restarting.follow, screen, patient=True).run()
        except ClientError as error:
            serves = error.code is not grpc.StatusCode.UNIMPLEMENTED
            link.down(str(error) if serves else "the sidecar serves no questions")

    link = Link("questions", outbox)
    screen = QuestionScreen(link, outbox, SystemClock())
    restarting = Restarting(
        link,
        outbox,
        lambda cursor: client.watch_questions(
            tenant=wanted.tenant, least_priority=wanted.least_priority, cursor=cursor
        ),
        screen.forget,
    )
    return Followed(Desk(link, screen.shown), run)
