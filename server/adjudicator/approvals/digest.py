"""The keyed digests: one binds an approval, and a call_id, to one exact call; one stands for a value."""

import hashlib
import hmac

from adjudicator.domain.arguments import Arguments, Fault
from adjudicator.domain.call import ToolCall
from adjudicator.domain.flow import Flow
from adjudicator.domain.question import Asking
from adjudicator.domain.strict_json import canonical_json


class Digester:
    """HMAC-SHA-256 (RFC 2104) under a key that only the sidecar has.

    Without the key nobody can find out arguments by trying digests of likely ones.
    """

    def __init__(self, key: bytes) -> None:
        self._keyed = hmac.new(key, digestmod=hashlib.sha256)

    def of(self, call: ToolCall, arguments: Arguments | Fault) -> bytes:
        """The 32-byte digest of everything in the call. Key order in the arguments does not count.

        A call outside of any flow has the digest that it had before there were flows.
        """
        context = canonical_json(
            [
                call.tenant,
                call.session,
                call.call_id,
                call.agent,
                list(call.on_behalf_of),
                call.principal,
                call.tool,
                call.working_directory,
                sorted(call.resolved_paths),
                call.mode.value if call.mode else None,
                *(() if call.flow is None else (call.flow,)),
            ]
        )
        if isinstance(arguments, Arguments):
            read, body = b"read", arguments.canonical
        else:
            read, body = b"text", call.arguments_json.encode("utf-8", "surrogatepass")
        return self._of_parts(context, read, body)

    def likeness(self, call: ToolCall, arguments: Arguments) -> str:
        """The digest of all that makes two calls ask for the same thing; no digest of another kind.

        That is everything but the call_id, the mode, which only makes a call stricter, and the flow. Values
        are compared by their canonical text, so that 1 is neither 1.0 nor true.
        """
        context = canonical_json(
            [
                call.tenant,
                call.session,
                call.agent,
                list(call.on_behalf_of),
                call.principal,
                call.tool,
                call.working_directory,
                sorted(call.resolved_paths),
            ]
        )
        return self._of_parts(b"likeness", context, arguments.canonical).hex()

    def place(self, call: ToolCall) -> str:
        """The digest of where the call would run: its working directory."""
        return self._of_parts(b"place", canonical_json(call.working_directory)).hex()

    def of_flow(self, flow: Flow) -> bytes:
        """The 32-byte digest of everything in the flow, which is no call's digest."""
        context = canonical_json(
            [flow.tenant, flow.session, flow.flow_id, flow.agent, flow.principal, flow.description]
        )
        return self._of_parts(context, b"flow", flow.input.canonical if flow.input else b"")

    def of_question(self, asking: Asking) -> bytes:
        """The 32-byte digest of everything in the question, which is nobody else's digest."""
        trigger = asking.trigger.value if asking.trigger else None
        who = [asking.tenant, asking.session, asking.question_id, asking.agent, asking.principal]
        what = [asking.text, list(asking.options), asking.recommended_option, asking.free_text, trigger]
        return self._of_parts(canonical_json([*who, *what]), b"question", b"")

    def of_value(self, canonical: bytes) -> str:
        """The digest that stands in a trace for a value, which is given as canonical JSON."""
        return f"hmac-sha256:{self._of_parts(b'value', canonical).hex()}"

    def _of_parts(self, *parts: bytes) -> bytes:
        # Each part is preceded by its length, so that no two calls run together to the same bytes.
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        digest = self._keyed.copy()
        digest.update(framed)
        return digest.digest()
