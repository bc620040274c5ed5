"""What is said to change nothing changes no answer; what could is never said to."""

import pytest
from adjudicator.authoring.mutants.equivalence import why_equivalent
from adjudicator.authoring.mutants.killing import groups
from adjudicator.authoring.mutants.mutant import Mutant
from adjudicator.authoring.mutants.row_mutants import RowChange
from adjudicator.policy.loader import open_bundle, open_sources
from running import POLICIES

RESTORED = "p, role:engineer, archive, write, path:./restored/**"


@pytest.fixture(scope="module")
def shipped():
    """The shipped bundle."""
    return open_bundle(POLICIES)


def dropped(bundle, policy, text):
    """The mutant that drops the row with this text."""
    (number,) = [
        number for number, row in enumerate(bundle.policies[policy].rows) if row.text.startswith(text)
    ]
    row = bundle.policies[policy].rows[number]
    return Mutant("row-dropped", row.file, row.line, row.text, "", RowChange(policy, number, None))


def why(bundle, mutant, edit=lambda text: text):
    """Why the mutant changes nothing, when each file of the registry is edited before."""
    names = [name for name in bundle.sources.files if name.startswith("registry/")]
    before = open_sources(
        bundle.sources.edited({name: edit(bundle.sources.files[name].text) for name in names})
    )
    lines = before.sources.files[mutant.file].text.split("\n")
    lines[mutant.line - 1] = ""
    after = open_sources(before.sources.edited({mutant.file: "\n".join(lines)}))
    return why_equivalent(mutant, before, after)


def test_a_second_defence_is_no_difference_while_the_first_one_holds(shipped):
    """The registry keeps a critic from writing, so the scope row can go; without the registry it counts."""
    mutant = dropped(shipped, "scope", "p, role:critic, studio, write, deny")
    assert why(shipped, mutant)
    assert not why(shipped, mutant, lambda text: text.replace("kind: critic", "kind: builder"))


def test_a_rule_behind_a_mode_is_no_difference_while_the_mode_holds(shipped):
    """Nothing is written in a tenant that is read only; once it is not, the rule decides."""
    mutant = dropped(shipped, "rules", RESTORED)
    assert why(shipped, mutant)
    assert not why(shipped, mutant, lambda text: text.replace("mode: read_only", "mode: auto"))


def test_a_rule_that_decides_is_never_said_to_change_nothing(shipped):
    """Each row of the rule chain that some call comes to makes a difference when it goes."""
    for number, row in enumerate(shipped.policies["rules"].rows):
        if not row.text.startswith(RESTORED):
            change = RowChange("rules", number, None)
            assert not why_equivalent(
                Mutant("row-dropped", row.file, row.line, row.text, "", change), shipped, shipped
            ), row.text


def test_a_rule_that_another_one_has_all_of_is_no_difference(shipped):
    """An Allow for one folder under an Allow for all of them can go."""
    text = shipped.sources.files["rules.csv"].text
    again = "p, role:engineer, studio, read, path:./src/**, , allow, again\n"
    bundle = open_sources(shipped.sources.edited({"rules.csv": text + again}))
    mutant = dropped(bundle, "rules", "p, role:engineer, studio, read, path:./src/**")
    assert not why(bundle, mutant), "the Allow for all of them has an exception"
    wide = "p, role:reader, studio, read, path:./src/**, , allow, wide\n"
    bundle = open_sources(shipped.sources.edited({"rules.csv": text + again + wide}))
    assert why(bundle, dropped(bundle, "rules", "p, role:engineer, studio, read, path:./src/**"))


def test_every_kind_has_a_name_of_small_letters_and_hyphens(shipped):
    """Kinds are what scripts count by."""
    kinds = {mutant.kind for group in groups(shipped) for some in group.mutants for mutant in some}
    assert len(kinds) > 40
    assert all(kind == kind.lower() and set(kind) <= set("abcdefghijklmnopqrstuvwxyz-") for kind in kinds)
