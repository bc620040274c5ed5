"""A caller's traceparent is read as W3C Trace Context says, or ignored."""

import re

import pytest
from adjudicator.domain.trace_context import TraceContext, continued
from hypothesis import example, given
from hypothesis import strategies as st

TRACE, PARENT, OWN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
GOOD = f"00-{TRACE}-{PARENT}-01"


def test_a_span_continues_the_trace_of_its_caller():
    """The trace is the caller's, the caller's span is the parent, and the state is passed on unread."""
    assert continued(GOOD, "a=1", OWN) == TraceContext(TRACE, OWN, PARENT, sampled=True, state="a=1")


@pytest.mark.parametrize(
    ("flags", "sampled"), [("00", False), ("01", True), ("02", False), ("03", True), ("fe", False)]
)
def test_one_flag_says_whether_spans_are_wanted(flags, sampled):
    """The others say nothing about it."""
    assert continued(f"00-{TRACE}-{PARENT}-{flags}", "", OWN).sampled is sampled


@pytest.mark.parametrize("more", ["", "-", "-what-comes-later"])
def test_of_a_later_version_the_known_fields_are_read(more):
    """The standard promises that they stay where they are."""
    assert continued(f"cc-{TRACE}-{PARENT}-01{more}", "", OWN) == TraceContext(TRACE, OWN, PARENT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00",
        GOOD.upper(),
        f"00-{TRACE.replace('a', 'A')}-{PARENT}-01",
        f"ff-{TRACE}-{PARENT}-01",
        f"FF-{TRACE}-{PARENT}-01",
        f"0-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"cc-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE[:-1]}-{PARENT}-01",
        f"00-{TRACE}0-{PARENT}-01",
        f"00-{TRACE}-{PARENT}0-01",
        f"00-{TRACE}-{PARENT}-1",
        f"00-{TRACE}-{PARENT}-0x",
        f"00-{TRACE}-{PARENT}",
        f"{GOOD}-",
        f"{GOOD}-more",
        f"cc-{TRACE}-{PARENT}-01.more",
        f" {GOOD}",
        f"{GOOD} ",
        f"{GOOD}\n",
        f"{GOOD},{GOOD}",
        GOOD.replace("-", "_"),
        f"00-{TRACE[:-1]}\u0661-{PARENT}-01",
    ],
)
def test_a_malformed_traceparent_is_ignored(text):
    """As if there were none."""
    assert continued(text, "a=1", OWN) is None


HEX = st.text("0123456789abcdef", min_size=16, max_size=32)
NEARLY = st.builds(
    "{}-{}-{}-{}{}".format,
    st.sampled_from(["00", "01", "ff", "0", "0g"]),
    HEX,
    HEX,
    st.sampled_from(["00", "01", "1", "zz"]),
    st.sampled_from(["", "-", "-x", "\n", "x"]),
)


@given(NEARLY | st.text())
@example(GOOD)
def test_no_text_is_an_error_and_what_counts_has_the_form(text):
    """Whatever a caller sends, there is an answer, and ids that are recorded are ids."""
    context = continued(text, "", OWN)
    if context is not None:
        assert re.fullmatch("[0-9a-f]{32}", context.trace_id)
        assert re.fullmatch("[0-9a-f]{16}", context.parent_span_id)
        assert set(context.trace_id) != {"0"}
        assert set(context.parent_span_id) != {"0"}
        assert text[:2] != "ff"
        assert text.startswith(f"{text[:2]}-{context.trace_id}-{context.parent_span_id}-")


@given(st.integers(1, 2**128 - 1), HEX, st.integers(0, 255))
def test_every_well_formed_traceparent_is_read(trace, parent, flags):
    """Nothing that the standard allows is dropped."""
    trace, parent = f"{trace:032x}", f"{parent[:15]}1"
    assert continued(f"00-{trace}-{parent}-{flags:02x}", "", OWN).ids() == {
        "trace_id": trace,
        "parent_span_id": parent,
        "span_id": OWN,
    }
