"""A bundle's tests as whoever measures them sees them: each passes on a snapshot, or says how it fails."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from adjudicator.authoring.test_runs import failure_of
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.policy.bundle_tests import BundleTest, CallTest
from adjudicator.policy.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Trial:
    """One test: its place, and how it is run.

    `fails` says how it fails on a snapshot, and "" where it passes; it raises nothing. `call` is what it
    has judged, where it is about a call.
    """

    file: str
    line: int
    name: str
    fails: Callable[[Snapshot], str]
    call: ToolCall | None = None


def trials_of(tests: Sequence[BundleTest], limits: Limits) -> tuple[Trial, ...]:
    """The tests of a bundle, in their order."""
    return tuple(
        Trial(
            test.file,
            test.line,
            test.name,
            partial(failure_of, test, limits=limits),
            test.call if isinstance(test, CallTest) else None,
        )
        for test in tests
    )
