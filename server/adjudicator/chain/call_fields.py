"""Fields of a call that no step of the chain judges: bounded and plain, or the request is malformed."""

import re
from collections.abc import Mapping

from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall, is_identifier
from adjudicator.domain.errors import malformed
from adjudicator.domain.flow import Flow
from adjudicator.domain.invisible import is_all_plain

# The alphabet of an approver's name: one person has one spelling.
_PRINCIPAL = re.compile(r"(user|service):[a-z0-9][a-z0-9._-]{0,63}")
_PRINCIPAL_FORM = "has to be empty, user:NAME or service:NAME (a-z 0-9 . _ -)"
_IDENTIFIER = "1 to 128 characters of A-Z a-z 0-9 . _ : / -"


def check_fields(call: ToolCall, limits: Limits) -> None:
    """Raise MALFORMED_REQUEST, naming the field, unless all of them are well formed.

    Tenant, agent and tool are not looked at here: whatever they hold, S1 to S3 judge it.
    """
    for name, value in (("session", call.session), ("call_id", call.call_id)):
        if value and not is_identifier(value):
            raise malformed(f"call.{name}", f"has to be empty or {_IDENTIFIER}")
    if call.principal and not _PRINCIPAL.fullmatch(call.principal):
        raise malformed("call.principal", _PRINCIPAL_FORM)
    if len(call.on_behalf_of) > limits.on_behalf_of:
        raise malformed("call.on_behalf_of", f"has more than {limits.on_behalf_of} agents")
    if len(call.resolved_paths) > limits.resolved_paths:
        raise malformed("call.resolved_paths", f"has more than {limits.resolved_paths} entries")
    if len(dict(call.resolved_paths)) != len(call.resolved_paths):
        raise malformed("call.resolved_paths", "names an argument twice")
    if call.working_directory:
        _check_path("call.working_directory", call.working_directory, limits)
    for pointer, path in call.resolved_paths:
        if not pointer.startswith("/") or len(pointer) > limits.path_chars:
            raise malformed("call.resolved_paths", "every argument has to be a JSON Pointer such as /path")
        _check_path("call.resolved_paths", path, limits)


def check_flow_fields(flow: Flow) -> None:
    """Raise MALFORMED_REQUEST, naming the field, unless all of them are well formed."""
    check_identifiers({"tenant": flow.tenant, "agent": flow.agent, "flow_id": flow.flow_id})
    check_origin(flow.session, flow.principal)


def check_identifiers(fields: Mapping[str, str]) -> None:
    """Raise MALFORMED_REQUEST for the first of the named fields that is no identifier."""
    for name, value in fields.items():
        if not is_identifier(value):
            raise malformed(name, f"has to be {_IDENTIFIER}")


def check_origin(session: str, principal: str) -> None:
    """The same for a session and a principal, of which either may be empty."""
    if session and not is_identifier(session):
        raise malformed("session", f"has to be empty or {_IDENTIFIER}")
    if principal and not _PRINCIPAL.fullmatch(principal):
        raise malformed("principal", _PRINCIPAL_FORM)


def _check_path(name: str, path: str, limits: Limits) -> None:
    if not path.startswith("/"):
        raise malformed(name, "has to be an absolute path")
    if len(path) > limits.path_chars:
        raise malformed(name, f"is longer than {limits.path_chars} characters")
    if not is_all_plain(path):
        raise malformed(name, "holds a character that cannot be seen")
