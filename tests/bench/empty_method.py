"""An empty method on the sidecar's own server stack: what the stack alone can do.

It is the agent plane's listener in a process like the sidecar's; only its `Adjudicate` answers at once,
with nothing. Says where it listens as the sidecar does, and serves until it is told to stop.
"""

import asyncio
import json
import signal

import uvloop
from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as pb_grpc
from adjudicator.config.limits import Limits
from adjudicator.transport.listeners import agent_listener


class Empty(pb_grpc.AdjudicationServiceServicer):
    """Takes a call and says nothing."""

    async def Adjudicate(self, request, context):  # noqa: N802, ARG002 - the names are gRPC's
        """Answer."""
        return pb.AdjudicateResponse()


async def serve():
    """Serve until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    listener = agent_listener("127.0.0.1:0", Empty(), Limits())
    await listener.start()
    await listener.set(serving=True)
    print(json.dumps({"event": "serving", "agents": listener.address}), flush=True)
    await stopped.wait()
    await listener.stop(1)


if __name__ == "__main__":
    uvloop.run(serve())
