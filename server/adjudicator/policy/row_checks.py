"""The rows of one policy, checked against the registry: whatever could never match is a problem."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from adjudicator.domain.call import is_identifier
from adjudicator.domain.facet import ArgumentKind
from adjudicator.policy.csv_rows import Row
from adjudicator.policy.model import RULES, SCOPE, Model, Shape
from adjudicator.policy.patterns import ANY, AnyPattern, Pattern, PatternError, parse_pattern
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.roles import Roles
from adjudicator.policy.snapshot import AGENT, ROLE, Effect

_OTHER_WORDS = {"block": "deny", "forbid": "deny", "reject": "deny", "refuse": "deny", "prompt": "ask"}


@dataclass(frozen=True, slots=True)
class RowChecks:
    """Checks rows of one policy. Each check notes its problems and lets the others go on."""

    shape: Shape
    registry: Registry
    problems: Problems

    def check_role(self, row: Row) -> bool:
        """A `g` row: a registered agent or a role, a role, and a tenant."""
        member, role, tenant = row.fields
        fine = self._check_tenant(row, 2, tenant)
        fine &= self._check_subject(row, 0, member, tenant)
        if not role.startswith(ROLE) or not is_identifier(role.removeprefix(ROLE)):
            row.refuse(self.problems, 1, f"{role!a} is not a role; write `role:` and its name")
            fine = False
        return fine

    def check(self, row: Row, roles: Roles, model: Model | None) -> bool:
        """A `p` row; answers whether it can be evaluated."""
        at = dict(zip(self.shape.policy, row.fields, strict=True))
        before = len(self.problems)
        self._check_empty(row, at)
        if self._check_tenant(row, self._index("tenant"), at["tenant"]):
            self._check_subject(row, 0, at["sub"], at["tenant"], roles)
        effect = self._check_effect(row, at["eft"], model)
        if self.shape is RULES:
            self._check_tool(row, "tool", at["tool"])
            self._check_argument(row, at, effect)
        elif self.shape is SCOPE:
            self._check_tool(row, "obj", at["obj"])
        else:
            self._check_permission(row, at["obj"])
        return len(self.problems) == before

    def _index(self, column: str) -> int:
        return self.shape.policy.index(column)

    def _refuse(self, row: Row, column: str, message: str) -> None:
        row.refuse(self.problems, self._index(column), message)

    def _check_empty(self, row: Row, at: dict[str, str]) -> None:
        for column, value in at.items():
            if not value and column != "unless":
                hint = "say why the rule is there" if column == "reason" else "write a value"
                self._refuse(row, column, f"the field `{column}` is empty; {hint}")

    def _check_tenant(self, row: Row, index: int, tenant: str) -> bool:
        if tenant in self.registry.tenants or not self.registry.tenants:
            return True
        wildcard = "a row belongs to one tenant; write a row for each" if tenant == ANY else ""
        row.refuse(
            self.problems, index, wildcard or f"{tenant!a} is not a registered tenant; correct the name"
        )
        return False

    def _check_subject(
        self, row: Row, index: int, subject: str, tenant: str, roles: Roles | None = None
    ) -> bool:
        fault = self._subject_fault(subject, tenant, roles)
        if fault is not None and subject:
            row.refuse(self.problems, index, fault)
        return fault is None

    def _subject_fault(self, subject: str, tenant: str, roles: Roles | None) -> str | None:
        if subject.startswith(AGENT):
            return self._agent_fault(subject.removeprefix(AGENT), tenant)
        name = subject.removeprefix(ROLE)
        if not subject.startswith(ROLE) or not is_identifier(name):
            return f"{subject!a} is not a subject; write `agent:` or `role:` and a name"
        if roles is not None and not roles.mentions(subject, tenant):
            return (
                f"unknown role: no `g` row of tenant `{tenant}` speaks of `{subject}`; "
                f"add `g, agent:…, {subject}, {tenant}`, or correct the name"
            )
        return None

    def _agent_fault(self, code: str, tenant: str) -> str | None:
        agent = self.registry.agents.get(code)
        if not self.registry.agents:
            return None
        if agent is None:
            return f"{code!a} is not a registered agent; register it, or correct the name"
        if tenant in self.registry.tenants and tenant not in agent.tenants:
            return f"the agent `{code}` is not known in tenant `{tenant}`, so this can never match"
        return None

    def _check_effect(self, row: Row, word: str, model: Model | None) -> Effect | None:
        words = [effect.value for effect in Effect if effect is not Effect.ASK or self.shape is RULES]
        if word not in words:
            meant = _meant(word, words)
            hint = f"; `{meant}` was meant?" if meant else ""
            listed = ", ".join(f"`{known}`" for known in words)
            if word:
                self._refuse(row, "eft", f"{word!a} is not an effect: write {listed}, in lower case{hint}")
            return None
        if word == Effect.DENY.value and model is not None and not model.denies:
            self._refuse(
                row, "eft", f"the effect in {self.shape.file} gives a deny row no force; change one"
            )
        return Effect(word)

    def _check_tool(self, row: Row, column: str, tool: str) -> None:
        known = self.registry.tools
        if tool and known and tool != ANY and tool not in known:
            self._refuse(
                row, column, f"{tool!a} is not a registered tool; register it, or correct the name"
            )

    def _check_permission(self, row: Row, permission: str) -> None:
        tools = self.registry.tools.values()
        if permission and tools and all(tool.permission != permission for tool in tools):
            self._refuse(row, "obj", f"no tool requires the permission {permission!a}; correct the name")

    def _check_argument(self, row: Row, at: dict[str, str], effect: Effect | None) -> None:
        loose = effect is not Effect.ALLOW
        argument = self._pattern(row, "argument", at["argument"], loose=loose)
        unless = self._pattern(row, "unless", at["unless"], loose=not loose) if at["unless"] else None
        if argument is None:
            return
        if unless is not None and (unless.kind is not argument.kind or isinstance(unless, AnyPattern)):
            want = f"`{argument.kind.value}:…`, as in `argument`" if argument.kind else "nothing beside `*`"
            self._refuse(row, "unless", f"an exception is of the same kind as the argument; write {want}")
        if argument.kind is not None and not self._declares(at["tool"], argument.kind):
            fault = f"the tool {at['tool']!a} declares no {argument.kind.value} argument"
            self._refuse(row, "argument", f"this rule can never match: {fault}")

    def _pattern(self, row: Row, column: str, text: str, *, loose: bool) -> Pattern | None:
        try:
            return parse_pattern(text, loose=loose) if text else None
        except PatternError as error:
            self._refuse(row, column, str(error))
            return None

    def _declares(self, code: str, kind: ArgumentKind) -> bool:
        tools = self.registry.tools.values() if code == ANY else [self.registry.tools.get(code)]
        # An unknown tool has its own problem already.
        return not tools or any(
            tool is None or any(kind in _judged(spec.kind) for spec in tool.arguments) for tool in tools
        )


def _judged(kind: ArgumentKind) -> tuple[ArgumentKind, ...]:
    """The kinds of facets that an argument yields: a command line names paths too."""
    return (kind, ArgumentKind.PATH) if kind is ArgumentKind.SHELL else (kind,)


def _meant(word: str, words: list[str]) -> str:
    """The effect that a mistyped word was meant to be; nothing unless that is plain."""
    other = _OTHER_WORDS.get(word.casefold(), "")
    near = get_close_matches(word.casefold(), words, n=1) or [other]
    return near[0] if near[0] in words else ""


def refuse_duplicates(
    rows: list[Row], meaning: Callable[[Row], tuple[str, ...]], problems: Problems
) -> None:
    """A row that says again what an earlier one says is a problem; `meaning` is what counts of a row."""
    seen: dict[tuple[str, ...], Row] = {}
    for row in rows:
        first = seen.setdefault(meaning(row), row)
        if first is not row:
            row.refuse(problems, -1, f"the same as the row at {first.ref}; keep one")
