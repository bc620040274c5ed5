"""The tables between domain and wire are complete, and an unknown fault leaks nothing."""

import grpc
import pytest
from adjudicator.domain.errors import ErrorReason
from adjudicator.transport import enums
from adjudicator.transport.errors import STATUS

PAIRS = {name: pair for name, pair in vars(enums).items() if isinstance(pair, enums.EnumPair)}


@pytest.mark.parametrize("name", PAIRS)
def test_every_value_crosses_and_comes_back(name):
    """Both directions agree, zero is nothing, and so is a number from a newer version."""
    pair = PAIRS[name]
    for value in pair.domain:
        assert pair.from_wire(pair.to_wire(value)) is value
        assert pair.to_wire(value) != 0
    assert pair.to_wire(None) == 0
    assert pair.from_wire(0) is None
    assert pair.from_wire(9999) is None


def test_every_reason_has_a_status_and_none_of_them_is_ok():
    """A client takes each of them as no."""
    assert set(STATUS) == set(ErrorReason)
    assert grpc.StatusCode.OK not in STATUS.values()
