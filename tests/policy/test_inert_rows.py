"""Rows that read well and do nothing, for a Deny that does nothing is an Allow that nobody wrote."""

import pytest

R = "rules.csv"
ROW = "p, agent:coder, studio, {tool}, {argument}, {unless}, {effect}, why"

COVERED = [
    ("read", "path:**/key", "path:**/key"),
    ("read", "path:**/key", "path:**/**"),
    ("read", "path:./a/b/*.py", "path:./a/**"),
    ("bash", "write:./a/*", "path:./a/**"),
    ("bash", "shell:git push *", "shell:git *"),
    ("fetch", "url:https://h.test/a", "url:https://h.test/**"),
]


@pytest.mark.parametrize("effect", ["deny", "allow", "ask"])
@pytest.mark.parametrize(("tool", "argument", "unless"), COVERED)
def test_an_exception_that_has_all_of_the_argument_is_refused(bundle, tool, argument, unless, effect):
    """Such a row matches nothing at all."""
    line = bundle.append(R, ROW.format(tool=tool, argument=argument, unless=unless, effect=effect))
    column = 31 + len(argument) + 2 + len(tool) - 4
    place = f"{R}:{line}:{column}: this rule can never match: the exception has all of the argument"
    assert any(problem.startswith(place) for problem in bundle.problems())


def test_an_exception_that_is_a_part_of_the_argument_is_fine(bundle):
    """What is left is what the row is for."""
    bundle.append(R, ROW.format(tool="read", argument="path:./a/**", unless="path:./a/b/**", effect="deny"))
    assert bundle.problems() == []


@pytest.mark.parametrize("name", ["permission.csv", "scope.csv", "rules.csv"])
def test_a_role_that_nobody_has_passes_no_role_on(bundle, name):
    """A slip in the name of a role would take its Deny rows away from everybody who was meant."""
    line = bundle.append(name, "g, role:enginer, role:critic, studio")
    assert (
        f"{name}:{line}:4: nobody has `role:enginer` in tenant `studio`, "
        "so this gives nobody `role:critic`; add `g, agent:…, role:enginer, studio`, or correct the name"
    ) in bundle.problems()


def test_a_blank_reason_is_no_reason(bundle):
    """Quotes keep a blank, and a blank explains nothing."""
    bundle.append(R, 'p, agent:coder, studio, read, path:**/key, , deny, " "')
    assert [problem for problem in bundle.problems() if "the field `reason` is empty" in problem]


def test_problems_past_a_limit_are_counted(bundle):
    """A script that wrote another format has a problem in each line, and nobody reads a million."""
    for _ in range(3):
        bundle.append(R, "\n".join(["P, x"] * 500))
    problems = bundle.problems()
    assert len(problems) == 1001
    assert problems[0] == ".: 500 problems more are not listed; correct these first"


def test_what_a_problem_repeats_is_cut_in_its_middle(bundle):
    """The value is recognised and the advice is read, however long the value is."""
    bundle.append(R, f"p, agent:coder, studio, read, path:**/key, , {'d' * 100_000}, why")
    (problem,) = bundle.problems()
    assert "'ddd" in problem
    assert problem.endswith("write `allow`, `ask`, `deny`, in lower case")
    assert len(problem) < 700
