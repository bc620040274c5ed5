"""The guide for policy authors does what it says, from an empty folder to the end."""

import os
import re
import subprocess
import sys
from pathlib import Path

from guide import Command, Text, prints, steps

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"


def run(command, folder):
    """What a shell in this folder prints for the command, and its exit code."""
    beside = str(Path(sys.executable).parent)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ADJUDICATOR_", "COLUMNS"))
    }
    done = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=environment | {"PATH": f"{beside}:{os.environ['PATH']}", "TERM": "dumb"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    # How far it is depends on the machine.
    return re.sub(r"^.* \([0-9]+ s\)\n", "", done.stdout, flags=re.MULTILINE), done.returncode


def test_the_guide_works_as_it_is_written(tmp_path):
    """Each file is written, each command run; what it prints and how it ends is what the guide says."""
    done = 0
    for step in steps(GUIDE.read_text(encoding="utf-8")):
        if isinstance(step, Text):
            path = tmp_path / step.file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if step.append else "w", encoding="utf-8") as file:
                file.write(step.text)
        elif isinstance(step, Command):
            printed, code = run(step, tmp_path)
            assert prints(printed, step.printed), f"$ {step.line}\n{printed}\n--- and not\n{step.printed}"
            assert (code != 0) is step.fails, f"$ {step.line}\nended with {code}\n{printed}"
            done += 1
    assert done > 10  # none of this passes by not being found
