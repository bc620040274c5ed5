"""Source rules made into rows: nothing is allowed that they would deny, or ask about.

There deny comes before ask, and ask before allow, or the last match counts. Here deny comes before allow,
and allow before ask. So an ask within what is allowed becomes the exception of the Allow, and where one
exception is not enough the Allow becomes an Ask.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adjudicator.authoring.imports.forms.source_rules import (
    Family,
    PathSpec,
    ShellSpec,
    SourceRule,
    SourceRules,
    UrlSpec,
)
from adjudicator.authoring.imports.notes import Note, Notes
from adjudicator.authoring.imports.rule_rows import RuleRow
from adjudicator.authoring.imports.rules_taken.meeting import has_all, never_meet
from adjudicator.authoring.imports.rules_taken.paths import exact_path, loose_path
from adjudicator.authoring.imports.rules_taken.shell import exact_shell, loose_shell
from adjudicator.authoring.imports.rules_taken.taken import WHOLE, NotTranslatedError, Taken
from adjudicator.authoring.imports.rules_taken.urls import exact_url, loose_url
from adjudicator.authoring.imports.tool_names import ToolNames
from adjudicator.authoring.progress import Progress
from adjudicator.policy.patterns import ANY
from adjudicator.policy.snapshot import Effect


@dataclass(frozen=True, slots=True)
class Translation:
    """Rows in the order of the rules. `lost` are denials of the source that no row says."""

    rows: tuple[RuleRow, ...]
    lost: tuple[Note, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A rule with its place, its tools, and its arguments; `fault` says why there are none."""

    order: int
    rule: SourceRule
    codes: tuple[str, ...]
    taken: Taken
    fault: str = ""

    def is_for(self, code: str) -> bool:
        return code in self.codes or ANY in self.codes


class RuleTranslation:
    """The translation of the rules of one file."""

    def __init__(self, source: SourceRules, names: ToolNames, origin: str, *, default_denies: bool) -> None:
        """`default_denies`: a call of which no row speaks is denied, and not asked about."""
        self._last_wins = source.last_wins
        self._names = names
        self._origin = origin
        self._default_denies = default_denies
        self._placed = [self._place(order, rule) for order, rule in enumerate(source.rules)]
        self._notes: list[Note] = []
        self._lost: list[Note] = []
        # Denials that are no rows since later rules open parts of them; what came before is denied by them.
        self._implied: set[int] = set()
        self._goes: dict[tuple[str, tuple[str, ...]], None] = {}

    def made(self, progress: Progress) -> Translation:
        """The rows, and all that is to be known of them."""
        rows: dict[tuple[str, str, str, str], RuleRow] = {}
        denials = [placed for placed in self._placed if placed.rule.effect is Effect.DENY]
        others = [placed for placed in self._placed if placed.rule.effect is not Effect.DENY]
        for number, placed in enumerate((*denials, *others)):
            progress("translating the rules", number, len(self._placed))
            self._tell_codes(placed)
            about = Notes(f"`{placed.rule.text}`")
            for row in self._rows(placed, about):
                rows.setdefault(row.meaning, row)
            self._notes += about
        notes = (*(_told(tool, codes) for tool, codes in self._goes), *self._notes)
        return Translation(tuple(rows.values()), tuple(self._lost), notes)

    def _tell_codes(self, placed: _Placed) -> None:
        rule = placed.rule
        if not placed.fault and placed.codes != (rule.tool,):
            self._goes.setdefault((rule.tool, placed.codes), None)

    def _place(self, order: int, rule: SourceRule) -> _Placed:
        codes = self._names.codes_for(rule)
        fault = rule.fault
        if not codes and not fault:
            fault = "names no tool of the bundle; say which by `--tool NAME=CODE`, or `NAME=` for none"
        able = tuple(code for code in codes if self._names.can_match(rule, code))
        if codes and not able and not fault:
            fault = f"{', '.join(codes)} declares no argument that this is about"
        taken = WHOLE
        if not fault:
            try:
                taken = _taken(rule)
            except NotTranslatedError as error:
                fault = str(error)
        return _Placed(order, rule, able or codes, taken, fault)

    def _rows(self, placed: _Placed, notes: Notes) -> Iterator[RuleRow]:
        if self._names.is_none(placed.rule):
            notes.add("there is no such tool, as was stated; left out")
        elif placed.fault:
            self._tell_lost(placed, notes)
        else:
            for remark in placed.taken.remarks:
                notes.add(remark)
            rows = {Effect.DENY: self._denials, Effect.ASK: self._asks, Effect.ALLOW: self._allows}
            yield from rows[placed.rule.effect](placed, notes)

    def _tell_lost(self, placed: _Placed, notes: Notes) -> None:
        text = f"cannot be translated: it {placed.fault}"
        if placed.rule.effect is Effect.DENY:
            self._lost.append(
                Note(f"`{placed.rule.text}`", "", f"a denial that is lost: it {placed.fault}")
            )
        else:
            notes.add(f"{text}; left out")

    def _denials(self, placed: _Placed, notes: Notes) -> Iterator[RuleRow]:
        later = [each for each in self._later(placed) if each.rule.effect is not Effect.DENY]
        if later and placed.rule.spec is None and self._default_denies:
            self._implied.add(placed.order)
            notes.add(
                "rules below open parts of it; the rest is denied by default, unless another row allows it"
            )
            return
        for code, argument in _pairs(placed):
            opening = {
                each for other in later if other.is_for(code) or code == ANY for each in _exact(other)
            }
            opening = {each for each in opening if not never_meet(argument, each)}
            unless = ""
            if len(opening) == 1 and self._may_except(argument, next(iter(opening))):
                (unless,) = opening
                notes.add(f"all but `{unless}`, of which a rule below speaks")
            elif opening:
                notes.add(
                    "rules below open parts of it there, and none of it here: a row has one exception"
                )
            yield self._row(placed, code, argument, unless=unless)

    def _asks(self, placed: _Placed, notes: Notes) -> Iterator[RuleRow]:
        for code, argument in _pairs(placed):
            allows = [
                each
                for each in self._later(placed)
                if each.rule.effect is Effect.ALLOW and each.is_for(code)
            ]
            if any(has_all(each, argument) for other in allows for each in _exact(other)):
                notes.add("a rule below allows all of it; left out")
            else:
                yield self._row(placed, code, argument)

    def _allows(self, placed: _Placed, notes: Notes) -> Iterator[RuleRow]:
        for code, argument in _pairs(placed):
            unknown = [each for each in self._before(placed) if each.fault and each.is_for(code)]
            if unknown:
                notes.add(
                    f"left out, since `{unknown[0].rule.text}` counts before it and could not be translated"
                )
                continue
            within = {
                each
                for other in self._before(placed)
                if other.is_for(code)
                for each in other.taken.arguments
                if not never_meet(each, argument)
            }
            if any(has_all(each, argument) for each in within):
                notes.add("left out: there it is asked about, or denied, in every case")
            elif not within:
                yield self._row(placed, code, argument)
            elif len(within) == 1 and self._may_except(argument, next(iter(within))):
                (unless,) = within
                notes.add(f"all but `{unless}`, about which is asked")
                yield self._row(placed, code, argument, unless=unless)
            else:
                notes.add("asks instead: there parts of it are asked about, and a row has one exception")
                yield replace(self._row(placed, code, argument), effect=Effect.ASK)

    def _before(self, placed: _Placed) -> list[_Placed]:
        """What counts before an allow, and is no Deny row."""
        return [
            each
            for each in self._placed
            if (each.order > placed.order or not self._last_wins)
            and each.rule.effect is not Effect.ALLOW
            and (each.rule.effect is Effect.ASK or each.fault or each.order in self._implied)
            and not self._names.is_none(each.rule)
        ]

    def _later(self, placed: _Placed) -> list[_Placed]:
        if not self._last_wins:
            return []
        return [
            each
            for each in self._placed[placed.order + 1 :]
            if not each.fault and not set(each.codes).isdisjoint((*placed.codes, ANY))
        ]

    @staticmethod
    def _may_except(argument: str, unless: str) -> bool:
        """Whether a row can have the exception: of the same kind, and not all of it."""
        kind, _, _ = argument.partition(":")
        return argument != ANY and unless.partition(":")[0] == kind and not has_all(unless, argument)

    def _row(self, placed: _Placed, code: str, argument: str, *, unless: str = "") -> RuleRow:
        reason = f"`{placed.rule.text}` of {self._origin}"
        return RuleRow(code, argument, unless, placed.rule.effect, reason)


def _told(tool: str, codes: tuple[str, ...]) -> Note:
    return Note(f"`{tool}`", "", f"goes to {'every tool' if codes == (ANY,) else ', '.join(codes)}")


def _pairs(placed: _Placed) -> Iterator[tuple[str, str]]:
    for code in placed.codes:
        for argument in placed.taken.arguments:
            yield code, argument


def _taken(rule: SourceRule) -> Taken:
    loose = rule.effect is not Effect.ALLOW
    if isinstance(rule.spec, ShellSpec):
        return loose_shell(rule.spec) if loose else exact_shell(rule.spec)
    if isinstance(rule.spec, PathSpec):
        word = "write" if rule.effect is Effect.DENY and rule.family is Family.EDIT else "path"
        return loose_path(rule.spec, word=word) if loose else exact_path(rule.spec)
    if isinstance(rule.spec, UrlSpec):
        return loose_url(rule.spec) if loose else exact_url(rule.spec)
    return WHOLE


def _exact(placed: _Placed) -> Sequence[str]:
    """The rule's arguments as an exception to a Deny, or an Allow, compares them."""
    return placed.taken.arguments
