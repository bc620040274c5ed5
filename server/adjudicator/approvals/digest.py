"""The keyed digest that binds an approval, and a call_id, to one exact call."""

import hashlib
import hmac

from adjudicator.domain.arguments import Arguments, Fault
from adjudicator.domain.call import ToolCall
from adjudicator.domain.strict_json import canonical_json


class Digester:
    """HMAC-SHA-256 (RFC 2104) under a key that only the sidecar has.

    Without the key nobody can find out arguments by trying digests of likely ones.
    """

    def __init__(self, key: bytes) -> None:
        self._keyed = hmac.new(key, digestmod=hashlib.sha256)

    def of(self, call: ToolCall, arguments: Arguments | Fault) -> bytes:
        """The 32-byte digest of everything in the call. Key order in the arguments does not count."""
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
            ]
        )
        if isinstance(arguments, Arguments):
            read, body = b"read", arguments.canonical
        else:
            read, body = b"text", call.arguments_json.encode("utf-8", "surrogatepass")
        # Each part is preceded by its length, so that no two calls run together to the same bytes.
        parts = b"".join(len(part).to_bytes(8, "big") + part for part in (context, read, body))
        digest = self._keyed.copy()
        digest.update(parts)
        return digest.digest()
