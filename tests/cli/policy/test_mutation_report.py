"""What a bundle's tests would not notice, as people and scripts read it."""

import json

import pytest
from adjudicator.authoring.mutants.mutant import Fate
from adjudicator.authoring.mutants.report import MutationReport, NotKilled
from adjudicator.cli.policy.mutation_report import LISTED, mutation_json, print_mutation


def not_killed(line, fate=Fate.SURVIVED, file="rules.csv"):
    """One mutant that was not killed."""
    return NotKilled("row-dropped", file, line, "p, a\x1b[2J,\n  deny", "", fate, "because")


def report(*not_killed, killed=1, unexamined=0, failing=()):
    """A report with these, and so many that were killed."""
    counts = {Fate.KILLED: killed}
    for each in not_killed:
        counts[each.fate] = counts.get(each.fate, 0) + 1
    return MutationReport({"row-dropped": counts}, not_killed, 3, failing, unexamined)


def test_each_survivor_is_told_with_its_place_and_both_forms(capsys):
    """A line of its own for what was there and for what could be, on which nothing moves the cursor."""
    print_mutation(report(not_killed(7)))
    printed = capsys.readouterr().out
    assert "rules.csv:7  row-dropped" in printed
    assert "\x1b[2J" not in printed
    assert "+ nothing" in printed
    assert "50.0 %, 1 of 2 mistakes" in printed


def test_only_survivors_are_listed(capsys):
    """What would not load, or changes nothing, is counted."""
    print_mutation(report(not_killed(7, Fate.REFUSED), not_killed(8, Fate.EQUIVALENT)))
    printed = capsys.readouterr().out
    assert "rules.csv" not in printed
    assert "100.0 %, 1 of 1 mistakes; 1 would not load, 1 change nothing; by 3 tests" in printed


def test_a_long_list_is_cut_for_people_and_whole_for_scripts(capsys):
    """What is left out is counted."""
    found = report(*(not_killed(line) for line in range(LISTED + 3)))
    print_mutation(found)
    assert "and 3 more" in capsys.readouterr().out
    assert len(mutation_json(found)["not_killed"]) == LISTED + 3


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (report(not_killed(1), unexamined=1), "of 1 that survived nobody looked"),
        (report(not_killed(1), failing=("a",)), "1 tests fail already"),
    ],
)
def test_what_makes_the_figure_less_than_it_seems_is_told(capsys, found, note):
    """Survivors that nobody looked at, and tests that notice nothing since they fail."""
    print_mutation(found)
    assert note in capsys.readouterr().out


def test_scripts_get_every_count():
    """By fate and by kind, and why something is taken for what it is."""
    found = json.loads(json.dumps(mutation_json(report(not_killed(1), not_killed(2, Fate.EQUIVALENT)))))
    assert (found["killed"], found["survived"], found["refused"], found["equivalent"]) == (1, 1, 0, 1)
    assert found["kinds"]["row-dropped"] == {"killed": 1, "survived": 1, "refused": 0, "equivalent": 1}
    assert found["not_killed"][1]["why"] == "because"
    assert found["killed_percent"] == 50
