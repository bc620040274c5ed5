"""How the comparison of two bundles is printed for people."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from adjudicator.cli.output import out, print_line
from adjudicator.cli.plain import plain
from adjudicator.cli.verdicts import STYLES

if TYPE_CHECKING:
    from adjudicator.authoring.comparison.changes import Change
    from adjudicator.authoring.comparison.differences import Difference
    from adjudicator.authoring.comparison.groups import Group
    from adjudicator.authoring.comparison.report import Report

_KIND_STYLES = {"loosened": "bold red", "stricter": "yellow", "other reason": "dim"}
_GAPS = {
    "redacted": "something in their arguments was hidden",
    "digest": "only a digest of their arguments was kept",
    "withheld": "no contract said which of their arguments are secret",
    "unreadable": "their arguments could not be read",
    "absent": "they do not say what was called",
}
_TRACES_SHOWN = 10


def print_report(report: "Report", *, show_all: bool) -> None:
    """What differs in the bundles, the calls that change, what was left out, and a line that counts."""
    for name, folder, bundle in zip("AB", report.folders, report.bundles, strict=True):
        print_line(out(), Text(f"{name}  ", style="bold"), f"{bundle.snapshot.version}  {folder}")
    for difference in report.differences:
        _print_difference(difference, show_all=show_all)
    for _, found in itertools.groupby(report.groups.in_order(), lambda group: group.change.rank):
        groups = list(found)
        _print_heading(groups)
        for group in groups:
            _print_group(report, group)
    for why, traces in report.left_out.items():
        shown = traces if show_all else traces[:_TRACES_SHOWN]
        more = f", and {len(traces) - len(shown):,} more" if len(traces) > len(shown) else ""
        listed = ", ".join(map(str, shown))
        print_line(out(), f"not replayable, since {_GAPS.get(why, why)}: traces {listed}{more}")
    _print_summary(report)


def _print_difference(difference: "Difference", *, show_all: bool) -> None:
    signed = (("+", "added", difference.added), ("-", "removed", difference.removed))
    parts = [*signed, ("~", "changed", difference.changed)]
    counts = ", ".join(f"{len(entries):,} {word}" for _, word, entries in parts if entries)
    print_line(out(), f"   {difference.part}: {counts}")
    for sign, _, entries in parts if show_all else ():
        for entry in entries:
            print_line(out(), f"     {sign} {entry}")


def _print_heading(groups: "list[Group]") -> None:
    change, calls = groups[0].change, sum(group.calls for group in groups)
    kind = change.kind.value
    was, now = (Text(each, style=STYLES.get(each, "")) for each in _outcomes(change))
    arrow = (was, " -> ", now) if was != now or change.terms else (was,)
    print_line(out(), *arrow, "  ", Text(kind, style=_KIND_STYLES[kind]), f"  {_calls(calls)}")


def _outcomes(change: "Change") -> tuple[str, str]:
    return change.was.outcome.value, change.now.outcome.value


def _print_group(report: "Report", group: "Group") -> None:
    for number, line in enumerate(_explained(group.change)):
        print_line(out(), f"  {line}" if number else f"  {_calls(group.calls)}: {line}")
    for example in report.groups.examples(group):
        before = f"  (was {example.was})" if example.was != group.was else ""
        what = f"{example.agent}  {example.tool}  {example.arguments}"
        print_line(out(), f"      {example.source}  {what}{before}")
    if more := group.calls - len(group.places):
        print_line(out(), f"      and {more:,} more")


def _explained(change: "Change") -> Iterator[str]:
    """What decides now, and what decided before."""
    was, now = change.was, change.now
    yield f"{_why(now.step.value, now.cause.value)}{_rule(now.rule, 'B')}"
    yield f"    was {_why(was.step.value, was.cause.value)}{_rule(was.rule, 'A')}"
    for name, (before, after) in change.terms.items():
        yield f"    {name} {before} -> {after}"


def _why(step: int, cause: str) -> str:
    return f"S{step} {cause}"


def _rule(rule: object, side: str) -> str:
    return f" by {rule} of {side}: {getattr(rule, 'text', '')}" if rule else ""


def _print_summary(report: "Report") -> None:
    counts = report.summary()
    words = [f"{counts.pop('compared'):,} compared"]
    for name, count in counts.items():
        if count or name in ("unchanged", "loosened", "stricter"):
            words.append(f"{count:,} {plain(name.replace('_', ' '))}")
    print_line(out(), ", ".join(words))


def _calls(count: int) -> str:
    return f"{count:,} {'call' if count == 1 else 'calls'}"
