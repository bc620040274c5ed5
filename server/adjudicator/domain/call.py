"""The tool call as the runtime states it, before anything is judged."""

import re
from dataclasses import dataclass

from adjudicator.domain.symbol import Symbol
from adjudicator.domain.trace_context import TraceContext

IDENTIFIER = re.compile(r"[A-Za-z0-9._:/-]{1,128}")


class Mode(Symbol):
    """A tenant's or a call's mode. A call can only make the tenant's mode stricter."""

    AUTO = "auto"
    ASK_ALWAYS = "ask_always"
    READ_ONLY = "read_only"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool that an agent wants to make. Nothing in it has been checked.

    `resolved_paths` maps JSON Pointers to absolute paths. `arguments_json` is the text as it came.
    `trace_context` says where the call comes from and nothing of what it is: no digest has it. `flow` is
    the number of the flow's trace when the call belongs to one.
    """

    tenant: str
    agent: str
    tool: str
    arguments_json: str
    on_behalf_of: tuple[str, ...] = ()
    principal: str = ""
    session: str = ""
    call_id: str = ""
    working_directory: str = ""
    resolved_paths: tuple[tuple[str, str], ...] = ()
    mode: Mode | None = None
    trace_context: TraceContext | None = None
    flow: int | None = None

    def named(self, call_id: str) -> "ToolCall":
        """The same call under another call_id; `dataclasses.replace` takes twice as long."""
        return ToolCall(
            self.tenant,
            self.agent,
            self.tool,
            self.arguments_json,
            self.on_behalf_of,
            self.principal,
            self.session,
            call_id,
            self.working_directory,
            self.resolved_paths,
            self.mode,
            self.trace_context,
            self.flow,
        )

    @property
    def agents(self) -> tuple[str, ...]:
        """The agent and every agent it acts on behalf of, nearest first."""
        return (self.agent, *self.on_behalf_of)


def is_identifier(text: str) -> bool:
    """Whether the whole text is an identifier: 1 to 128 characters of a plain alphabet."""
    return IDENTIFIER.fullmatch(text) is not None


def quoted(text: str, limit: int = 128) -> str:
    """The text as a message may repeat it: quoted, escaped to ASCII, and cut at `limit` characters."""
    return ascii(text if len(text) <= limit else f"{text[:limit]}...")


def printable(code: str) -> str:
    """An identifier as it is; anything else quoted, escaped and cut, so that it forges nothing."""
    return code if is_identifier(code) or not code else quoted(code)
