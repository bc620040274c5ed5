"""The process as a shell sees it: help, errors without tracebacks, interruptions."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from adjudicator.api.v1.approval_service_pb2 import PendingSnapshot, WatchPendingResponse
from adjudicator.api.v1.trace_service_pb2 import ListTracesResponse, Trace
from adjudicator.cli.exit_code import MEANING, ExitCode
from adjudicator.cli.main import cli
from adjudicator.config.limits import Limits
from scripted import refusal

COMMAND = (sys.executable, "-m", "adjudicator.cli.main")


def commands(group: click.Group, *path: str):
    """Every command below a group, with its words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name), command


ALL = list(commands(cli))


@pytest.mark.parametrize(("words", "command"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_every_command_has_an_example_and_json(run, words, command):
    """Its help teaches with a line that can be typed, and --json is there."""
    output = run(*words, "--help").stdout
    assert f"adjudicator {' '.join(words)}" in output.split("Example", 1)[1]
    assert "--json" in output
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_help_names_every_exit_code_and_variable(run):
    """What a script needs is on the first page."""
    output = run("--help").stdout
    variables = {
        option.envvar
        for _, command in ALL
        for option in command.params
        if isinstance(option, click.Option) and option.envvar
    }
    for text in [*(f"  {code.value} " for code in ExitCode), *MEANING.values(), *variables]:
        assert text in output


def shell(*words: str, environment: dict[str, str], **options) -> subprocess.Popen:
    """The command as a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*COMMAND, *words], env=os.environ | environment, **(pipes | options))


@pytest.fixture
def environment(script, data):
    """Leads a process to the scripted server."""
    return {
        "ADJUDICATOR_ADDRESS": script.address,
        "ADJUDICATOR_APPROVER_ADDRESS": script.address,
        "ADJUDICATOR_DATA": str(data),
        "ADJUDICATOR_AS": "ann",
    }


@pytest.mark.parametrize("words", [("chain",), ("pending",), ("watch",), ("call", "-f", "-")])
def test_without_a_sidecar_there_is_one_clear_line(environment, words):
    """It names the address and how to start one; there is no traceback and the exit code is 1."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        addresses = {"ADJUDICATOR_ADDRESS": address, "ADJUDICATOR_APPROVER_ADDRESS": address}
        process = shell(*words, environment=environment | addresses, stdin=subprocess.PIPE)
        _, errors = process.communicate('{"tool": "x", "arguments": {}}\n', timeout=30)
    assert process.returncode == ExitCode.ERROR
    last = errors.splitlines()[-1]
    assert last == f"adjudicator: no sidecar answers at {address}; start one with: adjudicator serve"
    assert "Traceback" not in errors


def test_an_interrupted_watch_ends_quietly(environment, script):
    """Ctrl-C is 130, and nothing but what was watched is on the screen."""
    snapshot = WatchPendingResponse(cursor="1", snapshot=PendingSnapshot(complete=True))

    def forever(_):
        yield snapshot
        while True:
            yield WatchPendingResponse(cursor="2", heartbeat={})

    script.answers["WatchPending"] = forever
    process = shell("watch", "--json", environment=environment)
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == ExitCode.INTERRUPTED
    assert errors.strip() == ""


def test_a_reader_that_goes_away_is_no_error_to_talk_about(environment, script):
    """A broken pipe ends the command without a traceback."""
    traces = [Trace(number=number, tenant="t" * 100) for number in range(500)]
    script.answers["ListTraces"] = ListTracesResponse(traces=traces, next_page_token="more")  # noqa: S106
    for form in ([], ["--json"]):
        process = shell("traces", "--limit", "5000", *form, environment=environment)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        process.wait(timeout=30)
        assert errors == ""


def test_the_wrong_plane_is_named(run, script):
    """A service that the address does not serve is probably the other plane's."""
    script.answers["ExplainChain"] = refusal("UNIMPLEMENTED", "", "Method not found!")
    result = run("chain")
    assert result.exit_code == 1
    assert f"{script.address} does not serve this" in result.stderr


def test_an_argument_that_is_no_text_is_an_error(run, script):
    """Bytes that are not UTF-8 on the command line end in one line."""
    result = run("pending", "--tool", "\udcff")
    assert result.exit_code == 1
    assert result.stderr == "adjudicator: an argument is not Unicode text\n"
    assert script.requests == []


def test_the_reference_names_every_command_code_and_variable():
    """docs/cli.md is about this command line and not about an earlier one."""
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    variables = {
        option.envvar
        for _, command in ALL
        for option in command.params
        if isinstance(option, click.Option) and option.envvar
    }
    for name in [*(f"`{' '.join(words)}" for words, _ in ALL), *(f"| {each.value} |" for each in ExitCode)]:
        assert name in text
    assert {name for name in variables if f"`{name}`" not in text} == set()


def test_the_reference_names_every_option_and_limit():
    """An option that is not on the page is one that nobody finds; a limit is the sidecar's own."""
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `--")]
    for words, command in ALL:
        for option in command.params:
            if isinstance(option, click.Option):
                name = f"`{option.opts[-1]}`"
                assert any(name in row.split("|")[1] for row in rows), (words, name)
    limits = Limits()
    for name, most in [
        ("--wait", limits.wait_seconds),
        ("--approval-limit", limits.limit_seconds),
        ("--duration", limits.execution_seconds),
        ("--reason", limits.reason_chars),
    ]:
        assert any(f"`{name}`" in row and f"at most {most:,}" in row for row in rows), name
