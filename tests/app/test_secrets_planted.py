"""Secrets are planted wherever a call or a report has a place for one, and then looked for everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import trace_service_pb2 as trace_pb
from adjudicator.api.v1 import types_pb2 as pb
from google.rpc import status_pb2
from planted import ARGUMENTS, NUMBER, OUTPUT, SECRET, Plant
from running import POLICIES, Running

TOOL = """
vault:
  title: Open a vault
  description: Takes secrets in all places.
  access: write
  permission: files.write
  arguments:
    /path: {kind: path, access: write}
"""
ROWS = """
p, role:engineer, studio, vault, path:./free/**, , allow, these are free
p, role:engineer, studio, vault, path:./closed/**, , deny, these are closed
p, role:engineer, studio, vault, path:./**, , ask, a person looks at the others
"""


@pytest.fixture(scope="module")
def policies(tmp_path_factory):
    """The shipped bundle with one more tool."""
    folder = tmp_path_factory.mktemp("planted") / "policies"
    shutil.copytree(POLICIES, folder)
    for name, text in (("registry/tools.yaml", TOOL), ("rules.csv", ROWS)):
        (folder / name).write_text((folder / name).read_text() + text)
    tenants = folder / "registry/tenants.yaml"
    tenants.write_text(
        tenants.read_text().replace("    - legacy_deploy\n", "    - legacy_deploy\n    - vault\n")
    )
    (folder / "schemas/vault.json").write_text(json.dumps(ARGUMENTS))
    (folder / "schemas/vault.output.json").write_text(json.dumps(OUTPUT))
    return folder


class Search:
    """Everything that came out of the sidecar, and where a secret is in it."""

    def __init__(self, sidecar):
        self.sidecar = sidecar
        self.said = []

    def hear(self, what, answer):
        """Remember an answer, as bytes and as text; returns it."""
        text = str(answer) if isinstance(answer, str | bytes) else f"{answer} {answer.SerializeToString()}"
        self.said.append((what, text))
        return answer

    def attempt(self, what, request):
        """Make a request that may fail, and remember what came of it; the answer, if there was one."""
        try:
            return self.hear(what, request())
        except grpc.RpcError as error:
            trailing = dict(error.trailing_metadata() or ())
            details = trailing.get("grpc-status-details-bin", b"")
            self.said.append(
                (what, f"{error.details()} {status_pb2.Status.FromString(details)} {trailing}")
            )
            return None

    def files(self):
        """Every file of the sidecar: database, its log of writes, keys, tokens, and the log."""
        return [*(each for each in self.sidecar.data.rglob("*") if each.is_file()), self.sidecar.log]

    def found(self, sought):
        """Where any of these is, in what was said or in a file."""
        pattern = re.compile("|".join(sought))
        said = [f"{what}: {text[:2000]}" for what, text in self.said if pattern.search(text)]
        raw = re.compile("|".join(sought).encode())
        return said + [str(each) for each in self.files() if raw.search(each.read_bytes())]


SOUGHT = (SECRET, str(NUMBER))


@pytest.fixture
def planted(tmp_path, policies):
    """A sidecar of this test alone, and what hears all that it says."""
    started = Running(tmp_path / "data", policies).start()
    yield started, Search(started), Plant()
    started.stop()


def judge(sidecar, search, what, **fields):
    """One call of the vault; its verdict, if it was judged."""
    fields = {"tool": "vault", "working_directory": "/srv/app"} | fields
    return search.attempt(what, lambda: sidecar.judge(**fields))


def report(sidecar, search, verdict, output, **fields):
    """The report of an outcome; the output may be data or text."""
    text = output if isinstance(output, str) else json.dumps(output)
    fields = {
        "trace_number": verdict.trace_number,
        "tenant": "studio",
        "agent": "coder",
        "call_id": verdict.call_id,
        "status": adjudication_pb.EXECUTION_STATUS_SUCCEEDED,
        "output_json": text,
    } | fields
    request = adjudication_pb.ReportOutcomeRequest(**fields)
    return search.attempt("report", lambda: sidecar.adjudication.ReportOutcome(request))


def read_everything(sidecar, search):
    """Ask the approver plane for all that it shows."""
    token = sidecar.token()
    pending = approval_pb.ListPendingRequest(page_size=500)
    listed = search.hear("pending", sidecar.approvals.ListPending(pending, metadata=token)).approvals
    for each in listed:
        search.hear("approval", sidecar.approval(each.id))
    request = trace_pb.ListTracesRequest(page_size=500)
    traces = search.hear("traces", sidecar.traces.ListTraces(request, metadata=token)).traces
    for each in traces:
        search.hear("trace", sidecar.trace(each.number))
    search.hear("status", sidecar.policy_status())
    watch = sidecar.approvals.WatchPending(approval_pb.WatchPendingRequest(), metadata=token, timeout=3)
    search.attempt("watch", lambda: "".join(search.hear("event", str(each)) for each in watch))
    return [each.number for each in traces], [each.id for each in listed]


def command(sidecar, search, *words, stdin=""):
    """One command of the command line, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator.cli.main", *words],
        env=os.environ
        | {
            "ADJUDICATOR_ADDRESS": sidecar.address,
            "ADJUDICATOR_APPROVER_ADDRESS": sidecar.approver_address,
            "ADJUDICATOR_DATA": str(sidecar.data),
            "ADJUDICATOR_AS": "operator",
        },
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return search.hear(f"adjudicator {words[0]}", done.stdout + done.stderr)


def test_what_may_be_shown_is_found(planted):
    """The search finds what is there, or it would prove nothing."""
    sidecar, search, plant = planted
    judge(sidecar, search, "ask", arguments=plant.arguments("other/a"))
    read_everything(sidecar, search)
    found = " ".join(search.found(["to-be-SHOWN"]))
    for place in ("pending", "approval", "trace", "event", "adjudicator.db"):
        assert place in found


def test_secrets_of_calls_are_found_nowhere(planted):
    """Allowed, denied at every step, asked about, approved, rejected, pending, repeated, unreadable."""
    sidecar, search, plant = planted
    arguments = plant.arguments
    judge(sidecar, search, "allow", arguments=arguments())
    judge(sidecar, search, "deny by rule", arguments=arguments("closed/a"))
    judge(sidecar, search, "dry run", arguments=arguments("other/a"), dry_run=True)
    for change in (
        {"tenant": "nobody"},
        {"agent": "critic"},
        {"tool": "legacy_deploy"},
        {"tool": "unknown"},
    ):
        judge(sidecar, search, f"deny {change}", **({"arguments": arguments()} | change))
    judge(sidecar, search, "deny by mode", arguments=arguments(), mode=pb.MODE_READ_ONLY)
    for wrong in plant.wrong():
        verdict = judge(sidecar, search, f"violation {list(wrong)}", arguments=arguments() | wrong)
        assert verdict.outcome == pb.OUTCOME_DENY
    for text in plant.unreadable():
        verdict = judge(sidecar, search, "unreadable", arguments=text)
        assert (verdict.outcome, verdict.step) == (pb.OUTCOME_DENY, pb.STEP_CONTRACT)
    paths = [pb.ResolvedPath(argument=name, path=f"/{plant('resolved')}") for name in ("/token", "/else/0")]
    judge(sidecar, search, "resolved", arguments=arguments(), resolved_paths=paths)
    judge(sidecar, search, "resolved, asked", arguments=arguments("other/a"), resolved_paths=paths)
    asked = [
        judge(sidecar, search, "ask", arguments=each, call_id=f"c{number}")
        for number, each in enumerate([arguments("other/a"), arguments("other/b"), arguments("other/c")])
    ]
    assert {each.outcome for each in asked} == {pb.OUTCOME_ASK}
    search.hear("receipt", sidecar.approve(asked[0].approval_id))
    search.hear("receipt", sidecar.deny(asked[1].approval_id))
    for number in range(3):
        reused = judge(sidecar, search, "reused", arguments=arguments("other/a"), call_id=f"c{number}")
        assert reused.cause == pb.CAUSE_CALL_ID_REUSED
    read_everything(sidecar, search)
    assert plant.planted > 400
    assert search.found(SOUGHT) == []
    sidecar.stop()
    assert search.found(SOUGHT) == []


def test_secrets_of_outcomes_are_found_nowhere(planted):
    """Outputs with and without a contract, those that violate it, those that nobody can read, and words."""
    sidecar, search, plant = planted
    outputs = [*plant.outputs(), *plant.unreadable()]
    for output in outputs:
        allowed = judge(sidecar, search, "allow", arguments=plant.arguments())
        assert allowed.allowed
        for refused in (
            {"error_class": f"Error: {plant('message')}"},
            {"call_id": "another"},
            {"status": 0},
        ):
            report(sidecar, search, allowed, {"lines": plant("refused")}, **refused)
        report(sidecar, search, allowed, output, final_output=f"It is {plant('final')}.")
    read = {"tool": "read", "arguments": {"path": "a"}}
    report(sidecar, search, judge(sidecar, search, "read", **read), {"text": plant("no contract")})
    fields = {"arguments": plant.arguments("other/a"), "call_id": "c1"}
    asked = judge(sidecar, search, "ask", **fields)
    report(sidecar, search, asked, {"lines": plant("not allowed")})
    sidecar.approve(asked.approval_id)
    approved = judge(sidecar, search, "approved", **fields)
    answer = report(sidecar, search, approved, {"cookies": [{"value": [plant("list")]}]})
    assert not answer.output_valid
    assert [each.path for each in answer.violations] == ["/cookies/0/value"]
    report(sidecar, search, approved, {"lines": plant("frozen")})
    numbers, _ = read_everything(sidecar, search)
    results = [sidecar.trace(number) for number in numbers]
    assert sum(each.HasField("finished_at") for each in results) >= len(list(plant.outputs())) + 2
    assert search.found(SOUGHT) == []
    sidecar.stop()
    assert search.found(SOUGHT) == []


def test_secrets_of_requests_that_cannot_be_judged_are_found_nowhere(planted):
    """Malformed fields beside a secret, a message that is too large, bytes that are no message."""
    sidecar, search, plant = planted
    for change in (
        {"session": "a b"},
        {"principal": "nobody"},
        {"working_directory": "relative"},
        {"mode": 99},
        {"on_behalf_of": ["coder"] * 99},
        {"resolved_paths": [pb.ResolvedPath(argument="/token", path=plant("relative"))]},
        {"resolved_paths": [pb.ResolvedPath(argument="/token", path=f"/{plant('unseen')}\x00")]},
        {"resolved_paths": [pb.ResolvedPath(argument="/token", path=f"/{plant('long')}" + "x" * 5000)]},
    ):
        assert judge(sidecar, search, f"malformed {change}", arguments=plant.arguments(), **change) is None
    for plane, method in (
        (sidecar.agent_channel, "AdjudicationService/Adjudicate"),
        (sidecar.agent_channel, "AdjudicationService/ReportOutcome"),
        (sidecar.approver_channel, "ApprovalService/Resolve"),
    ):
        stub = plane.unary_unary(f"/adjudicator.api.v1.{method}")
        for garbage in (b"\xff" * 9 + plant("garbage").encode(), plant("large").encode() * 400_000):
            search.attempt("garbage", lambda: stub(garbage, metadata=sidecar.token()))  # noqa: B023 - at once
    read_everything(sidecar, search)
    assert search.found(SOUGHT) == []


def test_secrets_are_in_nothing_that_the_command_line_prints(planted):
    """Neither as text nor as JSON, nor in what it says of a line that it does not understand."""
    sidecar, search, plant = planted

    def line(path, **fields):
        call = {"tenant": "studio", "agent": "coder", "tool": "vault", "working_directory": "/srv/app"}
        return json.dumps(call | {"arguments": plant.arguments(path)} | fields)

    wrong = [json.dumps({"tool": "vault", "arguments": each}) for each in plant.wrong()]
    unreadable = [json.dumps({"tool": "vault", "arguments": each}) for each in plant.unreadable()]
    lines = [line("free/a"), line("closed/a"), line("other/a", call_id="c1"), *wrong, *unreadable]
    lines += [
        line("free/a")[:-9],
        f"[{plant('no call')}]",
        json.dumps({"tool": "vault"} | plant.arguments()),
    ]
    for form in ((), ("--json",)):
        file = ("call", "--tenant", "studio", "--agent", "coder", "--file", "-", *form)
        command(sidecar, search, *file, stdin="\n".join(lines))
        command(sidecar, search, "call", *form, line("other/b"))
        command(sidecar, search, "pending", *form)
        command(sidecar, search, "watch", "--once", *form)
        command(sidecar, search, "traces", *form)
    numbers, pending = read_everything(sidecar, search)
    for approval in pending:
        command(sidecar, search, "approval", approval)
    command(sidecar, search, "approve", "--yes", pending[0])
    command(sidecar, search, "reject", "--yes", "--json", pending[1])
    for number in numbers[-3:]:
        command(sidecar, search, "trace", str(number))
        command(sidecar, search, "trace", str(number), "--json")
    allowed = sidecar.judge(tool="vault", arguments=plant.arguments(), working_directory="/srv/app")
    words = (
        "--tenant",
        "studio",
        "--agent",
        "coder",
        "--call-id",
        allowed.call_id,
        "--status",
        "succeeded",
    )
    secret = json.dumps({"cookies": [plant("cookie")], "lines": "x"})
    for output in ("{" + plant("no JSON"), secret, secret):
        said = ("--output", output, "--final-output", plant("final"))
        command(sidecar, search, "outcome", str(allowed.trace_number), *words, *said)
    command(sidecar, search, "trace", str(allowed.trace_number))
    assert "The output violates" in str(search.said)
    assert search.found(SOUGHT) == []


def test_what_is_kept_in_full_is_in_the_trace_and_nowhere_else(tmp_path, policies):
    """That is what the word says; people still decide on the redacted view, and verdicts quote nothing."""
    folder = shutil.copytree(policies, tmp_path / "policies")
    settings = folder / "bundle.yaml"
    settings.write_text(settings.read_text().replace(": redacted\n", ": full\n"))
    sidecar = Running(tmp_path / "data", folder).start()
    search, plant = Search(sidecar), Plant()
    allowed = judge(sidecar, search, "allow", arguments=plant.arguments())
    report(sidecar, search, allowed, {"cookies": [{"value": [plant("list")]}]}, final_output=plant("final"))
    judge(sidecar, search, "ask", arguments=plant.arguments("other/a"))
    judge(sidecar, search, "deny", arguments=plant.arguments() | {"token": [plant("list")]})
    read_everything(sidecar, search)
    sidecar.stop()
    places = {place.partition(":")[0].rsplit("/", 1)[-1] for place in search.found(SOUGHT)}
    assert places == {"trace", "adjudicator.db"}
