"""The comparison of two bundles for scripts: one JSON object on each line, the summary last."""

from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import print_json

if TYPE_CHECKING:
    from adjudicator.authoring.comparison.differences import Difference
    from adjudicator.authoring.comparison.groups import Group
    from adjudicator.authoring.comparison.report import Report
    from adjudicator.domain.verdict import Verdict


def print_json_report(report: "Report", *, show_all: bool) -> None:
    """The bundles, each group with its example calls behind it, what was left out, and the summary."""
    bundles = zip(report.folders, report.bundles, strict=True)
    versions = [{"directory": folder, "version": each.snapshot.version} for folder, each in bundles]
    differences = [_difference(each, show_all=show_all) for each in report.differences]
    print_json({"bundles": versions, "differences": differences})
    for number, group in enumerate(report.groups.in_order(), start=1):
        print_json({"group": {"number": number, **_group(group)}})
        for example in report.groups.examples(group):
            print_json({"call": {"group": number, **_example(example)}})
    for why, traces in report.left_out.items():
        print_json({"not_replayable": {"why": why, "traces": [str(each) for each in traces]}})
    print_json({"summary": report.summary()})


def _difference(difference: "Difference", *, show_all: bool) -> dict[str, Any]:
    counted = {name: getattr(difference, name) for name in ("added", "removed", "changed")}
    if show_all:
        return {"part": difference.part, **{name: list(entries) for name, entries in counted.items()}}
    return {"part": difference.part, **{name: len(entries) for name, entries in counted.items()}}


def _group(group: "Group") -> dict[str, Any]:
    change = group.change
    return {
        "kind": change.kind.value.replace(" ", "_"),
        "calls": group.calls,
        "was": _verdict(change.was),
        "now": _verdict(change.now),
        "terms": {name: {"was": was, "now": now} for name, (was, now) in change.terms.items()},
    }


def _verdict(verdict: "Verdict") -> dict[str, Any]:
    rule = verdict.rule
    return {
        "outcome": verdict.outcome.value,
        "step": verdict.step.name,
        "check": verdict.check,
        "reason_code": verdict.reason_code.value,
        "cause": verdict.cause.value,
        "rule": {"file": rule.file, "line": rule.line, "text": rule.text} if rule else None,
    }


def _example(example: Any) -> dict[str, Any]:
    names = ("source", "tenant", "agent", "tool", "arguments", "was", "now")
    return {name: getattr(example, name) for name in names}
