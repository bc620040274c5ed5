"""A guide as what it tells its reader to do: files to write, and commands with what they print.

In the Markdown a comment `<!-- write FILE -->` or `<!-- append FILE -->` stands before the block that goes
into the file. A block of the kind `console` has commands, each after `$ `, and below what it prints: `...`
stands for any lines, and `…` for anything within one. The last command of a block `console fails` fails.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLOCK = re.compile(
    r"(?:<!-- (?P<how>write|append) (?P<file>[^ ]+) -->\n)?^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Text:
    """Text that goes into a file, in the place of what is there or behind it."""

    file: str
    text: str
    append: bool


@dataclass(frozen=True)
class Command:
    """One command, what it prints, and whether it fails."""

    line: str
    printed: str
    fails: bool


def steps(guide: str) -> Iterator[Text | Command]:
    """The steps in their order."""
    for block in _BLOCK.finditer(guide):
        if block["file"]:
            yield Text(block["file"], block["text"], block["how"] == "append")
        elif block["kind"].split()[:1] == ["console"]:
            yield from _commands(block["text"], fails=block["kind"].endswith(" fails"))


def _commands(text: str, *, fails: bool) -> Iterator[Command]:
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    for number, part in enumerate(parts, start=1):
        line, _, printed = _unwrapped(part).partition("\n")
        yield Command(line, printed, fails and number == len(parts))


def _unwrapped(part: str) -> str:
    """A command that goes on behind a backslash is one line; a shell takes it so too."""
    return re.sub(r"\\\n *", "", part)


def prints(printed: str, expected: str) -> bool:
    """Whether this was printed, but for what the guide leaves open."""
    pattern = re.escape(expected.rstrip())
    pattern = pattern.replace(re.escape("...\n"), "(?:.*\n)*").replace(re.escape("…"), ".*")
    pattern = re.sub(r"\\\.\\\.\\\.$", lambda _: "(?:.*\n?)*", pattern)
    lines = "\n".join(line.rstrip() for line in printed.splitlines())
    return re.fullmatch(pattern, lines.rstrip()) is not None
