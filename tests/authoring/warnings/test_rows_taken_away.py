"""Who does what warnings of rows advise changes no verdict; and whatever loads can be looked through."""

import json

import pytest
from adjudicator.authoring.judging import judged
from adjudicator.authoring.warnings.lints import warnings_of
from adjudicator.authoring.warnings.warning import Code
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.policy.loader import BundleError, open_bundle, open_sources
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from running import POLICIES

PATTERNS = {
    "read": [
        "*",
        "path:./**",
        "path:./*/**",
        "path:./a/**",
        "path:./a/*",
        "path:./a/b",
        "path:**/b",
        "path:**/*",
        "path:**/**",
    ],
    "write": ["*", "path:./**", "write:./**", "write:./a/**", "path:./a/b", "path:**/*"],
    "bash": [
        "*",
        "shell:git *",
        "shell:git log *",
        "shell:timeout *",
        "path:./**",
        "read:./a/**",
        "path:./a/b",
        "write:./a/b",
    ],
    "fetch": ["*", "url:https://x.test/**", "url:https://x.test/a", "url:*://**/**"],
    "command_execution": ["*", "shell:git *", "path:./a/b"],
    "codegraph_query": ["*", "text:*", "text:a*"],
}
PATTERNS["*"] = sorted({pattern for patterns in PATTERNS.values() for pattern in patterns})
CALLS = [
    *(("read", {"path": path}) for path in ("a/b", "a/c", "b", "c/d", "/srv/b", "~/b")),
    *(("write", {"path": path, "content": ""}) for path in ("a/b", "a/c", "/srv/b")),
    *(
        ("bash", {"command": command})
        for command in (
            "git log",
            "git log a/b",
            "git push",
            "timeout 5 git log",
            "make",
            "make > a/b",
            "cat a/b",
            "git log < a/b",
        )
    ),
    *(("fetch", {"url": url}) for url in ("https://x.test/a", "https://x.test/b/c", "https://y.test/")),
    *(("command_execution", {"command": command}) for command in ("git log a/b", "timeout 5 git log")),
    *(("codegraph_query", {"query": query}) for query in ("a", "b")),
]
SUBJECTS = st.sampled_from(["agent:coder", "role:engineer", "role:reader"])


@st.composite
def rows(draw):
    """One row of a rule about these tools."""
    tool = draw(st.sampled_from(sorted(PATTERNS)))
    argument = draw(st.sampled_from(PATTERNS[tool]))
    kind = argument.partition(":")[0]
    others = [other for other in PATTERNS[tool] if other.startswith(f"{kind}:") and other != argument]
    unless = draw(st.sampled_from(["", "", *others])) if argument != "*" else ""
    effect = draw(st.sampled_from(["allow", "ask", "deny"]))
    return f"p, {draw(SUBJECTS)}, studio, {tool}, {argument}, {unless}, {effect}, why"


def loaded(sources, lines):
    """The bundle with those of the rows that can stand together: what is refused is left out."""
    heads = [line for line in sources.files["rules.csv"].text.split("\n") if line.startswith("g,")]
    while True:
        try:
            return (
                open_sources(sources.edited({"rules.csv": "\n".join([*heads, *lines, ""])})),
                len(heads),
                lines,
            )
        except BundleError as error:
            bad = {
                problem.line - 1 - len(heads) for problem in error.problems if problem.file == "rules.csv"
            }
            assert bad
            lines = [line for number, line in enumerate(lines) if number not in bad]


def outcomes(bundle):
    """What each call gets from everybody who could make it."""
    return [
        judged(
            ToolCall("studio", "coder", tool, json.dumps(arguments), working_directory="/w"),
            bundle.snapshot,
            Limits(),
        ).outcome
        for tool, arguments in CALLS
    ]


@pytest.fixture(scope="module")
def sources():
    """The files of the shipped bundle."""
    return open_bundle(POLICIES).sources


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=st.lists(rows(), min_size=2, max_size=14, unique=True))
def test_rows_that_warnings_call_needless_change_no_verdict(sources, lines):
    """All of them are taken away at once, those that others deny too."""
    bundle, before, lines = loaded(sources, lines)
    needless = {
        each.line - 1 - before
        for each in warnings_of(bundle).warnings
        if each.file == "rules.csv" and each.code in (Code.DUPLICATE, Code.DENIED_WHOLE, Code.OUT_OF_REACH)
    }
    if needless:
        event("there are needless rows")
        left = [line for number, line in enumerate(lines) if number not in needless]
        text = "\n".join([*bundle.sources.files["rules.csv"].text.split("\n")[:before], *left, ""])
        assert outcomes(open_sources(sources.edited({"rules.csv": text}))) == outcomes(bundle)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_loads_can_be_looked_through(sources, data):
    """A bundle that lost lines here and there has warnings, with places, and no lint fails on it."""
    edits = {}
    for name in data.draw(st.sets(st.sampled_from(sorted(sources.files)), min_size=1, max_size=3)):
        lines = sources.files[name].text.split("\n")
        for _ in range(data.draw(st.integers(1, 3))):
            del lines[data.draw(st.integers(0, len(lines) - 2))]
        edits[name] = "\n".join(lines)
    try:
        bundle = open_sources(sources.edited(edits))
    except BundleError:
        return
    event("it loads")
    for warning in warnings_of(bundle).warnings:
        lines = bundle.sources.files[warning.file].text.split("\n")
        assert 1 <= warning.column <= len(lines[warning.line - 1])
