"""To which tools of a bundle the tools that a source rule names go."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
_NAMED = {
    Family.READ: _READING,
    Family.EDIT: _EDITING,
    Family.SHELL: _RUNNING,
    Family.URL: _FETCHING,
}


@dataclass(frozen=True, slots=True)
class ToolNames:
    """The tools of a bundle by the names that a source has for them. `stated` says some of these.

    A name that is stated to be no tool has no codes, and needs none.
    """

    registry: Registry
    stated: Mapping[str, tuple[str, ...]]

    def codes_for(self, rule: SourceRule) -> tuple[str, ...]:
        """The codes, or `*` for every tool: what may not be read may be reached by none."""
        if rule.effect is Effect.DENY and isinstance(rule.spec, PathSpec):
            return (ANY,)
        if rule.tool in self.stated:
            return self.stated[rule.tool]
        if rule.tool == ANY:
            return () if rule.effect is Effect.ALLOW else (ANY,)
        if rule.family is Family.OTHER:
            return self._other(rule.tool)
        found = self._of_family(rule.family)
        if rule.effect is Effect.ALLOW and rule.family is Family.EDIT and _plain(rule.tool) != "edit":
            # A rule for edits is about every tool that edits, one for another tool about that alone.
            return tuple(code for code in found if _plain(code) == _plain(rule.tool))
        if rule.effect is Effect.ALLOW or rule.family in (Family.READ, Family.EDIT):
            return found
        return tuple(code for code in self.registry.tools if self._has(rule.family, code)) or found

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

    def _has(self, family: Family, code: str) -> bool:
        return _HAVE[family](self.registry.tools[code])

    def _other(self, name: str) -> tuple[str, ...]:
        codes = {code.casefold(): code for code in self.registry.tools}
        plain = name.casefold()
        if "*" in plain.removesuffix("__*"):
            return tuple(code for folded, code in codes.items() if fnmatchcase(folded, plain))
        if not plain.startswith(_MCP):
            return (codes[plain],) if plain in codes else ()
        server, _, tool = plain.removeprefix(_MCP).partition("__")
        if tool and tool != "*":
            likely = (
                plain,
                f"{server}.{tool}",
                f"{server}__{tool}",
                f"{server}/{tool}",
                f"{server}_{tool}",
            )
            return tuple(codes[each] for each in likely if each in codes)[:1]
        starts = tuple(f"{start}{server}{end}" for start in ("", _MCP) for end in (".", "__", "/"))
        return tuple(code for folded, code in codes.items() if folded.startswith(starts))


def _plain(name: str) -> str:
    return name.casefold().removesuffix("_file")


def _yields(rule: SourceRule, tool: Tool) -> bool:
    kinds = {spec.kind for spec in tool.arguments}
    if rule.family is Family.EDIT:
        return _writes(tool) or ArgumentKind.SHELL in kinds
    if rule.family is Family.READ:
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
