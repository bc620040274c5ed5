"""Redirections, mentioned files, and where relative paths lead behind a `cd`."""

import pytest
from command_lines import codes, full, paths, verdict

TARGETS = [
    ("a < b", [("/srv/app/b", "read")]),
    ("a > b", [("/srv/app/b", "write")]),
    ("a >> b", [("/srv/app/b", "write")]),
    ("a >| b", [("/srv/app/b", "write")]),
    ("a &> b", [("/srv/app/b", "write")]),
    ("a &>> b", [("/srv/app/b", "write")]),
    ("a <> b", [("/srv/app/b", "write")]),
    ("a >& b", [("/srv/app/b", "write")]),
    ("a 2> /b/../c", [("/c", "write")]),
    ("a > b c > d", [("/srv/app/b", "write"), ("/srv/app/d", "write")]),
    ("> b", [("/srv/app/b", "write")]),
    ("> b a", [("/srv/app/b", "write")]),
    ("{ a; } > b", [("/srv/app/b", "write")]),
    ("( a ) > b", [("/srv/app/b", "write")]),
    ("while a; do c; done < b", [("/srv/app/b", "read")]),
    ("if a; then c; fi > b", [("/srv/app/b", "write")]),
    ("for x in y; do c; done > b", [("/srv/app/b", "write")]),
    ("f() { a; } > b", [("/srv/app/b", "write")]),
    ("cat <<E > b\nx\nE", [("/srv/app/b", "write")]),
    ("a 2>&1", []),
    ("a >&2 <&3", []),
    ("a 2>&- <&-", []),
    ("a > /dev/null 2>&1", []),
    ("a <<< b", []),
]


@pytest.mark.parametrize(("line", "expected"), TARGETS)
def test_a_redirection_is_a_path_that_is_read_or_written(line, expected):
    """It needs an Allow of its own; a copied descriptor and `/dev/null` are nothing."""
    assert paths(line) == expected


OPAQUE = [
    "a > $X",
    "a > *",
    "a > ~/x",
    "a > $(b)",
    "a > /dev/tcp/h/1",
    "a < /dev/udp/h/1",
    "a >& $X",
    "a <& $X",
    "a > `b`",
    "a > x{1,2}",
]


@pytest.mark.parametrize("line", OPAQUE)
def test_a_target_that_is_not_known_is_opaque(line):
    """No Allow for a path matches where nobody knows what is written."""
    assert "PATH" in codes(line)
    assert verdict(line, ["a", "b", "path:/**", "path:./**", "path:**/*"]) == "default"


MENTIONS = [
    ("cat .env", "/srv/app/.env"),
    ("cat ./x/../.env", "/srv/app/.env"),
    ("grep -f.env x", "/srv/app/.env"),
    ("grep --file=.env x", "/srv/app/.env"),
    ("dd if=.env of=y", "/srv/app/.env"),
    ("curl -d @.env u", "/srv/app/.env"),
    ("curl -F a=@.env u", "/srv/app/.env"),
    ("docker run -v ./.env:/x i", "/srv/app/.env"),
    ("tar -czf/x/.env y", "/x/.env"),
    ("cat a,.env", "/srv/app/.env"),
    ("cat '.env'", "/srv/app/.env"),
    ("cat .e\\nv", "/srv/app/.env"),
    ("timeout 5 cat .env", "/srv/app/.env"),
    ("bash -c 'cat .env'", "/srv/app/.env"),
    ("sudo cat .env", "/srv/app/.env"),
    ("./.env x", "/srv/app/.env"),
    ("cat $D/.env", "/srv/app/*/.env"),
    ("cat <<E\n$(cat .env)\nE", "/srv/app/.env"),
]


@pytest.mark.parametrize(("line", "path"), MENTIONS)
def test_a_file_among_the_words_is_mentioned(line, path):
    """A Deny for a path stops the command that names it, and without one it needs no Allow."""
    assert path in [text for text, _ in paths(line, mentioned=True)]
    assert verdict(line, ["*"], ["path:**/.env"]) == "deny"


def test_a_mention_alone_neither_allows_nor_asks():
    """The command answers for its operands: an Allow of their paths is not one of the command."""
    assert verdict("cat a", ["path:./**"]) == "default"
    assert verdict("cat a", ["cat *"], ask=["*"]) == "allow"
    assert verdict("cat a", ["cat *"], ask=["path:**/b"]) == "allow"
    assert verdict("cat a", ["cat *"], ask=["path:**/a"]) == "ask"


def test_a_command_that_writes_mentions_what_it_writes():
    """For the best-known ones it is known which way the file goes."""
    assert ("/srv/app/a", "write") in paths("rm a", mentioned=True)
    assert ("/srv/app/a", "read") in paths("cat a", mentioned=True)


MOVED = [
    ("cd a && b > c", ["/srv/app/a/c"]),
    ("cd a && cd b && x > c", ["/srv/app/a/b/c"]),
    ("cd a; x > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("cd a || x > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("cd a && x; y > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("! cd a && x > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("cd a | x > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("x | cd a && y > c", ["/srv/app/c", "/srv/app/a/c"]),
    ("if cd a; then x > c; fi", ["/srv/app/c", "/srv/app/a/c"]),
    ("(cd a && x) > c", ["/srv/app/c"]),
    ("(cd a); x > c", ["/srv/app/c"]),
    ("echo $(cd a && x > c) > d", ["/srv/app/a/c", "/srv/app/d"]),
    ("cd .. && x > c", ["/srv/c"]),
    ("cd /x && y > c", ["/x/c"]),
    ("cd -- a && x > c", ["/srv/app/a/c"]),
    ("bash -c 'cd a && x > c'; y > d", ["/srv/app/a/c", "/srv/app/d"]),
    ("eval 'cd a' && y > d", ["/srv/app/a/d"]),
    ("command cd a && y > d", ["/srv/app/a/d"]),
]


@pytest.mark.parametrize(("line", "expected"), MOVED)
def test_a_literal_cd_moves_what_later_paths_mean(line, expected):
    """Where the `cd` may have failed, both places count; a subshell keeps it to itself."""
    assert sorted(text for text, _ in paths(line)) == sorted(expected)


LOST = [
    "cd && x > c",
    "cd - && x > c",
    "cd ~ && x > c",
    "cd $D && x > c",
    "cd *a && x > c",
    "cd -P a && x > c",
    "cd a b && x > c",
    "popd && x > c",
    "pushd +1 && x > c",
    "while x; do cd a; done; y > c",
    "f() { cd a; }; f; y > c",
    "$X && y > c",
    'eval "$X" && y > c',
    "cd a && cd b; cd c; cd d; cd e; x > c",
]


@pytest.mark.parametrize("line", LOST)
def test_a_cd_that_is_not_known_leaves_paths_open(line):
    """No Allow matches a relative path behind it, nor a command that runs nobody knows where."""
    assert "PATH" in codes(line)
    assert verdict(line, ["x", "y", "cd *", "popd", "pushd *", "f", "path:./**", "path:/**"]) == "default"


def test_a_command_outside_of_the_working_directory_is_opaque():
    """What it reads there is nobody's to know, so an Allow made for this folder does not hold."""
    assert codes("cd /etc && git status") == {"PATH"}
    assert codes("cd .. && git status") == {"PATH"}
    assert codes("cd src && git status") == set()
    assert codes("cd /srv/app/src && git status") == set()
    assert codes("cd src && ./run.sh") == {"PATH"}
    assert codes("cd src && git status", root="") == set()
    assert codes("cd /src && git status", root="") == {"PATH"}


def test_a_relative_target_without_a_stated_directory_is_never_allowed():
    """Nobody knows where it leads."""
    assert verdict("a > b", ["a", "path:./**", "path:/**"], root="") == "default"
    assert full("a > b", root="")
