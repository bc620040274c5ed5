"""Symbols are ordinary enumerations to whoever uses them."""

import copy

import pytest
from adjudicator.domain.verdict import Cause, Outcome


def test_a_member_is_found_by_its_value_and_by_its_name():
    """Reading from a record or the wire gives the one member."""
    assert Outcome("ASK") is Outcome["ASK"] is Outcome.ASK
    assert Outcome.ASK.value == "ASK"
    with pytest.raises(ValueError, match="MAYBE"):
        Outcome("MAYBE")


def test_a_member_is_a_key_of_its_own():
    """Members of two enumerations with the same value are two keys; a copy of a member is the member."""
    assert len({Outcome.DENY, *Cause}) == len(Cause) + 1
    assert copy.deepcopy(Outcome.DENY) is Outcome.DENY


def test_a_value_cannot_be_set():
    """Nobody turns one outcome into another."""
    with pytest.raises(AttributeError):
        Outcome.DENY.value = "ALLOW"
