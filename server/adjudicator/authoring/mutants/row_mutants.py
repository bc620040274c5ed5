"""Mutants of rows: one dropped, its effect another, its pattern wider, its exception gone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.authoring.mutants.changed_rules import NewRow, with_row, without_link
from adjudicator.authoring.mutants.grounds import Grounds
from adjudicator.authoring.mutants.mutant import Altered, Group, Mutant
from adjudicator.authoring.mutants.widening import loosened, widened
from adjudicator.authoring.row_texts import row_text
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.model import PERMISSION, WHEN
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect
from adjudicator.policy.source import Sources

ROW_DROPPED, MEMBER_DROPPED = "row-dropped", "member-dropped"

Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowChange:
    """Other fields in the place of those of a `p` row; None where the row is dropped."""

    policy: str
    number: int
    fields: Fields | None

    def altered(self, grounds: Grounds) -> Altered | None:
        """The rules with the other row, and the trials that asked what it, or the row before, matches."""
        asked = grounds.policies[self.policy]
        trials = asked.matched(self.number)
        row: NewRow | None = None
        reached = [] if self.fields is None else asked.could_reach(self.fields)
        if self.fields is not None and (trials or reached):
            row = NewRow(asked, self.number, row_text("p", self.fields), self.fields)
            trials |= asked.asking(filter(row.matches_reached, reached))
        if not trials:
            return None
        return Altered(grounds.with_rules(self.policy, with_row(asked, self.number, row)), trials)

    def edits(self, grounds: Grounds) -> Mapping[str, str]:
        """The file with the other row, or with an empty line."""
        place = grounds.bundle.policies[self.policy].rows.ref(self.number)
        text = "" if self.fields is None else row_text("p", self.fields)
        return _with_line(grounds.bundle.sources, place, text)


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A `g` row dropped: its member does not have the role in that tenant any more."""

    policy: str
    number: int

    def altered(self, grounds: Grounds) -> Altered | None:
        """The rules without the link, and the trials that asked about its member, or below."""
        asked = grounds.policies[self.policy]
        member, role, tenant = asked.policy.roles.rows.fields(self.number)
        trials = asked.relying_on(member, tenant)
        if not trials:
            return None
        return Altered(grounds.with_rules(self.policy, without_link(asked, (member, role, tenant))), trials)

    def edits(self, grounds: Grounds) -> Mapping[str, str]:
        """The file with an empty line in the place of the row."""
        place = grounds.bundle.policies[self.policy].roles.rows.ref(self.number)
        return _with_line(grounds.bundle.sources, place, "")


def row_groups(policies: Mapping[str, Policy]) -> Iterator[Group]:
    """The mutants of every policy, its `p` rows first."""
    for name, policy in policies.items():
        yield Group(f"rows of {name}", len(policy.rows), _of_rows(name, policy))
        links = policy.roles.rows
        yield Group(f"roles of {name}", len(links), _of_links(name, policy))


def _of_rows(name: str, policy: Policy) -> Iterator[list[Mutant]]:
    variants = _Variants(policy)
    for number, fields in enumerate(policy.rows.all_fields()):
        place = policy.rows.ref(number)
        dropped = Mutant(ROW_DROPPED, place.file, place.line, place.text, "", RowChange(name, number, None))
        yield [
            dropped,
            *(
                Mutant(
                    kind,
                    place.file,
                    place.line,
                    place.text,
                    row_text("p", other),
                    RowChange(name, number, other),
                )
                for kind, other in variants.of(fields)
            ),
        ]


def _of_links(name: str, policy: Policy) -> Iterator[list[Mutant]]:
    rows = policy.roles.rows
    for number in range(len(rows)):
        place = rows.ref(number)
        change = LinkChange(name, number)
        yield [Mutant(MEMBER_DROPPED, place.file, place.line, place.text, "", change)]


class _Variants:
    """The other rows that a row of one policy could have been by a slip, each with the kind of the slip."""

    def __init__(self, policy: Policy) -> None:
        self._at = {name: index for index, name in enumerate(policy.shape.policy)}
        self._thing = 2
        self._opens = policy.shape is not PERMISSION
        self._above: dict[tuple[str, str], list[str]] = {}
        for member, role, tenant in policy.roles.rows.all_fields():
            self._above.setdefault((member, tenant), []).append(role)

    def of(self, fields: Sequence[str]) -> Iterator[tuple[str, Fields]]:
        """All of them, each once."""
        for kind, column, value in self._changes(fields):
            if fields[column] != value:
                yield kind, (*fields[:column], value, *fields[column + 1 :])

    def _changes(self, fields: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        effect = self._at["eft"]
        for word in self._effects(fields[effect]):
            yield f"effect-{fields[effect]}-to-{word}", effect, word
        for role in self._above.get((fields[0], fields[1]), ()):
            yield "subject-widened", 0, role
        if self._opens:
            yield "tool-opened", self._thing, ANY
        if "priority" in self._at:
            yield "priority-opened", self._at["priority"], ANY
        if "argument" in self._at:
            yield from self._pattern_changes(fields)
        if WHEN in self._at:
            yield from self._condition_changes(fields[self._at[WHEN]])

    def _effects(self, word: str) -> Iterator[str]:
        known = [each.value for each in Effect if each is not Effect.ASK or "argument" in self._at]
        return (each for each in known if each != word)

    def _pattern_changes(self, fields: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        argument, unless = self._at["argument"], self._at["unless"]
        loose = fields[self._at["eft"]] != Effect.ALLOW.value
        for kind, wider in widened(fields[argument], loose=loose):
            if wider != ANY or not fields[unless]:
                yield kind, argument, wider
        if fields[unless]:
            yield "exception-dropped", unless, ""
            for _, wider in widened(fields[unless], loose=not loose):
                if wider != ANY:
                    yield "exception-widened", unless, wider

    def _condition_changes(self, condition: str) -> Iterator[tuple[str, int, str]]:
        if condition != ALWAYS:
            yield "condition-dropped", self._at[WHEN], ALWAYS
            for looser in loosened(condition):
                yield "condition-loosened", self._at[WHEN], looser


def _with_line(sources: Sources, place: RuleRef, text: str) -> Mapping[str, str]:
    lines = sources.files[place.file].text.split("\n")
    end = "\r" if lines[place.line - 1].endswith("\r") else ""
    lines[place.line - 1] = f"{text}{end}"
    return {place.file: "\n".join(lines)}
