"""What stands in a cell of the matrix, and what is told of it to whoever points at it."""

from collections.abc import Iterator

from adjudicator.authoring.graph.chart import Line, Subject
from adjudicator.authoring.graph.reach import Cell, Stop, Way
from adjudicator.domain.verdict import Cause, Outcome, RuleRef

MARKS = {Outcome.ALLOW: "A", Outcome.ASK: "?", Outcome.DENY: "D"}
"""The letters, which say without a colour what a slot says."""
_CAUSES = {
    Cause.TENANT_DISABLED: "disabled",
    Cause.AGENT_DISABLED: "disabled",
    Cause.TOOL_NOT_LISTED: "not listed",
    Cause.TOOL_DISABLED: "disabled",
    Cause.PERMISSION_MISSING: "permission",
    Cause.OUT_OF_SCOPE: "scope",
    Cause.TOOL_DENIED_TO_AGENT: "agent's no",
    Cause.AGENT_NOT_ALLOWED: "tool's list",
    Cause.AGENT_READ_ONLY: "critic",
    Cause.MODE_READ_ONLY: "read-only",
    Cause.EVALUATION_FAILED: "error",
}
_THOUSAND = 1_000
_MOST_THOUSANDS = 99
_ROW_CHARS = 140


def stopped_by(stop: Stop) -> str:
    """The step that stops every call, in two words."""
    return f"S{stop.step.value} {_CAUSES.get(stop.cause, 'denied')}"


def slot(outcome: Outcome, way: Way) -> str:
    """The letter of an outcome and how many rules come to it; without a number it is the default alone."""
    return f"{MARKS[outcome]}{_short(way.rules)}" if way.rules else MARKS[outcome].lower()


def tooltip(subject: Subject, line: Line, cell: Cell) -> Iterator[str]:
    """Who and what, then why: the step with its reason, or the rules of each outcome."""
    yield f"{subject.name} · {line.tool.code}"
    if cell.stop is not None:
        by = f" by {_row(cell.stop.rule)}" if cell.stop.rule else ""
        yield f"{stopped_by(cell.stop)}: {cell.stop.reason}{by}"
    for outcome, way in cell.ways.items():
        if way.rules:
            yield f"{outcome.value}: {way.rules:,} {'rule' if way.rules == 1 else 'rules'}"
        for rule in way.first:
            yield f"  {_row(rule)}"
        if way.rules > len(way.first):
            yield f"  and {way.rules - len(way.first):,} more"
        if way.by_default:
            yield f"{outcome.value}: by default, when no rule matches"


def _row(rule: RuleRef) -> str:
    text = rule.text if len(rule.text) <= _ROW_CHARS else f"{rule.text[:_ROW_CHARS]}…"
    return f"{rule}: {text}"


def _short(count: int) -> str:
    """The number in three characters at most; the tooltip has all of it."""
    return str(count) if count < _THOUSAND else f"{min(count // _THOUSAND, _MOST_THOUSANDS)}k"
