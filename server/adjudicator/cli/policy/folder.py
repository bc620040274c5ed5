"""The folder that a command on a bundle works on, and what is said when it holds none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.output import out, print_json, print_line
from adjudicator.cli.policy.problems import place
from adjudicator.config.settings import POLICIES
from adjudicator.policy.problem import BundleError, Problem


def folder_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """DIR as `folder`: ./policies unless it is given, or named by ADJUDICATOR_POLICIES."""
    return click.argument(
        "folder",
        metavar="[DIR]",
        default=POLICIES,
        envvar="ADJUDICATOR_POLICIES",
        type=click.Path(path_type=Path),
    )(command)


@contextmanager
def telling_problems(folder: Path, *, as_json: bool) -> Iterator[None]:
    """Print every problem of a bundle that cannot be used, and end the command with an error."""
    try:
        yield
    except BundleError as error:
        print_problems(folder, error.problems, as_json=as_json)
        click.get_current_context().exit(ExitCode.ERROR)


def print_problems(folder: Path, problems: tuple[Problem, ...], *, as_json: bool) -> None:
    """One on a line as FILE:LINE:COLUMN, and how many there are."""
    if as_json:
        print_json({"ok": False, "directory": str(folder), "problems": [problem_json(p) for p in problems]})
        return
    for each in problems:
        print_line(out(), f"{place(each.file, each.line, each.column)}: {each.message}")
    counted = f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'}"
    print_line(out(), Text("not valid", style="bold red"), f"  {folder}: {counted}")


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem as scripts read it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
