"""A copy of the shipped bundle that a test may spoil, and the warnings that it then has."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from adjudicator.authoring.warnings.lints import warnings_of
from adjudicator.policy.loader import open_bundle
from running import POLICIES


@dataclass(frozen=True)
class Spoilt:
    """A bundle in a folder of its own."""

    folder: Path

    def edit(self, name, old, new):
        """Put `new` where `old` stands once; nothing for `old` adds a line."""
        text = (self.folder / name).read_text()
        assert old in text, f"{name} has no {old!r}"
        (self.folder / name).write_text(text.replace(old, new, 1) if old else f"{text}{new}\n")

    def warnings(self):
        """Those that nobody said are meant."""
        return warnings_of(open_bundle(self.folder)).warnings

    def codes(self):
        """The codes of them."""
        return {each.code.value for each in self.warnings()}

    def line(self, warning):
        """The text of a warning's line, from its column on, and before."""
        text = (self.folder / warning.file).read_text().split("\n")[warning.line - 1]
        return text[warning.column - 1 :], text[: warning.column - 1]


@pytest.fixture
def bundle(tmp_path):
    """A copy of the shipped bundle."""
    return Spoilt(shutil.copytree(POLICIES, tmp_path / "policies"))
