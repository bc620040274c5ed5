"""The demonstration as a whole: set the stage, play every act, show what came of it."""

import json
import shutil
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.approval_service_pb2 import Approval, ResolveResponse
from adjudicator.cli.demo.people import People
from adjudicator.cli.demo.play import Play, Row
from adjudicator.cli.demo.script import ACTS, COLLEAGUE, OPERATOR, SECRET, Act
from adjudicator.cli.demo.sidecar import Sidecar, SidecarError
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.output import out, print_json, print_line, print_table, problem
from adjudicator.cli.verdicts import code, outcome
from adjudicator.client.agent import AgentClient
from adjudicator.client.errors import ClientError
from adjudicator.config.approver_tokens import add_approver

_PAUSE_SECONDS = 0.3
_SUBJECTS = ("path", "command", "query", "environment")


def run(*, policies: Path, as_json: bool) -> ExitCode:
    """Play it. The exit code is OK only if every verdict and the disk are what they must be."""
    scratch = Path(tempfile.mkdtemp(prefix="adjudicator-"))
    demonstration = Demonstration(scratch, out() if not as_json else Console(quiet=True))
    try:
        with Sidecar(policies, scratch) as sidecar:
            demonstration.play(sidecar)
        demonstration.look_for_secrets(sidecar.data)
    except (SidecarError, ClientError) as error:
        problem(f"{error}")
        problem(f"the scratch folder is kept: {scratch}")
        return ExitCode.ERROR
    if as_json:
        print_json(demonstration.summary())
    else:
        demonstration.show()
    if demonstration.wrong:
        problem(f"the scratch folder is kept: {scratch}")
        return ExitCode.ERROR
    shutil.rmtree(scratch)
    return ExitCode.OK


class Demonstration:
    """One run, and what it has shown so far."""

    def __init__(self, scratch: Path, console: Console) -> None:
        self._work = scratch / "work"
        self._console = console
        self._rows: list[Row] = []
        self._notes: list[str] = []

    @property
    def wrong(self) -> list[str]:
        """Everything that is not what it must be."""
        return [f"{row.act.title}: {each}" for row in self._rows for each in row.wrong] + self._notes

    def play(self, sidecar: Sidecar) -> None:
        """Every act, while the people watch."""
        self._set_stage()
        add_approver(sidecar.data, COLLEAGUE)
        self._say(f"A sidecar serves the shipped policies. The agent's folder is {self._work}.", "bold")
        acts = {f"demo-{number:02}": act for number, act in enumerate(ACTS, 1)}
        people = People(sidecar.approvers, sidecar.data, (OPERATOR, COLLEAGUE), _PAUSE_SECONDS)
        with AgentClient(sidecar.agents) as client:
            play = Play(client, self._work)
            people.start(acts, self._seen, self._decided)
            for call_id, act in acts.items():
                self._say(f"\n{act.title}", "bold cyan")
                for row in play.act(act, call_id):
                    self._rows.append(row)
                    self._answered(row)
        people.close()

    def look_for_secrets(self, data: Path) -> None:
        """What the schema marks as secret must be nowhere in what was stored."""
        for file in data.rglob("*"):
            if file.is_file() and SECRET.encode() in file.read_bytes():
                self._notes.append(f"the secret argument is stored in {file.name}")

    def show(self) -> None:
        """The table of every call, the scenario of one change, and the result."""
        self._say("\nEvery answer, in order", "bold")
        header = ("trace", "agent", "tool", "outcome", "step", "check", "reason", "as it must be")
        print_table(self._console, header, [_cells(row) for row in self._rows])
        self._show_change()
        for each in self.wrong:
            print_line(self._console, Text("wrong  ", style="bold red"), each)
        allowed = sum(row.verdict.allowed for row in self._rows)
        ran = sum(row.ran for row in self._rows)
        result = (
            "Every outcome is what it must be" if not self.wrong else "Not every outcome is what it must be"
        )
        style = "bold green" if not self.wrong else "bold red"
        self._say(f"\n{result}: {len(self._rows)} answers, {allowed} allowed, {ran} run.", style)

    def summary(self) -> dict[str, object]:
        """The same as data."""
        return {
            "ok": not self.wrong,
            "wrong": self.wrong,
            "answers": [
                {
                    "title": row.act.title,
                    "tool": row.act.tool,
                    "outcome": enum_name(row.verdict, "outcome"),
                    "step": row.verdict.step,
                    "check": row.verdict.check,
                    "reason_code": enum_name(row.verdict, "reason_code"),
                    "cause": enum_name(row.verdict, "cause"),
                    "reason": row.verdict.reason,
                    "trace_number": row.verdict.trace_number,
                    "ran": row.ran,
                    "wrong": row.wrong,
                }
                for row in self._rows
            ],
        }

    def _show_change(self) -> None:
        self._say("\nOne change, by what is on the disk", "bold")
        for row in self._rows:
            if row.act.creates == "plan.md":
                waiting = enum_name(row.verdict, "outcome") == "ASK"
                fact = "is on disk" if row.verdict.allowed else "is not on disk"
                when = "while a person is asked" if waiting else f"after {code(row.verdict)}"
                mark = Text("  no  " if row.wrong else "  ok  ", style="bold red" if row.wrong else "green")
                print_line(self._console, mark, f"{row.act.title}: plan.md {fact} {when}")

    def _set_stage(self) -> None:
        self._work.mkdir()
        (self._work / "notes.txt").write_text("reads\nadjudicate\nwrites\n")
        (self._work / ".env").write_text("KEY=secret\n")

    def _answered(self, row: Row) -> None:
        print_line(
            self._console,
            "  agent     ",
            f"{row.act.tool} {_shown_arguments(row.act)}  ",
            outcome(row.verdict),
            f"  {row.verdict.reason}",
        )
        if row.ran:
            print_line(self._console, "  agent     ", "ran it and reported the outcome")

    def _seen(self, act: Act, approval: Approval) -> None:
        print_line(self._console, "  stream    ", f"{approval.id} waits for {approval.quorum}: {act.tool}")

    def _decided(self, act: Act, name: str, decision: str, receipt: ResolveResponse) -> None:
        if not receipt.accepted:
            self._notes.append(f"{act.title}: {name}'s decision did not count: {receipt.message}")
        print_line(self._console, f"  {name:<9} ", f"{decision}: {enum_name(receipt, 'code')}")

    def _say(self, text: str, style: str) -> None:
        self._console.print(Text(text, style=style), soft_wrap=True)


def _cells(row: Row) -> list[str | Text]:
    verdict = row.verdict
    as_it_must = Text("yes", style="green") if not row.wrong else Text("NO", style="bold red")
    return [
        str(verdict.trace_number),
        verdict.agent,
        verdict.tool,
        outcome(verdict),
        f"S{verdict.step}",
        verdict.check,
        code(verdict),
        as_it_must,
    ]


def _shown_arguments(act: Act) -> str:
    """What the call is about in a few words: its path, command or query, else its arguments."""
    if isinstance(act.arguments, str):
        return act.arguments
    subject = next((act.arguments[name] for name in _SUBJECTS if name in act.arguments), None)
    return subject or (json.dumps(act.arguments) if act.arguments else "")
