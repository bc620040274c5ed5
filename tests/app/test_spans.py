"""Spans of what is answered arrive at a collector, in the trace of the caller; and cost no answer."""

import json
import subprocess
import sys
import time

import grpc
import pytest
from adjudicator.api.v1 import adjudication_service_pb2 as adjudication_pb
from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from collector import attributes, collecting
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from running import POLICIES, Running, call, until

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CALLER = (("traceparent", f"00-{TRACE}-{PARENT}-01"), ("tracestate", "vendor=x"))
UNSAMPLED = (("traceparent", f"00-{'5' * 32}-{PARENT}-00"),)
READ = {"tool": "read", "arguments": {"path": "src/a.py"}, "working_directory": "/srv/project"}
PUSH = {"tool": "bash", "arguments": {"command": "git push"}, "working_directory": "/srv/project"}


@pytest.fixture(scope="module")
def collector():
    """A collector that takes everything."""
    with collecting() as collector:
        yield collector


@pytest.fixture(scope="module")
def exporting(tmp_path_factory, collector):
    """A sidecar that exports to it."""
    data = tmp_path_factory.mktemp("spans") / "data"
    sidecar = Running(data, extra=("--otlp-endpoint", collector.url)).start()
    yield sidecar
    sidecar.stop()


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """An export is given up after a second, and not after the usual ten."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")


def judge(sidecar, metadata=(), *, dry_run=False, **fields):
    """One call; the verdict."""
    request = adjudication_pb.AdjudicateRequest(call=call(**fields), dry_run=dry_run)
    return sidecar.adjudication.Adjudicate(request, metadata=metadata, timeout=30).verdict


def report(sidecar, verdict, metadata=(), **fields):
    """Say that the call of the verdict succeeded."""
    request = adjudication_pb.ReportOutcomeRequest(
        trace_number=verdict.trace_number,
        tenant="studio",
        agent=verdict.agent,
        call_id=verdict.call_id,
        status=adjudication_pb.EXECUTION_STATUS_SUCCEEDED,
        **fields,
    )
    sidecar.adjudication.ReportOutcome(request, metadata=metadata, timeout=30)


def arrived(collector, name, **wanted):
    """The first span of that name with these attributes, once it has come."""

    def found():
        return [
            span
            for span in collector.spans(name)
            if {f"adjudicator.{key}": value for key, value in wanted.items()}.items()
            <= attributes(span).items()
        ]

    return until(found)[0]


def input_context(sidecar, verdict):
    """The body of the first element of the verdict's trace."""
    return json.loads(sidecar.trace(verdict.trace_number).elements[0].body_json)


class TestVerdicts:
    """A span for each verdict, with what was answered."""

    def test_a_span_continues_the_trace_of_its_caller(self, exporting, collector):
        """Its trace, parent and own id are those on record, and it says what the verdict says."""
        verdict = judge(exporting, CALLER, **READ)
        span = arrived(collector, "adjudicate", trace_number=verdict.trace_number)
        context = input_context(exporting, verdict)
        assert span.trace_id.hex() == TRACE == context["trace_id"]
        assert span.parent_span_id.hex() == PARENT == context["parent_span_id"]
        assert span.span_id.hex() == context["span_id"]
        assert span.trace_state == "vendor=x"
        assert span.kind == Span.SPAN_KIND_SERVER
        assert span.status.code == Status.STATUS_CODE_UNSET
        assert 0 < span.end_time_unix_nano - span.start_time_unix_nano < 30e9
        assert abs(span.end_time_unix_nano - time.time_ns()) < 60e9
        assert attributes(span) == {
            "adjudicator.tenant": "studio",
            "adjudicator.agent": "coder",
            "adjudicator.tool": "read",
            "adjudicator.outcome": "ALLOW",
            "adjudicator.step": verdict.step,
            "adjudicator.check": verdict.check,
            "adjudicator.reason_code": "ALLOWED",
            "adjudicator.cause": "RULE_ALLOW",
            "adjudicator.policy_version": verdict.policy_version,
            "adjudicator.trace_number": verdict.trace_number,
            "adjudicator.replayed": False,
            "adjudicator.dry_run": False,
        }

    def test_the_resource_names_the_sidecar(self, exporting, collector):
        """What it is, which version, and which of several."""
        judge(exporting, **READ)
        until(lambda: collector.received)
        resource = collector.received[-1][1]
        assert resource["service.name"] == "adjudicator"
        assert resource["service.version"]
        assert len(resource["service.instance.id"]) == 36

    def test_without_a_caller_a_trace_begins_here_and_is_on_record(self, exporting, collector):
        """Span and record can be joined although nobody sent a traceparent."""
        verdict = judge(exporting, **READ)
        span = arrived(collector, "adjudicate", trace_number=verdict.trace_number)
        context = input_context(exporting, verdict)
        assert "parent_span_id" not in context
        assert span.parent_span_id == b""
        assert (span.trace_id.hex(), span.span_id.hex()) == (context["trace_id"], context["span_id"])

    def test_a_caller_that_does_not_sample_gets_no_spans(self, exporting, collector):
        """The record has its ids all the same."""
        verdict = judge(exporting, UNSAMPLED, **READ)
        assert input_context(exporting, verdict)["trace_id"] == "5" * 32
        later = judge(exporting, CALLER, **READ)
        arrived(collector, "adjudicate", trace_number=later.trace_number)
        assert "5" * 32 not in {span.trace_id.hex() for span, _ in collector.received}

    def test_a_dry_run_says_that_it_is_one(self, exporting, collector):
        """It has no trace number, since it is in no trace."""
        trace = "6" * 32
        judge(exporting, (("traceparent", f"00-{trace}-{PARENT}-01"),), dry_run=True, **READ)
        span = arrived(collector, "adjudicate", dry_run=True)
        assert span.trace_id.hex() == trace
        assert "adjudicator.trace_number" not in attributes(span)

    def test_a_request_that_was_not_judged_is_an_error_with_its_reason(self, exporting, collector):
        """And claims no outcome."""
        with pytest.raises(grpc.RpcError):
            judge(exporting, CALLER, **(READ | {"session": " MARKED-1"}))
        span = until(lambda: [s for s in collector.spans("adjudicate") if s.status.code])[0]
        assert span.status.code == Status.STATUS_CODE_ERROR
        assert span.status.message == "MALFORMED_REQUEST"
        assert attributes(span) == {
            "adjudicator.tenant": "studio",
            "adjudicator.agent": "coder",
            "adjudicator.tool": "read",
            "error.type": "MALFORMED_REQUEST",
        }


class TestDecisions:
    """A span for each decision of a person, and for what became of the call."""

    def test_one_call_is_followed_from_ask_to_outcome(self, exporting, collector):
        """Asked, approved, allowed on the retry, reported: four spans that name the same record."""
        asked = judge(exporting, CALLER, call_id="followed", **PUSH)
        digest = exporting.approval(asked.approval_id).view_digest
        request = approval_pb.ResolveRequest(
            approval_id=asked.approval_id, decision=approval_pb.DECISION_APPROVE, view_digest=digest
        )
        exporting.approvals.Resolve(request, metadata=exporting.token() + CALLER)
        verdict = judge(exporting, CALLER, call_id="followed", **PUSH)
        assert verdict.allowed
        report(exporting, verdict, CALLER)
        same = {"trace_number": verdict.trace_number}
        first = arrived(collector, "adjudicate", outcome="ASK", approval_id=asked.approval_id, **same)
        decided = arrived(collector, "resolve", approval_id=asked.approval_id, **same)
        second = arrived(collector, "adjudicate", outcome="ALLOW", cause="APPROVED", **same)
        reported = arrived(collector, "report_outcome", execution_status="succeeded", **same)
        spans = [first, decided, second, reported]
        assert {(each.trace_id.hex(), each.parent_span_id.hex()) for each in spans} == {(TRACE, PARENT)}
        assert len({each.span_id for each in spans}) == 4
        assert attributes(decided)["adjudicator.decision"] == "approve"
        assert attributes(decided)["adjudicator.tool"] == "bash"

    def test_a_report_that_is_refused_is_an_error_with_its_reason(self, exporting, collector):
        """The outcome of a denied call is not on record, so no span says that it is."""
        denied = judge(exporting, **(READ | {"agent": "nobody"}))
        with pytest.raises(grpc.RpcError):
            report(exporting, denied)
        span = until(lambda: [s for s in collector.spans("report_outcome") if s.status.code])[0]
        assert attributes(span)["error.type"] == span.status.message

    def test_a_caller_that_goes_away_leaves_a_span_without_an_outcome(self, exporting, collector):
        """It got no answer, so the span has none."""
        request = adjudication_pb.AdjudicateRequest(call=call(call_id="left", **PUSH))
        request.wait.FromSeconds(30)
        held = exporting.adjudication.Adjudicate.future(request, metadata=CALLER, timeout=60)
        until(lambda: [each for each in exporting.pending() if each.call_id == "left"])
        held.cancel()
        span = until(lambda: [s for s in collector.spans("adjudicate") if s.status.message == "CANCELLED"])[
            0
        ]
        assert "adjudicator.outcome" not in attributes(span)


def test_nothing_that_somebody_wrote_is_in_a_span(exporting, collector):
    """Arguments, secrets, outputs, reasons, places and names of people stay out of telemetry."""
    secret = {"environment": "staging", "version": "1.0.0", "token": "MARKED-token"}
    judge(exporting, tool="deploy", arguments=secret, principal="user:marked-principal")
    judge(exporting, tool="read", arguments='{"path": "MARKED-broken')
    judge(exporting, **(READ | {"arguments": {"path": "MARKED-path", "MARKED-name": 1}}))
    judge(exporting, **(READ | {"working_directory": "/MARKED-place", "session": "MARKED-session"}))
    asked = judge(exporting, call_id="marked", **(PUSH | {"arguments": {"command": "git push MARKED"}}))
    exporting.deny(asked.approval_id, name="marked-approver", reason="MARKED-reason")
    exporting.resolve("MARKED-id", approval_pb.DECISION_DENY, digest="MARKED-digest")
    allowed = judge(exporting, **READ)
    report(
        exporting,
        allowed,
        output_json='"MARKED-output"',
        final_output="MARKED-final",
        error_class="MARKED-class",
    )
    arrived(collector, "report_outcome", trace_number=allowed.trace_number)
    assert len(collector.spans("resolve")) >= 2
    assert b"marked" not in collector.bytes.lower()


def test_a_name_that_is_none_is_quoted_and_cut(exporting, collector):
    """What a caller calls itself forges nothing in telemetry."""
    verdict = judge(exporting, **(READ | {"agent": 'x\n"' + "y" * 10_000}))
    span = arrived(collector, "adjudicate", trace_number=verdict.trace_number)
    name = attributes(span)["adjudicator.agent"]
    assert name.isprintable()
    assert len(name) < 200


class TestFaults:
    """A collector that is away, or does not answer, costs spans and nothing else."""

    def events(self, sidecar, text):
        """The lines of the log with that event."""
        return [each for each in sidecar.records() if each["event"] == text]

    def test_a_collector_that_comes_late(self, tmp_path):
        """Each turn is one line of the log; the calls are answered meanwhile; the spans arrive then."""
        with collecting() as gone:
            url = gone.url
        sidecar = Running(tmp_path / "data", extra=("--otlp-endpoint", url)).start()
        try:
            later = time.monotonic() + 4  # several exports fail meanwhile
            until(lambda: judge(sidecar, **READ).allowed and time.monotonic() > later)
            (failing,) = self.events(sidecar, "spans cannot be exported")
            assert failing["endpoint"] == url
            assert "UNAVAILABLE" in failing["problem"]
            with collecting(url.rpartition(":")[2]) as collector:
                again = "spans are exported again"
                until(lambda: judge(sidecar, **READ).allowed and self.events(sidecar, again))
                verdict = judge(sidecar, CALLER, **READ)
                arrived(collector, "adjudicate", trace_number=verdict.trace_number)
                assert sidecar.stop() == 0
            assert len(self.events(sidecar, "spans cannot be exported")) == 1
            assert len(self.events(sidecar, "spans are exported again")) == 1
            assert self.events(sidecar, "spans were dropped")[0]["dropped"] > 0
            lines = sidecar.log.read_text().splitlines()
            assert all(line.startswith("{") for line in lines)
        finally:
            sidecar.stop()

    def test_a_collector_that_never_answers(self, tmp_path, monkeypatch):
        """Calls do not wait for it, and the stop does for two seconds; then it says what was dropped."""
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "60")
        with collecting() as collector:
            collector.held.set()
            sidecar = Running(tmp_path / "data", extra=("--otlp-endpoint", collector.url)).start()
            try:
                judge(sidecar, **READ)
                assert collector.asked.wait(10)
                started = time.monotonic()
                for _ in range(100):
                    assert judge(sidecar, **READ).allowed
                assert time.monotonic() - started < 5
                started = time.monotonic()
                assert sidecar.stop() == 0
                assert time.monotonic() - started < 5
            finally:
                sidecar.stop()
        (dropped,) = self.events(sidecar, "spans were dropped")
        assert (dropped["dropped"], dropped["exported"]) == (101, 0)
        assert "Traceback" not in sidecar.log.read_text()

    def test_what_waits_at_a_stop_is_sent(self, tmp_path):
        """A span that was taken just before is not lost."""
        with collecting() as collector:
            sidecar = Running(tmp_path / "data", extra=("--otlp-endpoint", collector.url)).start()
            numbers = {judge(sidecar, **READ).trace_number for _ in range(20)}
            assert sidecar.stop() == 0
            sent = {attributes(each)["adjudicator.trace_number"] for each in collector.spans("adjudicate")}
        assert sent == numbers
        assert self.events(sidecar, "spans were dropped") == []


class TestStart:
    """What cannot be exported to is named, and the exit code is 1."""

    def attempt(self, tmp_path, endpoint, prelude=""):
        """Try to start; the exit code and what was said."""
        arguments = [
            *("serve", "--policies", str(POLICIES), "--data", str(tmp_path / "data")),
            *("--address", "127.0.0.1:0", "--approver-address", "127.0.0.1:0", "--otlp-endpoint", endpoint),
        ]
        script = f"import sys\n{prelude}\nsys.argv[1:] = {arguments!r}\n"
        script += "from adjudicator.cli.main import main\nmain()"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    @pytest.mark.parametrize("missing", ["opentelemetry", "opentelemetry.exporter"])
    def test_without_the_extra(self, tmp_path, missing):
        """It says what to install, and how to do without."""
        code, said = self.attempt(tmp_path, "http://127.0.0.1:4317", f"sys.modules[{missing!r}] = None")
        assert code == 1
        assert "pip install 'adjudicator-sidecar[otel]'" in said
        assert "OTEL_EXPORTER_OTLP_ENDPOINT" in said

    @pytest.mark.parametrize(
        "endpoint",
        [
            "collector",
            "127.0.0.1:4317",
            "grpc://127.0.0.1:4317",
            "http://127.0.0.1",
            "http://127.0.0.1:4318/v1/traces",
            "http://user:hunter2@127.0.0.1:4317",
        ],
    )
    def test_an_endpoint_that_is_none(self, tmp_path, endpoint):
        """It says what an endpoint looks like, and repeats no password."""
        code, said = self.attempt(tmp_path, endpoint)
        assert code == 1
        assert "otlp_endpoint" in said
        assert "http://HOST:PORT" in said
        assert "hunter2" not in said

    def test_a_variable_of_the_sdk_that_is_no_good(self, tmp_path, monkeypatch):
        """It says which value it stumbled on."""
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")
        code, said = self.attempt(tmp_path, "http://127.0.0.1:4317")
        assert code == 1
        assert "soon" in said

    def test_without_an_endpoint_nothing_of_it_is_imported(self):
        """The extra is needed by those alone who ask for it."""
        script = (
            "import sys\nsys.modules['opentelemetry'] = None\nimport adjudicator.app.sidecar\n"
            "assert 'adjudicator.observability.spans' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", script], check=True, timeout=30)


def test_the_variable_of_the_standard_is_enough(tmp_path, monkeypatch):
    """A sidecar beside others that export needs no option of its own."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        sidecar = Running(tmp_path / "data").start()
        try:
            verdict = judge(sidecar, **READ)
            arrived(collector, "adjudicate", trace_number=verdict.trace_number)
        finally:
            sidecar.stop()
