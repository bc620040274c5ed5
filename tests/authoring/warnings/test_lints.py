"""Each lint warns where it should, points at the place, and says nothing where nothing is odd."""

import re
from pathlib import Path

import pytest
from adjudicator.authoring.warnings.lints import LINTS, warnings_of
from adjudicator.authoring.warnings.warning import Code
from adjudicator.policy.loader import open_bundle
from authoring.warnings.cases import CASES
from running import POLICIES

PAGE = Path(__file__).parents[3] / "docs" / "warnings.md"


def test_the_shipped_bundle_has_no_warning_that_is_not_meant():
    """What is odd about it says why."""
    sorted_out = warnings_of(open_bundle(POLICIES))
    assert sorted_out.warnings == ()
    assert sorted_out.accepted == 5


@pytest.mark.parametrize("case", [c for c in CASES if c.spoilt], ids=lambda c: f"{c.code}: {c.name}")
def test_it_warns_at_the_place(bundle, case):
    """File, line and column are those of what to change."""
    for edit in case.spoilt:
        bundle.edit(*edit)
    found = [each for each in bundle.warnings() if each.code.value == case.code]
    lines = [(each.file, *bundle.line(each)) for each in found]
    assert any(
        file == case.file and rest.startswith(case.at) and case.line in before + rest
        for file, rest, before in lines
    ), lines


@pytest.mark.parametrize("case", [c for c in CASES if c.fine], ids=lambda c: f"{c.code}: {c.name}")
def test_it_does_not_warn_of_what_is_fine(bundle, case):
    """The nearest thing that is right has no such warning."""
    for edit in case.fine:
        bundle.edit(*edit)
    assert [str(each) for each in bundle.warnings() if each.code.value == case.code] == []


def test_of_two_rows_that_say_the_same_one_is_left(bundle):
    """Whoever takes away all that is called a duplicate has not opened anything."""
    for glob in ("**/*", "**/**"):
        bundle.edit("rules.csv", "", f"p, role:reader, studio, read, path:{glob}, , deny, why")
    duplicates = [each for each in bundle.warnings() if each.code is Code.DUPLICATE]
    assert not any("path:**/*," in "".join(bundle.line(each)) for each in duplicates)


CODER, CRITIC, ALWAYS = "r.sub == 'agent:coder'", "r.sub == 'agent:critic'", "1 == 1"
OF_ROW = "r.sub == 'agent:coder' && p.argument == 'path:./docs/*'"


@pytest.mark.parametrize(
    ("narrow", "wide", "codes"),
    [
        (CODER, CRITIC, set()),
        (CODER, CODER, {"duplicate"}),
        (CODER, ALWAYS, {"duplicate"}),
        (ALWAYS, CODER, set()),
        (OF_ROW, OF_ROW, set()),
    ],
)
def test_a_condition_counts_for_what_a_row_says(bundle, narrow, wide, codes):
    """A row that holds sometimes does not say what one says always, nor does one that speaks of itself."""
    model, row = "models/rules.conf", 'p, role:reader, studio, read, path:./docs/{}, , "{}", deny, why'
    bundle.edit(model, "argument, unless, eft", "argument, unless, when, eft")
    bundle.edit(model, "p.unless, p.eft)", "p.unless, p.eft) && eval(p.when)")
    rules = bundle.folder / "rules.csv"
    rules.write_text(re.sub(r", (deny|allow|ask), ", r", 1 == 1, \1, ", rules.read_text()))
    bundle.edit("rules.csv", "", row.format("*", narrow))
    bundle.edit("rules.csv", "", row.format("**", wide))
    assert bundle.codes() == codes


def test_every_code_has_a_case_and_a_section():
    """docs/warnings.md is about these codes and no others, and each was seen to warn."""
    codes = {code.value for code in Code}
    assert {case.code for case in CASES if case.spoilt} == codes - {"meant"}
    assert set(re.findall(r"^### `([a-z-]+)`$", PAGE.read_text(), re.MULTILINE)) == codes


def test_every_lint_is_told_before_it_runs(bundle):
    """Whoever waits sees what is looked for."""
    told = []
    warnings_of(open_bundle(bundle.folder), lambda *each: told.append(each))
    assert told == [(f"looking for {what}", number, len(LINTS)) for number, (what, _) in enumerate(LINTS)]
