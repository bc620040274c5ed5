"""Our own reading of a command line: its simple commands in order, with their words and redirections.

A strict recursive descent over the shell's token rules. It understands what agents write; whatever it
does not understand makes the line opaque, and reading goes on behind it so that Deny sees the rest.
"""

import re

from adjudicator.config.limits import SHELL_COMMANDS, SHELL_DEPTH, SHELL_FAULTS, SHELL_WORDS
from adjudicator.facets.bounds import TooComplexError
from adjudicator.facets.shell.reading import Mark, Reading, Redirection, Role, Simple
from adjudicator.facets.shell.variables import is_free
from adjudicator.facets.shell.words import NotUnderstoodError, Word, WordReader

_BLANK = re.compile(r"(?:[ \t]|(?<=[ \t])\\\n)*")
_OPERATOR = re.compile(r"\n|;;|;|&&|\|\||\|&|\||&(?!>)")
_REDIRECTION = re.compile(r"([0-9]*)(<<<|<<-|<<|<&-|>&-|<&|<>|<(?!\()|>>(?!\()|>\||>&|>(?!\()|&>>|&>)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?\+?=")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FUNCTION = re.compile(r"[ \t]*\([ \t]*\)")
_RESUMING = re.compile(r"[ \t\n;&|(){}<>]+")
_ARGUMENT = re.compile(r"[ \t]+([A-Za-z0-9_./:,@%+^-][A-Za-z0-9_./:,@%+=^-]*)(?=[ \t\n;&|)]|\Z)")
_EMPTY_LINES = re.compile(r"\n*")
_TABS = r"\t*"
_DESCRIPTOR = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}[<>]")

_OPENING = frozenset({"if", "then", "elif", "else", "while", "until", "do", "{", "!"})
_CLOSING = frozenset({"fi", "done", "}", "esac"})
_TESTS = {"[": "]", "[[": "]]"}
_LEFT_ALONE = frozenset({"function", "select", "coproc", "foreach", "repeat", "always", "end"})


def read(line: str) -> Reading:
    """Read the whole line. Raises TooComplexError; anything else it cannot read is among the faults."""
    reader = _Reader(line)
    at, end = 0, len(line)
    while True:
        try:
            reader.script(at, end, "")
        except NotUnderstoodError as error:
            reader.reading.faults.append(str(error))
            reader.resume()
            match = _RESUMING.search(line, max(at, error.at) + 1)
            if match is None:
                break
            at = match.end()
            if len(reader.reading.faults) > SHELL_FAULTS:
                raise TooComplexError("the command line has too much that is not understood") from error
        else:
            break
    return reader.reading


class _Reader(WordReader):
    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.reading = Reading()
        self._depth = 0
        self._commands = 0
        self._awaited: list[tuple[Redirection, bool]] = []
        self._waits = False  # a heredoc outside of the substitution that is read waits for its text

    def resume(self) -> None:
        """Forget what was open when something was not understood."""
        self._depth = self._open = 0
        self._awaited = []
        self._waits = False

    def script(self, at: int, end: int, closer: str) -> int:
        """Read commands up to the closer; answers the place after it."""
        self._depth += 1
        if self._depth > SHELL_DEPTH:
            raise TooComplexError(f"the command line is nested deeper than {SHELL_DEPTH}")
        awaited, self._awaited = self._awaited, []
        waits, self._waits = self._waits, self._waits or bool(awaited)
        nested = self._depth > 1
        if nested:
            self.reading.items.append(Mark.ENTER)
        at = _Script(self, end, closer).read(at)
        if self._awaited:
            raise NotUnderstoodError("a heredoc without its text", at)
        if nested:
            self.reading.items.append(Mark.LEAVE)
        self._awaited, self._waits = awaited, waits
        self._depth -= 1
        return at

    def begin(self, start: int, *, repeated: bool) -> Simple:
        """A new command of the reading."""
        self._commands += 1
        if self._commands > SHELL_COMMANDS:
            raise TooComplexError(f"the command line has more than {SHELL_COMMANDS} commands")
        command = Simple(start, repeated=repeated)
        self.reading.items.append(command)
        return command

    def count(self) -> None:
        """Take note of one more word. Raises TooComplexError past the limit."""
        self.reading.words += 1
        if self.reading.words > SHELL_WORDS:
            raise TooComplexError(f"the command line has more than {SHELL_WORDS:,} words")

    def take(self, start: int, end: int, role: Role | None) -> Word:
        """The word at `start`, with the role that it plays."""
        self.count()
        if start >= end:
            raise NotUnderstoodError("an end where a word should be", start)
        word = self.word(start, end)
        if word.end == start or self.line[start] == "#":
            raise NotUnderstoodError(f"a {self.line[start : start + 1]!r} where a word should be", start)
        if self._awaited and "\n" in self.line[start : word.end]:
            raise NotUnderstoodError("a line's end between a heredoc and its text", start)
        if role is not None:
            self.reading.roles[start, word.end] = role
        return word

    def setting(self, word: Word) -> None:
        """Take note of a word that sets a variable by itself, outside of the words of a command."""
        self.begin(word.start, repeated=False).assignments.append(word)

    def redirect(self, match: re.Match[str], end: int, command: Simple) -> int:
        """Read one redirection; a heredoc's text comes after the line."""
        operator, at = match.group(2), match.end()
        if operator in ("<&-", ">&-"):
            return at
        if self.line.startswith("!", at):
            raise NotUnderstoodError(f"a `{operator}!`, which is one operator to some shells", at)
        start = self.blank(at, end)
        heredoc = operator.startswith("<<") and operator != "<<<"
        target = self.take(start, end, None if heredoc else Role.TARGET)
        redirection = Redirection(operator, target)
        command.redirections.append(redirection)
        if heredoc:
            if target.fault is not None or "$" in self.line[start : target.end]:
                raise NotUnderstoodError("a heredoc whose delimiter is not a plain word", start)
            self._awaited.append((redirection, target.plain))
        elif target.sets:
            self.setting(target)
        return target.end

    def blank(self, at: int, end: int) -> int:
        """The place after blanks, and after line continuations that follow a blank."""
        if at >= end or self.line[at] not in " \t\\":
            return at
        match = _BLANK.match(self.line, at, end)
        return match.end() if match else at

    def newline(self, at: int, end: int) -> int:
        """Read the texts of the heredocs that wait for the end of the line at `at`."""
        if self._waits:
            raise NotUnderstoodError("a line's end between a heredoc and its text", at)
        awaited, self._awaited = self._awaited, []
        for redirection, expands in awaited:
            at = self._heredoc(redirection, at, end, expands=expands)
        return at

    def _heredoc(self, redirection: Redirection, at: int, end: int, *, expands: bool) -> int:
        tabs, delimiter = redirection.operator == "<<-", redirection.target.text
        close = re.compile(rf"(?m)^{_TABS if tabs else ''}{re.escape(delimiter)}(?:\n|\Z)")
        match = close.search(self.line, at, end)
        if match is None:
            raise NotUnderstoodError("a heredoc that does not end", at)
        redirection.body = self._body(at, match.start(), tabs=tabs, expands=expands)
        return match.end()

    def _body(self, start: int, end: int, *, tabs: bool, expands: bool) -> Word:
        text = self.line[start:end]
        word = Word(start, end, text, plain=False)
        if expands and ("$" in text or "`" in text or "\\" in text):
            self.reading.items.append(Mark.OTHERWISE)
            word.text = self._interpolated(start, end, word)
            if word.sets:
                self.setting(word)
        if tabs:
            word.text = re.sub(r"(?m)^\t+", "", word.text)
        return word

    def _interpolated(self, at: int, end: int, word: Word) -> str:
        line, parts = self.line, [""]
        while at < end:
            char = line[at]
            if char == "\\":
                kept = ["\\"] if line.startswith('"', at + 1) else []  # a quote is nothing special here
                parts += kept
                at = self._escaped(at, end, parts)
            elif char in "$`":
                at = self.expansion(at, end, word, parts, quoted=True)
            else:
                stop = min((p for c in "\\$`" if (p := line.find(c, at, end)) >= 0), default=end)
                parts.append(line[at:stop])
                at = stop
        return "".join(parts)


class _Script:
    """One list of commands: the whole line, or what stands in parentheses or a substitution."""

    def __init__(self, reader: _Reader, end: int, closer: str) -> None:
        self._reader = reader
        self._line = reader.line
        self._items = reader.reading.items
        self._end = end
        self._closer = closer
        self._command: Simple | None = None
        self._closed = False  # behind `fi`, `done`, `}`, `)`: only redirections and operators may follow
        self._loops = 0
        self._joined = False  # the pipeline has a `!` or a `|`, so `&&` behind it says nothing of a `cd`

    def read(self, at: int) -> int:
        line, end, reader = self._line, self._end, self._reader
        while True:
            at = reader.blank(at, end)
            if at >= end:
                if self._closer:
                    raise NotUnderstoodError("a parenthesis that is not closed", at)
                self._command = None
                return at
            char = line[at]
            if char == ")" and self._closer == ")":
                self._command = None
                return at + 1
            if char == "#":
                reader.count()
                stop = line.find("\n", at, end)
                at = end if stop < 0 else stop
                continue
            at = self._token(char, at)

    def _token(self, char: str, at: int) -> int:
        if char in "\n;&|<>0123456789":
            match = _OPERATOR.match(self._line, at, self._end)
            if match is not None:
                return self._operator(match.group(), match.end())
            match = _REDIRECTION.match(self._line, at, self._end)
            if match is not None:
                return self._reader.redirect(match, self._end, self._current(at))
        if char == "(":
            return self._parenthesis(at)
        if char == ")":
            raise NotUnderstoodError("a parenthesis that was not opened", at)
        return self._word(at)

    def _operator(self, operator: str, at: int) -> int:
        self._command = None
        self._closed = False
        if operator == ";;":
            raise NotUnderstoodError("a `case`", at)
        if operator == "\n":
            at = self._reader.newline(at, self._end)
            match = _EMPTY_LINES.match(self._line, at, self._end)
            at = match.end() if match else at
        if operator in ("|", "|&"):
            self._joined = True
        if operator == "&&" and not self._joined:
            self._items.append(Mark.AND)
        else:
            self._items.append(Mark.OTHERWISE)
        if operator not in ("|", "|&", "\n"):
            self._joined = False
        return at

    def _parenthesis(self, at: int) -> int:
        if self._command is not None or self._closed:
            raise NotUnderstoodError("a parenthesis behind a word", at)
        if self._line.startswith("((", at):
            raise NotUnderstoodError("a `((`", at)
        at = self._reader.script(at + 1, self._end, ")")
        self._closed = True
        return at

    def _current(self, at: int) -> Simple:
        """The command that goes on here. Redirections behind a group are a command of their own."""
        if self._command is None:
            self._command = self._reader.begin(at, repeated=self._loops > 0)
        return self._command

    def _word(self, at: int) -> int:
        line, end, reader = self._line, self._end, self._reader
        if line[at] == "{" and _DESCRIPTOR.match(line, at, end):
            raise NotUnderstoodError("a descriptor in a variable", at)
        command = self._command
        if command is not None and command.words:
            word = reader.take(at, end, Role.ARGUMENT)
            command.words.append(word)
            return self._arguments(command, word.end)
        word = reader.take(at, end, None)
        raw = line[at : word.end]
        if "=" in raw and _ASSIGNMENT.match(raw):
            return self._assignment(word)
        if word.plain and command is None and (stop := self._reserved(word)) is not None:
            return stop
        if self._closed:
            raise NotUnderstoodError("a word behind the end of a group", at)
        if line[word.end : word.end + 1] in (" ", "\t", "(") and _FUNCTION.match(line, word.end, end):
            return self._function(word)
        command = self._current(at)
        command.words.append(word)
        if raw in _TESTS:
            return self._test(word, _TESTS[raw])
        reader.reading.roles[at, word.end] = Role.PROGRAM
        return self._arguments(command, word.end)

    def _arguments(self, command: Simple, at: int) -> int:
        """Take the plain words that follow: what `_word` does, quickly, for what most words are."""
        line, end, reading = self._line, self._end, self._reader.reading
        while (match := _ARGUMENT.match(line, at, end)) is not None:
            start, at = match.span(1)
            command.words.append(Word(start, at, match.group(1)))
            reading.roles[start, at] = Role.ARGUMENT
            self._reader.count()
        return at

    def _assignment(self, word: Word) -> int:
        if self._line.startswith("(", word.end) or self._closed:
            raise NotUnderstoodError("an array", word.start)
        self._reader.reading.roles[word.start, word.end] = Role.ARGUMENT
        self._current(word.start).assignments.append(word)
        return word.end

    def _reserved(self, word: Word) -> int | None:
        text = word.text
        if text in _OPENING:
            if self._closed:
                raise NotUnderstoodError(f"`{text}` behind the end of a group", word.start)
            self._items.append(Mark.OTHERWISE)
            self._joined = self._joined or text == "!"
            self._loops += text in ("while", "until")
            return word.end
        if text in _CLOSING:
            self._items.append(Mark.OTHERWISE)
            self._closed = True
            return word.end
        if text == "for":
            return self._for(word.end)
        if text in _LEFT_ALONE or text in ("case", "in"):
            raise NotUnderstoodError(f"`{text}`", word.start)
        return None

    def _for(self, at: int) -> int:
        line, end, reader = self._line, self._end, self._reader
        self._loops += 1
        at = reader.blank(at, end)
        match = _NAME.match(line, at, end)
        if match is None:
            raise NotUnderstoodError("a `for` without a name", at)
        if not is_free(match.group()):
            reader.setting(Word(at, match.end(), match.group()))
        at = reader.blank(match.end(), end)
        if line.startswith("in", at) and line[at + 2 : at + 3] in ("", " ", "\t", "\n", ";", "\\"):
            at = reader.blank(at + 2, end)
            while at < end and line[at] not in ";\n":
                word = reader.take(at, end, Role.ARGUMENT)
                if word.sets:
                    reader.setting(word)
                at = reader.blank(word.end, end)
        if at >= end or line[at] not in ";\n":
            raise NotUnderstoodError("a `for` without a `do`", at)
        self._items.append(Mark.OTHERWISE)
        return at + 1

    def _function(self, word: Word) -> int:
        match = _FUNCTION.match(self._line, word.end, self._end)
        command = self._reader.begin(word.start, repeated=False)
        command.words.append(word)
        command.function = True
        self._loops += 1
        self._items.append(Mark.OTHERWISE)
        return match.end() if match else word.end

    def _test(self, opener: Word, closer: str) -> int:
        """The words of `[ … ]` or `[[ … ]]`; an operator among them is left to the shell."""
        command, reader = self._current(opener.start), self._reader
        at = reader.blank(opener.end, self._end)
        while at < self._end and self._line[at] not in "\n;&|<>()":
            word = reader.take(at, self._end, None)
            command.words.append(word)
            if word.plain and word.text == closer:
                self._closed = True
                reader.reading.roles[opener.start, word.end] = Role.PROGRAM
                return word.end
            at = reader.blank(word.end, self._end)
        raise NotUnderstoodError(f"a `{opener.text}` with an operator in it", at)
