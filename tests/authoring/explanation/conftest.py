"""Explanations of calls by the shipped bundle, and by copies of it that a test may change."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from adjudicator.authoring.explanation.explain import explain
from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import unheard
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.loader import open_bundle

SHIPPED = Path(__file__).parents[3] / "policies"


@dataclass(frozen=True)
class Explained:
    """A bundle in a folder, and explanations by it."""

    folder: Path

    def of(self, call, *wants, **options):
        """The explanation of a call, without ways to another outcome unless some are wanted."""
        outcomes = [Outcome(want) for want in wants]
        return explain(call, open_bundle(self.folder), Limits(), outcomes, unheard, **options)

    def call(self, tool="read", agent="coder", tenant="studio", directory="/srv/app", **fields):
        """A call of the studio's coder unless it says another; `arguments` are JSON text or an object."""
        arguments = fields.pop("arguments", {"path": "src/app.py"})
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return ToolCall(tenant, agent, tool, text, working_directory=directory, **fields)

    def replace(self, name, old, new):
        """Put `new` where `old` first stands."""
        text = (self.folder / name).read_text()
        assert old in text, f"{name} has no {old!r}"
        (self.folder / name).write_text(text.replace(old, new, 1))

    def append(self, name, line):
        """Add a line; answers its place."""
        text = (self.folder / name).read_text()
        (self.folder / name).write_text(f"{text}{line}\n")
        return f"{name}:{text.count(chr(10)) + 1}"

    def after(self, suggestion, folder):
        """What a fresh load of a copy says in which the changes were made by hand, as they are printed."""
        shutil.copytree(self.folder, folder)
        rounds = sorted({made.round for made in suggestion.changes})
        for number in rounds:
            hunks = [h for made in suggestion.changes if made.round == number for h in made.hunks]
            for hunk in sorted(hunks, key=lambda each: (each.line, bool(each.before)), reverse=True):
                _replace_lines(folder / hunk.file, hunk)
        return judged(suggestion.call, open_bundle(folder).snapshot, Limits())


def _replace_lines(path, hunk):
    lines = path.read_text().split("\n")
    start = hunk.line - 1
    assert tuple(lines[start : start + len(hunk.before)]) == hunk.before
    lines[start : start + len(hunk.before)] = hunk.after
    path.write_text("\n".join(lines))


@pytest.fixture
def conditional(changed):
    """The same with a condition in each rule, which always holds."""
    changed.replace("models/rules.conf", "unless, eft", "unless, when, eft")
    changed.replace("models/rules.conf", "&& facet_match", "&& eval(p.when) && facet_match")
    rows = (changed.folder / "rules.csv").read_text()
    with_when = re.sub(r"^(p,.*), (allow|ask|deny),", r"\1, 1 == 1, \2,", rows, flags=re.MULTILINE)
    (changed.folder / "rules.csv").write_text(with_when)
    return changed


@pytest.fixture(scope="session")
def shipped():
    """Explanations by the shipped bundle."""
    return Explained(SHIPPED)


@pytest.fixture
def changed(tmp_path):
    """Explanations by a copy that the test changes."""
    shutil.copytree(SHIPPED, tmp_path / "policies", ignore=shutil.ignore_patterns("tests"))
    return Explained(tmp_path / "policies")
