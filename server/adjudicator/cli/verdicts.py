"""A verdict as a person reads it, and what it says to a script."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.console import Console
from rich.text import Text

from adjudicator.api.v1.types_pb2 import Outcome, RuleRef, Step, Verdict, Violation
from adjudicator.cli.exit_code import ExitCode
from adjudicator.cli.message_json import enum_name, short_name
from adjudicator.cli.moments import remaining
from adjudicator.cli.output import Cell, print_line, shown
from adjudicator.cli.plain import plain

STYLES = {"ALLOW": "bold green", "DENY": "bold red", "ASK": "bold yellow"}
LABEL_WIDTH = 12
_UNATTENDED = "nobody with a token can approve it now: see adjudicator approver add --help"


def exit_code_of(verdict: Verdict) -> ExitCode:
    """ALLOW is 0 and nothing else is; an outcome that this client does not know is an error."""
    if verdict.outcome == Outcome.OUTCOME_ALLOW:
        return ExitCode.OK
    known = {Outcome.OUTCOME_DENY: ExitCode.DENY, Outcome.OUTCOME_ASK: ExitCode.ASK}
    return known.get(verdict.outcome, ExitCode.ERROR)


def outcome(verdict: Verdict) -> Text:
    """The outcome in its colour."""
    name = enum_name(verdict, "outcome")
    return Text(name, style=STYLES.get(name, "bold red"))


def step_label(number: int) -> str:
    """The step as people cite it, for example S6 scope."""
    known = Step.DESCRIPTOR.values_by_number.get(number)
    if number == 0 or known is None:
        return "-"
    return f"S{number} {short_name(Step.DESCRIPTOR, known.name).lower()}"


def code(verdict: Verdict) -> str:
    """The reason code and the exact cause."""
    return f"{enum_name(verdict, 'reason_code')}/{enum_name(verdict, 'cause')}"


def rule_label(rule: RuleRef) -> str:
    """The rule as file:line, with the row."""
    return f"{rule.file}:{rule.line}  {rule.text}".rstrip()


def print_verdict(console: Console, verdict: Verdict, now: datetime) -> None:
    """The whole verdict."""
    heading = f"  {step_label(verdict.step)} · {verdict.check} · {code(verdict)}"
    print_line(console, outcome(verdict), heading)
    print_line(console, f"  {verdict.reason}")
    print_facts(console, _facts(verdict, now))
    print_violations(console, verdict.violations)


def print_violations(console: Console, violations: Iterable[Violation]) -> None:
    """How a value violates its contract, one on a line."""
    for violation in violations:
        print_line(console, f"  violation   {violation.path or '(whole object)'}: {violation.message}")


def print_facts(console: Console, facts: Iterator[tuple[str, Cell]]) -> None:
    """Labels with values, one on a line."""
    for label, value in facts:
        print_line(console, Text(f"  {label:<{LABEL_WIDTH}}", style="dim"), value)


def _facts(verdict: Verdict, now: datetime) -> Iterator[tuple[str, Cell]]:
    yield "tool", _tool(verdict)
    yield "agent", verdict.agent or "(blank)"
    if verdict.HasField("rule"):
        yield "rule", rule_label(verdict.rule)
    if verdict.approval_id:
        yield "approval", _approval(verdict, now)
    if verdict.unattended:
        yield "unattended", Text(_UNATTENDED, style="bold yellow")
    if verdict.selected_option:
        yield "option", verdict.selected_option
    if verdict.grant_id:
        yield "grant", verdict.grant_id
    if verdict.outcome == Outcome.OUTCOME_ASK and verdict.approval_id:
        yield "next", f"adjudicator approve {verdict.approval_id}, then the call again with this call_id"
    if verdict.step_reached not in (Step.STEP_UNSPECIFIED, verdict.step):
        yield "reached", step_label(verdict.step_reached)
    yield "call_id", verdict.call_id or "(none)"
    yield "trace", str(verdict.trace_number) if verdict.trace_number else "none: a dry run is not recorded"
    yield "policy", verdict.policy_version or "(none)"
    if verdict.replayed:
        yield "replayed", "the recorded verdict of an earlier call with this call_id"


def _tool(verdict: Verdict) -> str:
    status = enum_name(verdict, "tool_status").lower()
    because = f": {verdict.disable_reason}" if verdict.disable_reason else ""
    return f"{verdict.tool or '(blank)'} ({'not known' if status == 'unspecified' else status}{because})"


def _approval(verdict: Verdict, now: datetime) -> Text:
    text = Text(plain(verdict.approval_id))
    if verdict.HasField("approval_expires_at"):
        text.append(", time left ").append_text(remaining(verdict.approval_expires_at, now))
    return text


def summary_key(verdict: Verdict) -> tuple[str, str, str]:
    """Outcome, step and code, by which a summary counts."""
    return enum_name(verdict, "outcome"), step_label(verdict.step), code(verdict)


def summary_row(key: tuple[str, str, str], count: int) -> list[Cell]:
    """One row of a summary."""
    name, step, reason = key
    return [Text(name, style=STYLES.get(name, "bold red")), str(count), shown(step), reason]
