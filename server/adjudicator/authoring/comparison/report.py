"""All that is found out about two bundles: what differs in them, and what that does to calls."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.authoring.comparison.changes import Kind
from adjudicator.authoring.comparison.comparing import Comparing
from adjudicator.authoring.comparison.differences import Difference, differences_of
from adjudicator.authoring.comparison.examples import Shelf
from adjudicator.authoring.comparison.groups import Groups
from adjudicator.authoring.comparison.test_calls import calls_of_tests
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.policy.loader import Bundle, OpenBundle


@dataclass(slots=True)
class Report:
    """Grows call by call. `left_out` has the traces that cannot be judged anew, by why."""

    folders: tuple[str, str]
    bundles: tuple[Bundle, Bundle]
    differences: tuple[Difference, ...]
    groups: Groups
    comparing: Comparing
    unreadable: int = 0
    left_out: "dict[str, array[int]]" = field(default_factory=dict)

    @classmethod
    def begun(
        cls, folders: tuple[str, str], opened: Sequence[OpenBundle], shelf: Shelf, examples: int | None
    ) -> "Report":
        """A report of two bundles with no call yet, which keeps so many examples of each change."""
        was, now = opened
        groups = Groups(shelf, examples)
        comparing = Comparing(was.snapshot, now.snapshot, groups, Limits())
        return cls(folders, (was.bundle, now.bundle), differences_of(was, now), groups, comparing)

    @property
    def compared(self) -> int:
        """How many calls were judged by both."""
        return self.comparing.compared

    @property
    def same_version(self) -> bool:
        """Whether the bundles decide by the same files, so that no call could change."""
        was, now = self.bundles
        return was.snapshot.version == now.snapshot.version

    def calls_of_tests(self) -> dict[ToolCall, str]:
        """The calls in the tests of both."""
        return calls_of_tests(*self.bundles)

    def compare(self, call: ToolCall, source: str) -> str:
        """Judge a call by both; why it would not be judged at all, and else an empty text."""
        try:
            self.comparing.compare(call, source)
        except AdjudicatorError as error:
            return f"the call would not be judged at all: {error.message}"
        return ""

    def leave_out(self, trace: int, why: str) -> None:
        """Note a trace that cannot be judged anew."""
        self.left_out.setdefault(why, array("Q")).append(trace)

    def changes(self, *, only_loosened: bool) -> int:
        """How many calls change, or of these how many are loosened."""
        kinds = [Kind.LOOSENED] if only_loosened else list(Kind)
        return sum(self.groups.count(kind) for kind in kinds)

    def summary(self) -> dict[str, int]:
        """The counts, by what they count."""
        return {
            "compared": self.compared,
            "unchanged": self.comparing.unchanged,
            **{kind.value.replace(" ", "_"): self.groups.count(kind) for kind in Kind},
            "not_replayable": sum(map(len, self.left_out.values())),
            "unreadable": self.unreadable,
        }
