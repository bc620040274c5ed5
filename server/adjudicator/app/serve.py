"""Run one sidecar until it is told to stop."""

import asyncio
import signal
import sys

import structlog
import uvloop

from adjudicator.app.sidecar import Sidecar
from adjudicator.config.limits import Limits
from adjudicator.config.settings import Settings
from adjudicator.domain.errors import AdjudicatorError
from adjudicator.observability import logs

_log = structlog.get_logger("adjudicator.serve")


def serve(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT; the process's exit code: 0 after a stop, 1 when it cannot start."""
    logs.configure(settings.log_format, settings.log_level)
    try:
        uvloop.run(_serve(settings))
    except AdjudicatorError as error:
        _log.error("the sidecar cannot start", problem=error.message)
        return 1
    return 0


async def _serve(settings: Settings) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    sidecar = Sidecar(settings, Limits())
    await sidecar.start()
    if sidecar.new_token:
        _log.info("made the first approver's token", file=str(sidecar.new_token))
    _log.info("serving", agents=sidecar.agents.address, approvers=sidecar.approvers.address)
    sys.stderr.flush()
    await stopped.wait()
    _log.info("stopping")
    await sidecar.stop()
    _log.info("stopped")
