"""An explanation as a person reads it, bounded unless all of it is wanted."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from adjudicator.authoring.explanation.changes import Defence
from adjudicator.authoring.explanation.explain import Explanation
from adjudicator.authoring.explanation.nearest import Misses
from adjudicator.authoring.explanation.rows_asked import FacetRows, ObjectRows, RowMatch
from adjudicator.authoring.explanation.steps import Answer, StepAnswer
from adjudicator.authoring.explanation.suggestions import Made, Suggestion, Ways
from adjudicator.cli.output import Cell, print_line, print_row
from adjudicator.cli.plain import plain
from adjudicator.cli.verdicts import STYLES
from adjudicator.config.limits import EXPLAINED_FACETS
from adjudicator.domain.facet import Facet
from adjudicator.domain.verdict import Outcome

_STEP_WIDTHS = (0, 20, 11)
_ROW_WIDTHS = (2, 7, 5)
_MATCHES = 5
_TESTS = 3
_ANSWERS = {
    Answer.PASSED: "passed",
    Answer.ALLOWED: "allowed",
    Answer.ASKED: "asked",
    Answer.DENIED: "denied",
    Answer.UNTOLD: "cannot be told",
}
_WOULD = {
    Answer.PASSED: "it would pass",
    Answer.ALLOWED: "it would allow: ",
    Answer.ASKED: "it would ask: ",
    Answer.DENIED: "it would deny: ",
    Answer.UNTOLD: "",
}
_DEFENCES = {
    Defence.OPENS: "This opens a Deny row for one value.",
    Defence.REMOVES: "This takes a defence away.",
    Defence.CRITIC: "This lets a critic write, and so takes a defence away.",
}


class ExplanationView:
    """Prints one explanation."""

    def __init__(self, console: Console, *, everything: bool) -> None:
        self._console = console
        self._everything = everything

    def print(self, found: Explanation) -> None:
        """The verdict, the steps, the rows that spoke, and the ways to other outcomes."""
        self._print_verdict(found)
        self._heading("Steps")
        for answer in found.steps:
            self._row(_STEP_WIDTHS, *_step(answer))
        for rows in found.objects:
            self._print_objects(rows)
        self._print_facets(found.facets)
        for ways in found.ways:
            self._print_ways(ways)

    def _print_verdict(self, found: Explanation) -> None:
        call, verdict = found.call, found.verdict
        step = f"S{verdict.step.value} {verdict.step.name.lower()}"
        codes = f"{verdict.reason_code.value}/{verdict.cause.value}"
        print_line(self._console, _outcome(verdict.outcome), f"  {step} · {verdict.check} · {codes}")
        self._row((0,), "", verdict.reason)
        rule = verdict.rule
        facts = [
            ("rule", f"{rule}  {rule.text}" if rule else ""),
            ("call", f"{call.agent or '(blank)'} in {call.tenant or '(blank)'}: {call.tool}"),
            ("for", ", ".join(call.on_behalf_of)),
            ("arguments", found.shown or "(not shown: they cannot be read, or the bundle hides them)"),
            ("policy", verdict.policy_version),
        ]
        for label, value in facts:
            if value:
                self._row((0, 9), "", Text(label, style="dim"), value)

    def _print_objects(self, rows: ObjectRows) -> None:
        what = "Permission" if rows.policy == "permission" else "Scope"
        self._heading(f"{what}: {rows.object} for {rows.agent}")
        self._print_rows(rows.matches, rows.misses, rows.failure)

    def _print_facets(self, facets: Sequence[FacetRows]) -> None:
        shown = facets if self._everything else facets[:EXPLAINED_FACETS]
        if facets:
            self._heading("Rules, for each thing that the call touches")
        for each in shown:
            result = _outcome(each.finding.outcome) if each.finding else Text("no rule needed", style="dim")
            self._row((0,), "", Text.assemble(result, "  ", plain(facet_label(each.facet))))
            if each.facet.opaque is not None:
                self._row((2,), "", f"cannot be known exactly: {each.facet.opaque.why}")
            # A mention that no rule speaks of decides nothing.
            if each.finding is not None or each.failure or self._everything:
                self._print_rows(each.matches, each.misses, each.failure)
        self._print_more(len(facets) - len(shown), "things")

    def _print_rows(self, matches: Sequence[RowMatch], misses: Misses | None, failure: str) -> None:
        if failure:
            self._row(_ROW_WIDTHS[:1], "", Text.assemble(("fails: ", "bold red"), plain(failure)))
        shown = matches if self._everything else matches[:_MATCHES]
        for match in shown:
            self._row(_ROW_WIDTHS, "", "matches", match.effect.value, _match(match))
        self._print_more(len(matches) - len(shown), "that match")
        if misses is not None:
            self._print_misses(misses)
            if not (matches or misses.nearest or failure):
                self._row(_ROW_WIDTHS[:1], "", Text("no row is near", style="dim"))

    def _print_misses(self, misses: Misses) -> None:
        for miss in misses.nearest:
            why = f"{miss.rule}  {miss.why}"
            self._row(_ROW_WIDTHS, "", Text("nearly", style="dim"), miss.effect.value, why)
        self._print_more(misses.more, "that nearly match")

    def _print_ways(self, ways: Ways) -> None:
        self._heading("What would make it ", _outcome(ways.want))
        for number, suggestion in enumerate(ways.suggestions, start=1):
            self._print_suggestion(number, suggestion)
        if not ways.suggestions:
            self._row((0,), "", "no small change that was tried does")
        for each in ways.blocked:
            self._row((0,), "", f"nothing that is known clears this: {each}")
        if not ways.complete:
            self._row((0,), "", Text("not everything was tried, for that would take long", style="dim"))

    def _print_suggestion(self, number: int, suggestion: Suggestion) -> None:
        for at, made in enumerate(suggestion.changes):
            label, joint = ("", "and ") if at else (f"{number}.", "")
            self._row((0, 2), "", label, f"{joint}{made.change.what}")
            self._print_made(made)
        if suggestion.defence in _DEFENCES:
            self._row((0, 2), "", "", Text(_DEFENCES[suggestion.defence], style="bold yellow"))
        if suggestion.failing:
            names = [f"{test.name} ({test.file}:{test.line})" for test in suggestion.failing]
            shown = names if self._everything else names[:_TESTS]
            more = f"; and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
            label = "1 test fails with it: " if len(names) == 1 else f"{len(names)} tests fail with it: "
            self._row((0, 2), "", "", f"{label}{'; '.join(shown)}{more}")

    def _print_made(self, made: Made) -> None:
        for hunk in made.hunks:
            self._row((0, 4), "", "", Text(plain(f"{hunk.file}:{hunk.line}"), style="dim"))
            for sign, style, lines in (("-", "red", hunk.before), ("+", "green", hunk.after)):
                for line in lines:
                    self._row((0, 4), "", "", Text(f"{sign} {plain(line)}", style=style))

    def _heading(self, *words: Cell) -> None:
        print_line(self._console, "")
        print_line(
            self._console, *(Text(each, style="bold") if isinstance(each, str) else each for each in words)
        )

    def _row(self, widths: Sequence[int], *cells: Cell) -> None:
        print_row(self._console, cells, widths)

    def _print_more(self, left: int, what: str) -> None:
        if left > 0:
            self._row(_ROW_WIDTHS[:1], "", Text(f"and {left:,} more {what}; --all lists them", style="dim"))


def facet_label(facet: Facet) -> str:
    """What the call touches, how, and where in the arguments that stands."""
    if facet.kind is None:
        return "the tool alone: the call has no argument that rules look at"
    mentioned = ", only mentioned" if facet.mention else ""
    text = "something of another form" if facet.misfit else facet.text
    return f"{facet.kind.value} {text}  ({facet.access.value}, {facet.pointer}{mentioned})"


def _step(answer: StepAnswer) -> Iterable[Cell]:
    step = answer.check.step
    name = answer.check.name
    found = answer.finding
    sentence = answer.note or (found.reason if found else "")
    codes = f" ({found.reason_code.value}/{found.cause.value})" if found else ""
    if answer.decides:
        sentence, codes = "decides, as above", ""
    if not answer.reached:
        would = f"{_WOULD[answer.answer]}{sentence}{codes}"
        return (
            "",
            f"S{step.value} {name}",
            Text("not reached", style="dim"),
            Text(plain(would), style="dim"),
        )
    style = STYLES.get(found.outcome.value, "") if found and answer.decides else ""
    return "", f"S{step.value} {name}", Text(_ANSWERS[answer.answer], style=style), f"{sentence}{codes}"


def _match(match: RowMatch) -> Text:
    text = Text(plain(f"{match.rule}  {match.rule.text}"))
    if match.decides:
        text.append("  decides", style="bold")
    elif match.overruled is not None:
        text.append(f"  {match.overruled.value} comes first", style="dim")
    if match.through:
        text.append(plain(f"  (through {', '.join(role for role, _ in match.through)})"), style="dim")
    return text


def _outcome(outcome: Outcome) -> Text:
    return Text(outcome.value, style=STYLES[outcome.value])
