"""The gate before activation: a bundle that reads well must also pass the tests that it brings along."""

from pathlib import Path

from adjudicator.authoring.test_runs import check_tests
from adjudicator.config.limits import Limits
from adjudicator.policy.loader import Bundle, read_bundle


def admit(directory: Path, limits: Limits) -> Bundle:
    """The bundle in this folder, read, checked, and with all its own tests passed.

    Raises BundleError with everything that is wrong with it, and nothing else. The tests run when the
    bundle has no other problem; each is judged by the chain that judges calls, without any effect.
    """
    bundle = read_bundle(directory)
    check_tests(bundle, limits)
    return bundle
