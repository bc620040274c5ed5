"""A bundle on disk, without a sidecar: what keeps it from being activated, if anything."""

from pathlib import Path

from adjudicator.config.limits import Limits
from adjudicator.policy.loader import Bundle, BundleError
from adjudicator.service.activation import admit

__all__ = ["BundleError", "check_bundle"]


def check_bundle(directory: Path) -> Bundle:
    """The bundle, after all that a sidecar asks of it. Raises BundleError with every problem."""
    return admit(directory, Limits())
