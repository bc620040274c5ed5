"""Streams on the sidecar's own server stack that send bytes at a steady rate, and nothing more.

What reaches many of them late is late because of gRPC and the machine. Each message begins with the
moment at which it was due, in nanoseconds. Says where it listens as the sidecar does, and serves until it
is told to stop.
"""

import asyncio
import json
import signal
import sys
import time

import grpc
import uvloop
from grpc import aio

METHOD = "/bare.Streams/Watch"
_SIZE = 1_200
_AT_ONCE = 16


class Streams:
    """All who watch are sent the latest message."""

    def __init__(self):
        self._bells = set()
        self._message = b""

    async def watch(self, _request, context):
        """Send each message."""
        bell = asyncio.Event()
        self._bells.add(bell)
        await context.send_initial_metadata(())
        while True:
            await bell.wait()
            bell.clear()
            await context.write(self._message)

    async def send(self, rate):
        """Wake everybody, a few at a time, as the sidecar does."""
        while True:
            self._message = b"%020d" % time.monotonic_ns() + b"x" * _SIZE
            for number, bell in enumerate(list(self._bells), 1):
                bell.set()
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
            await asyncio.sleep(1 / rate)


async def serve(rate):
    """Serve until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    server, streams = aio.server(), Streams()
    handler = grpc.unary_stream_rpc_method_handler(streams.watch)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bare.Streams", {"Watch": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sending = asyncio.create_task(streams.send(rate))
    print(json.dumps({"event": "serving", "agents": f"127.0.0.1:{port}"}), flush=True)
    await stopped.wait()
    sending.cancel()
    await server.stop(0)


if __name__ == "__main__":
    uvloop.run(serve(float(sys.argv[1])))
