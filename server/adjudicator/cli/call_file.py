"""A run over a file of calls: one verdict or error per line, a progress bar, a summary."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from adjudicator.api.v1.types_pb2 import ToolCall, Verdict
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.message_json import message_json
from adjudicator.cli.output import Cell, err, out, print_json, print_row, print_table, problem
from adjudicator.cli.tool_calls import CallError, CallFields, call_fields, decoded, hint_blanks
from adjudicator.cli.verdicts import exit_code_of, outcome, step_label, summary_key, summary_row
from adjudicator.client.agent import AgentClient, Ask
from adjudicator.client.errors import ClientError

_WIDTHS = (6, 7, 13, 16, 7)
_ERROR = ("ERROR", "-", "could not be judged")


class FileRun:
    """Judges the calls of one file in order. A line that is no call is reported and sent nowhere."""

    def __init__(
        self,
        client: AgentClient,
        name: str,
        defaults: CallFields,
        ask: Ask,
        *,
        as_json: bool,
        quiet: bool,
    ) -> None:
        self._client = client
        self._name = name
        self._defaults = defaults
        self._ask = ask
        self._as_json = as_json
        self._quiet = quiet
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._codes: set[ExitCode] = set()
        self._hinted = False
        self._console = out()

    def judge(self, lines: IO[bytes]) -> ExitCode:
        """Judge every line, print each answer and the summary, and say how it went.

        Raises ClientError when no sidecar answers: what is left of the file would fare no better.
        """
        try:
            with _progress(lines) as advance:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        self._judge_line(number, line)
                    advance(len(line))
        finally:
            self._print_summary()
        return self._exit_code()

    def _judge_line(self, number: int, line: bytes) -> None:
        try:
            call = call_fields(decoded(line)).or_else(self._defaults).tool_call()
            self._hint_once(call)
            verdict = self._client.adjudicate(call, self._ask)
        except CallError as error:
            self._count(_ERROR, ExitCode.ERROR)
            self._print_error(number, str(error), "")
        except ClientError as error:
            self._count(_ERROR, ExitCode.ERROR)
            if error.unreachable:
                problem(f"{self._name}:{number}: no answer; this line and all after it were not judged")
                raise
            self._print_error(number, error.message, error.reason)
        else:
            self._count(summary_key(verdict), exit_code_of(verdict))
            self._print_verdict(number, call, verdict)

    def _hint_once(self, call: ToolCall) -> None:
        if not self._hinted and not (call.tenant.strip() and call.agent.strip()):
            self._hinted = True
            hint_blanks(call)

    def _count(self, key: tuple[str, str, str], code: ExitCode) -> None:
        self._counts[key] += 1
        self._codes.add(code)

    def _exit_code(self) -> ExitCode:
        for code in (ExitCode.ERROR, ExitCode.DENY, ExitCode.ASK):
            if code in self._codes:
                return code
        return ExitCode.OK

    def _print_verdict(self, number: int, call: ToolCall, verdict: Verdict) -> None:
        if self._quiet:
            return
        if self._as_json:
            print_json({"file": self._name, "line": number, "verdict": message_json(verdict)})
            return
        trace = f"#{verdict.trace_number}" if verdict.trace_number else "dry run"
        step = step_label(verdict.step)
        cells: list[Cell] = [f"{number:>6}", outcome(verdict), step, call.tool, trace, verdict.reason]
        print_row(self._console, cells, _WIDTHS)

    def _print_error(self, number: int, message: str, reason: str) -> None:
        if self._as_json:
            error = {"reason": reason, "message": message}
            print_json({"file": self._name, "line": number, "error": error})
        problem(f"{self._name}:{number}: {message}")

    def _print_summary(self) -> None:
        counts = sorted(self._counts.items())
        if self._as_json:
            rows = [_summary_json(key, count) for key, count in counts]
            print_json({"file": self._name, "summary": rows, "calls": self._counts.total()})
            return
        if not self._quiet and counts:
            self._console.print()
        rows_shown = [summary_row(key, count) for key, count in counts]
        rows_shown.append([Text("total", style="bold"), str(self._counts.total()), "", ""])
        print_table(self._console, ["OUTCOME", "CALLS", "STEP", "CODE"], rows_shown)


def _summary_json(key: tuple[str, str, str], count: int) -> dict[str, Any]:
    name, step, code = key
    return {"outcome": name, "step": step, "code": code, "calls": count}


class _Advance:
    """Tells a progress bar, if there is one, how many bytes are done."""

    def __init__(self, progress: Progress | None, total: int | None) -> None:
        self._progress = progress
        self._task = progress.add_task("judging", total=total) if progress else None

    def __call__(self, count: int) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, count)


@contextmanager
def _progress(lines: IO[bytes]) -> Iterator[_Advance]:
    console = err()
    if not console.is_terminal:
        yield _Advance(None, None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # Answers that go to a file or a pipe must not be drawn above the bar instead.
    redirect = out().is_terminal
    with Progress(*columns, console=console, transient=True, redirect_stdout=redirect) as progress:
        yield _Advance(progress, _size(lines))


def _size(lines: IO[bytes]) -> int | None:
    if not lines.seekable():
        return None
    start = lines.tell()
    end = lines.seek(0, os.SEEK_END)
    lines.seek(start)
    return end - start
