"""What each kind of permission rule comes to, and what is said where it is not the same."""

from dataclasses import replace
from typing import Any

import pytest
from adjudicator.authoring.imports.forms.reading import read_rules
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.imports.rule_translation import RuleTranslation, Translation
from adjudicator.authoring.imports.tool_names import ToolNames
from adjudicator.authoring.progress import unheard
from adjudicator.policy.loader import load_bundle
from adjudicator.policy.registry import Registry
from running import POLICIES

REGISTRY = load_bundle(POLICIES).registry


def translated(
    value: Any,
    tools: dict[str, tuple[str, ...]] | None = None,
    form: str = "",
    *,
    registry: Registry = REGISTRY,
    default_denies: bool = True,
) -> Translation:
    """The translation for the shipped bundle, or for other tools."""
    names = ToolNames(registry, tools or {})
    return RuleTranslation(read_rules(value, form), names, "f", default_denies=default_denies).made(unheard)


def with_tools(**codes: str) -> Registry:
    """The shipped registry with more tools, each like the one of it that is named."""
    more = {code: replace(REGISTRY.tools[like], code=code) for code, like in codes.items()}
    return replace(REGISTRY, tools={**REGISTRY.tools, **more})


def told(found: Translation) -> str:
    """All notes, one on a line."""
    return "\n".join(map(str, (*found.lost, *found.notes)))


def meanings(found: Translation) -> list[str]:
    """The rows, each as the columns that count."""
    return [" ".join(filter(None, (row.effect.value, *row.meaning[:3]))) for row in found.rows]


ALLOWED = [
    ("Bash(git diff:*)", ["allow bash shell:git diff *"]),
    ("Bash(git diff *)", ["allow bash shell:git diff *"]),
    ("Bash(npm run test)", ["allow bash shell:npm run test"]),
    ("Bash(npm run test*)", ["allow bash shell:npm run test* *"]),
    ("Bash(npm*)", ["allow bash shell:npm *"]),
    ("Bash(git * main)", ["allow bash shell:git * main"]),
    ("Bash", ["allow bash *"]),
    ("Bash(*)", ["allow bash *"]),
    ("Bash(* --version)", []),
    ("Bash(echo $HOME)", []),
    ("Bash(FOO=1 make)", []),
    ("Bash(ls a?)", []),
    ("Read(src/**)", ["allow read path:./src/*/**"]),
    ("Read(**)", ["allow read path:./**"]),
    ("Read()", []),
    ("Read(*.md)", ["allow read path:./**/*.md"]),
    ("Read(./a.txt)", ["allow read path:./a.txt"]),
    ("Read(/docs/a.txt)", ["allow read path:./docs/a.txt"]),
    ("Read(//srv/a.txt)", ["allow read path:/srv/a.txt"]),
    ("Read(~/.ssh/**)", []),
    ("Read(../x)", []),
    ("Read(!x)", []),
    ("Edit(a.md)", [f"allow {tool} path:./**/a.md" for tool in ("write", "edit", "patch")]),
    ("Write(a.md)", []),
    ("WebFetch(domain:example.com)", ["allow fetch url:https://example.com/**"]),
    ("WebFetch(domain:*.example.com)", ["allow fetch url:https://**.example.com/**"]),
    ("WebFetch(http://x)", []),
    ("WebFetch(domain:example.com:99)", []),
    ("WebFetch(domain:example.com/x)", []),
    ("WebFetch(domain:a@example.com)", []),
    ("WebFetch(domain:ex*.com)", []),
    ("WebFetch(domain:*)", []),
    ("codegraph_query", ["allow codegraph_query *"]),
    ("mcp__codegraph__query", ["allow codegraph_query *"]),
    ("mcp__codegraph_*", []),
    ("codegraph_e*", ["allow codegraph_explain *"]),
    ("WebSearch", []),
    ("Bash(ls", []),
]


@pytest.mark.parametrize(("rule", "rows"), ALLOWED)
def test_what_is_allowed_is_allowed_as_far_as_it_can_be_said(rule, rows):
    """What cannot is left out, with a note, and is no error: it only makes the bundle stricter."""
    found = translated({"allow": [rule]})
    assert meanings(found) == rows
    assert bool(rows) or "left out" in told(found)
    assert found.lost == ()


DENIED = [
    ("Bash(rm:*)", [f"deny {tool} shell:rm *" for tool in ("bash", "command_execution")]),
    ("Read(./.env)", ["deny * path:./.env/**"]),
    ("Read(.env)", ["deny * path:**/.env/**"]),
    ("Read(~/.ssh/**)", ["deny * path:**/.ssh/**"]),
    ("Read(//etc/**)", ["deny * path:/etc/**"]),
    ("Read(/secrets/)", ["deny * path:**/secrets/**"]),
    ("Read(../x/a)", ["deny * path:**/x/a/**"]),
    ("Read(.env.{a,b})", ["deny * path:**/*/**"]),
    ("Edit(.git/**)", ["deny * write:./.git/**"]),
    ("WebFetch(domain:*.evil.test)", ["deny fetch url:*://evil.test"]),
    ("Read", ["deny read *"]),
]


@pytest.mark.parametrize(("rule", "rows"), DENIED)
def test_what_is_denied_is_denied_at_least(rule, rows):
    """Widely where it cannot be said exactly: below any folder, with all that is behind a wildcard."""
    assert meanings(translated({"deny": [rule]})) == rows


@pytest.mark.parametrize(
    ("rule", "argument"),
    [
        ("Bash(curl * | sh)", "shell:curl *"),
        ("Bash(git push*origin)", "shell:git push*"),
        ("Bash(FOO=1 rm x)", "shell:rm x"),
        ("Bash(* install)", "shell:* install"),
        ("Bash(*rm*)", "*"),
        ("Bash(echo 'a b')", "shell:echo"),
    ],
)
def test_a_denial_of_commands_that_cannot_be_said_is_wider(rule, argument):
    """With a note that says how."""
    found = translated({"deny": [rule]})
    assert found.rows[0].argument == argument
    assert found.lost == ()


@pytest.mark.parametrize(
    "rule", ["WebSearch", "Bash(rm", "Read(!x)", "mcp__evil", "WebFetch(x)", 7, "Task(x)"]
)
def test_a_denial_that_no_row_says_is_lost_and_told_first(rule):
    """Dropping it in silence would loosen."""
    found = translated({"deny": [rule, "Read(.env)"]})
    assert len(found.lost) == 1
    assert "a denial that is lost" in told(found).splitlines()[0]
    assert meanings(found) == ["deny * path:**/.env/**"]


def test_what_counts_before_an_allow_and_is_lost_keeps_it_out():
    """Nobody knows what of it would have been denied."""
    found = translated({"allow": ["Read(src/**)", "Bash(ls)"], "deny": ["Read(!src/a)"]})
    assert meanings(found) == []
    assert "counts before it" in told(found)


def test_a_name_that_is_stated_to_be_no_tool_is_no_loss():
    """And one that is stated to be another goes there."""
    found = translated(
        {"deny": ["WebSearch", "Run(x)", "Run"]}, {"WebSearch": (), "Run": ("bash", "deploy")}
    )
    assert meanings(found) == ["deny bash *", "deny deploy *"]
    assert [str(each).partition(":")[0] for each in found.lost] == ["`Run(x)`"]


def test_an_ask_within_an_allow_becomes_its_exception():
    """There an ask counts first, and here an allow does."""
    found = translated({"allow": ["Bash(git *)"], "ask": ["Bash(git push:*)"]})
    assert "allow bash shell:git * shell:git push *" in meanings(found)
    assert "ask bash shell:git push *" in meanings(found)


def test_an_allow_with_two_asks_within_it_asks():
    """A row has one exception, and without them it would let pass what is asked about there."""
    found = translated({"allow": ["Bash(git *)"], "ask": ["Bash(git push:*)", "Bash(git reset:*)"]})
    assert "ask bash shell:git *" in meanings(found)
    assert not any(each.startswith("allow") for each in meanings(found))
    assert "asks instead" in told(found)


def test_an_allow_of_a_whole_tool_cannot_have_an_exception():
    """So it asks too."""
    found = translated({"allow": ["Bash"], "ask": ["Bash(git push:*)"]})
    assert "ask bash *" in meanings(found)


@pytest.mark.parametrize("ask", ["Bash", "Bash(git:*)", "Bash(git push:*)", "Bash(git push *)"])
def test_an_allow_within_an_ask_is_pointless_and_left_out(ask):
    """As it is there."""
    found = translated({"allow": ["Bash(git push:*)"], "ask": [ask]})
    assert not any(each.startswith("allow") for each in meanings(found))
    assert "in every case" in told(found)


@pytest.mark.parametrize(
    ("allow", "ask"),
    [
        ("Bash(git diff:*)", "Bash(git push:*)"),
        ("Bash(git diff:*)", "Bash(rm:*)"),
        ("Read(./src/**)", "Read(./docs/**)"),
        ("WebFetch(domain:a.test)", "WebFetch(domain:b.test)"),
        ("Read(src/**)", "Bash(cat:*)"),
    ],
)
def test_what_never_meets_needs_no_exception(allow, ask):
    """An allow stays as it is beside asks about something else."""
    found = translated({"allow": [allow], "ask": [ask]})
    assert [row.unless for row in found.rows if row.effect.value == "allow"] == [""]


def test_the_last_match_of_a_mapping_counts():
    """A question about everything first, then what passes, then what does not."""
    value = {"permission": {"bash": {"*": "ask", "git *": "allow", "git push *": "ask", "rm *": "deny"}}}
    assert meanings(translated(value)) == [
        "deny bash shell:rm *",
        "deny command_execution shell:rm *",
        "ask bash *",
        "ask command_execution *",
        "allow bash shell:git * shell:git push *",
        "ask bash shell:git push *",
        "ask command_execution shell:git push *",
    ]


def test_a_denial_with_one_opening_below_it_has_an_exception():
    """With two it has none, and what opens it is denied."""
    one = {"permission": {"bash": {"git *": "deny", "git status": "allow"}}}
    assert "deny bash shell:git * shell:git status" in meanings(translated(one))
    two = {"permission": {"bash": {"git *": "deny", "git status": "allow", "git log": "allow"}}}
    assert "deny bash shell:git *" in meanings(translated(two))
    assert "a row has one exception" in told(translated(two))


def test_a_denial_of_everything_is_what_the_default_does_and_undoes_what_came_before():
    """The rows below it open parts of it; an allow above it allows nothing."""
    value = {"permission": {"bash": {"ls *": "allow", "*": "deny", "git *": "allow"}}}
    assert meanings(translated(value)) == ["allow bash shell:git *"]
    assert meanings(translated({"permission": {"bash": "allow", "*": "deny"}})) == [
        "deny * *",
        "allow bash *",
    ]


def test_edits_of_a_mapping_cross_folders():
    """`*` stands for `/` too, so an allow stays within a name and a denial has everything behind it."""
    value = {
        "permission": {"edit": {"docs/*.md": "allow", "*.env": "deny", "src/*/x": "deny", "out/*": "allow"}}
    }
    rows = meanings(translated(value))
    assert "allow write path:./docs/*.md" in rows
    assert "allow write path:./out/*/**" in rows
    assert "deny * write:**/*.env/**" in rows
    assert "deny * write:./src/**" in rows


def test_lists_of_tools_allow_what_runs_unasked_and_ask_about_what_there_is():
    """What is left out is denied; what is allowed and is not there is told."""
    value = {
        "coreTools": ["run_shell_command(git)", "read_file"],
        "allowedTools": ["run_shell_command(git status)", "run_shell_command(npm test)"],
        "excludeTools": ["run_shell_command(git push)"],
    }
    found = translated(value)
    assert "allow bash shell:git status *" in meanings(found)
    assert "ask bash shell:git*" in meanings(found)
    assert "ask read *" in meanings(found)
    assert "deny bash shell:git push*" in meanings(found)
    assert not any("npm" in each for each in meanings(found))


def test_a_command_line_whose_shell_is_called_so_takes_paths_from_the_root():
    """There a program is named alone, and `Write` has rules of its own."""
    found = translated(
        {"permissions": {"allow": ["Shell(git)", "Write(docs/**)"], "deny": ["Read(/etc/passwd)"]}}
    )
    assert meanings(found) == [
        "deny * path:/etc/passwd/**",
        "allow bash shell:git *",
        "allow write path:./docs/*/**",
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"allow": ["Bash"] * 2001},
        {},
        [],
        None,
        {"permissions": {}},
        {"allow": []},
        {"permission": []},
        {"permissions": {"allow": "Bash"}},
    ],
)
def test_what_holds_no_rules_is_told(value):
    """An empty list would pass for a translation."""
    with pytest.raises(ImportFaultError):
        translated(value)


def test_a_form_is_told_where_it_may_be_several_or_is_another():
    """Two readings of one file would be two policies."""
    both = {"permissions": {"allow": ["Bash"]}, "permission": "ask"}
    with pytest.raises(ImportFaultError, match="--form"):
        translated(both)
    assert meanings(translated(both, form="lists")) == ["allow bash *"]
    with pytest.raises(ImportFaultError, match="not of the form"):
        translated(both, form="tools")


GITHUB = with_tools(
    **dict.fromkeys(("mcp__github__merge", "github.merge", "github_merge", "github:x"), "codegraph_query")
)


@pytest.mark.parametrize(
    ("denied", "allowed"),
    [
        ("mcp__github__merge", "mcp__github"),
        ("mcp__github__merge", "mcp__github__*"),
        ("mcp__github", "mcp__github__merge"),
        ("mcp__github__*", "mcp__github__merge"),
        ("mcp__github__me*", "mcp__github__merge"),
        ("mcp__*__merge", "github_merge"),
        ("mcp__*", "github.merge"),
        ("github_merge", "mcp__github__merge"),
    ],
)
@pytest.mark.parametrize("effect", ["deny", "ask"])
def test_a_tool_under_several_names_is_kept_back_under_each(denied, allowed, effect):
    """An Allow of one of the names opens none that another rule denies, or asks about."""
    found = translated({effect: [denied], "allow": [allowed]}, registry=GITHUB)
    kept = {row.tool for row in found.rows if row.effect.value == effect}
    assert {"mcp__github__merge", "github.merge", "github_merge"} <= kept
    opened = {row.tool for row in found.rows if row.effect.value == "allow"}
    assert not opened & kept or effect == "deny"
    assert found.lost == ()


def test_an_allow_goes_to_the_one_tool_that_has_the_name():
    """Where several could be meant the likeliest; a capital letter tells two tools apart."""
    twice = with_tools(Deploy="codegraph_query")
    assert meanings(translated({"allow": ["Deploy"]}, registry=twice)) == ["allow Deploy *"]
    assert meanings(translated({"allow": ["deploy"]}, registry=twice)) == ["allow deploy *"]
    denied = {row.tool for row in translated({"deny": ["deploy"]}, registry=twice).rows}
    assert denied == {"Deploy", "deploy"}
    assert len(translated({"allow": ["mcp__github__merge"]}, registry=GITHUB).rows) == 1


def test_a_tool_that_is_stated_is_denied_with_its_server_and_its_family():
    """Whoever says which tool a name is has not taken it out of what is denied."""
    names = {"mcp__github__x": ("deploy",), "Write": ("apply_autofix",), "Edit": ("edit",)}
    assert "deny deploy *" in meanings(translated({"deny": ["mcp__github"]}, names))
    found = translated({"deny": ["Edit"], "allow": ["Write"]}, names)
    assert {"deny apply_autofix *", "deny write *", "deny edit *"} <= set(meanings(found))


@pytest.mark.parametrize("code", ["find_file", "ls"])
def test_an_ask_about_paths_is_about_every_tool_that_takes_them(code):
    """Rules of what is read are about all tools that read, so an Allow of one of those asks too."""
    found = translated({"ask": ["Read(./secrets/**)"], "allow": [code]})
    assert f"ask {code} path:./secrets/**" in meanings(found)
    assert f"allow {code} *" not in meanings(found)
    found = translated({"ask": ["Edit(./secrets/**)"], "allow": ["apply_autofix"]})
    assert "allow apply_autofix *" not in meanings(found)


@pytest.mark.parametrize("key", ["write", "w*", "patch", "*t*"])
def test_an_allow_of_another_name_never_opens_what_rules_of_a_family_are_about(key):
    """In a mapping `edit` alone says what may be written."""
    value = {"permission": {"edit": "deny", key: "allow"}}
    rows = meanings(translated(value))
    assert not {f"allow {code} *" for code in ("write", "edit", "patch")} & set(rows)
    assert {f"deny {code} *" for code in ("write", "edit", "patch")} <= set(rows)


def test_a_name_with_a_wildcard_denies_what_it_names_of_a_family():
    """Whatever the bundle calls its shell."""
    assert "deny command_execution *" in meanings(translated({"permission": {"ba*": "deny"}}))


@pytest.mark.parametrize(
    "said", [{}, {"external_directory": "ask"}, {"external_directory": {"/srv/*": "allow"}}]
)
def test_a_mapping_allows_files_inside_of_the_working_directory_alone(said):
    """Unless it says that those outside are allowed, it asks about them whatever else allows them."""
    tools = {"read": "allow", "edit": {"*": "allow", "/etc/*": "allow", "~/x": "allow"}, "list": "allow"}
    found = translated({"permission": {**tools, **said, "bash": "allow"}}, {"list": ("ls",)})
    assert {each for each in meanings(found) if each.startswith("allow")} == {
        "allow bash *",
        *(f"allow {code} path:./*/**" for code in ("read", "write", "edit", "patch", "ls")),
    }


@pytest.mark.parametrize("said", [{"external_directory": "allow"}, {"*": "allow"}])
def test_a_mapping_that_opens_what_is_outside_allows_it(said):
    """As it is there; the last that is said of it counts."""
    value = {"permission": {**said, "read": "allow"}}
    assert "allow read *" in meanings(translated(value))
    value["permission"]["external_directory"] = "deny"
    assert "allow read path:./*/**" in meanings(translated(value))


def test_a_denial_of_everything_is_a_row_where_the_default_asks():
    """Else people would be asked about what is denied."""
    value = {"permission": {"bash": {"*": "deny", "git *": "allow"}}}
    assert "deny bash *" in meanings(translated(value, default_denies=False))


@pytest.mark.parametrize("rule", ["Read(a\nb)", "Read(a\u200bb)", "Edit(a\rb)"])
def test_a_denial_with_characters_that_nobody_sees_is_lost(rule):
    """A row with them would be two rows, or one that no file may have."""
    found = translated({"deny": [rule]})
    assert found.rows == ()
    assert "that nobody sees" in told(found)
