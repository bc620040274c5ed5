"""Shell patterns: Deny over-matches, Allow under-matches, and what cannot mean anything is refused."""

import time

import pytest
from adjudicator.domain.facet import UNKNOWN, ArgumentKind, Facet, Opacity, Opaque
from adjudicator.policy.folding import fold
from adjudicator.policy.patterns import PatternError, parse_pattern
from adjudicator.policy.shell_patterns import folded_base_name
from hypothesis import given, settings
from hypothesis import strategies as st


def command(words, opaque=None, **fields):
    """The facet of a command with these words, parted by blanks; `?` stands for what is unknown."""
    split = tuple(
        word.replace("%", UNKNOWN) for word in (words.split(" ") if isinstance(words, str) else words)
    )
    return Facet(ArgumentKind.SHELL, " ".join(split), "/command", opaque=opaque, words=split, **fields)


def allows(pattern, words, **fields):
    """Whether an Allow with this pattern speaks of the command."""
    return parse_pattern(f"shell:{pattern}", loose=False).matches(command(words, **fields))


def denies(pattern, words, **fields):
    """Whether a Deny with this pattern speaks of the command."""
    return parse_pattern(f"shell:{pattern}", loose=True).matches(command(words, **fields))


ALLOWED = [
    ("git status", "git status"),
    ("git status *", "git status"),
    ("git status *", "git status --short -b"),
    ("git  status", "git status"),
    ("git * --short", "git status --short"),
    ("git log -*", "git log -5"),
    ("git log -?", "git log -5"),
    ("ls *.py", "ls a.py"),
    ("/usr/bin/git status", "/usr/bin/git status"),
    ("./run.sh *", "./run.sh a b"),
    ("a * b *", "a x b"),
]
NOT_ALLOWED = [
    ("git status", "git"),
    ("git status", "git status --short"),
    ("git status", "GIT status"),
    ("git status", "git STATUS"),
    ("git status", "/usr/bin/git status"),
    ("/usr/bin/git status", "git status"),
    ("git status", "git status "),
    ("git status *", "git -C /r status"),
    ("git status *", "git --no-pager status"),
    ("git log -a -b", "git log -b -a"),
    ("git log -ab", "git log -a -b"),
    ("git * --short", "git --short"),
    ("git * --short", "git status x --short"),
    ("ls *.py", "ls a.py b.py"),
    ("ls", "l\u200bs"),
    ("ls", "\uff4c\uff53"),
    ("cargo test", "cargo tests"),
    ("cargo test", "xcargo test"),
    ("a ?", "a bc"),
]


@pytest.mark.parametrize(("pattern", "words"), ALLOWED)
def test_an_allow_matches_the_command_that_it_names(pattern, words):
    """Word by word, and a last `*` for any further ones."""
    assert allows(pattern, words)
    assert denies(pattern, words)


@pytest.mark.parametrize(("pattern", "words"), NOT_ALLOWED)
def test_an_allow_matches_nothing_else(pattern, words):
    """No other spelling, order, program or number of words."""
    assert not allows(pattern, words)


def test_an_allow_matches_nothing_that_is_opaque():
    """A command that cannot be known is not the one that its author had in mind."""
    for code in Opacity:
        assert not allows("git status *", "git status", opaque=Opaque(code, "why"))
    assert not parse_pattern("shell:git *", loose=False).matches(Facet(ArgumentKind.SHELL, "git x"))


DENIED = [
    ("git push *", "git push"),
    ("git push", "git push origin main"),
    ("git push", "/usr/bin/git push"),
    ("/usr/bin/git push", "git push"),
    ("git push", "GIT Push"),
    ("git push", "\uff47\uff49\uff54 push"),
    ("git push", "gi\u200bt push"),
    ("git push", "git -C /r push"),
    ("git push", "git -c a=b -C /r --no-pager push"),
    ("git push", "git --git-dir=/r push"),
    ("git push", "git -- push"),
    ("git push --force", "git push --force"),
    ("git push --force", "git push origin --force"),
    ("git push --force", "git --force push"),
    ("git push --force", "git push --forc"),
    ("git push --force", "git push --force=x"),
    ("git push --force=*", "git push --force=x"),
    ("git reset --hard*", "git reset --hard"),
    ("rm -rf *", "rm -rf x"),
    ("rm -rf *", "rm -fr x"),
    ("rm -rf *", "rm -r -f x"),
    ("rm -rf *", "rm x -rf"),
    ("rm -rf *", "rm -vfxr x"),
    ("rm -rf *", "rm -Rf x"),
    ("rm -rf *", "rm --recursive --force x"),
    ("rm -rf /*", "rm -r -f a /b"),
    ("find * -exec *", "find . -name x -exec rm"),
    ("find * -exec *", "find . -execdir rm"),
    ("find -exec", "find . -exec rm"),
    ("grep * /etc/*", "grep root /etc/passwd"),
    ("grep * /etc/*", "grep -r x /etc/ssh/a/b"),
    ("grep * /etc/*", "grep -r x y z /etc/ssh"),
    ("grep * /etc/*", "grep -eroot /etc/passwd"),
    ("curl * --output*", "curl x --output y"),
    ("* push", "hg push"),
    ("yarn", "yarn"),
    ("python* -c *", "python3.12 -c x"),
    ("cat */.env", "cat %/.env"),
    ("ls ?", "ls a"),
]
NOT_DENIED = [
    ("git push", "git log --grep push"),
    ("git push", "git commit -m push"),
    ("git push", "git status push"),
    ("git push", "git"),
    ("git push", "git pus"),
    ("git push", "gitx push"),
    ("git push", "% push"),
    ("git push", "git %"),
    ("git push --force", "git push"),
    ("git push --force", "git push --for%"),
    ("git push --force=a", "git push --force=b"),
    ("rm -rf", "rm -r x"),
    ("rm -rf", "rm x"),
    ("find -exec", "find . -name exec"),
    ("grep * /etc/*", "grep /etc/passwd"),
    ("grep * /etc/*", "grep x /srv/etc"),
    ("python -c", "python3 -c x"),
]


@pytest.mark.parametrize(("pattern", "words"), DENIED)
def test_a_deny_matches_every_spelling(pattern, words):
    """By base name, in any case, with flags in any order and cluster, behind global options."""
    assert denies(pattern, words)
    assert denies(pattern, words, opaque=Opaque(Opacity.EXPANSION, "why"))
    assert denies(pattern, words, mention=True)


@pytest.mark.parametrize(("pattern", "words"), NOT_DENIED)
def test_a_deny_does_not_match_what_is_plainly_something_else(pattern, words):
    """Another program, another operand, a missing flag; and what is unknown is nothing literal."""
    assert not denies(pattern, words)


REFUSED = [
    ("git status && ls", "one simple command"),
    ("git status | cat", "one simple command"),
    ("git status; ls", "one simple command"),
    ("git status > x", "one simple command"),
    ("git $(x)", "one simple command"),
    ("git `x`", "one simple command"),
    ("git $X", "one simple command"),
    ("( ls )", "one simple command"),
    ("git 'a b'", "without their quotes"),
    ('git "a"', "without their quotes"),
    ("git a\\ b", "without their quotes"),
    ("A=1 git", "begins with the program"),
    ("git\u200b x", "nobody sees"),
    ("git\u00a0x", "nobody sees"),
    ("git\tx", "nobody sees"),
    ("", "nothing, or a blank"),
    (" git", "nothing, or a blank"),
]


@pytest.mark.parametrize(("pattern", "advice"), REFUSED)
@pytest.mark.parametrize("loose", [True, False])
def test_a_pattern_that_cannot_mean_anything_is_refused(pattern, advice, loose):
    """The refusal says what to write instead."""
    with pytest.raises(PatternError, match=advice):
        parse_pattern(f"shell:{pattern}", loose=loose)


@pytest.mark.parametrize("pattern", ["*", "* x", "git* status", "?s"])
def test_an_allow_names_its_program(pattern):
    """A wildcard as the program would allow programs that nobody thought of; a Deny may have one."""
    with pytest.raises(PatternError, match="names its program"):
        parse_pattern(f"shell:{pattern}", loose=False)
    parse_pattern(f"shell:{pattern}", loose=True)


def test_a_pattern_matches_no_other_kind():
    """A path or a text that reads like the command is not one."""
    for kind in (None, ArgumentKind.PATH, ArgumentKind.TEXT, ArgumentKind.URL):
        facet = Facet(kind, "git status", words=("git", "status"))
        assert not parse_pattern("shell:git status", loose=False).matches(facet)
        assert not parse_pattern("shell:git status", loose=True).matches(facet)


def test_the_tool_alone_says_nothing_of_a_mention():
    """`*` as a whole argument is matched by the facet that answers for the mention."""
    assert parse_pattern("*", loose=True).matches(command("a"))
    assert not parse_pattern("*", loose=True).matches(command("a", mention=True))


WORDS = st.text(alphabet="abG-=/.*? \u00c9\u200b", min_size=1, max_size=6)
PATTERNS = st.lists(
    st.sampled_from(["git", "push", "-f", "-rf", "--force", "*", "a*", "/x", "É", "?b"]),
    min_size=1,
    max_size=5,
)
LINES = st.lists(
    st.one_of(
        WORDS, st.sampled_from(["git", "/bin/Git", "push", "-f", "-fr", "--forc", "-C", "/x", "a", UNKNOWN])
    ),
    min_size=1,
    max_size=6,
)


@given(PATTERNS, LINES)
@settings(max_examples=300)
def test_a_matching_command_has_every_literal(words, line):
    """What an index looks for is there: the folded base name and words, or the words as they are."""
    facet = command(tuple(line))
    loose = parse_pattern("shell:" + " ".join(words), loose=True)
    if loose.matches(facet):
        shown = {folded_base_name(line[0])} | {fold(word) for word in line}
        assert set(loose.literals) <= shown
    if set(words[0]).isdisjoint("*?"):
        exact = parse_pattern("shell:" + " ".join(words), loose=False)
        if exact.matches(facet):
            assert set(exact.literals) <= set(line)
            assert loose.matches(facet)


@given(LINES, st.lists(st.sampled_from(["-x", "--long", "--a=b", "--no-pager"]), max_size=3))
@settings(max_examples=200)
def test_flags_before_the_subcommand_do_not_get_past_a_deny(tail, flags):
    """Options between a program and its subcommand are skipped."""
    assert denies("git push", ("git", *flags, "push", *tail))


@given(LINES)
def test_more_words_do_not_get_past_a_deny(tail):
    """What stands behind the denied words says nothing."""
    assert denies("rm -rf", ("rm", "-rf", *tail))
    assert denies("rm -rf", ("/bin/rm", *(word for word in tail if word[0] != "-"), "-r", "--force"))


def test_matching_takes_little_time():
    """Two thousand words against the worst pattern that fits take less than a second."""
    pattern = parse_pattern("shell:a " + "* b " * 100 + "c", loose=True)
    facet = command("a " + "b " * 2_000)
    started = time.perf_counter()
    assert not pattern.matches(facet)
    assert time.perf_counter() - started < 5
