"""The rows of one policy, checked against the registry: whatever could never match is a problem."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from adjudicator.domain.call import is_identifier
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.request import QUESTION, Priority
from adjudicator.policy.casbin.model import Model
from adjudicator.policy.casbin.row_checks import PatternChecks
from adjudicator.policy.casbin.rows import SEPARATOR, Rows
from adjudicator.policy.condition_checks import ALWAYS, condition_fault
from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.model import SCOPE, WHEN, Shape
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.patterns import (
    ANY,
    AnyPattern,
    Pattern,
    access_of,
    is_plain_path_pattern,
    parse_pattern,
)
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.roles import Roles
from adjudicator.policy.snapshot import ROLE, Effect
from adjudicator.policy.subject_checks import SubjectChecks

_OTHER_WORDS = {"block": "deny", "forbid": "deny", "reject": "deny", "refuse": "deny", "prompt": "ask"}
_PRIORITIES = {priority.value: priority for priority in Priority}
_DOING = {None: "", Access.READ: "reading ", Access.WRITE: "writing "}

Fault = tuple[int, str]
"""A field of a row by its index, and what is wrong with it."""


class RowChecks:
    """Checks the rows of one policy. What rows have in common is checked once for all of them."""

    def __init__(
        self, shape: Shape, model: Model | None, registry: Registry, conditions: PatternChecks | None
    ) -> None:
        self._shape = shape
        self._model = model
        self._registry = registry
        self._conditions = conditions
        self._at = {name: index for index, name in enumerate(shape.policy)}
        self._who = SubjectChecks(shape.who, registry)
        self._subjects: dict[tuple[str, str], tuple[Fault, ...]] = {}
        self._objects: dict[tuple[str, str, str], tuple[Fault, ...]] = {}
        self._paths: dict[tuple[str, str], bool] = {}
        self._effect = self._at["eft"]
        self._has_reason = "reason" in self._at
        self._has_priority = "priority" in self._at

    def check_roles(self, rows: Rows, problems: Problems) -> frozenset[int]:
        """The `g` rows: an agent, or a person, or a role; a role; and a tenant. None of them twice.

        Answers the numbers of those that are not sound.
        """
        unsound: set[int] = set()
        seen: dict[tuple[str, ...], int] = {}
        for number, fields in enumerate(rows.all_fields()):
            member, role, tenant = fields
            faults = [(2, fault) for fault in self._tenant_faults(tenant)]
            faults += [(0, fault) for fault in self._who.faults(member, tenant, None)]
            if not role.startswith(ROLE) or not is_identifier(role.removeprefix(ROLE)):
                faults.append((1, f"{role!a} is not a role; write `role:` and its name"))
            faults += _repeated(seen.setdefault(tuple(fields), number), number, rows)
            for index, message in faults:
                unsound.add(number)
                rows[number].refuse(problems, index, message)
        return frozenset(unsound)

    def check(self, rows: Rows, roles: Roles, problems: Problems) -> None:
        """The `p` rows: each could match something, and none says again what another says."""
        seen: dict[int, int] = {}
        for number, (text, fields) in enumerate(zip(rows.all_texts(), rows.all_fields(), strict=True)):
            faults = self._faults(fields, roles)
            meaning = self._meaning(text)
            # Its hash and not the text: a million rows are remembered here.
            first = seen.setdefault(hash(meaning), number)
            if first != number and self._meaning(rows.all_texts()[first]) == meaning:
                faults = [*faults, *_repeated(first, number, rows)]
            for index, message in faults:
                rows[number].refuse(problems, index, message)

    def _meaning(self, text: str) -> str:
        """What a row says; the reason, its last field, does not change that."""
        return text[: text.rindex(SEPARATOR)] if self._has_reason else text

    def _faults(self, fields: list[str], roles: Roles) -> Sequence[Fault]:
        subject, tenant, thing, effect = fields[0], fields[1], fields[2], fields[self._effect]
        who = self._subjects.get((subject, tenant))
        if who is None:
            who = self._subjects[subject, tenant] = tuple(self._who_faults(subject, tenant, roles))
        priority = fields[self._at["priority"]] if self._has_priority else ""
        what = self._objects.get((thing, priority, effect))
        if what is None:
            found = (*self._object_faults(thing), *self._effect_faults(effect))
            if self._has_priority:
                found = (*found, *self._priority_faults(thing, priority))
            what = self._objects[thing, priority, effect] = found
        if self._has_reason and not self._is_plain_rule(fields, thing):
            return [*who, *what, *self._rule_faults(fields, effect)]
        return [*who, *what] if who or what else ()

    def _is_plain_rule(self, fields: list[str], tool: str) -> bool:
        """Whether nothing can be wrong with pattern, exception and reason, as in most rows."""
        if fields[4] or not fields[-1].strip() or self._conditions is not None:
            return False
        argument = fields[3]
        if not is_plain_path_pattern(argument):
            return False
        word = argument.partition(":")[0]
        yields = self._paths.get((tool, word))
        if yields is None:
            access = None if word == ArgumentKind.PATH.value else Access(word)
            yields = self._paths[tool, word] = self._yields(tool, ArgumentKind.PATH, access)
        return yields

    def _who_faults(self, subject: str, tenant: str, roles: Roles) -> Iterator[Fault]:
        for index, value in ((0, subject), (self._at["tenant"], tenant)):
            if not value:
                yield index, f"the field `{self._shape.policy[index]}` is empty; write a value"
        tenant_faults = list(self._tenant_faults(tenant))
        for fault in tenant_faults:
            yield self._at["tenant"], fault
        if subject and not tenant_faults:
            for fault in self._who.faults(subject, tenant, roles):
                yield 0, fault

    def _tenant_faults(self, tenant: str) -> Iterator[str]:
        if tenant in self._registry.tenants or not self._registry.tenants:
            return
        if tenant == ANY:
            yield "a row belongs to one tenant; write a row for each"
        else:
            yield f"{tenant!a} is not a registered tenant; correct the name"

    def _effect_faults(self, word: str) -> Iterator[Fault]:
        index = self._at["eft"]
        ask = "argument" in self._at
        words = [effect.value for effect in Effect if effect is not Effect.ASK or ask]
        if not word:
            yield index, "the field `eft` is empty; write a value"
        elif word not in words:
            meant = _meant(word, words)
            hint = f"; `{meant}` was meant?" if meant else ""
            listed = ", ".join(f"`{known}`" for known in words)
            yield index, f"{word!a} is not an effect: write {listed}, in lower case{hint}"
        elif word == Effect.DENY.value and self._model is not None and not self._model.denies:
            yield index, f"the effect in {self._shape.file} gives a deny row no force; change one"

    def _object_faults(self, name: str) -> Iterator[Fault]:
        column = self._shape.policy[2]
        if not name:
            yield 2, f"the field `{column}` is empty; write a value"
        elif column == "tool" or self._shape is SCOPE:
            known = self._registry.tools
            asked = (QUESTION,) if self._has_priority else ()
            if known and name not in (ANY, *asked, *known):
                yield 2, f"{name!a} is not a registered tool; register it, or correct the name"
        else:
            tools = self._registry.tools.values()
            if tools and all(tool.permission != name for tool in tools):
                yield 2, f"no tool requires the permission {name!a}; correct the name"

    def _priority_faults(self, tool: str, word: str) -> Iterator[Fault]:
        index = self._at["priority"]
        if not word:
            yield index, "the field `priority` is empty; write a value"
        elif word not in (ANY, *_PRIORITIES):
            listed = ", ".join(f"`{known}`" for known in _PRIORITIES)
            yield index, f"{word!a} is not a priority: write {listed}, or `*` for each of them"
        elif word != ANY and tool in self._registry.tools:
            least = self._registry.tools[tool].priority
            if least is not None and _PRIORITIES[word].rank < least.rank:
                fault = f"approvals of {tool!a} are `{least.value}` at least"
                yield index, f"this can never match: {fault}; write that, or `*`"

    def _rule_faults(self, fields: list[str], effect: str) -> list[Fault]:
        """What is wrong with the pattern, its exception, the condition and the reason of a rule."""
        argument, unless = fields[3], fields[4]
        faults: list[Fault] = []
        if not fields[-1].strip():
            faults.append((len(fields) - 1, "the field `reason` is empty; say why the rule is there"))
        if WHEN in self._at:
            faults += self._condition_faults(fields)
        return [
            *faults,
            *self._pattern_faults(fields[2], argument, unless, loose=effect != Effect.ALLOW.value),
        ]

    def _condition_faults(self, fields: Sequence[str]) -> list[Fault]:
        index = self._at[WHEN]
        if not fields[index]:
            return [(index, f"the field `when` is empty; write `{ALWAYS}` for a rule without a condition")]
        faults = list(self._conditions.faults(fields)) if self._conditions else []
        fault = condition_fault(fields[index]) if not faults else None
        return [(index, fault)] if fault is not None else faults

    def _pattern_faults(self, tool: str, argument: str, unless: str, *, loose: bool) -> Iterator[Fault]:
        if not argument:
            yield 3, "the field `argument` is empty; write a value"
            return
        try:
            pattern = parse_pattern(argument, loose=loose)
        except PatternError as error:
            yield 3, str(error)
            return
        yield from self._exception_faults(pattern, argument, unless, loose=loose)
        if pattern.kind is not None and not self._yields(tool, pattern.kind, access_of(pattern)):
            what = f"{_DOING[access_of(pattern)]}{pattern.kind.value}"
            fault = f"the tool {tool!a} declares no {what} argument"
            yield 3, f"this rule can never match: {fault}"

    def _exception_faults(
        self, pattern: Pattern, argument: str, unless: str, *, loose: bool
    ) -> Iterator[Fault]:
        if not unless:
            return
        try:
            exception = parse_pattern(unless, loose=not loose)
        except PatternError as error:
            yield 4, str(error)
            return
        if exception.kind is not pattern.kind or isinstance(exception, AnyPattern):
            want = f"`{pattern.kind.value}:…`, as in `argument`" if pattern.kind else "nothing beside `*`"
            yield 4, f"an exception is of the same kind as the argument; write {want}"
        elif {access_of(pattern), access_of(exception)} == set(Access):
            yield 4, "what is read is never an exception of what is written; write `path:…`"
        elif unless in arguments_above(argument):
            yield 4, "this rule can never match: the exception has all of the argument; write a part of it"

    def _yields(self, code: str, kind: ArgumentKind, access: Access | None) -> bool:
        """Whether a call of the tool can have a facet of this kind and access."""
        tools = self._registry.tools.values() if code == ANY else [self._registry.tools.get(code)]
        # An unknown tool has its own problem already.
        return not tools or any(
            tool is None or any(can_yield(spec, kind, access) for spec in tool.arguments) for tool in tools
        )


def _repeated(first: int, number: int, rows: Rows) -> list[Fault]:
    return [(-1, f"the same as the row at {rows.ref(first)}; keep one")] if first != number else []


def can_yield(spec: ArgumentSpec, kind: ArgumentKind, access: Access | None) -> bool:
    """Whether an argument declared like this can give a facet of this kind, and access if one is stated."""
    if spec.kind is ArgumentKind.SHELL and kind is ArgumentKind.PATH:
        return True  # a command line reads and writes files
    return spec.kind is kind and access in (None, spec.access)


def _meant(word: str, words: list[str]) -> str:
    """The effect that a mistyped word was meant to be; nothing unless that is plain."""
    other = _OTHER_WORDS.get(word.casefold(), "")
    near = get_close_matches(word.casefold(), words, n=1) or [other]
    return near[0] if near[0] in words else ""
