"""How percentages are told."""

import pytest
from adjudicator.cli.numbers import rounded_down


@pytest.mark.parametrize(
    ("part", "whole", "told"), [(49, 88, 55.6), (1999, 2000, 99.9), (123, 1000, 12.3), (1, 1, 100)]
)
def test_a_percentage_is_never_told_as_more_than_it_is(part, whole, told):
    """What is told is a least percentage that will do, and only all of it is 100."""
    assert rounded_down(100.0 * part / whole) == told


@pytest.mark.parametrize("whole", [3, 7, 64, 1000])
def test_what_is_told_in_full_is_told_as_it_is(whole):
    """No tenth is lost to how floats are kept."""
    for tenth in range(1001):
        assert rounded_down(100.0 * (tenth * whole) / (1000 * whole)) == tenth / 10
