"""What deceives the eye is written out, and what does not stays as it is."""

import pytest
import re2
from adjudicator.approvals.characters import Deception, deceptive_places
from adjudicator.approvals.deception import Flag, reveal, written_out
from hypothesis import given, settings
from hypothesis import strategies as st

KIND = Deception


@pytest.mark.parametrize(
    "text",
    [
        "git push origin main",
        "line one\n\tline two\r\n",
        "C:\\new\\u202e.txt",
        "съешь ещё этих мягких булок",
        "\u0441/\u043e тобой",
        "Ελληνικά και αγγλικά",
        "Հայերեն",
        "使用git提交\uff0c然后推送\uff01\uff08完成\uff09",
        "Tシャツを買う。",
        "ภาษาไทยgit",
        "naïve café Ærø Łódź",
        "cafe\u0301",
        "☃ 😀",
        "5\u00b5s",
        "٣٤",
        "so \u2013 as they say \u2014 don\u2019t",
        "/home/иван/файл.txt",
        "",
    ],
)
def test_plain_text_of_any_script_stays_as_it_is(text):
    """Nobody is warned of their own language, and no backslash is doubled."""
    shown = reveal({"text": text})
    assert shown.value == {"text": text}
    assert shown.flags == ()


@pytest.mark.parametrize(
    ("text", "shown", "kind"),
    [
        ("a\u202eb", "a\\u202eb", KIND.BIDIRECTIONAL),
        ("a\u2066b", "a\\u2066b", KIND.BIDIRECTIONAL),
        ("a\u200fb", "a\\u200fb", KIND.BIDIRECTIONAL),
        ("r\u200bm", "r\\u200bm", KIND.INVISIBLE),
        ("a\u00adb", "a\\u00adb", KIND.INVISIBLE),
        ("a\U000e0041b", "a\\U000e0041b", KIND.INVISIBLE),
        ("a\ue000b", "a\\ue000b", KIND.INVISIBLE),
        ("\u2764\ufe0f", "\u2764\\ufe0f", KIND.INVISIBLE),
        ("a\x1b[2Jb", "a\\u001b[2Jb", KIND.CONTROL),
        ("a\rb", "a\\u000db", KIND.CONTROL),
        ("a\r", "a\\u000d", KIND.CONTROL),
        ("a\x00", "a\\u0000", KIND.CONTROL),
        ("a\x7f", "a\\u007f", KIND.CONTROL),
        ("é\x85", "é\\u0085", KIND.CONTROL),
        ("a\u2028b", "a\\u2028b", KIND.CONTROL),
        ("rm\u00a0x", "rm\\u00a0x", KIND.BLANK),
        ("中\u3000文", "中\\u3000文", KIND.BLANK),
        ("p\u0430ypal", "p\\u0430ypal", KIND.MIXED_SCRIPTS),
        ("\u03bfk", "\\u03bfk", KIND.MIXED_SCRIPTS),
        ("\u0585k", "\\u0585k", KIND.MIXED_SCRIPTS),
        ("\u13aax", "\\u13aax", KIND.MIXED_SCRIPTS),
        ("\u0430\u03b1", "\\u0430\\u03b1", KIND.MIXED_SCRIPTS),
        ("\u0441\u0440 a b", "\\u0441\\u0440 a b", KIND.MIXED_SCRIPTS),
        (
            "/\u0430\u043d\u044f/\u0441\u043e\u0440.txt",
            "/аня/\\u0441\\u043e\\u0440.txt",
            KIND.MIXED_SCRIPTS,
        ),
        ("\U0001d6c2lpha", "\\U0001d6c2lpha", KIND.MIXED_SCRIPTS),
        ("\uff52m", "\\uff52m", KIND.LOOKALIKE),
        ("\U0001d42em", "\\U0001d42em", KIND.LOOKALIKE),
        ("\ufb01le", "\\ufb01le", KIND.LOOKALIKE),
        ("ls\uff1brm", "ls\\uff1brm", KIND.LOOKALIKE),
        ("\u212a", "\\u212a", KIND.LOOKALIKE),
        ("a\u2215b", "a\\u2215b", KIND.LOOKALIKE),
        ("rm \u2013rf x", "rm \\u2013rf x", KIND.LOOKALIKE),
        ("1\u06623", "1\\u06623", KIND.MIXED_DIGITS),
        ("=\u0338", "=\\u0338", KIND.MARK),
        ("a" + "\u0301" * 5, "a" + "\u0301" * 4 + "\\u0301", KIND.MARK),
    ],
)
def test_what_deceives_is_written_out_and_flagged(text, shown, kind):
    """The flag says where, how and which; the text shows the escape."""
    revealed = reveal({"a": [text]})
    assert revealed.value == {"a": [shown]}
    assert {(flag.pointer, flag.kind) for flag in revealed.flags} == {("/a/0", kind)}
    listed = {f"U+{ord(char):04X}" for char in text}
    assert all(set(flag.characters) <= listed for flag in revealed.flags)


def test_names_are_written_out_at_any_depth():
    """A name that deceives is flagged as a name, and what is below it has the pointer of what is shown."""
    revealed = reveal({"a": [{"k\u200b": {"b": "x\u202e"}}]})
    assert revealed.value == {"a": [{"k\\u200b": {"b": "x\\u202e"}}]}
    assert revealed.flags == (
        Flag("/a/0/k\\u200b", KIND.INVISIBLE, ("U+200B",), is_name=True),
        Flag("/a/0/k\\u200b/b", KIND.BIDIRECTIONAL, ("U+202E",)),
    )


def test_no_name_takes_the_place_of_another():
    """A name with the character and one with its escape both stay, with their own values."""
    assert reveal({"\u202e": 1, "\\u202e": 2}).value == {"\\u202e": 1, "\\\\u202e": 2}


def test_a_typed_escape_is_told_from_a_written_out_character():
    """Beside a written-out character a typed backslash is doubled; alone it stays as it is."""
    assert reveal("\\u202e\u202e").value == "\\\\u202e\\u202e"
    assert reveal("\u202e\\u202e").value == "\\u202e\\\\u202e"
    assert reveal("\\u202e").value == "\\u202e"


@pytest.mark.parametrize("script", ["Cyrillic", "Greek", "Armenian", "Cherokee"])
def test_every_letter_of_a_confusable_script_is_seen_in_a_latin_word(script):
    """The names of letters say as much as the script property does."""
    of_script = re2.compile(rf"\p{{{script}}}")
    is_letter = re2.compile(r"\p{L}")
    ranges = {
        "Cyrillic": (0x400, 0x530),
        "Greek": (0x370, 0x400),
        "Armenian": (0x530, 0x590),
        "Cherokee": (0x13A0, 0x1400),
    }
    letters = [
        char
        for char in map(chr, range(*ranges[script]))
        if of_script.fullmatch(char) and is_letter.fullmatch(char)
    ]
    assert len(letters) > 70
    assert [char for char in letters if 1 not in deceptive_places(f"x{char}y")] == []


@given(st.text())
@settings(max_examples=200)
def test_places_are_in_order(text):
    """They are places of the text, from its beginning to its end."""
    places = deceptive_places(text)
    assert list(places) == sorted(places)
    assert all(0 <= at < len(text) for at in places)


@given(
    st.recursive(
        st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner)
    )
)
@settings(max_examples=100)
def test_what_is_too_large_is_plain_ascii_and_still_unambiguous(value):
    """All beyond ASCII is written out, no two names fall together, and it can be read back."""
    shown = written_out(value)
    assert _undone(shown) == value


def _undone(value):
    if isinstance(value, str):
        assert value.isascii()
        return undoubled(value)
    if isinstance(value, dict):
        return {undoubled(name): _undone(item) for name, item in value.items()}
    return [_undone(item) for item in value] if isinstance(value, list) else value


def undoubled(text):
    """What a text was in which characters are written out and backslashes doubled."""
    out, at = [], 0
    while at < len(text):
        if text[at] != "\\":
            out.append(text[at])
            at += 1
        elif text[at + 1] == "\\":
            out.append("\\")
            at += 2
        else:
            width = {"u": 4, "U": 8}[text[at + 1]]
            out.append(chr(int(text[at + 2 : at + 2 + width], 16)))
            at += 2 + width
    return "".join(out)
