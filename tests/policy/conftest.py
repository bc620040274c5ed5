"""A copy of the shipped bundle that a test may spoil, and what loading it says."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from adjudicator.policy.loader import BundleError, load_bundle
from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is; a law holds or does not.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

SHIPPED = Path(__file__).parents[2] / "policies"


@dataclass(frozen=True)
class Bundle:
    """A bundle in a folder of its own."""

    folder: Path

    def load(self):
        """The snapshot, or BundleError."""
        return load_bundle(self.folder)

    def problems(self):
        """Every problem as `file:line:column: message`; empty when the bundle loads."""
        try:
            self.load()
        except BundleError as error:
            return [str(problem) for problem in error.problems]
        return []

    def write(self, name, content):
        """Put this text, or these bytes, into a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def replace(self, name, old, new):
        """Put `new` where `old` first stands."""
        text = (self.folder / name).read_text()
        assert old in text, f"{name} has no {old!r}"
        self.write(name, text.replace(old, new, 1))

    def append(self, name, line):
        """Add a line; answers its number."""
        text = (self.folder / name).read_text()
        self.write(name, text + line + "\n")
        return text.count("\n") + 1

    def remove(self, name):
        """Remove a file."""
        (self.folder / name).unlink()


@pytest.fixture
def bundle(tmp_path):
    """A copy of the shipped bundle."""
    folder = tmp_path / "policies"
    shutil.copytree(SHIPPED, folder)
    return Bundle(folder)


@pytest.fixture(scope="session")
def shipped():
    """The shipped bundle, loaded once."""
    return load_bundle(SHIPPED)
