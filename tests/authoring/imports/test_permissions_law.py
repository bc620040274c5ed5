"""No call is allowed by translated rows that the rules of the source would deny, or ask about.

The source is read here by a small reader of our own: globs over texts, and no rules of ours.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from adjudicator.authoring.imports.forms.reading import read_rules
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.imports.rule_rows import RuleRow
from adjudicator.authoring.imports.rule_translation import RuleTranslation
from adjudicator.authoring.imports.tool_names import ToolNames
from adjudicator.authoring.progress import unheard
from adjudicator.authoring.starter.files import starter_files
from adjudicator.authoring.starter.names import Names
from adjudicator.domain.facet import Facet
from adjudicator.facets.derive import derive
from adjudicator.policy.loader import open_sources
from adjudicator.policy.patterns import parse_pattern
from adjudicator.policy.snapshot import Effect
from adjudicator.policy.source import Sources
from hypothesis import event, given, settings
from hypothesis import strategies as st

REGISTRY = open_sources(Sources("", {}, frozenset()).edited(starter_files(Names()))).snapshot.registry
ARGUMENTS = {"bash": "command", "read": "path", "write": "path", "fetch": "url"}
STRICTER = {"allow": 0, "ask": 1, "deny": 2}

# What the translated rows say ------------------------------------------------------------------------


def matches(row: RuleRow, facet: Facet) -> bool:
    """Whether the row is about the facet, exceptions and all."""
    loose = row.effect is not Effect.ALLOW
    if not parse_pattern(row.argument, loose=loose).matches(facet):
        return False
    return not row.unless or not parse_pattern(row.unless, loose=not loose).matches(facet)


def ours(rows: Iterable[RuleRow], tool: str, value: str) -> str:
    """Deny, Allow, Ask, default for each facet; the strictest counts."""
    facets = derive({ARGUMENTS[tool]: value}, REGISTRY.tools[tool].arguments, "/w", {})
    of_tool = [row for row in rows if row.tool in (tool, "*")]
    found = "allow"
    for facet in facets:
        effects = {row.effect.value for row in of_tool if matches(row, facet)}
        order = ("deny", "ask") if facet.mention else ("deny", "allow", "ask")
        one = next((each for each in order if each in effects), "allow" if facet.mention else "deny")
        found = max(found, one, key=STRICTER.__getitem__)
    return found


# What the source says --------------------------------------------------------------------------------


def glob(text: str, *, single: bool = False, crossing: bool = True) -> str:
    """A regular expression of a glob."""
    star, one = (".*", ".") if crossing else ("[^/]*", "[^/]")
    parts = {"*": star, "?": one if single else r"\?"}
    return "".join(parts.get(char, re.escape(char)) for char in text)


def command_matches(pattern: str, command: str, *, single: bool) -> bool:
    """A glob over the whole text, of which a last ` *` may be missing."""
    text = pattern.removesuffix(" *")
    end = r"(?: .*)?" if text != pattern else ""
    return re.fullmatch(glob(text, single=single) + end, command, re.DOTALL) is not None


def ignored(pattern: str, path: str) -> bool:
    """As `.gitignore` has it in the folder /w: the path, or a folder that it is in."""
    if pattern.startswith("//"):
        base, text = "/", pattern[2:]
    elif pattern.startswith("~/"):
        base, text = "/home/u/", pattern[2:]
    else:
        base, text = "/w/", pattern.removeprefix("./").removeprefix("/")
    if not path.startswith(base):
        return False
    anywhere = "/" not in pattern.rstrip("/")
    words = text.rstrip("/").split("/")
    expression = "(?:.*/)?" if anywhere else ""
    for number, word in enumerate(words):
        last = number == len(words) - 1
        if word == "**":
            expression += ".+" if last else "(?:.*/)?"
        else:
            expression += glob(re.sub(r"\*+", "*", word), single=True, crossing=False) + (
                "" if last else "/"
            )
    relative = path.removeprefix(base)
    tops = [relative[: match.start()] for match in re.finditer("/", relative)] + [relative]
    return any(re.fullmatch(expression, top) for top in tops)


def in_lists(lists: dict[str, list[str]], tool: str, value: str) -> str:
    """Deny, ask, allow; a question where nothing is said. Each command of a line on its own."""
    if tool == "bash" and " && " in value:
        parts = [in_lists(lists, tool, part) for part in value.split(" && ")]
        return max(parts, key=STRICTER.__getitem__)
    names = {"bash": ("Bash",), "read": ("Read",), "write": ("Edit",), "fetch": ("WebFetch",)}[tool]
    for effect in ("deny", "ask", "allow"):
        for rule in lists.get(effect, ()):
            name, _, inner = rule.removesuffix(")").partition("(")
            if name in names and (not inner or is_in(tool, inner, value)):
                return effect
    return "ask"


def is_in(tool: str, inner: str, value: str) -> bool:
    """Whether the use is what the rule is about."""
    if tool == "bash":
        prefix = inner.removesuffix(":*")
        return command_matches(inner if prefix == inner else f"{prefix} *", value, single=False)
    if tool == "fetch":
        domain, host = inner.removeprefix("domain:"), value.partition("://")[2].partition("/")[0]
        return host.endswith(domain[1:]) if domain.startswith("*.") else host == domain
    return ignored(inner, value if value.startswith("/") else f"/w/{value}")


def in_mapping(permission: dict[str, Any], tool: str, value: str) -> str:
    """The last rule that matches; a question where nothing is said."""
    if tool == "bash" and " && " in value:
        parts = [in_mapping(permission, tool, part) for part in value.split(" && ")]
        return max(parts, key=STRICTER.__getitem__)
    name = {"bash": "bash", "read": "read", "write": "edit", "fetch": "webfetch"}[tool]
    found = "ask"
    for key, said in permission.items():
        if key in (name, "*"):
            for pattern, action in (said if isinstance(said, dict) else {"*": said}).items():
                whole = command_matches if tool == "bash" else path_matches
                found = action if pattern == "*" or whole(pattern, value, single=True) else found
    return found


def path_matches(pattern: str, path: str, *, single: bool) -> bool:
    """A glob over the path as it is."""
    return re.fullmatch(glob(pattern, single=single), path) is not None


# ------------------------------------------------------------------------------------------------------

PROGRAMS = st.sampled_from(["git", "npm"])
WORDS = st.sampled_from(["push", "diff", "-f", "--force", "git"])
COMMANDS = st.tuples(PROGRAMS, st.lists(WORDS, max_size=3)).map(lambda each: " ".join((each[0], *each[1])))
LINES = COMMANDS | st.tuples(COMMANDS, COMMANDS).map(" && ".join)
SEGMENTS = st.sampled_from(["a", "b", "A", "a.txt", ".env", "src", "secret"])
PATHS = st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join)
URLS = st.sampled_from(["example.com", "docs.example.com", "evil.test"]).map("https://{}/x".format)
CALLS = (
    st.tuples(st.just("bash"), LINES)
    | st.tuples(st.sampled_from(["read", "write"]), PATHS | PATHS.map("/{}".format))
    | st.tuples(st.just("fetch"), URLS)
)
GLOB_WORDS = WORDS | st.sampled_from(["*", "*", "pu*", "*t", "d*f", "pus?", "'a'", "$HOME", "|"])
GLOB_PROGRAMS = PROGRAMS | PROGRAMS | st.sampled_from(["git*", "*", "x=1", "*it"])
SHELL_GLOBS = st.tuples(GLOB_PROGRAMS, st.lists(GLOB_WORDS, max_size=3)).map(
    lambda each: " ".join((each[0], *each[1]))
)
GLOB_SEGMENTS = SEGMENTS | st.sampled_from(["*", "**", "*.txt", "s*", ".e?v", "a**", "..", "[ab]", "{a,b}"])
STARTS = st.sampled_from(["", "./", "/", "//", "~/", "**/", "!"])
PATH_GLOBS = st.tuples(STARTS, st.lists(GLOB_SEGMENTS, min_size=1, max_size=3).map("/".join)).map("".join)
DOMAINS = st.sampled_from(["example.com", "*.example.com", "docs.example.com", "evil.test"])
RULES = (
    st.sampled_from(["Bash", "Read", "Edit", "WebFetch", "Bash(*)", "Read(**)", "Bash(git", "mcp__x"])
    | SHELL_GLOBS.map("Bash({})".format)
    | SHELL_GLOBS.map("Bash({}:*)".format)
    | PATH_GLOBS.map("Read({})".format)
    | PATH_GLOBS.map("Edit({})".format)
    | DOMAINS.map("WebFetch(domain:{})".format)
)
LISTS = st.fixed_dictionaries(
    {
        "allow": st.lists(RULES, min_size=1, max_size=4),
        "ask": st.lists(RULES, max_size=2),
        "deny": st.lists(RULES, max_size=2),
    }
)
ACTIONS = st.sampled_from(["allow", "allow", "ask", "deny"])
CROSSING = st.lists(GLOB_SEGMENTS, min_size=1, max_size=3).map("/".join)
MAPPINGS = st.dictionaries(
    st.sampled_from(["bash", "read", "edit", "webfetch", "*"]),
    ACTIONS | st.dictionaries(SHELL_GLOBS | CROSSING | st.just("*"), ACTIONS, min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
SETTINGS = settings(max_examples=50, deadline=None)


def rows_of(value: Any) -> tuple[RuleRow, ...]:
    """The translated rows; each of them is one that loads."""
    return (
        RuleTranslation(read_rules(value), ToolNames(REGISTRY, {}), "f", default_denies=True)
        .made(unheard)
        .rows
    )


def holds(value: Any, says: Callable[[str, str], str], calls: list[tuple[str, str]]) -> None:
    """The law, for these calls."""
    try:
        rows = rows_of(value)
    except ImportFaultError:
        return
    for tool, text in calls:
        if ours(rows, tool, text) == "allow":
            event(f"allowed {tool}")
            assert says(tool, text) == "allow", (tool, text, [row.meaning for row in rows])


@SETTINGS
@given(LISTS, st.lists(CALLS, min_size=12, max_size=12))
def test_nothing_passes_that_lists_would_stop(lists, calls):
    """Deny counts first, then ask, then allow."""
    holds({"permissions": lists}, lambda tool, text: in_lists(lists, tool, text), calls)


@SETTINGS
@given(MAPPINGS, st.lists(CALLS, min_size=12, max_size=12))
def test_nothing_passes_that_a_mapping_would_stop(permission, calls):
    """The last rule that matches counts."""
    holds({"permission": permission}, lambda tool, text: in_mapping(permission, tool, text), calls)
