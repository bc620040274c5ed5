"""The calls in the tests of two bundles, each of them once."""

from adjudicator.domain.call import ToolCall
from adjudicator.policy.bundle_tests import CallTest
from adjudicator.policy.loader import Bundle


def calls_of_tests(was: Bundle, now: Bundle) -> dict[ToolCall, str]:
    """Each call with where it stands and what its test is called; in the new bundle if it is in both."""
    calls = {test.call: f"A {_place(test)}" for test in was.call_tests}
    return calls | {test.call: _place(test) for test in now.call_tests}


def _place(test: CallTest) -> str:
    return f"{test.file}:{test.line} {test.name}"
