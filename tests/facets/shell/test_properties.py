"""Laws of command lines: no quoting, spacing, order or nesting turns a denial into an allow."""

import shlex

from adjudicator.facets.bounds import InvalidArgumentError, TooComplexError
from adjudicator.facets.shell.grammar import Grammar
from adjudicator.facets.shell.reader import read
from command_lines import codes, commands, verdict
from hypothesis import given, settings
from hypothesis import strategies as st

ALLOW = ["ls *", "echo *", "cat *", "path:**/*"]
DENY = ["rm *"]
DENIED = ["rm", "rm x", "rm -rf /", "/bin/rm x", "rm 'a b'"]
HARMLESS = st.sampled_from(["ls", "ls -l x", "echo a", "cat 'b c'", 'echo "d"', "cat <<< x"])
JOINER = st.sampled_from([" && ", " || ", "; ", " | ", " & ", "\n", " |& ", ";", "&&", "\t;\n\n"])
AROUND = st.sampled_from(
    [
        "( {} )",
        "{{ {}; }}",
        "echo $( {} )",
        'echo "$( {} )"',
        'echo a > "$( {} )"',
        "x=$( {} )",
        "if {}; then ls; fi",
        "while {}; do ls; done",
        "for i in a; do {}; done",
        "f() {{ {}; }}; f",
        "cat < <( {} )",
        "cat <<E\n$( {} )\nE\n",
        "! {}",
        "ls # x\n{}",
        "ls; {} # x",
        "A=1; {}",
        "eval {q}",
        "bash -c {q}",
        "sh -euc {q} x y",
        "bash <<'E'\n{}\nE",
        "timeout 5 bash -c {q}",
        "sudo sh -c {q}",
        "case a in a) {};; esac",
        "(( 1 )) && {}",
        "a=(b c); {}",
        "[[ -n a ]] && {}",
        "echo \r; {}",
        "echo \u2018x\u2019; {}",
    ]
)


def around(inner):
    """The line in one more layer."""
    return st.builds(lambda shape, line: shape.format(line, q=shlex.quote(line)), AROUND, inner)


def lines(core):
    """Lines with the core somewhere in them."""
    joined = st.builds(lambda a, j, b, k, c: f"{a}{j}{b}{k}{c}", HARMLESS, JOINER, core, JOINER, HARMLESS)
    return st.one_of(core, joined, around(core), around(joined), around(around(core)))


@given(lines(st.sampled_from(DENIED)))
@settings(max_examples=300, deadline=None)
def test_a_denied_command_is_never_allowed_anywhere(line):
    """Wherever it stands in a line, the line is denied, or at the least nothing allows it."""
    assert verdict(line, ALLOW, DENY) != "allow"


@given(lines(HARMLESS))
@settings(max_examples=100, deadline=None)
def test_what_is_around_a_command_needs_rules_too(line):
    """With no Allow at all no line is allowed."""
    assert verdict(line) in ("default", "deny")


@given(st.lists(st.sampled_from(["'", '"', "\\", "x"]), min_size=3, max_size=3))
@settings(deadline=None)
def test_quotes_inside_a_name_do_not_hide_it(marks):
    """A name in pieces is the same name for a Deny, and none for an Allow."""
    wrapped = {"'": "'{}'", '"': '"{}"', "\\": "\\{}", "x": "{}"}
    name = "".join(wrapped[mark].format(char) for mark, char in zip(marks, "cat", strict=True))
    assert verdict(f"{name} x", [], ["cat *"]) == "deny"
    assert verdict(f"{name} x", ["cat *"]) == ("allow" if name == "cat" else "default")


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5))
@settings(max_examples=200, deadline=None)
def test_quoted_words_come_back_as_they_were(words):
    """What another quotes for the shell is read as the same words, or is opaque."""
    line = shlex.join(["ls", *words])
    assert commands(line)[0] == ("ls", *words) or codes(line)


@given(st.text(alphabet="a \t\n;&|<>()$`\"'\\{}[]#!=*?~-1é", max_size=40))
@settings(max_examples=400, deadline=None)
def test_every_byte_of_a_known_line_is_accounted_for(line):
    """Where the line is known, what lies outside of its words are blanks, operators and comments."""
    try:
        if codes(line) & {"SYNTAX", "CHARACTER"}:
            return
    except (InvalidArgumentError, TooComplexError):
        return
    raw = line.encode().decode("latin-1")
    reading = read(raw)
    assert Grammar().outline(line.encode()).roles == reading.roles
    rest = list(raw)
    for start, end in reading.roles:
        rest[start:end] = [" "] * (end - start)
    left = "".join(rest)
    assert set(left.split("#")[0]) <= set(" \t\n;&|<>(){}!-\\0123456789'\"aé".encode().decode("latin-1"))


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_text_is_allowed_without_a_rule(line):
    """Any text at all is denied, invalid, or left to the default."""
    try:
        assert verdict(line) in ("default", "deny")
    except InvalidArgumentError:
        assert not line.strip() or "#" in line or not line.isprintable()
