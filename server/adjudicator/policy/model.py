"""Casbin model files, read strictly: exact sections and columns, no effect that allows by default."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.policy.matcher import Matcher, MatcherError, parse_matcher
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

ALLOW_AND_NOT_DENY = "some(where (p.eft == allow)) && !some(where (p.eft == deny))"
ALLOW = "some(where (p.eft == allow))"
TENANT_CONJUNCT = "r.tenant == p.tenant"

_SECTIONS = {
    "request_definition": "r",
    "policy_definition": "p",
    "role_definition": "g",
    "policy_effect": "e",
    "matchers": "m",
}
_ROLES = "_, _, _"


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns that a model must have; `read` are the policy columns that its matcher must look at."""

    name: str
    request: tuple[str, ...]
    policy: tuple[str, ...]
    read: frozenset[str]

    @property
    def file(self) -> str:
        """The model's file."""
        return f"models/{self.name}.conf"


PERMISSION = Shape(
    "permission",
    ("sub", "tenant", "obj"),
    ("sub", "tenant", "obj", "eft"),
    frozenset({"sub", "tenant", "obj"}),
)
SCOPE = Shape(
    "scope", ("sub", "tenant", "obj"), ("sub", "tenant", "obj", "eft"), frozenset({"sub", "tenant", "obj"})
)
RULES = Shape(
    "rules",
    ("sub", "tenant", "tool", "facet"),
    ("sub", "tenant", "tool", "argument", "unless", "eft", "reason"),
    frozenset({"sub", "tenant", "tool", "argument", "unless"}),
)


@dataclass(frozen=True, slots=True)
class Model:
    """One model that was checked. `denies` says whether its effect gives a Deny row its force.

    `line` and `column` are the matcher's.
    """

    shape: Shape
    matcher: Matcher
    denies: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Entry:
    value: str
    line: int
    column: int


def read_model(
    source: Source, shape: Shape, functions: Mapping[str, int], problems: Problems
) -> Model | None:
    """The model, or None when there is a problem with it. `functions` may be called by its matcher."""
    before = len(problems)
    entries = _entries(source, problems)
    for section, key in _SECTIONS.items():
        if key not in entries:
            problems.add(source.name, f"there is no `{key} = …` in a section `[{section}]`; add it")
    if len(problems) > before:
        return None
    _check_columns(source, entries["r"], "r", shape.request, problems)
    _check_columns(source, entries["p"], "p", shape.policy, problems)
    if _columns(entries["g"].value) != _columns(_ROLES):
        _refuse(
            source, entries["g"], f"write `g = {_ROLES}`: a subject, its role, and the tenant", problems
        )
    denies = _effect(source, entries["e"], problems)
    matcher = _matcher(source, entries["m"], shape, functions, problems)
    if matcher is None or len(problems) > before:
        return None
    return Model(shape, matcher, denies, entries["m"].line, entries["m"].column)


def _entries(source: Source, problems: Problems) -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    section = ""
    for number, line in enumerate(source.text.split("\n"), start=1):
        text = line.removesuffix("\r").strip(" \t")
        column = len(line) - len(line.lstrip(" \t")) + 1
        message = None
        if not text or text.startswith("#"):
            continue
        if text.startswith("["):
            section, message = text.strip("[]"), _section_fault(text)
        else:
            message = _take_entry(text, section, _Entry(text, number, column), entries)
        if message is not None:
            problems.add(source.name, message, number, column)
    return entries


def _section_fault(text: str) -> str | None:
    if text in [f"[{name}]" for name in _SECTIONS]:
        return None
    return f"{text!a} is not a section; the sections are {', '.join(f'`[{name}]`' for name in _SECTIONS)}"


def _take_entry(text: str, section: str, entry: _Entry, entries: dict[str, _Entry]) -> str | None:
    key, separator, value = (part.strip(" \t") for part in text.partition("="))
    if text.endswith("\\"):
        return "a line that goes on in the next; write it on one line"
    if not all(char.isascii() and (char.isprintable() or char == "\t") for char in text):
        return "a character outside of printable ASCII; remove it"
    if not separator or not value or section not in _SECTIONS or key != _SECTIONS[section]:
        expected = (
            f"`{_SECTIONS[section]} = …`" if section in _SECTIONS else "a section such as `[matchers]`"
        )
        return f"{text!a} is not expected here; write {expected}"
    if key in entries:
        return f"`{key}` is at line {entries[key].line} already; keep one"
    entries[key] = _Entry(value, entry.line, entry.column + text.index(value, text.index("=") + 1))
    return None


def _columns(value: str) -> list[str]:
    return [column.strip(" \t") for column in value.split(",")]


def _check_columns(
    source: Source, entry: _Entry, key: str, expected: tuple[str, ...], problems: Problems
) -> None:
    if _columns(entry.value) != list(expected):
        _refuse(
            source,
            entry,
            f"the columns are not the product's; write `{key} = {', '.join(expected)}`",
            problems,
        )


def _effect(source: Source, entry: _Entry, problems: Problems) -> bool:
    written = re.sub(r"\s+", "", entry.value)
    if written == re.sub(r"\s+", "", ALLOW_AND_NOT_DENY):
        return True
    if written != re.sub(r"\s+", "", ALLOW):
        _refuse(
            source,
            entry,
            "this effect may allow when no row matches, or is not known here; "
            f"write `{ALLOW_AND_NOT_DENY}`, or `{ALLOW}` where no row denies",
            problems,
        )
    elif entry.value not in (ALLOW, ALLOW_AND_NOT_DENY):
        _refuse(source, entry, f"stock Casbin knows this effect only as `{ALLOW}`", problems)
    return False


def _matcher(
    source: Source, entry: _Entry, shape: Shape, functions: Mapping[str, int], problems: Problems
) -> Matcher | None:
    try:
        matcher = parse_matcher(entry.value, frozenset(shape.request), frozenset(shape.policy), functions)
    except MatcherError as error:
        problems.add(source.name, str(error), entry.line, entry.column + error.offset)
        return None
    for column in sorted(shape.read - matcher.policy_columns):
        _refuse(
            source,
            entry,
            f"the matcher never looks at `p.{column}`, so that column would be ignored",
            problems,
        )
    if not matcher.has_conjunct(TENANT_CONJUNCT):
        _refuse(
            source, entry, f"every row belongs to one tenant; join `{TENANT_CONJUNCT}` with `&&`", problems
        )
    return matcher


def _refuse(source: Source, entry: _Entry, message: str, problems: Problems) -> None:
    problems.add(source.name, message, entry.line, entry.column)
