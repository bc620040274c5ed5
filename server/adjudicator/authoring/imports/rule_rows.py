"""Rows of `rules.csv` as an import writes them."""

from dataclasses import dataclass

from adjudicator.authoring.row_texts import row_text
from adjudicator.domain.invisible import plain
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.snapshot import Effect

_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What one row says; `reason` is where it comes from."""

    tool: str
    argument: str
    unless: str
    effect: Effect
    reason: str

    @property
    def meaning(self) -> tuple[str, str, str, str]:
        """What it says, whatever its reason."""
        return self.tool, self.argument, self.unless, self.effect.value

    def text(self, subject: str, tenant: str, *, has_when: bool) -> str:
        """The row as a line of the file."""
        when = (ALWAYS,) if has_when else ()
        fields = (subject, tenant, self.tool, self.argument, self.unless, *when, self.effect.value)
        return row_text("p", (*fields, plain(self.reason)[:_REASON_CHARS]))
