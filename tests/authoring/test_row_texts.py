"""Rows as they are written are read again as they were."""

import pytest
from adjudicator.authoring.row_texts import field_text, row_text
from adjudicator.policy.casbin.rows import row_values

FIELDS = ["a, b", 'say "x"', "f(x)", "a #b", "", "plain text", "[x]", "{a,b}", " a", "#"]


@pytest.mark.parametrize("value", FIELDS)
def test_a_value_is_quoted_where_it_has_to_be(value):
    """What is written is read again, whatever is in it and beside it."""
    assert row_values(row_text("p", ("agent:coder", value, "deny"))) == ["p", "agent:coder", value, "deny"]


@pytest.mark.parametrize("value", ["path:./src/**", "agent:coder", "a reason in words", ""])
def test_a_value_that_needs_no_quotes_has_none(value):
    """Rows stay as people write them."""
    assert field_text(value) == value
