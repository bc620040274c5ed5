"""Tools brought in from a server's list: registered strictly, and allowed to nobody."""

import json
import re
from typing import Any

import pytest
from adjudicator.authoring.imports.definitions import definitions_in, read_import
from adjudicator.authoring.imports.edited_folder import tried
from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.imports.tools import ToolImport, ToolWish, import_tools
from adjudicator.authoring.judging import judged
from adjudicator.authoring.progress import unheard
from adjudicator.config.limits import Limits
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Cause
from adjudicator.policy.loader import open_bundle
from mcp_tools import EDIT, FETCH, HIDDEN, PYDANTIC, READ_TEXT, REMOTE, SHELL
from running import POLICIES


def imported(*definitions: dict[str, Any], **wish: Any) -> ToolImport:
    """What importing these would come to."""
    return import_tools(definitions, open_bundle(POLICIES), ToolWish("list.json", **wish), unheard)


def notes_of(found: ToolImport) -> str:
    """All notes, one on a line."""
    return "\n".join(map(str, (*found.left_out, *found.notes)))


def schema_of(found: ToolImport, code: str) -> dict[str, Any]:
    """The contract of one of them."""
    return json.loads(found.edits[f"schemas/{code}.json"])


def test_the_bundle_loads_with_them_and_every_call_of_them_is_denied():
    """The tools are there, on the allow-list too, and nobody holds what they need."""
    found = imported(READ_TEXT, EDIT, PYDANTIC, FETCH, SHELL, HIDDEN, prefix="mcp", tenant="studio")
    assert found.left_out == ()
    bundle = tried(open_bundle(POLICIES), found.edits)
    assert set(found.edits) - {each for each in found.edits if each.startswith("schemas/mcp.")} == {
        "registry/tools.yaml",
        "registry/tenants.yaml",
    }
    for tool in found.tools:
        assert tool.code in bundle.snapshot.registry.tenants["studio"].tools
        verdict = judged(ToolCall("studio", "coder", tool.code, "{}"), bundle.snapshot, Limits())
        assert verdict.cause is Cause.PERMISSION_MISSING


def test_what_a_server_says_of_reading_is_believed_only_if_that_is_wanted():
    """And never of a command line."""
    assert [tool.access.value for tool in imported(READ_TEXT, SHELL).tools] == ["write", "write"]
    found = imported(READ_TEXT, SHELL, trust_hints=True)
    assert [tool.access.value for tool in found.tools] == ["read", "write"]
    assert "which is not trusted" in notes_of(imported(READ_TEXT))
    assert "whatever the server says" in notes_of(found)


def test_arguments_that_look_like_something_are_declared():
    """Nested ones and those in lists too, and what they are when they are left out."""
    found = imported(READ_TEXT, EDIT, PYDANTIC, FETCH, SHELL)
    declared = {
        tool.code: {each.pointer: each.kind.value for each in tool.arguments} for tool in found.tools
    }
    assert declared == {
        "read_text_file": {"/path": "path"},
        "edit_file": {"/path": "path"},
        "git_log": {
            "/repo_path": "path",
            "/range/repo_path": "path",
            "/files/*": "path",
            "/directory": "path",
        },
        "fetch_page": {"/url": "url"},
        "run": {"/command": "shell", "/commands/*": "shell", "/cwd": "path"},
    }
    assert '/directory: {kind: path, access: write, absent: "."}' in found.edits["registry/tools.yaml"]
    assert notes_of(found).count("a guess by its name") == 10


def test_what_is_required_is_neither_empty_nor_null():
    """And an object takes no names but those that it describes."""
    found = imported(PYDANTIC, EDIT)
    schema = schema_of(found, "git_log")
    assert schema["properties"]["repo_path"]["type"] == "string"
    assert schema["properties"]["repo_path"]["minLength"] == 1
    assert schema["additionalProperties"] is False
    assert schema["properties"]["range"]["unevaluatedProperties"] is False
    assert schema_of(found, "edit_file")["properties"]["edits"]["items"]["additionalProperties"] is False
    assert "write `minLength` 0 if empty is meant" in notes_of(found)


CLOSED = {"type": "object", "additionalProperties": False, "required": ["x"]}


@pytest.mark.parametrize(
    "schema",
    [
        CLOSED,
        CLOSED | {"properties": {"y": {"type": "string"}}},
        CLOSED | {"patternProperties": {"^y": {"type": "string"}}},
        {
            "type": "object",
            "unevaluatedProperties": False,
            "anyOf": [{"properties": {"x": {"type": "string"}}}, {"properties": {"y": {}}}],
            "required": ["x"],
        },
    ],
)
def test_a_required_name_that_is_closed_out_is_not_let_in(schema):
    """To describe it would accept calls that the schema refuses."""
    found = imported({"name": "t", "inputSchema": schema})
    assert "cannot be described strictly: requires" in notes_of(found)
    assert found.tools == ()


def test_a_required_name_that_a_pattern_describes_is_held_to_it():
    """A closed object has it then, and it is described beside the pattern."""
    schema = CLOSED | {"patternProperties": {"^x$": {"type": "integer"}}}
    contract = schema_of(imported({"name": "t", "inputSchema": schema}), "t")
    assert "null" not in contract["properties"]["x"]["type"]
    assert contract["patternProperties"] == {"^x$": {"type": "integer"}}
    assert contract["additionalProperties"] is False


def test_texts_of_others_are_seen_whole_and_are_short():
    """Hidden characters go, a long text is cut, line breaks are blanks; each is noted."""
    found = imported(HIDDEN, READ_TEXT)
    entry = found.tools[0].entry
    assert "title: Weather" in entry
    assert "\u202e" not in entry
    assert len(entry) < 1300
    assert "Reads one file. Only within allowed directories." in found.tools[1].entry
    assert notes_of(found).count("that nobody sees") == 2
    assert "it is cut at 1000" in notes_of(found)
    assert "is searched for anywhere" in notes_of(found)


def test_what_cannot_be_taken_strictly_is_left_out():
    """With the reason; the others are taken all the same."""
    found = imported(REMOTE, FETCH)
    assert [tool.code for tool in found.tools] == ["fetch_page"]
    assert "nothing is ever fetched" in notes_of(found)
    assert len(found.left_out) == 1


@pytest.mark.parametrize(
    ("definition", "told"),
    [
        ({"name": "bash", "inputSchema": {"type": "object"}}, "there is a tool 'bash' already"),
        ({"name": "BASH", "inputSchema": {"type": "object"}}, "there is a tool 'BASH' already"),
        ({"name": "a b", "inputSchema": {"type": "object"}}, "is not a code"),
        ({"name": "../x", "inputSchema": {"type": "object"}}, "cannot name a schema file"),
        ({"name": "x.output", "inputSchema": {"type": "object"}}, "leave out the `.output`"),
        ({"name": "question", "inputSchema": {"type": "object"}}, "another code"),
        ({"name": 7, "inputSchema": {"type": "object"}}, "is not a code"),
        ({"inputSchema": {"type": "object"}}, "is not a code"),
        ({"name": "x"}, "`inputSchema` is not there"),
        ({"name": "x", "inputSchema": True}, "no object"),
        ({"name": "x", "inputSchema": {"type": "string"}}, "of no object"),
        ({"name": "x", "inputSchema": {"type": "object", "properties": []}}, "not a schema"),
        ({"name": "x", "inputSchema": {"$schema": "urn:x", "type": "object"}}, "not known here"),
        ({"name": "x", "inputSchema": {"properties": {"a\u202e": {}}}}, "nobody sees"),
        (
            {"name": "x", "inputSchema": {"properties": {"a": {"const": ""}}, "required": ["a"]}},
            "always empty",
        ),
        (
            {"name": "x", "inputSchema": {"properties": {"a": {"type": "null"}}, "required": ["a"]}},
            "always null",
        ),
        ({"name": "x", "inputSchema": {"required": ["a"], "properties": {"a": False}}}, "does not accept"),
    ],
)
def test_a_definition_that_is_none_is_left_out_with_its_reason(definition, told):
    """Nothing that is registered is ever overwritten."""
    found = imported(definition)
    assert found.tools == ()
    assert found.edits == {}
    assert told in notes_of(found)


def test_a_prefix_renames_every_tool_and_says_so():
    """The runtime has to know under which name it asks."""
    found = imported(
        {"name": "bash"} | {"inputSchema": {"type": "object"}}, {**FETCH, "name": "a b"}, prefix="m"
    )
    assert [tool.code for tool in found.tools] == ["m.bash", "m.a_b"]
    assert "the runtime asks about it by that name" in notes_of(found)


def test_the_same_name_twice_is_one_tool():
    """The first counts, and the second is told."""
    found = imported(FETCH, FETCH)
    assert len(found.tools) == len(found.left_out) == 1


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"permission": "files.read"}, "is held already, by permission.csv:"),
        ({"permission": "a b"}, "is not a code"),
        ({"prefix": "a b"}, "is not a code"),
        ({"tenant": "nowhere"}, "not a registered tenant"),
    ],
)
def test_a_wish_that_would_open_something_is_refused(wish, told):
    """A permission that somebody holds would let them call what nobody has looked at."""
    with pytest.raises(ImportFaultError, match=re.escape(told)):
        imported(FETCH, **wish)


@pytest.mark.parametrize(
    "value",
    [
        {"tools": [FETCH]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [FETCH]}},
        [FETCH],
        FETCH,
    ],
)
def test_a_list_is_found_in_each_of_its_forms(value):
    """The result of `tools/list`, a response around it, a bare list, one definition."""
    assert definitions_in(value) == [FETCH]


@pytest.mark.parametrize(
    "value",
    [
        *([], {}, None, "x", [1], {"tools": {}}, {"tools": []}, {"error": {"code": 1}}),
        {"tools": [FETCH], "nextCursor": "x"},
        {"result": {"tools": [FETCH], "nextCursor": "x"}},
    ],
)
def test_anything_else_is_told(value):
    """Half of a list would be taken for the whole of it."""
    with pytest.raises(ImportFaultError):
        definitions_in(value)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1, "a": 2}', "NaN", "[" * 100 + "]" * 100])
def test_a_text_that_readers_disagree_on_is_refused(text):
    """As it is in arguments."""
    with pytest.raises(ImportFaultError):
        read_import(text)


def test_what_looks_like_a_secret_is_hidden():
    """A server hardly ever says so, and approvers and traces would show it."""
    properties = {"token": {"type": "string"}, "login": {"type": "string", "format": "password"}, "n": {}}
    found = imported({"name": "x", "inputSchema": {"type": "object", "properties": properties}})
    contract = json.loads(found.tools[0].files["schemas/x.json"])["properties"]
    assert [name for name, part in contract.items() if part is not True and part.get("writeOnly")] == [
        "token",
        "login",
    ]
    assert "looks like a secret" in notes_of(found)
