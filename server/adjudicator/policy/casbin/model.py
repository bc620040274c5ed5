"""Casbin `.conf` files, read strictly: exact sections, a known effect, a whitelisted matcher."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.policy.casbin.expression import (
    Call,
    ExpressionError,
    Literal,
    PolicyColumn,
    RequestColumn,
    Truth,
    nodes,
)
from adjudicator.policy.casbin.functions import MatchingFunction
from adjudicator.policy.casbin.parser import parse_expression
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

ALLOW_AND_NOT_DENY = "some(where (p.eft == allow)) && !some(where (p.eft == deny))"
ALLOW = "some(where (p.eft == allow))"
EVAL = "eval"

_SECTIONS = {
    "request_definition": "r",
    "policy_definition": "p",
    "role_definition": "g",
    "policy_effect": "e",
    "matchers": "m",
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ROLE_KEY = re.compile(r"g[0-9]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of a key in a `.conf` file, and where it stands."""

    value: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Model:
    """One model that was checked.

    `roles` says for each kind of role (`g`, `g2`) whether it has a domain. `denies` says whether the
    effect gives a Deny row its force. `at` has the place of each key, for messages.
    """

    request: tuple[str, ...]
    policy: tuple[str, ...]
    roles: Mapping[str, bool]
    denies: bool
    matcher: Truth
    at: Mapping[str, Entry]

    def widths(self) -> dict[str, int]:
        """How many fields follow each first column of a row."""
        return {"p": len(self.policy), **{kind: 2 + domain for kind, domain in self.roles.items()}}


def read_model(
    source: Source, functions: Mapping[str, MatchingFunction], problems: Problems
) -> Model | None:
    """The model, or None when there is a problem with it. `functions` may be called by its matcher."""
    return _Reader(source, functions, problems).read()


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    functions: Mapping[str, MatchingFunction]
    problems: Problems

    def read(self) -> Model | None:
        before = len(self.problems)
        entries = self._entries()
        for section, key in _SECTIONS.items():
            if key not in entries and key != "g":
                self.problems.add(
                    self.source.name, f"there is no `{key} = …` in a section `[{section}]`; add it"
                )
        if len(self.problems) > before:
            return None
        request, policy = self._columns(entries["r"]), self._columns(entries["p"])
        roles = {key: self._has_domain(entry) for key, entry in entries.items() if _ROLE_KEY.fullmatch(key)}
        denies = self._denies(entries["e"])
        matcher = self._matcher(entries["m"], MatcherColumns(frozenset(request), frozenset(policy), roles))
        if matcher is None or len(self.problems) > before:
            return None
        return Model(request, policy, roles, denies, matcher, entries)

    def refuse(self, entry: Entry, message: str) -> None:
        self.problems.add(self.source.name, message, entry.line, entry.column)

    def _entries(self) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        section = ""
        for number, line in enumerate(self.source.text.split("\n"), start=1):
            text = line.removesuffix("\r").strip(" \t")
            column = len(line) - len(line.lstrip(" \t")) + 1
            message = None
            if not text or text.startswith("#"):
                continue
            if text.startswith("["):
                section, message = text.strip("[]"), _section_fault(text)
            else:
                message = _take_entry(text, section, Entry(text, number, column), entries)
            if message is not None:
                self.problems.add(self.source.name, message, number, column)
        return entries

    def _columns(self, entry: Entry) -> tuple[str, ...]:
        columns = tuple(column.strip(" \t") for column in entry.value.split(","))
        for column in columns:
            if not _NAME.fullmatch(column):
                self.refuse(entry, f"{column!a} is not the name of a column; write letters, digits and `_`")
            elif columns.count(column) > 1:
                self.refuse(entry, f"the column `{column}` is there twice; keep one")
        return columns

    def _has_domain(self, entry: Entry) -> bool:
        written = "".join(entry.value.split())
        if written not in ("_,_", "_,_,_"):
            self.refuse(entry, "write `_, _` for a member and its role, or `_, _, _` with a domain")
        return written == "_,_,_"

    def _denies(self, entry: Entry) -> bool:
        written = re.sub(r"\s+", "", entry.value)
        if written == re.sub(r"\s+", "", ALLOW_AND_NOT_DENY):
            return True
        if written != re.sub(r"\s+", "", ALLOW):
            self.refuse(
                entry,
                "this effect may allow when no row matches, or is not known here; "
                f"write `{ALLOW_AND_NOT_DENY}`, or `{ALLOW}` where no row denies",
            )
        elif entry.value != ALLOW:
            self.refuse(entry, f"stock Casbin knows this effect only as `{ALLOW}`")
        return False

    def _matcher(self, entry: Entry, columns: "MatcherColumns") -> Truth | None:
        if "#" in entry.value:
            column = entry.column + entry.value.index("#")
            message = "a `#` would cut the matcher off; comment on a line of its own"
            self.problems.add(self.source.name, message, entry.line, column)
            return None
        try:
            matcher = parse_expression(entry.value)
            columns.check(matcher, self.functions)
        except ExpressionError as error:
            self.problems.add(self.source.name, str(error), entry.line, entry.column + error.offset)
            return None
        if not any(isinstance(node, PolicyColumn) for node in nodes(matcher)):
            self.refuse(entry, "the matcher looks at no column of a row (`p.…`), so every row would match")
            return None
        return matcher


@dataclass(frozen=True, slots=True)
class MatcherColumns:
    """What a matcher, or a condition in a row, may speak of."""

    request: frozenset[str]
    policy: frozenset[str]
    roles: Mapping[str, bool]

    def check(self, truth: Truth, functions: Mapping[str, MatchingFunction]) -> None:
        """Raises ExpressionError for a column, a function or a number of arguments that is not known."""
        for node in nodes(truth):
            if isinstance(node, RequestColumn) and node.name not in self.request:
                raise ExpressionError(f"`{node}` is not a column of this model")
            if isinstance(node, PolicyColumn) and node.name not in self.policy:
                raise ExpressionError(f"`{node}` is not a column of this model")
            if isinstance(node, Call):
                self._check_call(node, functions)

    def _check_call(self, call: Call, functions: Mapping[str, MatchingFunction]) -> None:
        if call.name == EVAL:
            if len(call.arguments) != 1 or not isinstance(call.arguments[0], PolicyColumn):
                raise ExpressionError("write `eval(p.…)`: a condition comes from a row", call.offset)
        elif call.name in self.roles:
            _check_count(call, 2 + self.roles[call.name])
        elif call.name in functions:
            _check_count(call, 1 + functions[call.name].patterns)
            _check_patterns(call, functions[call.name])
        else:
            known = ", ".join(f"`{name}`" for name in sorted({*functions, *self.roles, EVAL}))
            raise ExpressionError(f"`{call.name}` is not a known function; they are {known}", call.offset)


def _check_count(call: Call, want: int) -> None:
    have = len(call.arguments)
    if want != have:
        raise ExpressionError(f"`{call.name}` takes {want} arguments, not {have}", call.offset)


def _check_patterns(call: Call, function: MatchingFunction) -> None:
    """What a caller sends is never taken for a pattern."""
    patterns: list[str] = []
    for argument in call.arguments[1:]:
        if isinstance(argument, Literal) and isinstance(argument.value, str):
            patterns.append(argument.value)
        elif not isinstance(argument, PolicyColumn):
            raise ExpressionError(
                f"`{call.name}` takes its patterns from a row (`p.…`) or from quotes, never from a request",
                call.offset,
            )
    if len(patterns) == function.patterns:
        try:
            function.compile(*patterns)
        except PatternError as error:
            raise ExpressionError(str(error), call.offset) from error


def _section_fault(text: str) -> str | None:
    if text in [f"[{name}]" for name in _SECTIONS]:
        return None
    return f"{text!a} is not a section; the sections are {', '.join(f'`[{name}]`' for name in _SECTIONS)}"


def _take_entry(text: str, section: str, entry: Entry, entries: dict[str, Entry]) -> str | None:
    key, separator, value = (part.strip(" \t") for part in text.partition("="))
    if text.endswith("\\"):
        return "a line that goes on in the next; write it on one line"
    if not all(char.isascii() and (char.isprintable() or char == "\t") for char in text):
        return "a character outside of printable ASCII; remove it"
    if not separator or not value or section not in _SECTIONS or not _is_key(key, section):
        expected = (
            f"`{_SECTIONS[section]} = …`" if section in _SECTIONS else "a section such as `[matchers]`"
        )
        return f"{text!a} is not expected here; write {expected}"
    if key in entries:
        return f"`{key}` is at line {entries[key].line} already; keep one"
    entries[key] = Entry(value, entry.line, entry.column + text.index(value, text.index("=") + 1))
    return None


def _is_key(key: str, section: str) -> bool:
    if section == "role_definition":
        return _ROLE_KEY.fullmatch(key) is not None
    return key == _SECTIONS[section]
