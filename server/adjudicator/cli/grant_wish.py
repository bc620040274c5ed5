"""How far a session grant is wished to reach, and how that is said before anybody gives it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, GrantWish
from adjudicator.cli.moments import span
from adjudicator.cli.output import Cell, print_line, print_row

_LABEL = 10  # so that how far it reaches fits one line of 80 columns


def grant_wish(schema: Path | None, uses: int | None, lifetime: timedelta | None) -> GrantWish:
    """The wish; what is not said is left to the policy. Raises BadParameter for an unreadable schema."""
    wish = GrantWish(uses=uses or 0)
    if schema is not None:
        wish.arguments_schema_json = _schema(schema)
    if lifetime is not None:
        wish.lifetime.FromTimedelta(lifetime)
    return wish


def _schema(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(
            f"{path} cannot be read as text: {error}", param_hint="--schema"
        ) from error
    if not text.strip():
        raise click.BadParameter(
            f"{path} is empty; leave it out to grant without one.", param_hint="--schema"
        )
    return text


def print_reach(console: Console, wish: GrantWish, approval: Approval) -> None:
    """What would pass without a question, at the widest, and how to make that less."""
    print_line(console, Text("  would pass without a question, at the widest", style="bold yellow"))
    for label, text in _reach(wish, approval):
        cells: list[Cell] = [Text(f"  {label}", style="dim"), text]
        print_row(console, cells, (_LABEL,))


def _reach(wish: GrantWish, approval: Approval) -> Iterator[tuple[str, str]]:
    yield "tool", approval.tool
    yield "agent", approval.agent
    yield "session", approval.session or "(none)"
    if wish.arguments_schema_json:
        yield "calls", "calls that the schema accepts, in the same working directory"
    else:
        yield "calls", "every call of the tool that would ask, in the same working directory"
        yield "", "or exactly this call, where the policy is narrow or the call opaque"
    yield "uses", f"at most {wish.uses:,}" if wish.uses else "as many as the policy lets it"
    lifetime = wish.lifetime.ToTimedelta()
    yield "time", f"at most {span(lifetime)}" if lifetime else "as long as the policy lets it"
    options = {"--schema FILE": wish.arguments_schema_json, "--uses N": wish.uses, "--for SPAN": lifetime}
    if left := [option for option, said in options.items() if not said]:
        yield "narrower", f"with {', '.join(left)}"
