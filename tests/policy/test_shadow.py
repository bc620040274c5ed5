"""Ask rows that an Allow covers are refused, unless they are marked as meant."""

import pytest

SHADOWED = [
    (
        "the same row",
        "p, role:engineer, studio, read, path:./**",
        "p, role:engineer, studio, read, path:./**",
    ),
    ("any argument", "p, role:engineer, studio, read, *", "p, role:engineer, studio, read, path:./a"),
    ("any tool", "p, role:engineer, studio, *, *", "p, role:engineer, studio, patch, *"),
    (
        "a folder above",
        "p, role:engineer, studio, read, path:./a/**",
        "p, role:engineer, studio, read, path:./a/b/*.py",
    ),
    (
        "the folder itself",
        "p, role:engineer, studio, read, path:./a/**",
        "p, role:engineer, studio, read, path:./a",
    ),
    (
        "a role of the agent",
        "p, role:engineer, studio, read, path:/a",
        "p, agent:coder, studio, read, path:/a",
    ),
    (
        "a role of the role",
        "p, role:reader, studio, read, path:/a",
        "p, role:engineer, studio, read, path:/a",
    ),
    (
        "everything absolute",
        "p, role:reader, studio, read, path:/**",
        "p, role:reader, studio, read, path:/a/b",
    ),
    (
        "whatever is done to the path",
        "p, role:engineer, studio, read, path:./a/**",
        "p, role:engineer, studio, read, read:./a/b",
    ),
    (
        "the same access",
        "p, role:engineer, studio, bash, write:./a/**",
        "p, role:engineer, studio, bash, write:./a/b",
    ),
    (
        "every path inside",
        "p, role:engineer, studio, bash, path:./*/**",
        "p, role:engineer, studio, bash, write:./a/b",
    ),
    (
        "every path of the host",
        "p, role:engineer, studio, fetch, url:https://h.test/**",
        "p, role:engineer, studio, fetch, url:https://h.test/a",
    ),
    (
        "every URL",
        "p, role:engineer, studio, fetch, url:*://**/**",
        "p, role:engineer, studio, fetch, url:https://h.test",
    ),
]
CLEAR = [
    ("another tenant", "p, role:engineer, archive, read, *", "p, role:engineer, studio, read, path:/b"),
    ("another subject", "p, role:designer, studio, read, *", "p, role:engineer, studio, read, path:/b"),
    ("a role below", "p, agent:coder, studio, read, path:/b", "p, role:engineer, studio, read, path:/b"),
    ("another tool", "p, role:engineer, studio, ls, path:/b/**", "p, role:engineer, studio, read, path:/b"),
    (
        "a sibling",
        "p, role:engineer, studio, read, path:/b/**",
        "p, role:engineer, studio, read, path:/b-c",
    ),
    (
        "a wider ask",
        "p, role:engineer, studio, read, path:/b/c/**",
        "p, role:engineer, studio, read, path:/b/**",
    ),
    (
        "another access",
        "p, role:engineer, studio, bash, read:./b/**",
        "p, role:engineer, studio, bash, write:./b/c",
    ),
    (
        "one access of the two",
        "p, role:engineer, studio, bash, read:./b/**",
        "p, role:engineer, studio, bash, path:./b/c",
    ),
    (
        "another host",
        "p, role:engineer, studio, fetch, url:https://a.test/**",
        "p, role:engineer, studio, fetch, url:https://b.test/c",
    ),
    ("an ask for any tool", "p, role:engineer, studio, read, *", "p, role:engineer, studio, *, path:/b"),
]


@pytest.mark.parametrize(
    ("allow", "ask"), [case[1:] for case in SHADOWED], ids=[case[0] for case in SHADOWED]
)
def test_an_ask_that_cannot_fire_is_refused(bundle, allow, ask):
    """The Ask's effect is pointed at, and the Allow is named."""
    place = bundle.append("rules.csv", f"{allow}, , allow, why")
    line = bundle.append("rules.csv", f"{ask}, , ask, why")
    column = f"{ask}, , ask".rindex("ask") + 1
    found = [problem for problem in bundle.problems() if problem.startswith(f"rules.csv:{line}:{column}: ")]
    assert len(found) == 1
    assert f"this ask can never fire: rules.csv:{place} allows all of it" in found[0]


@pytest.mark.parametrize(
    ("allow", "ask"), [case[1:] for case in SHADOWED], ids=[case[0] for case in SHADOWED]
)
def test_a_shadowed_ask_that_is_marked_loads(bundle, allow, ask):
    """`[shadowed] ` says that the author knows."""
    bundle.append("rules.csv", f"{allow}, , allow, why")
    line = bundle.append("rules.csv", f"{ask}, , ask, [shadowed] while we try it")
    assert not [problem for problem in bundle.problems() if problem.startswith(f"rules.csv:{line}:")]


@pytest.mark.parametrize(("allow", "ask"), [case[1:] for case in CLEAR], ids=[case[0] for case in CLEAR])
def test_an_ask_that_can_fire_loads(bundle, allow, ask):
    """An Allow that covers less than the Ask leaves it its place."""
    bundle.append("rules.csv", f"{allow}, , allow, why")
    line = bundle.append("rules.csv", f"{ask}, , ask, why")
    assert not [problem for problem in bundle.problems() if problem.startswith(f"rules.csv:{line}:")]


def test_an_exception_leaves_the_ask_its_place(bundle):
    """An Allow with an exception covers less than it seems to: this is how a push is asked about."""
    bundle.append("rules.csv", "p, role:engineer, studio, read, path:/a/**, path:/a/b, allow, why")
    bundle.append("rules.csv", "p, role:engineer, studio, read, path:/a/b, , ask, why")
    assert bundle.problems() == []


def test_an_auto_approved_tool_shadows_an_ask(bundle):
    """The list in bundle.yaml is an Allow for everybody, and is named with its line."""
    bundle.append("rules.csv", "p, role:engineer, studio, codegraph_query, text:x, , ask, why")
    settings = (bundle.folder / "bundle.yaml").read_text().splitlines()
    listed = settings.index("  - codegraph_query") + 1
    (problem,) = bundle.problems()
    assert f"this ask can never fire: bundle.yaml:{listed} allows all of it" in problem


@pytest.mark.parametrize(
    ("unless", "argument", "refused"),
    [
        ("path:**/.secret*", "path:./plans/**", True),
        ("path:./plans/private/**", "path:./plans/**", False),
        ("path:./plans/**", "path:./plans/**", False),
        ("path:./**", "path:./plans/**", False),
    ],
)
def test_an_exception_made_for_something_else_saves_no_ask(bundle, unless, argument, refused):
    """An Allow with an exception hides an Ask that the exception has nothing to do with."""
    bundle.append("rules.csv", f"p, role:designer, studio, patch, path:./**, {unless}, allow, why")
    line = bundle.append("rules.csv", f"p, role:designer, studio, patch, {argument}, , ask, look")
    problems = [each for each in bundle.problems() if each.startswith(f"rules.csv:{line}:")]
    assert all("hardly ever fires" in each for each in problems)
    assert bool(problems) is refused
