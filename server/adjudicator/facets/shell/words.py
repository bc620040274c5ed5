"""One shell word: where it ends, what it is after quote removal, and what in it cannot be known."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from adjudicator.config.limits import SHELL_DEPTH, SHELL_PIECE_CHARS, SHELL_PIECES
from adjudicator.domain.facet import UNKNOWN, Opacity, Opaque
from adjudicator.facets.bounds import TooComplexError

_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+=^-]+")
_PIECE = re.compile(r"[^ \t\n;&|<>()$`\"'\\]+")
_QUOTED = re.compile(r"[^\"$`\\]+")
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
_OTHER_VARIABLE = re.compile(r"\$[=+~^]+[A-Za-z_]")
_ANSI = re.compile(r"\$'((?:[^'\\]|\\[^\0])*)'")
_ANSI_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.))", re.DOTALL
)
_ANSI_LETTERS = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "?": "?"}
_ARITHMETIC = re.compile(r"[^()$`\"'\\\n]+")
_BRACED = re.compile(r"[^}{$`\"'\\\n]+")
_NAME = re.compile(r"[#!]?([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
_END = frozenset(" \t\n;&|<>()")
_AFTER_LONE_DOLLAR = frozenset(' \t\n;&|<>)"/.,:=%@+-~^]}')
_GLOB_WHY = "a word has an unquoted wildcard or brace, so the shell puts other words in its place"
_TILDE_WHY = "a word begins with `~`, a home folder that is not known here"


class NotUnderstoodError(Exception):
    """Something at `at` that this reader leaves to the shell. The text names it."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


@dataclass(slots=True)
class Word:
    """A word of the line. `text` is without quotes; UNKNOWN stands in it for each expansion.

    `fault` says why the text is not certain, and `plain` that nothing in it was quoted or expanded. `sets`
    says that to expand it may set a variable, or run what one holds: `$((x=1))`, `${x:=1}`, `${x@P}`.
    """

    start: int
    end: int
    text: str
    fault: Opaque | None = None
    plain: bool = True
    sets: bool = False


class WordReader(ABC):
    """Reads words at a place of the line. Scripts inside of words are read by `script`."""

    def __init__(self, line: str) -> None:
        self.line = line
        self._pieces_left = SHELL_PIECES
        self._open = 0  # expansions that are being read, in one another

    @abstractmethod
    def script(self, at: int, end: int, closer: str) -> int:
        """Read commands up to the closer, or to the end when there is none; answers the place after it."""

    def word(self, start: int, end: int) -> Word:
        """The word that begins at `start`. Raises NotUnderstoodError."""
        line = self.line
        match = _PLAIN.match(line, start, end)
        if match is not None:
            at = match.end()
            if (at == end or line[at] in " \t\n;&|)") and line[start] != "=":
                return Word(start, at, match.group())
        return self._pieces(start, end)

    def _pieces(self, start: int, end: int) -> Word:
        line, parts = self.line, [""]
        word = Word(start, start, "")
        bare: list[str] = []  # what is not quoted, with one `_` for each part that is
        at = start
        while at < end:
            char = line[at]
            if char in _END and not (char in "<>" and line.startswith("(", at + 1)):
                break
            match = _PIECE.match(line, at, end)
            if match is not None:
                at = self._bare(match, parts, bare)
            else:
                word.plain = False
                bare.append("_")
                at = self._piece(char, at, end, word, parts)
        if _expands("".join(bare)):
            self._doubt(word, _GLOB_WHY)
        if line[start] == "~":
            self._doubt(word, _TILDE_WHY)
        elif line[start] == "=" and at > start + 1:
            self._doubt(word, "a word begins with `=`, which some shells replace by a program's path")
        word.text, word.end = "".join(parts), at
        return word

    def _bare(self, match: re.Match[str], parts: list[str], bare: list[str]) -> int:
        piece = match.group()
        if len(piece) > SHELL_PIECE_CHARS:
            raise TooComplexError(
                f"the command line has a word longer than {SHELL_PIECE_CHARS:,} characters"
            )
        parts.append(piece)
        bare.append(piece)
        return match.end()

    def _piece(self, char: str, at: int, end: int, word: Word, parts: list[str]) -> int:
        line = self.line
        self._count()
        if char == "'":
            close = line.find("'", at + 1, end)
            if close < 0:
                raise NotUnderstoodError("a quote that is not closed", at)
            parts.append(line[at + 1 : close])
            return close + 1
        if char == '"':
            return self._double_quoted(at + 1, end, word, parts)
        if char == "\\":
            if line.startswith("\n", at + 1) or at + 1 >= end:
                raise NotUnderstoodError("a line continuation inside a word", at)
            parts.append(line[at + 1])
            return at + 2
        if char in "<>":
            return self._substitution(at, 2, end, word, parts)
        return self.expansion(at, end, word, parts, quoted=False)

    def _double_quoted(self, at: int, end: int, word: Word, parts: list[str]) -> int:
        line = self.line
        while at < end:
            match = _QUOTED.match(line, at, end)
            if match is not None:
                parts.append(match.group())
                at = match.end()
                continue
            char = line[at]
            if char == '"':
                return at + 1
            if char == "\\":
                at = self._escaped(at, end, parts)
            else:
                at = self.expansion(at, end, word, parts, quoted=True)
        raise NotUnderstoodError("a double quote that is not closed", at)

    def _count(self) -> None:
        self._pieces_left -= 1
        if self._pieces_left < 0:
            raise TooComplexError(f"the command line has more than {SHELL_PIECES:,} quotes and expansions")

    def _escaped(self, at: int, end: int, parts: list[str]) -> int:
        self._count()
        follower = self.line[at + 1 : at + 2]
        if follower == "\n" or at + 1 >= end:
            raise NotUnderstoodError("a line continuation inside quotes", at)
        parts.append(follower if follower in '$`"\\' else f"\\{follower}")
        return at + 2

    def expansion(self, at: int, end: int, word: Word, parts: list[str], *, quoted: bool) -> int:
        """Read what begins with `$` or a backtick, and put what stands for it into `parts`."""
        self._count()
        self._open += 1
        if self._open > SHELL_DEPTH:
            raise TooComplexError(f"the command line is nested deeper than {SHELL_DEPTH}")
        at = self._expansion(at, end, word, parts, quoted=quoted)
        self._open -= 1
        return at

    def _expansion(self, at: int, end: int, word: Word, parts: list[str], *, quoted: bool) -> int:
        line = self.line
        if line[at] == "`":
            return self._backticks(at, end, word, parts)
        follower = line[at + 1 : at + 2] if at + 1 < end else ""
        if follower == "(":
            if line.startswith("((", at + 1):
                return self._arithmetic(at, end, word, parts)
            return self._substitution(at, 2, end, word, parts)
        if follower == "{":
            return self._braced(at, end, word, parts)
        match = _VARIABLE.match(line, at, end)
        if match is not None:
            self._doubt(word, f"the variable {match.group(1)} is only known when the shell runs")
            parts.append(UNKNOWN)
            return match.end()
        if follower == "'" and not quoted:
            return self._ansi(at, end, word, parts)
        if _OTHER_VARIABLE.match(line, at, end):
            raise NotUnderstoodError("a `$` before a sign and a name, a variable to some shells", at)
        if follower in ("", "'") or follower in _AFTER_LONE_DOLLAR:
            if follower == '"' and not quoted:
                raise NotUnderstoodError('a `$"…"` that is translated', at)
            parts.append("$")
            return at + 1
        raise NotUnderstoodError("a `$` before something that is no name", at)

    def _ansi(self, at: int, end: int, word: Word, parts: list[str]) -> int:
        match = _ANSI.match(self.line, at, end)
        if match is None:
            raise NotUnderstoodError("a `$'` that is not closed", at)
        try:
            text = _ANSI_ESCAPE.sub(_unescaped, match.group(1))
        except ValueError:
            text = UNKNOWN
        if not all(" " <= char <= "~" for char in text):
            why = "a `$'…'` stands for characters that are not plain; write them as they are"
            word.fault = word.fault or Opaque(Opacity.CHARACTER, why)
        parts.append(text)
        return match.end()

    def _backticks(self, at: int, end: int, word: Word, parts: list[str]) -> int:
        close = self.line.find("`", at + 1, end)
        if close < 0:
            raise NotUnderstoodError("a backtick that is not closed", at)
        if "\\" in self.line[at:close]:
            raise NotUnderstoodError("a backslash between backticks; write `$(…)`", at)
        self.script(at + 1, close, "")
        self._substituted(word, parts)
        return close + 1

    def _substitution(self, at: int, opener: int, end: int, word: Word, parts: list[str]) -> int:
        at = self.script(at + opener, end, ")")
        self._substituted(word, parts)
        return at

    def _substituted(self, word: Word, parts: list[str]) -> None:
        why = "a word is what another command prints; run that first and write its result"
        word.fault = word.fault or Opaque(Opacity.SUBSTITUTION, why)
        parts.append(UNKNOWN)

    def _arithmetic(self, at: int, end: int, word: Word, parts: list[str]) -> int:
        line, depth, inner = self.line, 0, at + 3
        self._doubt(word, "a sum is only known when the shell runs")
        word.sets = True
        parts.append(UNKNOWN)
        while inner < end:
            match = _ARITHMETIC.match(line, inner, end)
            if match is not None:
                inner = match.end()
                continue
            char = line[inner]
            if char == ")" and depth == 0:
                if not line.startswith("))", inner) or inner + 2 > end:
                    raise NotUnderstoodError("a `$((` that is no sum", at)
                return inner + 2
            if char in "()":
                depth += 1 if char == "(" else -1
                inner += 1
            elif char in "$`":
                inner = self.expansion(inner, end, word, parts, quoted=True)
            else:
                break
        raise NotUnderstoodError("a sum with quotes, or one that is not closed", at)

    def _braced(self, at: int, end: int, word: Word, parts: list[str]) -> int:
        line = self.line
        match = _NAME.match(line, at + 2, end)
        if match is None:
            raise NotUnderstoodError("a `${` before something that is no name", at)
        self._doubt(word, f"the variable {match.group(1)} is only known when the shell runs")
        parts.append(UNKNOWN)
        inner = match.end()
        word.sets = word.sets or line[at + 2] == "!" or line[inner : inner + 1] != "}"
        while inner < end:
            match = _BRACED.match(line, inner, end)
            if match is not None:
                inner = match.end()
                continue
            char = line[inner]
            if char == "}":
                return inner + 1
            if char == '"':
                inner = self._double_quoted(inner + 1, end, word, parts)
            elif char in "$`":
                inner = self.expansion(inner, end, word, parts, quoted=True)
            else:
                break
        raise NotUnderstoodError("a `${…}` with quotes or braces in it, or one that is not closed", at)

    def _doubt(self, word: Word, why: str) -> None:
        word.plain = False
        word.fault = word.fault or Opaque(Opacity.EXPANSION, why)


def _expands(bare: str) -> bool:
    """Whether the shell may put other words in place of this one, whose quoted parts are left out."""
    if "*" in bare or "?" in bare or "=~" in bare or ":~" in bare:
        return True
    if 0 <= bare.find("[") < bare.rfind("]"):
        return True
    braced = bare[bare.find("{") + 1 : max(bare.rfind("}"), 0)] if "{" in bare else ""
    return "," in braced or ".." in braced


def _unescaped(match: re.Match[str]) -> str:
    octal, short, four, eight, letter = match.groups()
    if octal is not None:
        return chr(int(octal, 8) & 0xFF)
    code = short or four or eight
    if code is not None:
        return chr(int(code, 16))
    return _ANSI_LETTERS.get(letter, "\x1b")
