"""One act after the other: ask, run what is allowed, report it, and compare with what must come of it."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import types_pb2
from adjudicator.cli.demo.script import AGENT, TENANT, Act, Expected
from adjudicator.cli.demo.tools import Tools
from adjudicator.cli.message_json import enum_name
from adjudicator.client.agent import AgentClient, Ask
from adjudicator.client.errors import ClientError

_HOLD_SECONDS = 20.0


@dataclass(slots=True)
class Row:
    """One answer, and what was wrong with it: nothing, if it is what it must be."""

    act: Act
    verdict: types_pb2.Verdict
    wrong: list[str] = field(default_factory=list)
    ran: bool = False


class Play:
    """The agent's side of the demonstration."""

    def __init__(self, client: AgentClient, work: Path, power_cut: Callable[[], None]) -> None:
        self._client = client
        self._work = work
        self._power_cut = power_cut
        self._tools = Tools(work)

    def act(self, act: Act, call_id: str) -> Iterator[Row]:
        """Make the call; after an ask come again and wait. A row for each answer, in order."""
        call = self._call(act, call_id)
        before = self._exists(act)
        verdict = self._client.adjudicate(call, Ask(limit_seconds=act.limit_seconds))
        row = Row(act, verdict, differences(verdict, act.first))
        if verdict.outcome == types_pb2.OUTCOME_ASK:
            if self._exists(act) != before:
                row.wrong.append(f"{act.creates} appeared before anyone decided")
            yield row
            if act.power_cut:
                self._power_cut()
            verdict = self._come_again(call)
            row = Row(act, verdict, differences(verdict, act.final or act.first))
        if verdict.allowed:
            self._run(row, call)
        if act.creates and self._exists(act) != verdict.allowed:
            row.wrong.append(f"{act.creates} {'is missing' if verdict.allowed else 'is on disk'}")
        yield row

    def _come_again(self, call: types_pb2.ToolCall) -> types_pb2.Verdict:
        """The same call, held until somebody decides; a sidecar that is starting is waited for."""
        until = time.monotonic() + _HOLD_SECONDS
        while True:
            try:
                return self._client.adjudicate(call, Ask(wait_seconds=_HOLD_SECONDS))
            except ClientError as error:
                if not error.unreachable or time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def _run(self, row: Row, call: types_pb2.ToolCall) -> None:
        report = pb.ReportOutcomeRequest(
            trace_number=row.verdict.trace_number,
            tenant=call.tenant,
            agent=call.agent,
            call_id=call.call_id,
            status=pb.EXECUTION_STATUS_SUCCEEDED,
        )
        try:
            output = self._tools.run(call.tool, json.loads(call.arguments_json))
        except (OSError, KeyError) as error:
            row.wrong.append(f"it did not run: {error!r}")
            report.status = pb.EXECUTION_STATUS_FAILED
            report.error_class = type(error).__name__
        else:
            row.ran = True
            report.output_json = json.dumps(output)
        self._client.report_outcome(report)

    def _exists(self, act: Act) -> bool:
        return bool(act.creates) and (self._work / act.creates).exists()

    def _call(self, act: Act, call_id: str) -> types_pb2.ToolCall:
        text = act.arguments if isinstance(act.arguments, str) else json.dumps(act.arguments)
        own: dict[str, Any] = {
            "tenant": TENANT,
            "agent": AGENT,
            "principal": "user:dana",
            "call_id": call_id,
        }
        return types_pb2.ToolCall(
            session="demo",
            tool=act.tool,
            arguments_json=text,
            working_directory=str(self._work),
            **(own | act.call),
        )


def differences(verdict: types_pb2.Verdict, expected: Expected) -> list[str]:
    """What the verdict says otherwise than it must."""
    said = {
        "outcome": (expected.outcome, enum_name(verdict, "outcome")),
        "step": (f"S{expected.step}", f"S{verdict.step}"),
        "check": (expected.check, verdict.check),
        "reason code": (expected.reason_code, enum_name(verdict, "reason_code")),
        "cause": (expected.cause, enum_name(verdict, "cause")),
    }
    return [f"{name} is {got}, not {want}" for name, (want, got) in said.items() if want != got]
