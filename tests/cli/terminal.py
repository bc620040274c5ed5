"""A command line on a terminal of its own, where a person types."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from scripted import Script


def decide_on_a_terminal(script: Script, data: Path, answer: bytes, *words: str) -> tuple[int, str]:
    """The exit code and the screen of a command where a person types the answer."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "adjudicator.cli.main", *words]
    environment = {
        "ADJUDICATOR_APPROVER_ADDRESS": script.address,
        "ADJUDICATOR_DATA": str(data),
        "ADJUDICATOR_AS": "ann",
    }
    process = subprocess.Popen(
        command, env=os.environ | environment, stdin=terminal, stdout=terminal, stderr=terminal
    )
    os.close(terminal)
    os.write(controller, answer)
    screen = b""
    with suppress(OSError):  # the end of a terminal is an error on Linux
        while chunk := os.read(controller, 4096):
            screen += chunk
    os.close(controller)
    return process.wait(timeout=30), screen.decode()
