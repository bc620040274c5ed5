"""An explanation as scripts read it: everything that was found."""

from typing import Any

from adjudicator.authoring.explanation.changes import CallEdit, Hunk
from adjudicator.authoring.explanation.explain import Explanation
from adjudicator.authoring.explanation.nearest import Misses
from adjudicator.authoring.explanation.rows_asked import FacetRows, ObjectRows, RowMatch
from adjudicator.authoring.explanation.steps import Finding, StepAnswer
from adjudicator.authoring.explanation.suggestions import Made, Suggestion, Ways
from adjudicator.domain.call import ToolCall
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.domain.verdict import RuleRef, Verdict


def explanation_json(found: Explanation) -> dict[str, Any]:
    """The whole explanation."""
    return {
        "call": _call(found.call, found.shown),
        "verdict": _verdict(found.verdict),
        "steps": [_step(each) for each in found.steps],
        "rows": [_objects(each) for each in found.objects],
        "facets": [_facet(each) for each in found.facets],
        "ways": [_ways(each) for each in found.ways],
    }


def _call(call: ToolCall, shown: str) -> dict[str, Any]:
    return {
        "tenant": call.tenant,
        "agent": call.agent,
        "tool": call.tool,
        "arguments": shown,
        "on_behalf_of": list(call.on_behalf_of),
        "principal": call.principal,
        "working_directory": call.working_directory,
        "resolved_paths": dict(call.resolved_paths),
        "mode": call.mode.value if call.mode else None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "outcome": verdict.outcome.value,
        "step": verdict.step.value,
        "check": verdict.check,
        "step_reached": verdict.step_reached.value,
        "reason_code": verdict.reason_code.value,
        "cause": verdict.cause.value,
        "reason": verdict.reason,
        "rule": _rule(verdict.rule),
        "violations": [
            {"path": each.path, "keyword": each.keyword, "message": each.message}
            for each in verdict.violations
        ],
        "policy_version": verdict.policy_version,
    }


def _rule(rule: RuleRef | None) -> dict[str, Any] | None:
    return None if rule is None else {"file": rule.file, "line": rule.line, "text": rule.text}


def _step(answer: StepAnswer) -> dict[str, Any]:
    return {
        "step": answer.check.step.value,
        "check": answer.check.name,
        "requires": answer.check.description,
        "reached": answer.reached,
        "answer": answer.answer.value,
        "decides": answer.decides,
        "finding": _finding(answer.finding),
        "note": answer.note,
    }


def _finding(finding: Finding | None) -> dict[str, Any] | None:
    if finding is None:
        return None
    return {
        "outcome": finding.outcome.value,
        "reason_code": finding.reason_code.value,
        "cause": finding.cause.value,
        "reason": finding.reason,
        "rule": _rule(finding.rule),
    }


def _objects(rows: ObjectRows) -> dict[str, Any]:
    return {
        "policy": rows.policy,
        "agent": rows.agent,
        "object": rows.object,
        "failure": rows.failure,
        "matches": [_match(each) for each in rows.matches],
        **_misses(rows.misses),
    }


def _facet(rows: FacetRows) -> dict[str, Any]:
    facet = rows.facet
    return {
        "kind": facet.kind.value if facet.kind else None,
        "text": facet.text,
        "pointer": facet.pointer,
        "access": facet.access.value,
        "opaque": {"code": facet.opaque.code.value, "why": facet.opaque.why} if facet.opaque else None,
        "mention": facet.mention,
        "misfit": facet.misfit,
        "finding": _finding(rows.finding),
        "failure": rows.failure,
        "matches": [_match(each) for each in rows.matches],
        **_misses(rows.misses),
    }


def _match(match: RowMatch) -> dict[str, Any]:
    return {
        "rule": _rule(match.rule),
        "effect": match.effect.value,
        "decides": match.decides,
        "overruled_by": match.overruled.value if match.overruled else None,
        "through": [{"role": role, "rule": _rule(rule)} for role, rule in match.through],
    }


def _misses(misses: Misses | None) -> dict[str, Any]:
    if misses is None:
        return {"near_misses": None, "more_near_misses": None}
    nearest = [
        {"rule": _rule(each.rule), "effect": each.effect.value, "part": each.part.value, "why": each.why}
        for each in misses.nearest
    ]
    return {"near_misses": nearest, "more_near_misses": misses.more}


def _ways(ways: Ways) -> dict[str, Any]:
    return {
        "want": ways.want.value,
        "suggestions": [_suggestion(each) for each in ways.suggestions],
        "blocked": list(ways.blocked),
        "complete": ways.complete,
    }


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "changes": [_made(each) for each in suggestion.changes],
        "call": _call(suggestion.call, suggestion.shown),
        "verdict": _verdict(suggestion.verdict),
        "defence": suggestion.defence.value,
        "failing_tests": [
            {"file": test.file, "line": test.line, "name": test.name} for test in suggestion.failing
        ],
    }


def _made(made: Made) -> dict[str, Any]:
    return {
        "what": made.change.what,
        "round": made.round,
        "hunks": [_hunk(each) for each in made.hunks],
        "call": [_call_edit(each) for each in made.change.call],
    }


def _hunk(hunk: Hunk) -> dict[str, Any]:
    return {"file": hunk.file, "line": hunk.line, "before": list(hunk.before), "after": list(hunk.after)}


def _call_edit(edit: CallEdit) -> dict[str, Any]:
    value = edit.value.value if hasattr(edit.value, "value") else edit.value
    return {
        "field": edit.field,
        "pointer": to_pointer(edit.pointer),
        "removes": edit.removes,
        "value": list(value) if isinstance(value, tuple) else value,
    }
