"""Changes that were made and judged: what came out, and in which order they are worth reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.authoring.explanation.changes import SEVERITY, Change, Defence, Hunk
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Outcome, Verdict
from adjudicator.policy.bundle_tests import BundleTest


@dataclass(frozen=True, slots=True)
class Made:
    """One change as it was made; `hunks` are lines of the files as they were when it was made.

    Those of one `round` were made together; a later round is about the files that the earlier ones left.
    """

    change: Change
    hunks: tuple[Hunk, ...]
    round: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Changes that were made and judged: `verdict` is what came out, of this call.

    `shown` are its arguments without what the bundle hides. `failing` are the bundle's own tests that fail
    with the changes and did not before.
    """

    changes: tuple[Made, ...]
    call: ToolCall
    shown: str
    verdict: Verdict
    failing: tuple[BundleTest, ...]

    @property
    def defence(self) -> Defence:
        """The worst that any of the changes does to what keeps calls out."""
        return max((made.change.defence for made in self.changes), key=lambda each: SEVERITY[each])

    @property
    def is_of_policy(self) -> bool:
        """Whether files change."""
        return any(made.change.edits for made in self.changes)


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to one outcome that were found. `blocked` says what is in the way that nothing clears.

    `complete` is false where there was more to try than time.
    """

    want: Outcome
    suggestions: tuple[Suggestion, ...]
    blocked: tuple[str, ...]
    complete: bool


def in_order(found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """What takes a defence away comes last, and a critic that may write never stands alone."""
    ordered = sorted(
        found,
        key=lambda each: (
            SEVERITY[each.defence],
            len(each.changes),
            sum(made.change.breadth for made in each.changes),
        ),
    )
    return () if ordered and ordered[0].defence is Defence.CRITIC else tuple(ordered)
