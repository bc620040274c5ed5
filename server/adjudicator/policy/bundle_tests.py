"""The bundle's own tests: calls and the verdict that each must get, people and what they may decide.

Read here, run elsewhere. `bundle_tests.schema.json` beside this says the same to editors.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adjudicator.config.limits import APPROVAL_SECONDS, BUNDLE_TESTS, QUORUM
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.request import Priority
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import SessionGrants
from adjudicator.policy.source import TESTS, Source, Sources

SUFFIX = ".yaml"
SCHEMA = Path(__file__).with_name("bundle_tests.schema.json")
"""What a file of tests may hold, as editors read it."""
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_REASON_CODES = {code.value: code for code in ReasonCode}
_CAUSES = {cause.value: cause for cause in Cause}
_MODES = {mode.value: mode for mode in Mode}
_PRIORITIES = {priority.value: priority for priority in Priority}
_GRANTS = {grants.value: grants for grants in SessionGrants}

MUST = {"must_deny": Outcome.DENY, "must_ask": Outcome.ASK, "must_allow": Outcome.ALLOW}
MAY = {"may_decide": True, "may_not_decide": False}
VIOLATE = "must_violate"
LISTS = ("tests", *MUST, *MAY, VIOLATE)
"""The lists that a file may have; the constants below are the keys of what stands in it."""
_WHO = ("tenant", "agent", "tool")
DEFAULTS = frozenset({*_WHO, "on_behalf_of", "principal", "working_directory", "mode"})
CALL = DEFAULTS | {"resolved_paths"}
WHY = frozenset({"step", "check", "reason_code", "cause", "causes", "rule", "violations"})
TERMS = frozenset({"quorum", "four_eyes", "seconds", "priority", "options", "session_grants"})


@dataclass(frozen=True, slots=True)
class ExpectedApproval:
    """The terms that the approval of an ASK must have; None says nothing about its part of them."""

    quorum: int | None = None
    four_eyes: bool | None = None
    seconds: int | None = None
    priority: Priority | None = None
    options: tuple[str, ...] | None = None
    session_grants: SessionGrants | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """What a verdict must be; None and "" say nothing about their part of it.

    `causes` are those of all that would deny the call, each for itself: what stands behind the first too.
    `rule` is the place of the rule, as in `rules.csv:12`, or a part of its row. `violations` are all that
    the contract finds, each as `POINTER KEYWORD`, or `KEYWORD` of the whole object.
    """

    outcome: Outcome
    step: Step | None = None
    check: str = ""
    reason_code: ReasonCode | None = None
    cause: Cause | None = None
    causes: frozenset[Cause] | None = None
    rule: str = ""
    violations: frozenset[str] | None = None
    approval: ExpectedApproval | None = None

    @property
    def says_why(self) -> bool:
        """Whether it says more of a verdict than its outcome."""
        return bool(
            self.step
            or self.check
            or self.reason_code
            or self.cause
            or self.causes is not None
            or self.rule
            or self.violations is not None
        )


@dataclass(frozen=True, slots=True)
class CallTest:
    """A call, what must become of it, and the test's place. Nothing in the call has been checked."""

    file: str
    line: int
    column: int
    name: str
    call: ToolCall
    expected: Expected


@dataclass(frozen=True, slots=True)
class ApproverTest:
    """Whether a person may decide on requests of a tool, and the test's place.

    Without a priority it is about each that the tool's requests can have.
    """

    file: str
    line: int
    column: int
    name: str
    approver: str
    tenant: str
    tool: str
    priority: Priority | None
    may_decide: bool


@dataclass(frozen=True, slots=True)
class ContractTest:
    """Arguments that a tool's schema must reject, whatever the steps before it say, and the test's place.

    `violations` are all that the schema finds, as in `Expected`.
    """

    file: str
    line: int
    column: int
    name: str
    tool: str
    arguments_json: str
    violations: frozenset[str]


BundleTest = CallTest | ApproverTest | ContractTest


def read_bundle_tests(sources: Sources, problems: Problems) -> tuple[BundleTest, ...]:
    """All tests in the order of their files, as far as they can be read.

    No folder for tests is fine. A folder or a file that holds none is a problem: whoever wrote it takes
    the bundle for tested.
    """
    files = [source for source in sources.under(TESTS) if source.name.endswith(SUFFIX)]
    tests = [test for source in files for test in _read_file(source, problems)]
    if sources.has_tests and not sources.has_folder(TESTS):
        problems.add(TESTS, "the folder holds no tests; add a `.yaml` file with some, or remove the folder")
    if len(tests) > BUNDLE_TESTS:
        problems.add(TESTS, f"{len(tests):,} tests; the limit is {BUNDLE_TESTS:,}, so remove some")
    return tuple(tests)


def _read_file(source: Source, problems: Problems) -> list[BundleTest]:
    root = parse_document(source, problems)
    if root is None:
        return []
    at = root.known_entries(frozenset(), frozenset({"description", "defaults", *LISTS}))
    if "description" in at:
        at["description"].as_text()
    if at and at.keys().isdisjoint(LISTS):
        root.refuse(
            f"the file has no tests; add {', '.join(f'`{name}`' for name in LISTS)}, or one of them"
        )
    defaults = at["defaults"].known_entries(frozenset(), DEFAULTS) if "defaults" in at else {}
    tests = [test for name in LISTS if name in at for test in _read_list(at[name], defaults)]
    _refuse_same_names(tests, problems)
    return tests


def _read_list(listed: Field, defaults: dict[str, Field]) -> Iterator[BundleTest]:
    items = list(listed.items())
    if not items:
        listed.refuse(f"`{listed.name}` holds no test; add one, or remove it")
    for number, item in enumerate(items, start=1):
        test: BundleTest | None
        if listed.name in MAY:
            test = _read_approver(item, defaults, may_decide=MAY[listed.name])
        elif listed.name == VIOLATE:
            test = _read_contract(item, defaults, number)
        elif listed.name in MUST:
            test = _read_must(item, defaults, number)
        else:
            test = _read_test(item, defaults)
        if test is not None:
            yield test


def _refuse_same_names(tests: list[BundleTest], problems: Problems) -> None:
    seen: dict[str, int] = {}
    for test in tests:
        if test.name in seen:
            message = f"the test at line {seen[test.name]} is called {test.name!a} too; rename one"
            problems.add(test.file, message, test.line, test.column)
        seen.setdefault(test.name, test.line)


def _read_test(item: Field, defaults: dict[str, Field]) -> CallTest | None:
    keys = frozenset({"name", "call", "expect"})
    at = item.known_entries(keys, frozenset())
    if at.keys() != keys:
        return None
    name = at["name"].as_text()
    call = _call(at["call"], at["call"].known_entries(frozenset({"arguments"}), CALL), defaults)
    expected = _expected(at["expect"])
    if name is None or call is None or expected is None:
        return None
    return CallTest(item.file, item.line, item.column, name, call, expected)


def _read_must(item: Field, defaults: dict[str, Field], number: int) -> CallTest | None:
    """An item of `must_deny` and its kind: a call, with a name and a `because` if its author likes."""
    outcome = MUST[item.name]
    at = item.known_entries(frozenset({"arguments"}), CALL | {"name", "because"})
    call = _call(item, {key: at[key] for key in at.keys() - {"name", "because"}}, defaults)
    because = at["because"].known_entries(frozenset(), WHY) if "because" in at else {}
    if call is None:
        return None
    # Without the arguments, of which some may be secret: names are printed.
    name = _text(at, "name") or f"{item.name} {number}: {call.tool}"
    return CallTest(item.file, item.line, item.column, name, call, _reasons(outcome, because))


def _read_contract(item: Field, defaults: dict[str, Field], number: int) -> ContractTest | None:
    """An item of `must_violate`: arguments of a tool, and all that its schema finds wrong with them."""
    own = item.known_entries(frozenset({"arguments", "violations"}), frozenset({"name", "tool"}))
    at = {key: defaults[key] for key in ("tool",) if key in defaults} | own
    if "tool" not in at:
        item.refuse(f"`{item.name}` has no `tool`, nor have the `defaults` of the file; add it")
    arguments = at["arguments"].as_json_text() if "arguments" in at else None
    violations = frozenset(_texts(at, "violations"))
    if "violations" in at and not violations:
        at["violations"].refuse(
            "`violations` has nothing that the schema finds; write all, as `/path type`"
        )
    tool = _text(at, "tool")
    if not tool or arguments is None or not violations:
        return None
    name = _text(at, "name") or f"{item.name} {number}: {tool}"
    return ContractTest(item.file, item.line, item.column, name, tool, arguments, violations)


def _read_approver(item: Field, defaults: dict[str, Field], *, may_decide: bool) -> ApproverTest | None:
    at = item.known_entries(frozenset({"approver", "tool"}), frozenset({"name", "tenant", "priority"}))
    at = {key: defaults[key] for key in ("tenant",) if key in defaults} | at
    if "tenant" not in at:
        item.refuse(f"`{item.name}` has no `tenant`, nor have the `defaults` of the file; add it")
    approver, tenant, tool = (_text(at, key) for key in ("approver", "tenant", "tool"))
    if not (approver and tenant and tool):
        return None
    priority: Priority | None = at["priority"].as_choice(_PRIORITIES) if "priority" in at else None
    of = f"{tool}, {priority.value}" if priority else tool
    name = _text(at, "name") or f"{item.name}: {approver}, {tenant}, {of}"
    return ApproverTest(
        item.file, item.line, item.column, name, approver, tenant, tool, priority, may_decide
    )


def _call(field: Field, own: dict[str, Field], defaults: dict[str, Field]) -> ToolCall | None:
    at = defaults | own
    for key in _WHO:
        if key not in at:
            field.refuse(f"`{field.name}` has no `{key}`, nor have the `defaults` of the file; add it")
    arguments = at["arguments"].as_json_text() if "arguments" in at else None
    if arguments is None:
        return None
    return ToolCall(
        tenant=_text(at, "tenant"),
        agent=_text(at, "agent"),
        tool=_text(at, "tool"),
        arguments_json=arguments,
        on_behalf_of=tuple(_texts(at, "on_behalf_of")),
        principal=_text(at, "principal"),
        working_directory=_text(at, "working_directory"),
        resolved_paths=tuple(_resolved(at)),
        mode=at["mode"].as_choice(_MODES) if "mode" in at else None,
    )


def _expected(expect: Field) -> Expected | None:
    at = expect.known_entries(frozenset({"verdict"}), WHY | {"approval"})
    outcome = at["verdict"].as_choice(_OUTCOMES) if "verdict" in at else None
    if outcome is None:
        return None
    if outcome is Outcome.DENY and not WHY & at.keys():
        expect.refuse("a call can be denied for many reasons; say for which: add `step`, `cause` or `rule`")
    if outcome is not Outcome.ASK and "approval" in at:
        at["approval"].refuse("only an ASK has an approval; remove it, or write `verdict: ASK`")
    return _reasons(outcome, at)


def _reasons(outcome: Outcome, at: dict[str, Field]) -> Expected:
    step = at["step"].as_count(min(Step), max(Step)) if "step" in at else None
    return Expected(
        outcome=outcome,
        step=Step(step) if step else None,
        check=_text(at, "check"),
        reason_code=at["reason_code"].as_choice(_REASON_CODES) if "reason_code" in at else None,
        cause=at["cause"].as_choice(_CAUSES) if "cause" in at else None,
        causes=_causes(at["causes"]) if "causes" in at else None,
        rule=_text(at, "rule"),
        violations=frozenset(_texts(at, "violations")) if "violations" in at else None,
        approval=_approval(at["approval"]) if "approval" in at else None,
    )


def _causes(listed: Field) -> frozenset[Cause]:
    return frozenset(cause for item in listed.items() if (cause := item.as_choice(_CAUSES)) is not None)


def _approval(terms: Field) -> ExpectedApproval:
    at = terms.known_entries(frozenset(), TERMS)
    if not at:
        terms.refuse(f"`approval` says nothing; add {', '.join(f'`{name}`' for name in sorted(TERMS))}")
    return ExpectedApproval(
        quorum=at["quorum"].as_count(1, QUORUM) if "quorum" in at else None,
        four_eyes=at["four_eyes"].as_flag() if "four_eyes" in at else None,
        seconds=at["seconds"].as_count(1, APPROVAL_SECONDS) if "seconds" in at else None,
        priority=at["priority"].as_choice(_PRIORITIES) if "priority" in at else None,
        options=tuple(_texts(at, "options")) if "options" in at else None,
        session_grants=at["session_grants"].as_choice(_GRANTS) if "session_grants" in at else None,
    )


def _text(at: dict[str, Field], key: str) -> str:
    return (at[key].as_text() or "") if key in at else ""


def _texts(at: dict[str, Field], key: str) -> list[str]:
    return [item.as_text() or "" for item in at[key].items()] if key in at else []


def _resolved(at: dict[str, Field]) -> list[tuple[str, str]]:
    entries = at["resolved_paths"].entries() if "resolved_paths" in at else {}
    return [(pointer, path.as_text() or "") for pointer, path in entries.items()]
