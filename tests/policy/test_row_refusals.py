"""Rows that are refused, each with its file, line, column and what to write instead."""

import pytest
from adjudicator.domain.facet import ArgumentKind, Facet
from adjudicator.policy.snapshot import Effect, RuleQuestion

R = "rules.csv"
FULL = "p, role:reader, studio, read, path:./x, , allow, why"

ROWS = [
    (
        "capital effect",
        R,
        FULL.replace("allow", "Allow"),
        43,
        "write `allow`, `ask`, `deny`, in lower case; `allow`",
    ),
    ("capital ask", R, FULL.replace("allow", "Ask"), 43, "`ask` was meant?"),
    ("inflected ask", R, FULL.replace("allow", "asks"), 43, "`ask` was meant?"),
    ("mistyped ask", R, FULL.replace("allow", "aks"), 43, "`ask` was meant?"),
    ("inflected effect", R, FULL.replace("allow", "denied"), 43, "`deny` was meant?"),
    ("cut effect", R, FULL.replace("allow", "de"), 43, "'de' is not an effect"),
    (
        "ask where nobody asks",
        "scope.csv",
        "p, role:reader, studio, read, ask",
        31,
        "write `allow`, `deny`",
    ),
    ("capital first column", R, FULL.replace("p,", "P,"), 1, "a row begins with `p` or `g`, not 'P'"),
    ("unknown first column", R, FULL.replace("p,", "p2,"), 1, "not 'p2'"),
    (
        "a field too few",
        R,
        "p, role:reader, studio, read, path:./x, , allow",
        1,
        "has 7 fields after the first column",
    ),
    ("a field too many", R, FULL + ", more", 1, "this one has 8"),
    ("a role row too narrow", R, "g, agent:coder, role:engineer", 1, "a `g` row has 3 fields"),
    ("a trailing comment", R, FULL + " # since May", 50, "a `#` after a blank would be part of the value"),
    (
        "a trailing comment in another field",
        "scope.csv",
        "p, role:reader, studio, read # x, allow",
        25,
        "a `#`",
    ),
    ("an empty subject", R, FULL.replace("role:reader", ""), 4, "the field `sub` is empty"),
    ("an empty effect", R, FULL.replace("allow", ""), 43, "the field `eft` is empty"),
    ("no reason", R, "p, role:reader, studio, read, path:./x, , allow,", 49, "say why the rule is there"),
    ("an unclosed quote", R, FULL.replace("why", '"why'), 49, "a double quote that does not fit"),
    ("more after a quote", R, FULL.replace("why", '"why" not'), 49, "a double quote that does not fit"),
    (
        "a no-break space",
        R,
        FULL.replace("studio,", "studio\u00a0,"),
        23,
        "'\\xa0'; write an ordinary blank",
    ),
    ("an ideographic space", R, FULL.replace("studio,", "studio\u3000,"), 23, "'\\u3000'"),
    ("a line separator", R, FULL + "\u2028", 53, "'\\u2028'"),
    (
        "an invisible character",
        R,
        FULL.replace("./x", "./x\u200b"),
        39,
        "an invisible character '\\u200b'; remove it",
    ),
    ("a byte-order mark inside", R, "\ufeff" + FULL, 1, "an invisible character '\\ufeff'"),
    ("a carriage return inside", R, FULL.replace("why", "w\rhy"), 51, "a carriage return inside the line"),
    ("a control character", R, FULL.replace("why", "w\x1bhy"), 51, "'\\x1b'"),
    ("an open bracket", R, FULL.replace("why", "(why"), 50, "an open bracket"),
    ("a closing bracket", R, FULL.replace("why", "why)"), 50, "an open bracket"),
    ("a comma in brackets", R, FULL.replace("why", "why (a, b)"), 50, "an open bracket"),
    (
        "a bare subject",
        R,
        FULL.replace("role:reader", "reader"),
        4,
        "'reader' is not a subject; write `agent:` or",
    ),
    (
        "another kind of subject",
        R,
        FULL.replace("role:reader", "user:ann"),
        4,
        "'user:ann' is not a subject",
    ),
    (
        "an unknown role",
        R,
        FULL.replace("role:reader", "role:raeder"),
        4,
        "unknown role: no `g` row of tenant `studio`",
    ),
    ("a role of another tenant", R, FULL.replace("reader, studio", "designer, archive"), 4, "unknown role"),
    (
        "an unknown agent",
        R,
        FULL.replace("role:reader", "agent:ghost"),
        4,
        "'ghost' is not a registered agent",
    ),
    (
        "an agent unknown in the tenant",
        R,
        "p, agent:designer, archive, read, *, , deny, w",
        4,
        "can never match",
    ),
    ("an unknown tenant", R, FULL.replace("studio", "stduio"), 17, "'stduio' is not a registered tenant"),
    ("a wildcard tenant", R, FULL.replace("studio", "*"), 17, "a row belongs to one tenant"),
    (
        "a wildcard tenant of a role",
        R,
        "g, agent:coder, role:engineer, *",
        32,
        "a row belongs to one tenant",
    ),
    ("an unknown tool", R, FULL.replace("read,", "raed,"), 25, "'raed' is not a registered tool"),
    ("an unknown tool in scope", "scope.csv", "p, role:reader, studio, raed, deny", 25, "'raed'"),
    (
        "a permission nobody needs",
        "permission.csv",
        "p, role:reader, studio, files.raed, allow",
        25,
        "no tool requires",
    ),
    ("a role that is none", R, "g, agent:coder, engineer, studio", 17, "'engineer' is not a role"),
    ("a role row for nobody", R, "g, coder, role:engineer, studio", 4, "'coder' is not a subject"),
    (
        "a kind that the tool lacks",
        R,
        FULL.replace("path:./x", "text:x"),
        31,
        "can never match: the tool 'read' declares no text",
    ),
    ("a path rule for a URL tool", R, FULL.replace("read,", "fetch,"), 32, "declares no path argument"),
    (
        "a write rule for a tool that reads",
        R,
        FULL.replace("path:", "write:"),
        31,
        "can never match: the tool 'read' declares no writing path argument",
    ),
    (
        "a read rule for a tool that writes",
        R,
        FULL.replace("read, path:", "write, read:"),
        32,
        "can never match: the tool 'write' declares no reading path argument",
    ),
    (
        "an exception of the other access",
        R,
        FULL.replace("read, path:./x, ,", "bash, write:./x, read:./y,"),
        42,
        "what is read is never an exception of what is written; write `path:…`",
    ),
    (
        "a shell rule for a tool of paths",
        R,
        FULL.replace("path:./x", "shell:git status"),
        31,
        "declares no shell argument",
    ),
    (
        "a shell pattern of two commands",
        R,
        FULL.replace("read, path:./x", "bash, shell:git status && ls"),
        31,
        "one simple command",
    ),
    (
        "an allow for any program",
        R,
        FULL.replace("read, path:./x", "bash, shell:* --help"),
        31,
        "an Allow names its program",
    ),
    (
        "a URL pattern of nothing",
        R,
        FULL.replace("read, path:./x", "fetch, url:*"),
        32,
        "write `url:SCHEME://HOST/PATH`",
    ),
    (
        "a pattern of no kind",
        R,
        FULL.replace("path:./x", "./x"),
        31,
        "write `*`, or one of `path:GLOB`, `text:GLOB`, `shell:GLOB`, `url:GLOB`, `read:GLOB`, `write:",
    ),
    ("a relative path", R, FULL.replace("./x", "x/y"), 31, "write `./x/y` or `**/x/y`"),
    ("a home path", R, FULL.replace("./x", "~/.ssh/**"), 31, "write `**/` instead, as in `**/.ssh/**`"),
    ("a blank after the colon", R, FULL.replace("./x", " ./x"), 31, "write the glob right after it"),
    ("no glob", R, FULL.replace("./x", ""), 31, "write the glob right after it"),
    ("a dot segment", R, FULL.replace("./x", "./a/../x"), 31, "leave it out"),
    ("an empty segment", R, FULL.replace("./x", "./a//x"), 31, "leave it out"),
    ("half a deep star", R, FULL.replace("./x", "./**.py"), 31, "`**` is a whole segment"),
    ("a character class", R, FULL.replace("./x", "./[ab]"), 31, "`[` has no meaning here"),
    ("braces", R, FULL.replace("./x", "./{a}"), 31, "`{` has no meaning here"),
    ("a backslash", R, FULL.replace("./x", "./a\\b"), 31, "`\\` has no meaning here"),
    ("a last slash in an allow", R, FULL.replace("./x", "./x/"), 31, "write `./x/**`"),
    (
        "an exception of another kind",
        R,
        FULL.replace(", ,", ", text:a,"),
        41,
        "write `path:…`, as in `argument`",
    ),
    (
        "an exception to the tool alone",
        R,
        FULL.replace("path:./x, ,", "*, path:./y,"),
        34,
        "write nothing beside `*`",
    ),
    ("an exception to everything", R, FULL.replace(", ,", ", *,"), 41, "write `path:…`"),
    ("a bad exception", R, FULL.replace(", ,", ", path:y,"), 41, "write `./y` or `**/y`"),
]


@pytest.mark.parametrize(
    ("name", "row", "column", "message"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS]
)
def test_a_row_is_refused_with_its_place(bundle, name, row, column, message):
    """The one problem of the bundle is the row's, at the character where it goes wrong."""
    line = bundle.append(name, row)
    problems = bundle.problems()
    assert len(problems) == 1
    assert problems[0].startswith(f"{name}:{line}:{column}: ")
    assert message in problems[0]


def test_a_duplicate_row_names_the_first(bundle):
    """Saying the same again with another reason is refused, with the place of the first."""
    line = bundle.append(R, "p,role:engineer, studio,bash,  *, , ask, once more")
    assert bundle.problems() == [
        f"{R}:{line}:1: the same as the row at {R}:{line_of(bundle, 'bash, *')}; keep one"
    ]


def test_a_role_that_has_itself_is_refused(bundle):
    """A circle of roles is named at each of its links."""
    bundle.append(R, "g, role:reader, role:engineer, studio")
    problems = [problem for problem in bundle.problems() if "not in" not in problem]
    assert len(problems) == 2
    assert all("has itself as a role in the end" in problem for problem in problems)


def test_a_long_chain_of_roles_is_followed_to_its_end(bundle):
    """There is no limit on how many roles stand between an agent and a row."""
    links = [f"g, role:{depth}, role:{depth + 1}, studio" for depth in range(1, 300)]
    bundle.append(R, "\n".join(["g, agent:coder, role:1, studio", *links]))
    bundle.append(R, "p, role:300, studio, ls, path:/top, , allow, why")
    question = RuleQuestion("agent:coder", "studio", "ls", Facet(ArgumentKind.PATH, "/top"))
    assert bundle.load().rules.match(Effect.ALLOW, question)


def test_a_role_means_the_same_in_every_file(bundle):
    """A member that only one file knows is refused: it would miss the role's Deny rows in the others."""
    line = bundle.append("permission.csv", "g, agent:coder, role:critic, studio")
    problems = bundle.problems()
    assert [problem.split(": ")[0] for problem in problems] == [f"permission.csv:{line}:4"] * 2
    assert "not in rules.csv; add `g, agent:coder, role:critic, studio` there" in problems[0]


def test_every_problem_is_listed(bundle):
    """Three faults in three files give three problems, in the order of file and line."""
    bundle.append(R, FULL.replace("allow", "Allow"))
    bundle.append("scope.csv", "p, role:reader, studio, read, Deny")
    bundle.replace("registry/tools.yaml", "access: read", "access: raed")
    assert [problem.split(":")[0] for problem in bundle.problems()] == [
        "registry/tools.yaml",
        R,
        "scope.csv",
    ]


def test_windows_line_ends_blank_lines_and_comments_are_fine(bundle):
    """What stock Casbin skips is skipped, and a CR before the LF belongs to the line's end."""
    text = (bundle.folder / R).read_text()
    bundle.write(R, text.replace("\n", "\r\n") + "\r\n \t\r\n  # indented\r\n")
    assert bundle.problems() == []


def test_rows_may_be_in_a_folder_of_files(bundle):
    """A folder of .csv files is read in the order of their names, and places name the file."""
    text = (bundle.folder / R).read_text()
    bundle.remove(R)
    head, tail = text.split("# archive", 1)
    bundle.write("rules/10-studio.csv", head)
    bundle.write("rules/20-archive.csv", "#" + tail)
    assert bundle.problems() == []


def line_of(bundle, text):
    """The number of the first line with this text."""
    lines = (bundle.folder / R).read_text().split("\n")
    return next(number for number, line in enumerate(lines, start=1) if text in line)
