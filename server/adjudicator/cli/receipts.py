"""What a person hears of their decision, and of the grant that it gave."""

from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, Grant, ReceiptCode, ResolveResponse
from adjudicator.cli.approval_notes import approved_by, fate, shortfall
from adjudicator.cli.message_json import enum_name, message_json
from adjudicator.cli.moments import local
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.plain import plain


def print_receipt(receipt: ResolveResponse, *, as_json: bool) -> None:
    """Whether the decision counts, and why or why not; a decision that does not count never looks so."""
    if as_json:
        print_json(message_json(receipt))
        return
    verdict = Text("accepted", "bold green") if receipt.accepted else Text("not accepted", "bold red")
    print_line(out(), verdict, f"  {enum_name(receipt, 'code')}: {receipt.message}")
    if receipt.HasField("approval") and (standing := _standing(receipt.code, receipt.approval)):
        print_line(out(), Text(f"  {plain(standing)}", "yellow"))
    if receipt.HasField("grant"):
        _print_grant(receipt.grant, receipt.released)


def _standing(code: ReceiptCode, approval: Approval) -> str:
    """What the sentence of the code leaves open, as far as the approval says it; empty when nothing."""
    match code:
        case ReceiptCode.RECEIPT_CODE_MORE_VOTES_NEEDED:
            return f"{len(approved_by(approval))} of {approval.quorum} have approved it"
        case ReceiptCode.RECEIPT_CODE_ALREADY_RESOLVED | ReceiptCode.RECEIPT_CODE_EXPIRED:
            return f"it is {fate(approval)}"
        case ReceiptCode.RECEIPT_CODE_NOT_THE_DELEGATE:
            return f"it was handed to {approval.delegated_to}"
        case ReceiptCode.RECEIPT_CODE_DELEGATED | ReceiptCode.RECEIPT_CODE_QUORUM_UNREACHABLE:
            return shortfall(approval)
        case _:
            return ""


def _print_grant(grant: Grant, released: int) -> None:
    """What is granted from now on, so that nobody has to guess how far it reaches."""
    reach = f"  {enum_name(grant, 'scope')}  {grant.tool} by {grant.agent} in session {grant.session}"
    print_line(out(), Text("granted", "bold yellow"), reach)
    bounds = f"at most {grant.uses:,} calls, until {local(grant.expires_at)}, {released:,} released at once"
    print_line(out(), f"  {grant.id}: {bounds}")
    if grant.arguments_schema_json:
        print_line(out(), f"  {grant.arguments_schema_json}")
