"""From a line of JSON, or flags, to one tool call. Arguments stay the text that they were."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.api.v1.types_pb2 import Mode, ResolvedPath, ToolCall
from adjudicator.cli.json_text import JsonTextError, items, members, string
from adjudicator.cli.output import hint

MODES: Mapping[str, Mode] = {
    "auto": Mode.MODE_AUTO,
    "ask_always": Mode.MODE_ASK_ALWAYS,
    "read_only": Mode.MODE_READ_ONLY,
}
TEXT_FIELDS = ("tenant", "agent", "principal", "session", "call_id", "tool", "working_directory", "mode")
FIELDS = (*TEXT_FIELDS, "arguments", "on_behalf_of", "resolved_paths", "flow")
_NUMBER = re.compile("[0-9]{1,20}")
_MOST_FLOW = 2**64 - 1


class CallError(ValueError):
    """A text or flags that are no call. It is sent nowhere."""


@dataclass(frozen=True, slots=True)
class CallFields:
    """What is known about a call; None is what nobody has said, for which a default may stand in."""

    tenant: str | None = None
    agent: str | None = None
    principal: str | None = None
    session: str | None = None
    call_id: str | None = None
    tool: str | None = None
    working_directory: str | None = None
    mode: str | None = None
    arguments: str | None = None
    on_behalf_of: tuple[str, ...] | None = None
    resolved_paths: Mapping[str, str] | None = None
    flow: int | None = None

    def or_else(self, defaults: "CallFields") -> "CallFields":
        """These fields, with the defaults for those that are None."""
        missing = {name: getattr(defaults, name) for name in FIELDS if getattr(self, name) is None}
        return replace(self, **missing)

    def tool_call(self) -> ToolCall:
        """The call. Raises CallError when it has no tool or no arguments, or cannot be encoded."""
        if self.tool is None:
            raise CallError("the call has no tool")
        if self.arguments is None:
            raise CallError("the call has no arguments; for none at all write {}")
        if self.mode and self.mode not in MODES:
            raise CallError(f"{self.mode!a} is not a mode: one of {', '.join(MODES)}")
        texts: dict[str, Any] = {name: getattr(self, name) or "" for name in TEXT_FIELDS if name != "mode"}
        resolved = self.resolved_paths or {}
        for name, text in [*texts.items(), ("arguments", self.arguments)]:
            _check_encodable(name, text)
        for text in [*(self.on_behalf_of or ()), *resolved, *resolved.values()]:
            _check_encodable("a name or path", text)
        return ToolCall(
            **texts,
            arguments_json=self.arguments,
            on_behalf_of=self.on_behalf_of or (),
            resolved_paths=[ResolvedPath(argument=name, path=path) for name, path in resolved.items()],
            mode=MODES.get(self.mode or "", Mode.MODE_UNSPECIFIED),
            flow_trace=self.flow or 0,
        )


def call_fields(text: str) -> CallFields:
    """The fields of one JSON object. Raises CallError.

    `arguments` is the exact text of the object's value; a string is taken as JSON text that was quoted.
    """
    try:
        found = members(text)
        unknown = sorted(set(found) - set(FIELDS))
        if unknown:
            raise CallError(f"{unknown[0]!a} is not a field of a call: {', '.join(FIELDS)}")
        return CallFields(**{name: _value(name, value) for name, value in found.items()})
    except JsonTextError as error:
        raise CallError(f"not a JSON object with a call: {error}") from error


def decoded(data: bytes) -> str:
    """Bytes as text. Raises CallError when they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CallError(f"not UTF-8 at byte {error.start + 1}") from error


def hint_blanks(call: ToolCall) -> None:
    """Say what is blank in a call that is sent all the same: the sidecar denies it, and says why."""
    for name in ("tenant", "agent"):
        if not getattr(call, name).strip():
            hint(f"the call names no {name}; set --{name} or ADJUDICATOR_{name.upper()}")


def _value(name: str, text: str) -> Any:
    try:
        if name == "arguments":
            return string(text) if text.startswith('"') else text
        if name == "on_behalf_of":
            return tuple(string(item) for item in items(text))
        if name == "resolved_paths":
            return {argument: string(path) for argument, path in members(text).items()}
        if name == "flow":
            return _flow(text)
        return string(text)
    except JsonTextError as error:
        raise CallError(f"{name}: {error}") from error


def _flow(text: str) -> int:
    digits = string(text) if text.startswith('"') else text
    if not _NUMBER.fullmatch(digits) or not 0 < int(digits) <= _MOST_FLOW:
        raise CallError(f"flow: {digits[:20]!a} is not the number of a flow's trace")
    return int(digits)


def _check_encodable(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise CallError(
            f"{name} is not Unicode text: a lone surrogate at character {error.start + 1}"
        ) from error
