"""The bundle's own tests: calls, and the verdict that each must get. Read here, run elsewhere."""

from dataclasses import dataclass

from adjudicator.config.limits import BUNDLE_TESTS
from adjudicator.domain.call import Mode, ToolCall
from adjudicator.domain.verdict import Cause, Outcome, ReasonCode, Step
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import TESTS, Source, Sources

SUFFIX = ".yaml"
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_REASON_CODES = {code.value: code for code in ReasonCode}
_CAUSES = {cause.value: cause for cause in Cause}
_MODES = {mode.value: mode for mode in Mode}

_WHO = ("tenant", "agent", "tool")
_DEFAULTS = frozenset({*_WHO, "on_behalf_of", "principal", "working_directory", "mode"})
_CALL = _DEFAULTS | {"resolved_paths"}
_WHY = frozenset({"step", "check", "reason_code", "cause", "rule"})


@dataclass(frozen=True, slots=True)
class Expected:
    """What a verdict must be; None and "" say nothing about their part of it.

    `rule` is the place of the rule, as in `rules.csv:12`, or a part of its row.
    """

    outcome: Outcome
    step: Step | None = None
    check: str = ""
    reason_code: ReasonCode | None = None
    cause: Cause | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class BundleTest:
    """One test and its place. Nothing in its call has been checked."""

    file: str
    line: int
    column: int
    name: str
    call: ToolCall
    expected: Expected


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
    at = root.known_entries(frozenset({"tests"}), frozenset({"description", "defaults"}))
    if "description" in at:
        at["description"].as_text()
    defaults = at["defaults"].known_entries(frozenset(), _DEFAULTS) if "defaults" in at else {}
    items = list(at["tests"].items()) if "tests" in at else []
    if "tests" in at and not items:
        at["tests"].refuse("`tests` holds no test; add one, or remove the file")
    tests = [test for item in items if (test := _read_test(item, defaults)) is not None]
    _refuse_same_names(tests, problems)
    return tests


def _refuse_same_names(tests: list[BundleTest], problems: Problems) -> None:
    seen: dict[str, int] = {}
    for test in tests:
        if test.name in seen:
            message = f"the test at line {seen[test.name]} is called {test.name!a} too; rename one"
            problems.add(test.file, message, test.line, test.column)
        seen.setdefault(test.name, test.line)


def _read_test(item: Field, defaults: dict[str, Field]) -> BundleTest | None:
    keys = frozenset({"name", "call", "expect"})
    at = item.known_entries(keys, frozenset())
    if at.keys() != keys:
        return None
    name = at["name"].as_text()
    call = _call(at["call"], defaults)
    expected = _expected(at["expect"])
    if name is None or call is None or expected is None:
        return None
    return BundleTest(item.file, item.line, item.column, name, call, expected)


def _call(field: Field, defaults: dict[str, Field]) -> ToolCall | None:
    at = defaults | field.known_entries(frozenset({"arguments"}), _CALL)
    for key in _WHO:
        if key not in at:
            field.refuse(f"`call` has no `{key}`, nor have the `defaults` of the file; add it")
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


def _expected(field: Field) -> Expected | None:
    at = field.known_entries(frozenset({"verdict"}), _WHY)
    outcome = at["verdict"].as_choice(_OUTCOMES) if "verdict" in at else None
    if outcome is None:
        return None
    if outcome is Outcome.DENY and not _WHY & at.keys():
        field.refuse("a call can be denied for many reasons; say for which: add `step`, `cause` or `rule`")
    step = at["step"].as_count(min(Step), max(Step)) if "step" in at else None
    return Expected(
        outcome=outcome,
        step=Step(step) if step else None,
        check=_text(at, "check"),
        reason_code=at["reason_code"].as_choice(_REASON_CODES) if "reason_code" in at else None,
        cause=at["cause"].as_choice(_CAUSES) if "cause" in at else None,
        rule=_text(at, "rule"),
    )


def _text(at: dict[str, Field], key: str) -> str:
    return (at[key].as_text() or "") if key in at else ""


def _texts(at: dict[str, Field], key: str) -> list[str]:
    return [item.as_text() or "" for item in at[key].items()] if key in at else []


def _resolved(at: dict[str, Field]) -> list[tuple[str, str]]:
    entries = at["resolved_paths"].entries() if "resolved_paths" in at else {}
    return [(pointer, path.as_text() or "") for pointer, path in entries.items()]
