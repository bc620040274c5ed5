"""Waits until the test session that started it is gone; then ends what runs in its folder and removes that.

The session holds the other end of standard input, so nothing that happens to it goes unnoticed.
"""

import contextlib
import shutil
import signal
import sys
import time
from pathlib import Path

import psutil


def residents(folder):
    """The processes that work in a folder, as those of a database server do in its data directory."""
    for process in psutil.process_iter(["cwd"]):
        if process.info["cwd"] and folder in Path(process.info["cwd"]).parents:
            yield process


def has_ended(process):
    """Whether a process runs no more, be it that nobody asked for its exit status yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def end(processes, number):
    """Send a signal, also to those that stand still, and give them some seconds."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
            process.resume()
    deadline = time.monotonic() + 5
    while not all(map(has_ended, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)


def main():
    """Wait, end, remove."""
    folder = Path(sys.argv[1]).resolve()
    sys.stdin.buffer.read()
    end(list(residents(folder)), signal.SIGQUIT)  # a server that is told so removes its shared memory
    end(list(residents(folder)), signal.SIGKILL)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
