"""What a wrapper runs: those of its words that are another command, or the text that a shell is handed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.domain.facet import Opacity, Opaque
from adjudicator.facets.shell.program import DEVICES, Program
from adjudicator.facets.shell.reading import Simple
from adjudicator.facets.shell.words import Word

ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[[^]]*\])?\+?=")
_KEYWORDS = frozenset({"!", "{"})
_EXECS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_EXEC_ENDS = frozenset({";", "+"})
_SHELL_OPTIONS = frozenset({"errexit", "nounset", "pipefail", "xtrace", "verbose", "noglob", "noclobber"})
_SHELL_LETTERS = frozenset("leuxvcs")
_SPLIT = re.compile(r"(?:-[A-Za-z0-9]*S|--split-string=)(.+)", re.DOTALL)
_SAFE = re.compile(
    r"(?:LANG|LANGUAGE|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|CI)"
    r"=[A-Za-z0-9_.:@-]*|TZ=(?:[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*)?"
)


@dataclass(frozen=True, slots=True)
class Inner:
    """What is run: the words from `first` up to `last`, or the text of `script`.

    `fault` says why the wrapper cannot be left out of account; `script` may have unknown parts.
    """

    first: int = 0
    last: int = 0
    script: Word | None = None
    fault: Opaque | None = None


def base_name(program: str) -> str:
    """The program's name without the folders before it."""
    return program.rpartition("/")[2]


def environment_fault(assignments: Sequence[Word]) -> Opaque | None:
    """Why these assignments may change what a command does; None for the few that never do."""
    for each in assignments:
        if each.fault is not None or _SAFE.fullmatch(each.text) is None:
            match = ASSIGNMENT.match(each.text)
            name = match.group(1) if match else "a variable"
            return Opaque(Opacity.ENVIRONMENT, f"{name} is set, which may change what the command does")
    return None


def inner_commands(
    program: Program, words: Sequence[Word], texts: Sequence[str], simple: Simple
) -> list[Inner]:
    """Everything that the wrapper runs; nothing when it runs nothing, or nobody can say what."""
    if program.queries and any(text in program.queries for text in texts[1:2]):
        return []
    if program.inner == "exec":
        return _after_exec(texts)
    if program.inner == "shell":
        return _shell(program, words, texts, simple)
    if program.inner == "eval":
        told = words[2:] if texts[1:2] == ("--",) else words[1:]
        return [Inner(script=_together(told))] if told else []
    if program.inner == "dash-c":
        return [Inner(script=words[at + 1]) for at in range(1, len(words) - 1) if _is_c(texts[at])]
    if program.inner == "first-string":
        at = program.operand(texts)
        return [Inner(script=words[at])] if at < len(words) else []
    return _words(program, words, texts)


def _is_c(text: str) -> bool:
    return text == "--command" or (
        text.startswith("-") and not text.startswith("--") and text.endswith("c")
    )


def _words(program: Program, words: Sequence[Word], texts: Sequence[str]) -> list[Inner]:
    at = program.operand(texts)
    option = program.unknown_option(texts)
    fault = None
    if option is not None:
        fault = _option_fault(base_name(texts[0]), option)
    at += program.skip
    if program.skip and not program.through:
        at = program.operand(texts, at)
    if at < len(texts) and texts[at] == "-":  # `env -` is `env -i`
        fault = fault or _option_fault(base_name(texts[0]), "-")
        at += 1
    if at < len(texts) and texts[at] == "--":
        at += 1
    if at < len(texts) and texts[at] in _KEYWORDS:  # behind `time` they are what they are elsewhere
        fault = fault or Opaque(Opacity.SYNTAX, f"`{texts[at]}` stands where a program's name should be")
        at += 1
    start = at
    while at < len(words) and _is_variable(program, texts, at):
        at += 1
    fault = fault or environment_fault(words[start:at])
    if at >= len(words):
        return [Inner(script=text, fault=fault) for text in _split_string(words, texts)]
    if (not program.through or fault is not None) and at == len(words) - 1 and not words[at].plain:
        return [Inner(script=words[at], fault=fault)]
    return [Inner(at, len(words), fault=fault)]


def _is_variable(program: Program, texts: Sequence[str], at: int) -> bool:
    """Whether the word sets one. To `env` every `=` does; elsewhere a last word may be a script."""
    if program.through:
        return "=" in texts[at]
    return ASSIGNMENT.match(texts[at]) is not None and at < len(texts) - 1


def _split_string(words: Sequence[Word], texts: Sequence[str]) -> list[Word]:
    """The command that `env -S` holds in the same word."""
    return [
        Word(word.start, word.end, match[1], word.fault, plain=False)
        for word, text in zip(words, texts, strict=True)
        if (match := _SPLIT.fullmatch(text)) is not None
    ]


def _after_exec(texts: Sequence[str]) -> list[Inner]:
    found = []
    for at, text in enumerate(texts):
        if text in _EXECS:
            ends = (end for end in range(at + 1, len(texts)) if texts[end] in _EXEC_ENDS)
            last = next(ends, len(texts))
            if last > at + 1:
                found.append(Inner(at + 1, last))
    return found


def _shell(program: Program, words: Sequence[Word], texts: Sequence[str], simple: Simple) -> list[Inner]:
    named = base_name(texts[0])
    at, fault, has_string = 1, None, False
    while at < len(texts) and texts[at][:1] in ("-", "+") and len(texts[at]) > 1:
        text = texts[at]
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            fault = fault or (None if program.knows(text) else _option_fault(named, text))
            continue
        letters = set(text[1:])
        has_string = has_string or ("c" in letters and text[0] == "-")
        if "o" in letters:
            known = texts[at : at + 1] and texts[at] in _SHELL_OPTIONS
            at += 1
            fault = fault or (None if known else _option_fault(named, text))
        if not letters - {"o"} <= _SHELL_LETTERS or (text[0] == "+" and "c" in letters):
            fault = fault or _option_fault(named, text)
    if has_string and at < len(words):
        return [Inner(script=words[at], fault=fault)]
    if at < len(words) and "-s" not in texts[:at] and not texts[at].startswith(("-", *DEVICES)):
        return [Inner(fault=fault)] if fault is not None else []
    return [_from_stdin(named, simple, fault)]


def _from_stdin(named: str, simple: Simple, fault: Opaque | None) -> Inner:
    for redirection in reversed(simple.redirections):
        if redirection.operator == "<<<":
            return Inner(script=redirection.target, fault=fault)
        if redirection.body is not None:
            return Inner(script=redirection.body, fault=fault)
        if redirection.operator in ("<", "<>", "<&"):
            break
    why = f"{named} reads its commands from standard input; write them as an operand of -c"
    return Inner(fault=Opaque(Opacity.OPERANDS, why))


def _option_fault(named: str, text: str) -> Opaque:
    why = f"{named} {text[:20]} is not known here and may change what is run"
    return Opaque(Opacity.PROGRAM_RUN, why)


def _together(words: Sequence[Word]) -> Word:
    """The words as `eval` joins them."""
    fault = next((word.fault for word in words if word.fault is not None), None)
    return Word(words[0].start, words[-1].end, " ".join(word.text for word in words), fault, plain=False)
