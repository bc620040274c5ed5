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
from adjudicator.cli.demo.script import ACTS, AGENT, COLLEAGUE, OPERATOR, SECRET, TENANT, Act
from adjudicator.cli.demo.sidecar import Sidecar, SidecarError
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.message_json import enum_name
from adjudicator.cli.output import out, print_json, print_line, print_table, problem
from adjudicator.cli.verdicts import code, outcome
from adjudicator.client.agent import AgentClient
from adjudicator.client.errors import ClientError
from adjudicator.config.approver_tokens import add_approver

_PAUSE_SECONDS = 0.3
_CALL_WIDTH = 44
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
        numbered = [
            (act.call.get("call_id", f"demo-{number:02}"), act) for number, act in enumerate(ACTS, 1)
        ]
        acts = dict(reversed(numbered))  # of two with one call_id the first is the one that asks
        people = People(sidecar.approvers, sidecar.data, (OPERATOR, COLLEAGUE), _PAUSE_SECONDS)
        with AgentClient(sidecar.agents) as client:
            play = Play(client, self._work, lambda: self._power_cut(sidecar, people))
            people.start(acts, self._seen, self._decided)
            for call_id, act in numbered:
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
        self._say(
            "\nEvery answer, in order, with the number of its trace, outcome, step and reason", "bold"
        )
        header = ("#", "answer", "reason", "who", "call")
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
        self._say("Next: make run, and 'Use it' in README.md.", "dim")

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
            f"  {_who(row.act)}: {row.act.tool} {_about(row.act)}  ",
            outcome(row.verdict),
            f" (trace {row.verdict.trace_number}) {row.verdict.reason}",
        )
        if row.ran:
            print_line(self._console, "  it ran, and the outcome was reported")

    def _seen(self, act: Act, approval: Approval) -> None:
        people = "one person" if approval.quorum == 1 else f"{approval.quorum} people"
        line = f"  stream: {approval.id} waits for {people} to look at {act.tool} {_about(act)}"
        print_line(self._console, line)

    def _decided(self, act: Act, name: str, decision: str, receipt: ResolveResponse) -> None:
        if not receipt.accepted:
            self._notes.append(f"{act.title}: {name}'s decision did not count: {receipt.message}")
        print_line(self._console, f"  {name}: {decision} ", f"({enum_name(receipt, 'code')})")

    def _power_cut(self, sidecar: Sidecar, people: People) -> None:
        print_line(self._console, "  the sidecar is killed, and started again on the same data")
        sidecar.kill()
        people.after_power_cut()  # before they can come back and look
        sidecar.start()

    def _say(self, text: str, style: str) -> None:
        self._console.print(Text(text, style=style), soft_wrap=True)


def _cells(row: Row) -> list[str | Text]:
    verdict = row.verdict
    answer = outcome(verdict).append(f" S{verdict.step}", style="not bold default")
    cause = enum_name(verdict, "cause")
    call = f"{row.act.tool} {_about(row.act)}"
    return [
        str(verdict.trace_number),
        answer,
        cause if not row.wrong else Text(f"{cause} WRONG", style="bold red"),
        _who(row.act),
        call if len(call) <= _CALL_WIDTH else f"{call[: _CALL_WIDTH - 1]}…",
    ]


def _who(act: Act) -> str:
    """The caller as agent@tenant, and the agents for which it calls."""
    who = f"{act.call.get('agent', AGENT)}@{act.call.get('tenant', TENANT)}"
    others = act.call.get("on_behalf_of", [])
    return "+".join([who, *others])


def _about(act: Act) -> str:
    """What the call is about in a few words: its path, command or query, else its arguments."""
    if isinstance(act.arguments, str):
        return act.arguments
    subject = next((act.arguments[name] for name in _SUBJECTS if name in act.arguments), None)
    return subject or (json.dumps(act.arguments) if act.arguments else "")
