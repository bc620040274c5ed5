"""What an entry of the catalogue says of one program: when a call of it is not what its words say.

The entries are data, in `catalogue.yaml`. Being opaque too often is accepted: an option counts as
dangerous wherever it stands.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adjudicator.domain.facet import UNKNOWN, Opacity, Opaque
from adjudicator.facets.shell.scripts import awk_fault, curl_fault, sed_fault
from adjudicator.facets.shell.variables import is_free

_EMPTY: frozenset[str] = frozenset()
_SCRIPTS: dict[str, Callable[[Sequence[str]], str | None]] = {
    "awk": awk_fault,
    "curl": curl_fault,
    "sed": sed_fault,
}
_NO_OPTIONS = frozenset({"", "-", "+", "@"})
DEVICES = ("/dev/", "/proc/")
"""Where standard input, and other open files, have a name."""
_NUMBER = re.compile(r"-[0-9]+")


@dataclass(frozen=True, slots=True)
class Program:
    """One program, or one of its subcommands.

    `runs` are options that run another program or write a file, `lists` options that read operands from
    a file; both as they are written, `-x` also inside of clusters and `--long` also abbreviated. `valued`
    are options whose value is the next word, `harmless` others that are known. `prefixes` begin an operand
    that runs something. `known` lists all subcommands; another one may be an alias. `always` says why no
    call of it is what its words say. `stdin` marks an interpreter that without an operand reads a program
    from standard input. `script` names the check of its words. `inner` says how it runs the command
    in its operands: `skip` operands come first. `through` marks one that does nothing else: the command
    alone is judged. `writes` marks operands that name what is written. `queries` are options with which
    nothing is run. `bare` says that the first operand may be a cluster of options without its dash,
    and `evaluates` that an operand such as `a[$(x)]` is run although it is quoted;
    `assigns` that an operand such as `SHELL=x` changes what is run, `sets` that an operand is the name of a
    variable that gets a value. `reads` says how many operands are read; one more is written. `module` is
    the option whose value is a program of its own, with the operands behind it.
    """

    names: tuple[str, ...]
    runs: frozenset[str] = _EMPTY
    lists: frozenset[str] = _EMPTY
    valued: frozenset[str] = _EMPTY
    harmless: frozenset[str] = _EMPTY
    queries: frozenset[str] = _EMPTY
    prefixes: tuple[str, ...] = ()
    known: frozenset[str] = _EMPTY
    subcommands: dict[str, "Program"] = field(default_factory=dict)
    always: Opaque | None = None
    script: str = ""
    inner: str = ""
    skip: int = 0
    stdin: bool = False
    through: bool = False
    writes: bool = False
    bare: bool = False
    evaluates: bool = False
    assigns: bool = False
    sets: bool = False
    reads: int = 0
    module: str = ""

    def fault(self, words: Sequence[str]) -> Opaque | None:
        """Why a command with these words, the program first, is not what they say."""
        named = words[0].rpartition("/")[2]
        if self.always is not None and not (self.queries and words[1:2] and words[1] in self.queries):
            return Opaque(self.always.code, f"{named} {self.always.why}")
        at = self.operand(words) if self.known or self.subcommands else len(words)
        found = self._option(named, words[1:at])
        if found is None and self.bare:
            found = self._option(named, [f"-{word}" for word in words[1:2]])
        if found is None and at < len(words):
            found = self._subcommand(named, words, at)
        if found is None and self.script:
            found = self._script(named, words)
        if found is None and self.evaluates and any(map(_has_subscript, words)):
            return Opaque(Opacity.PROGRAM_RUN, f"{named} runs what stands in a subscript, quoted or not")
        if found is None and self.assigns and any("=" in word and word[0] != "-" for word in words[1:]):
            return Opaque(
                Opacity.PROGRAM_RUN, f"{named} is given a variable, which may change what it runs"
            )
        if found is None and self.sets:
            found = self._variable(named, words)
        if found is None and self.reads and len(words) - self.operand(words) > self.reads:
            return Opaque(Opacity.PROGRAM_RUN, f"{named} writes the file that its last operand names")
        if found is None and self.stdin and self._reads_program(words):
            return Opaque(Opacity.OPERANDS, f"{named} reads its program from standard input")
        return found

    def run_as_module(self, words: Sequence[str]) -> list[str]:
        """The words of the program that `python -m` runs, as that program would be called; none if not."""
        end = self.operand(words)
        for at in range(1, end if self.module else 0):
            head, found, name = words[at].partition(self.module[1:])
            if found and head[:1] == "-" and head[1:2] != "-":
                return [*([name] if name else []), *words[at + 1 :]]
        return []

    def operand(self, words: Sequence[str], start: int = 1) -> int:
        """The place of the first operand from `start` on, behind options and their values."""
        at = start
        while at < len(words):
            word = words[at]
            if word == "--":
                return at + 1
            if word in _NO_OPTIONS or word[0] not in self._openers():
                return at
            at += 2 if self._takes_next(word) else 1
        return at

    def _openers(self) -> str:
        return "-+" if "+" in self.prefixes else "-"

    def unknown_option(self, words: Sequence[str]) -> str | None:
        """The first option before the operands that may change what is run; None when all are known."""
        at, end = 1, self.operand(words)
        while at < end:
            if words[at] != "--" and not self.knows(words[at]):
                return words[at].partition("=")[0]
            at += 2 if self._takes_next(words[at]) else 1
        return None

    def knows(self, word: str) -> bool:
        """Whether the option is one that changes nothing about what is run."""
        name = word.partition("=")[0]
        if word.startswith("--") or name in self.harmless or name in self.valued:
            return name in self.harmless or name in self.valued
        if _NUMBER.fullmatch(word):
            return "-0" in self.harmless
        for char in dict.fromkeys(word[1:]):
            if f"-{char}" in self.valued:
                return True
            if f"-{char}" not in self.harmless:
                return False
        return True

    def _takes_next(self, word: str) -> bool:
        if word in self.valued:
            return True
        letters = word[1:]
        if letters[:1] == "-" or not self.valued or f"-{letters[-1:]}" not in self.valued:
            return False
        # In a cluster only the last letter takes the next word; one before it takes the rest as its value.
        return not any(f"-{char}" in self.valued for char in set(letters[:-1]))

    def _option(self, named: str, words: Sequence[str]) -> Opaque | None:
        for word in words:
            if word in _NO_OPTIONS:
                continue
            flag = self._flag(word, self.runs)
            if flag is not None:
                why = f"{named} {flag} runs another program, or writes a file, by itself"
                return Opaque(Opacity.PROGRAM_RUN, why)
            flag = self._flag(word, self.lists)
            if flag is not None:
                return Opaque(Opacity.OPERANDS, f"{named} {flag} takes its operands from a file")
            if word.startswith(self.prefixes) and self.prefixes:
                return Opaque(Opacity.PROGRAM_RUN, f"{named} runs what its operand says")
        return None

    def _flag(self, word: str, flags: frozenset[str]) -> str | None:
        """Which of the flags the word is, in any of its spellings."""
        name = word.partition("=")[0] if "=" in word else word
        if name in flags:
            return name
        if word[0] != "-" or not flags:
            return None
        return self._long(name, flags) if word[1] == "-" else self._clustered(word, flags)

    def _long(self, name: str, flags: frozenset[str]) -> str | None:
        """One dash or two is the same to some programs, and many take a long flag by its beginning."""
        if name in self.harmless or name in self.valued or name == "--":
            return None
        for flag in flags:
            if flag.startswith(name) or flag == name[1:]:
                return flag
        return None

    def _clustered(self, word: str, flags: frozenset[str]) -> str | None:
        for flag in flags:
            if word.startswith(flag) and flag[1] != "-":
                return flag
        for char in dict.fromkeys(word[1:]):
            letter = f"-{char}"
            if letter in flags:
                return letter
            if letter in self.valued:
                return None
        return None

    def _subcommand(self, named: str, words: Sequence[str], at: int) -> Opaque | None:
        name = words[at]
        if self.unknown_option(words) is not None:
            why = f"{named} has an option that is not known here before its subcommand"
            return Opaque(Opacity.PROGRAM_RUN, why)
        below = self.subcommands.get(name)
        if below is not None:
            found = below.fault(words[at:])
            return None if found is None else Opaque(found.code, f"{named} {found.why}")
        if self.known and name not in self.known and UNKNOWN not in name:
            why = f"{named} has no subcommand of this name; it may be an alias or an extension"
            return Opaque(Opacity.PROGRAM_RUN, why)
        return None

    def _variable(self, named: str, words: Sequence[str]) -> Opaque | None:
        for word in words[1:]:
            name = word.removeprefix("-a")
            if name.isidentifier() and not is_free(name):
                return Opaque(Opacity.ENVIRONMENT, f"{named} sets {name}, which may change later commands")
        return None

    def _script(self, named: str, words: Sequence[str]) -> Opaque | None:
        why = _SCRIPTS[self.script](words)
        return None if why is None else Opaque(Opacity.PROGRAM_RUN, f"{named}: {why}")

    def _reads_program(self, words: Sequence[str]) -> bool:
        if any(word in self.queries for word in words[1:]):
            return False
        at = self.operand(words)
        asks_module = any(word.startswith("-m") for word in words[1:at])
        return not asks_module and (at >= len(words) or words[at] == "-" or words[at].startswith(DEVICES))


def _has_subscript(word: str) -> bool:
    """Whether the word may be an array's element whose number is what a command prints."""
    return 0 <= word.find("[") < max(word.rfind("$"), word.rfind("`"))
