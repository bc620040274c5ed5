"""Records as they are appended, each on a line for a person."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rich.text import Text

from adjudicator.api.v1.trace_service_pb2 import (
    AppendedRecord,
    Element,
    ElementKind,
    TraceKind,
    WatchTracesResponse,
)
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.moments import moment
from adjudicator.cli.output import Cell, out, print_line, print_row
from adjudicator.cli.plain import plain
from adjudicator.cli.verdicts import STYLES
from adjudicator.domain.clock import SystemClock

_WIDTHS = (8, 7, 8, 10, 10, 16)
_CALLS = (TraceKind.TRACE_KIND_UNSPECIFIED, TraceKind.TRACE_KIND_CALL)
_SUSPENDED = "What is recorded meanwhile is shown when it is back; trying again."


class TraceLines:
    """Each record as a line; breaks and gaps are said."""

    def __init__(self) -> None:
        self._console = out()
        self._clock = SystemClock()

    def event(self, response: WatchTracesResponse) -> None:
        """Print a record, or a gap. A sign of life is not shown."""
        match response.WhichOneof("event"):
            case "record":
                print_row(self._console, row(response.record), _WIDTHS)
            case "resync":
                self._say("gap", f"{response.resync.reason}; what follows is from now on", "bold yellow")

    def closed(self, reason: str) -> None:
        """Say that nothing comes."""
        self._say("stream closed", f"{reason}. {_SUSPENDED}", "bold red")

    def back(self) -> None:
        """Say that it goes on where it stood."""
        self._say("stream is back", "it goes on where it stood", "bold green")

    def _say(self, what: str, detail: str, style: str) -> None:
        now = self._clock.now().astimezone().strftime("%H:%M:%S")
        print_line(self._console, f"{now}  ", Text(what, style=style), f"  {detail}")


def row(record: AppendedRecord) -> list[Cell]:
    """When, which trace, what happened, whose, and what it says."""
    bodies = [(each.kind, _body(each)) for each in record.elements]
    told = [part for kind, body in bodies for part in _told(kind, body)]
    when = moment(record.recorded_at).astimezone().strftime("%H:%M:%S")
    tool = record.flow_id or record.tool or ("(blank)" if record.kind in _CALLS else "-")
    return [
        when,
        f"#{record.trace_number}",
        _label(record, bodies),
        record.tenant or "(blank)",
        record.agent or "(blank)",
        tool,
        "; ".join(told),
    ]


def _body(element: Element) -> dict[str, Any]:
    try:
        body = json.loads(element.body_json)
    except ValueError:
        return {}  # whatever it is, the others are shown
    return body if isinstance(body, dict) else {}


def _label(record: AppendedRecord, bodies: Iterable[tuple[int, dict[str, Any]]]) -> Text:
    """The outcome of its verdict, or what else it is about."""
    for kind, body in bodies:
        if kind == ElementKind.ELEMENT_KIND_VERDICT:
            name = str(body.get("outcome", ""))
            return Text(plain(name), style=STYLES.get(name, "bold red"))
    if record.flow_id:
        return Text("FLOW", style="bold cyan")
    if record.kind not in _CALLS:
        return Text(enum_name(record, "kind"), style="bold cyan")
    return Text("DONE" if record.finished else "-", style="bold")


def _told(kind: int, body: dict[str, Any]) -> Iterator[str]:
    """What an element says, in a few words; arguments and outputs are in the trace."""
    said = {name: str(value) for name, value in body.items() if not isinstance(value, dict | list)}
    match kind:
        case ElementKind.ELEMENT_KIND_INPUT_CONTEXT if "flow_id" in said:
            yield f"opened: {said['description']}" if "description" in said else "opened"
        case ElementKind.ELEMENT_KIND_INPUT_CONTEXT if "granted_by" in said:
            yield f"granted by {said['granted_by']}: {said.get('scope', '')}, {said.get('uses', '')} uses"
        case ElementKind.ELEMENT_KIND_VERDICT:
            yield f"S{said.get('step', '?')} {said.get('cause', '')}: {said.get('reason', '')}"
        case ElementKind.ELEMENT_KIND_APPROVAL:
            yield " ".join(["approval", said.get("event", ""), *_voted(said)])
        case ElementKind.ELEMENT_KIND_TOOL_CALL if "trace" in said:
            yield f"call #{said['trace']} {said.get('outcome', '')} {said.get('cause', '')}".rstrip()
        case ElementKind.ELEMENT_KIND_TOOL_CALL:
            yield f"the tool {said.get('status', '')}"
        case ElementKind.ELEMENT_KIND_RESULT if "trace" in said:
            yield f"call #{said['trace']} {said.get('status', '')}"
        case ElementKind.ELEMENT_KIND_FINAL_OUTPUT if said.get("executed") != "False":
            yield said.get("text", "")


def _voted(said: dict[str, str]) -> Iterator[str]:
    if "actor" in said:
        yield f"by {said['actor']}: {said.get('decision', '')}"
        if "reason" in said:
            yield f"({said['reason']})"
