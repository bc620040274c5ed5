"""One decision of a person's, from the view that they see to the receipt."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import click
import grpc
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import (
    Approval,
    Decision,
    ReceiptCode,
    ResolveRequest,
    ResolveResponse,
)
from adjudicator.cli.approval_notes import APPROVING, fate, is_pending
from adjudicator.cli.approval_view import digest_of_view, print_approval, print_reminder
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.grant_wish import print_reach
from adjudicator.cli.moments import moment
from adjudicator.cli.output import err, hint, out, print_line
from adjudicator.cli.plain import plain
from adjudicator.cli.planes import ApproverPlane
from adjudicator.cli.receipts import print_receipt
from adjudicator.client.approver import ApproverClient
from adjudicator.client.errors import ClientError
from adjudicator.domain.clock import SystemClock


@dataclass(frozen=True, slots=True)
class Ballot:
    """What is to be decided; `verb` is how a person is asked whether that is what they want."""

    request: ResolveRequest
    verb: str
    view_digest: str | None = None

    def cast(self, plane: ApproverPlane, approval_id: str, *, yes: bool, as_json: bool) -> ExitCode:
        """Show, confirm, decide, print the receipt."""
        with plane.open() as client:
            receipt = self._receipt(client, approval_id, yes=yes, as_json=as_json)
        if receipt is None:
            hint("nothing was decided")
            return ExitCode.NOT_ACCEPTED
        print_receipt(receipt, as_json=as_json)
        return ExitCode.OK if receipt.accepted else ExitCode.NOT_ACCEPTED

    def _receipt(
        self, client: ApproverClient, approval_id: str, *, yes: bool, as_json: bool
    ) -> ResolveResponse | None:
        """The receipt; None when the person does not want it after all."""
        found = _found(client, approval_id)
        if found is None:
            # Only the sidecar knows why: there is none, or it is not theirs. Without the digest of a view
            # nothing is approved, whoever adds a row for them between the two requests.
            return client.decide(self._about(approval_id, view_digest=""))
        if (refused := self._refused(found)) is not None:
            return refused
        asks = is_pending(found) and not yes and sys.stdin.isatty()
        # With --json the answer is the receipt alone; a person who is asked still sees the view.
        if asks or not as_json:
            self._show(err() if as_json else out(), found, SystemClock().now(), asks=asks)
        if asks and not click.confirm(f"{self.verb}?", err=True):
            return None
        digest = self.view_digest if self.view_digest is not None else digest_of_view(found)
        return client.decide(self._about(found.id, view_digest=digest))

    def _about(self, approval_id: str, *, view_digest: str) -> ResolveRequest:
        request = ResolveRequest(approval_id=approval_id, view_digest=view_digest)
        request.MergeFrom(self.request)
        return request

    def _refused(self, found: Approval) -> ResolveResponse | None:
        """The receipt of an option that is none, before anybody reads the view for nothing."""
        options, option = found.request.options, self.request.selected_option
        if not option or option in options or not is_pending(found):
            return None
        known = f"choose one of: {'; '.join(options)}" if options else "the request has none"
        return ResolveResponse(
            code=ReceiptCode.RECEIPT_CODE_OPTION_UNKNOWN,
            message=f"{option!r} is none of the options of the request; {known}",
            approval=found,
        )

    def _show(self, console: Console, found: Approval, now: datetime, *, asks: bool) -> None:
        """The view, and where somebody is asked once more what matters, right above the question."""
        for obstacle in self._obstacles(found, now):
            print_line(console, Text(f"this cannot count: {plain(obstacle)}", style="bold red"))
        print_approval(console, found, now)
        if self.request.HasField("grant"):
            print_reach(console, self.request.grant, found)
        if asks:
            print_reminder(console, found, now)

    def _obstacles(self, found: Approval, now: datetime) -> Iterator[str]:
        """What is known here. The decision is sent all the same: the sidecar has the clock that counts."""
        if not is_pending(found):
            yield f"it is {fate(found)}"
        elif moment(found.expires_at) <= now:
            yield "its time limit ran out"
        if self.request.decision in APPROVING:
            yield from self._obstacles_to_approving(found)

    def _obstacles_to_approving(self, found: Approval) -> Iterator[str]:
        if not found.approvable:
            yield "it is too large to be shown whole, so it can only be denied"
        if self.view_digest not in (None, digest_of_view(found)):
            yield "the view is not the one of that --view-digest"
        if self.request.decision == Decision.DECISION_APPROVE_SESSION and not found.session:
            yield "the call has no session, so there is nothing to grant; approve it without --session"


def _found(client: ApproverClient, approval_id: str) -> Approval | None:
    try:
        return client.approval(approval_id)
    except ClientError as error:
        if error.code is not grpc.StatusCode.NOT_FOUND:
            raise
        return None
