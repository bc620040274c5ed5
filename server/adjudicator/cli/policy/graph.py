"""`adjudicator policy graph`: a bundle as a picture, as Mermaid text, or as data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import err, print_json, print_line, problem
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.folder import folder_argument, telling_problems
from adjudicator.cli.progress import progress_bar
from adjudicator.policy.loader import open_bundle

if TYPE_CHECKING:
    from adjudicator.authoring.graph.chart import Chart, Panel

_EXAMPLES = """\b
Examples:
  adjudicator policy graph ./policies -o policies.svg
  adjudicator policy graph --tenant studio --tool 'codegraph_*' --format mermaid"""
_CODES = exit_codes(ExitCode.OK, ExitCode.ERROR, ExitCode.USAGE)
_AXES = ("tenants", "agents", "roles", "tools")


@click.command(epilog=f"{_EXAMPLES}\n\n{_CODES}", short_help="Draw who may call which tool.")
@folder_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "mermaid"]),
    help="A picture, or text for a page that draws Mermaid.  [default: as FILE ends, else svg]",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write it to this file.  [default: standard output]",
)
@click.option(
    "--tenant",
    "tenants",
    multiple=True,
    metavar="GLOB",
    help="Only these tenants; may be repeated, as the others.",
)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="GLOB",
    help="Only these agents, and the roles that they have.",
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    metavar="GLOB",
    help="Only these roles, and the agents that have one of them.",
)
@click.option("--tool", "tools", multiple=True, metavar="GLOB", help="Only these tools.")
@json_option
def graph(
    *, folder: Path, form: str | None, output: Path | None, as_json: bool, **globs: tuple[str, ...]
) -> None:
    """Draw a bundle: which agents have which roles, and what the rules let each of them do with each tool.

    A cell of the matrix says whether calls may be allowed, asked or denied, by how many rules, or which
    step before the rules stops them. What has no room is counted; the options choose what to draw. With
    --json the same as data. DIR is ./policies unless it is given, or named by ADJUDICATOR_POLICIES.
    """
    from adjudicator.authoring.graph.chart import Wanted, chart_of  # noqa: PLC0415 - only this needs it

    with telling_problems(folder, as_json=as_json), progress_bar() as progress:
        progress("reading the bundle", 0, 0)
        bundle = open_bundle(folder)
        chart = chart_of(bundle, Wanted(**globs), progress)
    _check_found(chart, globs)
    text = "" if as_json else _drawn(chart, form or _form_of(output))
    if as_json:
        print_json(_data(chart))
    elif output is None:
        click.echo(text.encode(), nl=False)
    else:
        _write(output, text)
    for note in (*chart.left_out, *(each for panel in chart.panels for each in panel.left_out)):
        print_line(err(), note)


def _check_found(chart: "Chart", globs: dict[str, tuple[str, ...]]) -> None:
    """A filter that fits nothing is a slip; an empty picture would look like an answer."""
    if any(panel.subjects and panel.lines for panel in chart.panels):
        return
    given = [f"--{axis[:-1]} {glob}" for axis in _AXES for glob in globs[axis]]
    raise click.UsageError(f"Nothing fits {' '.join(given)}." if given else "There is nothing to draw.")


def _form_of(output: Path | None) -> str:
    return "mermaid" if output is not None and output.suffix in (".mmd", ".mermaid") else "svg"


def _drawn(chart: "Chart", form: str) -> str:
    from adjudicator.authoring.graph.mermaid import mermaid  # noqa: PLC0415 - only this needs it
    from adjudicator.authoring.graph.picture import picture  # noqa: PLC0415 - the same

    return picture(chart) if form == "svg" else mermaid(chart)


def _write(output: Path, text: str) -> None:
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        problem(f"{output} cannot be written: {error.strerror or error}")
        click.get_current_context().exit(ExitCode.ERROR)


def _data(chart: "Chart") -> dict[str, Any]:
    return {
        "version": chart.version,
        "default": chart.default.value,
        "tenants": [_panel(panel) for panel in chart.panels],
        "left_out": list(chart.left_out),
    }


def _panel(panel: "Panel") -> dict[str, Any]:
    cells = [
        {"subject": subject.name, "tool": line.tool.code, **_cell(cell)}
        for line, row in zip(panel.lines, panel.cells, strict=True)
        for subject, cell in zip(panel.subjects, row, strict=True)
    ]
    alike = {each.name: list(each.alike) for each in panel.subjects if each.alike}
    alike |= {line.tool.code: list(line.alike) for line in panel.lines if line.alike}
    return {
        "tenant": panel.tenant.code,
        "roles": [{"member": member, "role": role} for member, role in sorted(panel.links)],
        "cells": cells,
        "alike": alike,
        "left_out": list(panel.left_out),
    }


def _cell(cell: Any) -> dict[str, Any]:
    stop = cell.stop
    ways = {
        outcome.value: {"rules": way.rules, "by_default": way.by_default}
        for outcome, way in cell.ways.items()
    }
    stopped = {"step": stop.step.name, "cause": stop.cause.value, "reason": stop.reason} if stop else None
    return {"reach": cell.reach.value, "stopped": stopped, "outcomes": ways}
