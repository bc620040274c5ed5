"""To which tools of a bundle the tools that a source rule names go."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from adjudicator.authoring.imports.forms.source_rules import Family, PathSpec, SourceRule
from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Registry, Tool
from adjudicator.policy.snapshot import Effect

_MCP = "mcp__"
_READING = frozenset(("read", "read_file", "readfile", "read_text_file", "view", "cat"))
_EDITING = frozenset(
    (
        "edit",
        "write",
        "patch",
        "edit_file",
        "write_file",
        "apply_patch",
        "replace",
        "multiedit",
        "str_replace",
    )
)
_RUNNING = frozenset(
    ("bash", "shell", "sh", "run_shell_command", "run_command", "execute_command", "terminal")
)
_FETCHING = frozenset(("fetch", "web_fetch", "webfetch", "fetch_page", "fetch_url"))
_BETWEEN = re.compile(r"[^a-z0-9*?]+")
_NAMED = {
    Family.READ: _READING,
    Family.EDIT: _EDITING,
    Family.SHELL: _RUNNING,
    Family.URL: _FETCHING,
}
_OF_FAMILIES = frozenset().union(*_NAMED.values())


@dataclass(frozen=True, slots=True)
class ToolNames:
    """The tools of a bundle by the names that a source has for them. `stated` says some of these.

    A name that is stated to be no tool has no codes, and needs none.
    """

    registry: Registry
    stated: Mapping[str, tuple[str, ...]]
    _flat: Mapping[str, set[str]] = field(init=False)
    """Codes by their names in which nothing counts but letters and digits; made once for all rules."""

    def __post_init__(self) -> None:
        flat: dict[str, set[str]] = defaultdict(set)
        for code in self.registry.tools:
            flat[_flat(code)].add(code)
        for name, codes in self.stated.items():
            flat[_flat(name)].update(codes)
        object.__setattr__(self, "_flat", dict(flat))

    def codes_for(self, rule: SourceRule) -> tuple[str, ...]:
        """The codes, or `*` for every tool: what may not be read may be reached by none.

        An Allow goes to the tool alone that is meant for sure, all else to each that may be meant.
        """
        if rule.effect is Effect.DENY and isinstance(rule.spec, PathSpec):
            return (ANY,)
        if self.is_none(rule):
            return ()
        if rule.effect is Effect.ALLOW:
            return self.stated.get(rule.tool) or self._meant(rule)
        if rule.tool == ANY:
            return (ANY,)
        may_be = {*self.stated.get(rule.tool, ()), *self._maybe_meant(rule)}
        return tuple(code for code in self.registry.tools if code in may_be)

    def _meant(self, rule: SourceRule) -> tuple[str, ...]:
        if rule.family is Family.OTHER:
            return () if rule.tool == ANY else self._named(rule.tool)
        found = self._of_family(rule.family)
        if rule.family is Family.EDIT and _plain(rule.tool) != "edit":
            # A rule for edits is about every tool that edits, one for another tool about that alone.
            return tuple(code for code in found if _plain(code) == _plain(rule.tool))
        return found

    def _maybe_meant(self, rule: SourceRule) -> Iterable[str]:
        if rule.family is Family.OTHER:
            return self._like(rule.tool)
        if rule.family in (Family.SHELL, Family.URL):
            # Who says which tool it is means no other one.
            return () if rule.tool in self.stated else self._all_of_family(rule.family)
        if rule.spec is not None:
            # Rules of paths are about all tools that read them, or change them.
            return self._all_of_family(rule.family)
        stated = (code for codes in self.stated.values() for code in codes if self._has(rule.family, code))
        return (*self._of_family(rule.family), *stated)

    def is_none(self, rule: SourceRule) -> bool:
        """Whether it is stated that there is no such tool."""
        return self.stated.get(rule.tool) == ()

    def can_match(self, rule: SourceRule, code: str) -> bool:
        """Whether a call of the tool can have what the rule's specification is about."""
        if rule.spec is None:
            return True
        tools = self.registry.tools.values() if code == ANY else (self.registry.tools[code],)
        return any(_yields(rule, tool) for tool in tools)

    def _of_family(self, family: Family) -> tuple[str, ...]:
        named = [code for code in self.registry.tools if code.casefold() in _NAMED[family]]
        if named:
            return tuple(code for code in named if self._has(family, code))
        able = [code for code in self.registry.tools if self._has(family, code)]
        return tuple(able) if len(able) == 1 and family in (Family.SHELL, Family.URL) else ()

    def _all_of_family(self, family: Family) -> tuple[str, ...]:
        able = tuple(code for code in self.registry.tools if self._has(family, code))
        return able or self._of_family(family)

    def _has(self, family: Family, code: str) -> bool:
        reads = family is not Family.READ or code.casefold() not in _EDITING
        return reads and _HAVE[family](self.registry.tools[code])

    def _named(self, name: str) -> tuple[str, ...]:
        """What an Allow of another tool goes to; never a tool of which rules of a family speak."""
        codes = [code for code in self.registry.tools if code.casefold() not in _OF_FAMILIES]
        plain = name.casefold()
        if "*" in plain.removesuffix("__*"):
            return tuple(code for code in codes if _fits(code, plain))
        server, _, tool = plain.removeprefix(_MCP).partition("__")
        if plain.startswith(_MCP) and tool in ("", "*"):
            starts = tuple(f"{start}{server}{end}" for start in ("", _MCP) for end in (".", "__", "/"))
            return tuple(code for code in codes if code.casefold().startswith(starts))
        likely = [name, plain]
        if plain.startswith(_MCP):
            likely += (f"{server}{between}{tool}" for between in (".", "__", "/", "_"))
        known = {code.casefold(): code for code in codes} | {code: code for code in codes}
        return tuple(known[each] for each in likely if each in known)[:1]

    def _like(self, name: str) -> set[str]:
        """What anything else goes to: each tool that may be known by the name, however it is written."""
        pattern = _flat(name)
        if name.casefold().startswith(_MCP) and "__" not in name[len(_MCP) :]:
            pattern += "_*"  # all tools of a server
        if set(pattern).isdisjoint("*?"):
            return self._flat.get(pattern, set())
        found = {code for each, codes in self._flat.items() if _fits(each, pattern) for code in codes}
        for family, names in _NAMED.items():
            if "*" in pattern and any(_fits(each, pattern) for each in names):
                found |= set(self._all_of_family(family))
        return found


def _flat(name: str) -> str:
    """A name in which nothing counts but letters, digits and wildcards, without the mark of a server's."""
    return _BETWEEN.sub("_", name.casefold().removeprefix(_MCP))


def _fits(name: str, pattern: str) -> bool:
    return fnmatchcase(name.casefold(), pattern.replace("[", "[[]"))


def _plain(name: str) -> str:
    return name.casefold().removesuffix("_file")


def _yields(rule: SourceRule, tool: Tool) -> bool:
    kinds = {spec.kind for spec in tool.arguments}
    if rule.family is Family.EDIT:
        return _writes(tool) or ArgumentKind.SHELL in kinds
    if isinstance(rule.spec, PathSpec):
        return not kinds.isdisjoint((ArgumentKind.PATH, ArgumentKind.SHELL))
    return (ArgumentKind.SHELL if rule.family is Family.SHELL else ArgumentKind.URL) in kinds


def _writes(tool: Tool) -> bool:
    return any(spec.kind is ArgumentKind.PATH and spec.access is Access.WRITE for spec in tool.arguments)


def _has_kind(kind: ArgumentKind) -> Callable[[Tool], bool]:
    return lambda tool: any(spec.kind is kind for spec in tool.arguments)


_HAVE: Mapping[Family, Callable[[Tool], bool]] = {
    Family.SHELL: _has_kind(ArgumentKind.SHELL),
    Family.URL: _has_kind(ArgumentKind.URL),
    Family.READ: _has_kind(ArgumentKind.PATH),
    Family.EDIT: _writes,
}
