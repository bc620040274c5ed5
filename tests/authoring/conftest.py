"""A copy of the shipped bundle that a test may edit, opened with all that it is made of."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from adjudicator.policy.loader import open_bundle

SHIPPED = Path(__file__).parents[2] / "policies"


@dataclass(frozen=True)
class Edited:
    """A bundle in a folder of its own."""

    folder: Path

    def open(self):
        """It, opened. Raises BundleError."""
        return open_bundle(self.folder)

    def replace(self, name, old, new, *, count=1):
        """Replace a text of a file, which has to be there so often."""
        path = self.folder / name
        text = path.read_text()
        assert text.count(old) >= count, f"{old!r} is not in {name}"
        path.write_text(text.replace(old, new))

    def append(self, name, text):
        """Add a text to the end of a file."""
        with (self.folder / name).open("a") as file:
            file.write(text)


@pytest.fixture
def edited(tmp_path):
    """A copy of the shipped bundle."""
    return Edited(shutil.copytree(SHIPPED, tmp_path / "edited"))


@pytest.fixture(scope="session")
def shipped():
    """The shipped bundle, opened."""
    return open_bundle(SHIPPED)
