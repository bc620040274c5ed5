"""What stands over an approval, read from the view alone: nothing else is covered by its digest."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from adjudicator.cli.json_text import JsonTextError, members
from adjudicator.cli.output import Cell, print_line, print_row, shown
from adjudicator.cli.plain import plain

PRIORITY_STYLES = {"low": "dim", "medium": "bold", "high": "bold yellow", "critical": "bold red"}
_LABELS = (2, 21)  # as long as the longest trigger


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """The request of a view as a person reads it; `warnings` are its risks and flags with their labels."""

    priority: str
    type: str
    title: str
    warnings: tuple[tuple[str, str], ...]
    details: tuple[tuple[str, str], ...]


def request_in(view_json: str) -> ShownRequest | None:
    """The request in the view; None in one that was recorded before there were any, or is left out."""
    try:
        view = members(view_json)
        request = json.loads(view["request"])
        flags = json.loads(view.get("flags", "[]"))
        more = json.loads(view.get("more_flags", "0"))
        return ShownRequest(
            priority=str(request["priority"]),
            type=str(request["type"]),
            title=str(request.get("title", "")),
            warnings=(*_risks(request), *_flags(flags, more)),
            details=tuple(_details(request)),
        )
    except (JsonTextError, ValueError, LookupError, TypeError, AttributeError):
        return None


def headline(request: ShownRequest) -> Text:
    """Priority, type and title on one line."""
    style = PRIORITY_STYLES.get(request.priority, "bold red")
    text = Text(plain(request.priority).upper(), style=style)
    return text.append(f" {plain(request.type)}  ", style="bold").append(plain(request.title), style="bold")


def print_warnings(console: Console, request: ShownRequest) -> None:
    """The risks, the worst first, and the flags; each on a line of its own."""
    _print_labelled(console, "!", request.warnings, "bold red")


def print_request(console: Console, request: ShownRequest) -> None:
    """All of the request in the order in which it is decided on."""
    print_line(console, "  ", headline(request))
    print_warnings(console, request)
    _print_labelled(console, "", request.details, "dim")


def _print_labelled(console: Console, sign: str, lines: tuple[tuple[str, str], ...], style: str) -> None:
    for label, text in lines:
        cells: list[Cell] = [shown("  "), Text(f"{sign:<2}{plain(label)}", style=style), text]
        print_row(console, cells, (0, _LABELS[1] + _LABELS[0]))


def _risks(request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for risk in request.get("risks", []):
        yield str(risk["trigger"]), str(risk["note"])


def _flags(flags: list[dict[str, Any]], more: int) -> Iterator[tuple[str, str]]:
    for flag in flags:
        characters = " ".join(map(str, flag["characters"]))
        others = f" and {flag['more_characters']} more" if "more_characters" in flag else ""
        name = "the name " if flag.get("name") else ""
        yield "flag", f"{flag['kind']}: {characters}{others} in {name}{flag['at']}"
    if more:
        yield "flag", f"{more} more; every backslash of the call is written twice"


def _details(request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if request.get("description"):
        yield "about", str(request["description"])
    for option in request.get("options", []):
        yield "option", f"{option} (recommended)" if option == request.get("recommended") else str(option)
    for name, texts in request.get("context", {}).items():
        for text in texts:
            yield str(name), str(text)
