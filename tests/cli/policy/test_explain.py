"""`adjudicator policy explain`: the page, the JSON, and what the command line takes."""

import json

import pytest
from adjudicator.policy.bundle_tests import ApproverTest
from adjudicator.policy.loader import open_bundle
from running import POLICIES

WHO = '"tenant": "studio", "agent": "coder", "working_directory": "/srv/app"'
READ = f'{{{WHO}, "tool": "read", "arguments": %s}}'
WRITE = ("--tenant", "studio", "--agent", "coder", "--tool", "write", "--working-directory", "/srv/app")


def read(path):
    """A call as JSON."""
    return READ % json.dumps({"path": path})


@pytest.mark.parametrize(
    ("path", "code", "outcome"), [("a.py", 0, "ALLOW"), (".env", 3, "DENY"), ("/srv/x", 3, "DENY")]
)
def test_the_exit_code_is_that_of_the_verdict(run, path, code, outcome):
    """As of `adjudicator call`: 0 is allowed and nothing else is."""
    result = run("policy", "explain", str(POLICIES), read(path), "--want", "DENY")
    assert result.exit_code == code
    assert result.stdout.startswith(outcome)


def test_a_call_may_come_from_flags(run):
    """The same flags as of `adjudicator call`; this one asks."""
    arguments = ("--arguments", '{"path": "src/a.py", "content": ""}')
    result = run("policy", "explain", str(POLICIES), *WRITE, *arguments, "--want", "allow")
    assert result.exit_code == 4
    assert "What would make it ALLOW" in result.stdout
    assert "What would make it DENY" not in result.stdout
    assert "+ p, agent:coder, studio, write, write:./src/a.py, , allow, say here why" in result.stdout


def test_a_call_may_come_from_standard_input_and_the_folder_from_the_environment(run, monkeypatch):
    """One word that looks like a call is one."""
    monkeypatch.setenv("ADJUDICATOR_POLICIES", str(POLICIES))
    assert run("policy", "explain", "-", "--want", "ALLOW", input=read("a.py")).exit_code == 0
    assert run("policy", "explain", read("a.py"), "--want", "ALLOW").exit_code == 0


@pytest.mark.parametrize("name", ["an environment file holds secrets", "tests/reading.yaml:14"])
def test_a_test_of_the_bundle_is_explained_by_name_or_place(run, name):
    """The page has the verdict, each step, the rows that match and that nearly do."""
    result = run("policy", "explain", str(POLICIES), "--test", name, "--want", "ALLOW")
    assert result.exit_code == 3
    for part in (
        "DENY  S7 gate · rule_chain · FORBIDDEN/RULE_DENY",
        "S8 input_contract     not reached  it would pass",
        "matches  deny   rules.csv:40",
        "its exception `path:**/.env*` takes this value out",
        "This opens a Deny row for one value.",
        "fails with it: an environment file holds secrets (tests/reading.yaml:14)",
    ):
        assert part in result.stdout


def test_the_json_has_everything(run):
    """One value on one line: call, verdict, steps, rows, facets and ways."""
    result = run("policy", "explain", str(POLICIES), read("/etc/passwd"), "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (data["verdict"]["outcome"], data["verdict"]["cause"]) == ("DENY", "RULE_DENY")
    assert [each["answer"] for each in data["steps"]][-3:] == ["denied", "passed", "passed"]
    assert data["facets"][0]["matches"][0]["decides"] is True
    assert {each["want"] for each in data["ways"]} == {"ALLOW", "ASK"}
    first = data["ways"][0]["suggestions"][0]
    assert first["verdict"]["outcome"] == "ALLOW"
    assert {"hunks", "call", "what", "round"} == first["changes"][0].keys()


def test_all_rows_that_nearly_match_are_listed_when_they_are_wanted(run):
    """The page bounds them otherwise, and says how many more there are."""
    call = READ.replace('"read"', '"bash"') % '{"command": "git status"}'
    few = run("policy", "explain", str(POLICIES), call, "--want", "ALLOW").stdout
    every = run("policy", "explain", str(POLICIES), call, "--want", "ALLOW", "--all").stdout
    assert "more that nearly match; --all lists them" in few
    assert "--all lists them" not in every
    assert every.count("nearly") > few.count("nearly")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--test", "an environment file hold secrets"),
            "Did you mean 'an environment file holds secrets'?",
        ),
        (("--test", "x", "--tool", "read"), "Give a call or a test, not both."),
        ((), "Give --tool and --arguments"),
        (("more", "folders"), "Give one folder and one call."),
    ],
)
def test_a_command_line_that_names_no_call_is_refused(run, words, message):
    """With exit code 2 and what to write instead."""
    result = run("policy", "explain", str(POLICIES), *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_call_that_would_not_be_judged_is_an_error(run):
    """A field that no call has, and a principal in no form of one."""
    assert run("policy", "explain", str(POLICIES), '{"tool": "ls", "arguments": {}, "x": 1}').exit_code == 1
    call = read("a").replace('"tenant"', '"principal": "Ann", "tenant"')
    assert run("policy", "explain", str(POLICIES), call).exit_code == 1


def test_a_bundle_with_problems_explains_nothing(run, tmp_path):
    """Its problems are told as by `policy check`."""
    result = run("policy", "explain", str(tmp_path), read("a"))
    assert result.exit_code == 1
    assert "not valid" in result.stdout


def test_what_a_call_says_cannot_act_on_a_terminal(run):
    """Control characters of arguments are written out."""
    call = READ % '{"path": "a\\u001b[2Jb"}'
    result = run("policy", "explain", str(POLICIES), call, "--want", "ASK")
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_no_secret_is_printed(run, words):
    """Nor what cannot be read, of which nobody knows what it is; nor a call that is changed."""
    call = {"tool": "fetch", "tenant": "studio", "agent": "coder"}
    sent = {**call, "arguments": {"url": "https://a.test/", "authorization": "hush-1", "x": 1}}
    result = run("policy", "explain", str(POLICIES), json.dumps(sent), *words)
    assert (result.exit_code, "hush-1" in result.stdout) == (3, False)
    assert "redacted" in result.stdout
    result = run("policy", "explain", str(POLICIES), json.dumps({**call, "arguments": "{hush-2"}), *words)
    assert (result.exit_code, "hush-2" in result.stdout) == (3, False)


def test_a_test_about_no_call_is_told_as_one(run):
    """It is there, and there is nothing to explain of it."""
    tests = open_bundle(POLICIES).bundle.tests
    test = next(each for each in tests if isinstance(each, ApproverTest))
    result = run("policy", "explain", str(POLICIES), "--test", f"{test.file}:{test.line}")
    assert result.exit_code == 2
    assert "is about no call" in result.stderr
