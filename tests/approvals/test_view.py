"""The view: all of a call that may be shown, the request over it, and flags; different for every call."""

import hashlib
import json
import time

import pytest
from adjudicator.approvals.view_reading import shown_in
from adjudicator.config.limits import FLAG_CHARACTERS, FLAGS, VIEW_BYTES
from adjudicator.domain.request import Priority, RequestType
from approvals.asked import view
from approvals.test_deception import undoubled
from hypothesis import given, settings
from hypothesis import strategies as st

# What escapes are made of, what is escaped, and what is not.
PIECES = st.sampled_from(
    ["\\", "\\u202e", "\u202e", "u202e", "\u0430", "b", "é", "\u200b", "\x1b", "中", "\r\n", " "]
)
TEXTS = st.lists(PIECES, max_size=5).map("".join)
ARGUMENTS = st.dictionaries(
    TEXTS,
    st.recursive(
        TEXTS | st.none() | st.booleans() | st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)
MANY = st.integers(FLAGS - 3, FLAGS + 3).map(lambda number: ["a\u202e"] * number)


def read_back(text):
    """The arguments that a view shows, from the view alone."""
    return shown_in(text)["arguments"]


@given(ARGUMENTS)
@settings(max_examples=300, deadline=None)
def test_the_call_can_be_read_back_from_its_view(arguments):
    """So no two calls have one view, whatever an agent types that looks like an escape."""
    assert read_back(view(arguments).text) == arguments


@given(MANY, TEXTS)
@settings(max_examples=50, deadline=None)
def test_it_can_be_read_back_with_more_flags_than_are_listed(many, text):
    """Past the limit every backslash is doubled, and a count stands for the flags that are left out."""
    arguments = {"many": many, "text": text}
    shown = view(arguments)
    assert read_back(shown.text) == arguments
    body = json.loads(shown.text)
    assert len(body["flags"]) <= FLAGS
    assert shown.approvable


@given(ARGUMENTS)
@settings(max_examples=50, deadline=None)
def test_it_can_be_read_back_when_it_is_too_large(arguments):
    """What nobody can approve is as unambiguous, and plain ASCII within its JSON too."""
    shown = view(arguments, max_bytes=0)
    assert not shown.approvable
    assert read_back(shown.text) == arguments
    assert "\\u" not in shown.text.replace("\\\\", "")


def test_every_text_of_the_call_is_written_out():
    """Working directory, resolved paths, principal and agents too, and each has its flag."""
    shown = view(
        {"command": "ls"},
        working_directory="/srv/\u202eapp",
        resolved_paths=(("/p\u200b", "/srv/\u202ex"),),
        principal="user:\u0430nn",
        on_behalf_of=("c\u200bd",),
        session="s\x1b",
    )
    body = json.loads(shown.text)
    assert body["working_directory"] == "/srv/\\u202eapp"
    assert body["principal"] == "user:\\u0430nn"
    assert body["session"] == "s\\u001b"
    assert {flag["at"] for flag in body["flags"]} >= {
        "/working_directory",
        "/resolved_paths/~1p\\u200b",
        "/principal",
        "/on_behalf_of/0",
        "/session",
    }
    assert shown.request.type is RequestType.SECURITY


def test_the_request_is_part_of_what_the_digest_covers():
    """Another title, risk or context is another view."""
    shown = view({"command": "git push --force"})
    body = json.loads(shown.text)
    assert shown.digest == hashlib.sha256(shown.text.encode()).hexdigest()
    assert body["request"]["type"] == shown.request.type.value == "destructive"
    assert body["request"]["priority"] == "high"
    assert body["request"]["title"] == shown.request.title == "Run a command: git push --force"
    assert body["request"]["context"] == {"commands": ["git push --force"]}
    assert shown.text.isascii()
    assert ", " not in shown.text.replace(": git push", "")


def test_deceptive_characters_are_a_risk_and_written_out_in_the_request_too():
    """The title has the escape, and the risk says where the character is."""
    shown = view({"command": "cat a\u202eb"})
    assert shown.request.title == "Run a command: cat a\\u202eb"
    assert shown.request.type is RequestType.SECURITY
    assert shown.request.priority is Priority.HIGH
    assert shown.request.risks[0].note == (
        "has characters that deceive the eye: bidirectional U+202E in /arguments/command"
    )


def test_one_place_lists_a_bounded_number_of_characters():
    """Further different ones are counted; the text has them all."""
    text = "".join(map(chr, range(0x2000, 0x2000 + FLAG_CHARACTERS - 5))) + "".join(
        map(chr, range(0xE000, 0xE020))
    )
    body = json.loads(view({"text": text}).text)
    flag = next(each for each in body["flags"] if each["kind"] == "invisible")
    assert len(flag["characters"]) == FLAG_CHARACTERS
    assert flag["more_characters"] > 0
    assert undoubled(body["arguments"]["text"]) == text


@pytest.mark.parametrize("length", [VIEW_BYTES // 2, VIEW_BYTES])
def test_no_argument_is_cut(length):
    """A long text is there to its last character, whether or not it still can be approved."""
    shown = view({"text": "x" * length})
    assert json.loads(shown.text)["arguments"]["text"] == "x" * length
    assert shown.approvable is (length < VIEW_BYTES)


@pytest.mark.parametrize("char", ["\u202e", "\u0430", "中", "é", "\U0001d41a", "a\u0301", "\uff1b", "\\"])
def test_a_large_call_takes_a_bounded_time(char):
    """A mebibyte of any one character is written out within a second or two of this process."""
    started = time.process_time()
    view({"text": char * (300_000 // len(char))})
    assert time.process_time() - started < 3
