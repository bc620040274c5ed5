"""Shell patterns of rules: one simple command, word by word. Deny over-matches, Allow under-matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.domain.invisible import is_all_plain
from adjudicator.policy.folding import fold
from adjudicator.policy.globs import Wildcard
from adjudicator.policy.pattern_error import PatternError

_ANY = "*"
_WILD = frozenset("*?")
_CLUSTER = 3  # letters of a flag such as `-rf` that may stand together or apart; longer ones are names
_OPERATORS = {
    **dict.fromkeys(
        "&|;", "write a row for each command, for every command of a line is judged on its own"
    ),
    **dict.fromkeys(
        "<>", "what a command redirects to is judged as a path; write a row with `read:` or `write:`"
    ),
    **dict.fromkeys(
        "()`$", "what is only known when the shell runs is allowed by no pattern; leave it out"
    ),
}
"""What is no part of a simple command, and what to write instead."""


@dataclass(frozen=True, slots=True)
class ExactShell:
    """A command as Allow compares it: every word, from the first to the last, as it is written.

    A last `*` stands for any further words, none too; any other word for exactly one.
    """

    words: tuple[Wildcard, ...]
    open_end: bool
    literals: tuple[str, ...]
    """Words that every matching command has, as they are."""
    kind: ClassVar[ArgumentKind] = ArgumentKind.SHELL

    def matches(self, facet: Facet) -> bool:
        """Whether the command is known and is this one."""
        return facet.kind is self.kind and facet.opaque is None and self.fits(facet.words)

    def fits(self, words: Sequence[str]) -> bool:
        """Whether the words are those of the pattern, all that is unknown in them aside."""
        given = len(self.words)
        if not words or len(words) < given or (len(words) > given and not self.open_end):
            return False
        return all(wildcard.matches(word) for wildcard, word in zip(self.words, words, strict=False))


@dataclass(frozen=True, slots=True)
class LooseShell:
    """A command as Deny and Ask compare it: by the program's base name, and with further words anywhere.

    Flags of the pattern are found in any order, in clusters and shortened. Its operands come in order; a
    word right behind a flag may be that flag's value. An operand `*` stands for one word or more.
    """

    program: Wildcard
    flags: tuple["_Flag", ...]
    operands: tuple[Wildcard | None, ...]
    exact: ExactShell
    literals: tuple[str, ...]
    """Folded words that every matching command has, its program by base name."""
    kind: ClassVar[ArgumentKind] = ArgumentKind.SHELL

    def matches(self, facet: Facet) -> bool:
        """Whether what is known of the command could mean this one."""
        if facet.kind is not self.kind or not facet.words:
            return False
        # Folding can change how many characters a `?` has to stand for.
        return self._folded_matches(facet.words) or self.exact.fits(facet.words)

    def _folded_matches(self, words: Sequence[str]) -> bool:
        if not self.program.matches(folded_base_name(words[0])):
            return False
        folded = [fold(word) for word in words[1:]]
        return all(flag.stands_in(folded) for flag in self.flags) and _follow(self.operands, folded)


@dataclass(frozen=True, slots=True)
class _Flag:
    """A flag of a loose pattern: `letters` of a cluster, or a name with an optional value."""

    letters: frozenset[str]
    name: str
    wildcard: Wildcard
    value: Wildcard | None

    @classmethod
    def parse(cls, word: str) -> "_Flag":
        name, separator, value = word.partition("=")
        clustered = not word.startswith("--") and not separator and len(word) <= _CLUSTER + 1
        plain = clustered and not _WILD & set(word)
        return cls(
            frozenset(word[1:]) if plain else frozenset(),
            name,
            Wildcard.compile(name),
            Wildcard.compile(value) if separator else None,
        )

    def stands_in(self, words: Sequence[str]) -> bool:
        """Whether the words, folded, have the flag in any of its spellings."""
        given = [word for word in words if word.startswith("-") and len(word) > 1]
        return any(map(self._is, given)) or (bool(self.letters) and self._is_scattered(given))

    def _is(self, word: str) -> bool:
        name, separator, value = word.partition("=")
        named = self.wildcard.matches(name) or self.wildcard.matches(word) or self._shortened(name)
        return named and (self.value is None or not separator or self.value.matches(value))

    def _shortened(self, name: str) -> bool:
        """Whether the name is a beginning of this long flag, or this flag with its value behind it."""
        if name.startswith("--"):
            return name != "--" and self.name.startswith(name)
        return len(self.name) > len("-x") and name.startswith(self.name)

    def _is_scattered(self, given: Sequence[str]) -> bool:
        """Whether each letter stands in some cluster, or begins a long flag, as in `--recursive`."""
        clusters = {char for word in given if not word.startswith("--") for char in word[1:]}
        clusters.update(word[2] for word in given if word.startswith("--") and word != "--")
        return self.letters <= clusters


def _follow(operands: tuple[Wildcard | None, ...], words: Sequence[str]) -> bool:
    """Whether the operands stand in the words in order. None is any one word, and more behind it."""
    if not operands:
        return True
    states, behind_flag = {0}, False
    for word in words:
        is_flag = word.startswith("-") and len(word) > 1
        states = {
            after
            for state in states
            for after in _after(operands, state, word, is_flag=is_flag, skippable=behind_flag)
        }
        if len(operands) in states:
            return True
        behind_flag = is_flag
    return False


def _after(
    operands: tuple[Wildcard | None, ...], state: int, word: str, *, is_flag: bool, skippable: bool
) -> list[int]:
    operand = operands[state]
    if operand is None:
        return [state, state + 1]
    after = [state] if is_flag or skippable else []
    if not is_flag and operand.matches(word):
        after.append(state + 1)
    return after


def folded_base_name(program: str) -> str:
    """The folded name of a program without the folders before it."""
    return fold(program).replace("\\", "/").rpartition("/")[2]


def parse_shell(text: str, *, loose: bool) -> ExactShell | LooseShell:
    """The shell pattern that the text stands for. Raises PatternError, with advice."""
    _check_characters(text)
    words = text.split()
    if not words:
        raise PatternError("nothing stands behind `shell:`; write a command, as in `shell:git status`")
    if "=" in words[0]:
        raise PatternError("a pattern begins with the program; a variable before it is never allowed")
    open_end = words[-1] == _ANY and len(words) > 1
    kept = words[:-1] if open_end else words
    literals = tuple(word for word in kept if not _WILD & set(word))
    exact = ExactShell(tuple(map(Wildcard.compile, kept)), open_end, literals)
    if loose:
        return _loose(kept, exact)
    if _WILD & set(words[0]):
        raise PatternError("an Allow names its program; write it out, with a row for each")
    return exact


def _loose(words: Sequence[str], exact: ExactShell) -> LooseShell:
    program = folded_base_name(words[0])
    rest = [fold(word) for word in words[1:]]
    flags = [word for word in rest if word.startswith("-") and len(word) > 1]
    operands = [word for word in rest if word not in flags]
    literals = [word for word in (program, *operands) if not _WILD & set(word)]
    return LooseShell(
        Wildcard.compile(program),
        tuple(map(_Flag.parse, flags)),
        tuple(None if word == _ANY else Wildcard.compile(word) for word in operands),
        exact,
        tuple(literals),
    )


def _check_characters(text: str) -> None:
    for operator, advice in _OPERATORS.items():
        if operator in text:
            raise PatternError(
                f"a pattern names one simple command, and `{operator}` is no part of one: {advice}"
            )
    for char in "'\"\\":
        if char in text:
            raise PatternError(
                f"words are compared without their quotes, so `{char}` would never match; write `?` for it"
            )
    if not is_all_plain(text):
        raise PatternError("the pattern has a character that nobody sees; write `?` for it")
