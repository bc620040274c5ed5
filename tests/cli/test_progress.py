"""What is shown of work that takes long: nothing at first, then a bar, or lines where no terminal is."""

import os
import pty
import subprocess
import sys

PROGRAM = """
import time
from adjudicator.cli import progress
progress.QUIET_SECONDS = {quiet}
with progress.progress_bar() as note:
    note("reading rows", 0, 0)
    time.sleep(0.6)
    note("judging calls", 7, 2000)
    time.sleep(0.6)
"""


def words(quiet):
    """The command that works a second long."""
    return [sys.executable, "-c", PROGRAM.format(quiet=quiet)]


def test_what_is_quick_shows_nothing():
    """Neither a terminal nor a log sees anything of it."""
    assert subprocess.run(words(5), capture_output=True, text=True, check=True).stderr == ""


def test_a_log_gets_a_line_now_and_then():
    """It says what is being done, how far it is where that is known, and for how long."""
    done = subprocess.run(words(0.8), capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "judging calls: 7 of 2,000 (1 s)\n")
    done = subprocess.run(words(0.2), capture_output=True, text=True, check=True)
    assert done.stderr == "reading rows (0 s)\n"


def test_a_terminal_gets_a_bar():
    """It goes when the work is done."""
    leader, follower = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    subprocess.run(words(0.1), stdout=subprocess.DEVNULL, stderr=follower, check=True, env=environment)
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    assert "judging calls" in shown
    assert "7/2000" in shown
