"""An editor that runs the bridge as its child, and a sidecar's stream that a test feeds."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading

import jsonschema
from adjudicator.cli.bridge.session import Session
from running import ROOT

SCHEMA = json.loads((ROOT / "docs" / "bridge.schema.json").read_text())


def validator(part):
    """Of the lines out, the lines in, or one form."""
    return jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{part}"}]})


class Editor:
    """Writes lines and reads them; each that it reads is held against the schema."""

    def __init__(self, lines_in, lines_out, *, reads=True):
        self._in, self._out = lines_in, lines_out
        self.lines = []
        self.problems = []
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        if reads:
            self.read()

    def read(self):
        """Begin to read."""
        self._reader.start()

    def _read(self):
        out = validator("out")
        for line in self._out:
            problems = [] if line.isascii() and line.endswith(b"\n") else [f"no line of ASCII: {line!r}"]
            message = json.loads(line)
            problems += [f"{error.message} in {line!r}" for error in out.iter_errors(message)]
            with self._changed:
                self.problems += problems
                self.lines.append(message)
                self._changed.notify_all()

    def send(self, line):
        """Write one line, as data or as bytes."""
        data = line if isinstance(line, bytes) else json.dumps(line).encode()
        self._in.write(data + b"\n")
        self._in.flush()

    def answer(self, approval_id, decision, **fields):
        """Answer one approval."""
        self.send({"type": "approval_response", "approval_id": approval_id, "decision": decision, **fields})

    def wait(self, kind, *, seconds=20, nth=1, **fields):
        """The nth line of this type, or of this JSON-RPC method, with these fields."""
        wanted = {("method" if "/" in kind else "type"): kind, **fields}

        def found():
            return [line for line in self.lines if wanted.items() <= _flat(line).items()]

        with self._changed:
            came = self._changed.wait_for(lambda: len(found()) >= nth or self.problems, seconds)
            assert not self.problems, self.problems[0]
            assert came, f"no {wanted} came, but {[_flat(line) for line in self.lines[-5:]]}"
            return found()[nth - 1]

    def count(self, kind, **fields):
        """How many such lines there are so far."""
        wanted = {("method" if "/" in kind else "type"): kind, **fields}
        with self._changed:
            return sum(wanted.items() <= _flat(line).items() for line in self.lines)

    def hang_up(self):
        """Write no more, and read to the end."""
        self._in.close()
        self.read_to_the_end()

    def read_to_the_end(self):
        """Every line is read, and none of them was wrong."""
        self._reader.join(20)
        assert not self._reader.is_alive()
        assert self.problems == []


class Child(Editor):
    """An editor with `adjudicator bridge` as its child."""

    def __init__(self, address, data, *options, name="operator", reads=True):
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "adjudicator.cli.main", "bridge", "--as", name),
                *("--approver-address", address, "--data", str(data), *options),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={key: value for key, value in os.environ.items() if not key.startswith("ADJUDICATOR_")},
        )
        super().__init__(self.process.stdin, self.process.stdout, reads=reads)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                file.close()

    def close(self):
        """Close the bridge's standard input; its exit code."""
        self._in.close()
        return self.end()

    def end(self):
        """Wait for the end; the exit code. Nothing failed in between."""
        code = self.process.wait(20)
        self.read_to_the_end()
        assert b"Traceback" not in self.process.stderr.read()
        return code


class Inside(Editor):
    """An editor whose bridge runs in a thread of the test: the same session, without a process."""

    def __init__(self, client, wanted, *, reads=True):
        source, to_bridge = os.pipe()
        from_bridge, sink = os.pipe()
        self._client = client
        self._files = (source, sink)
        self.error = None
        self._session = Session(client, wanted, source, sink)
        self._thread = threading.Thread(target=self._bridge, daemon=True)
        self._thread.start()
        super().__init__(os.fdopen(to_bridge, "wb"), os.fdopen(from_bridge, "rb"), reads=reads)

    def _bridge(self):
        try:
            self._session.run()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error

    def end(self):
        """Wait for the end; what it failed with, or None."""
        self._thread.join(20)
        assert not self._thread.is_alive()
        return self.error

    def close(self):
        """End it and free everything."""
        self._in.close()
        self.end()
        self._client.close()
        for descriptor in self._files:
            os.close(descriptor)
        self.read_to_the_end()
        self._out.close()


def _flat(line):
    return {key: value for key, value in line.items() if isinstance(value, str | bool | int)}


class Feed:
    """What the scripted sidecar's WatchPending tells each watcher: what a test puts in, one after another.

    None ends the stream.
    """

    def __init__(self, script, method="WatchPending"):
        self._queue = queue.SimpleQueue()
        self.requests = []
        script.answers[method] = self._stream

    def put(self, *responses):
        """Tell this."""
        for response in responses:
            self._queue.put(response)

    def _stream(self, request):
        self.requests.append(request)
        while (response := self._queue.get()) is not None:
            yield response
