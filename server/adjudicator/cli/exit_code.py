"""What the process says to the script that ran it."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command."""

    OK = 0
    ERROR = 1
    USAGE = 2
    DENY = 3
    ASK = 4
    NOT_ACCEPTED = 5
    CHANGED = 6
    INTERRUPTED = 130


MEANING = {
    ExitCode.OK: "allowed, accepted, or done",
    ExitCode.ERROR: "could not be judged or served; take it as no",
    ExitCode.USAGE: "the command line is wrong",
    ExitCode.DENY: "denied",
    ExitCode.ASK: "asks: a person has to decide",
    ExitCode.NOT_ACCEPTED: "the decision does not count",
    ExitCode.CHANGED: "some call gets another verdict",
    ExitCode.INTERRUPTED: "interrupted",
}


def exit_codes(*codes: ExitCode) -> str:
    """A paragraph for a command's help that names these codes."""
    lines = [f"  {code.value:<4} {MEANING[code]}" for code in codes]
    return "\n".join(["\b", "Exit codes:", *lines])
