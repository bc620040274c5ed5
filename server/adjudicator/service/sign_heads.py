"""Signs the head of this sidecar's chain: at its start, at intervals, and when it stops."""

import asyncio

import structlog

from adjudicator.domain.clock import Clock
from adjudicator.domain.errors import AdjudicatorError, ErrorReason
from adjudicator.domain.micros import to_micros
from adjudicator.domain.record import Tail, Writer
from adjudicator.storage.contract import Store
from adjudicator.tracing.head_file import HeadFile
from adjudicator.tracing.signing import Signer

INTERVAL_SECONDS = 5.0
_log = structlog.get_logger("adjudicator.heads")


class SignHeads:
    """Nothing waits for it: what it signs is on record already."""

    def __init__(self, store: Store, writer: Writer, signer: Signer, file: HeadFile, clock: Clock) -> None:
        self._store = store
        self._writer = writer
        self._signer = signer
        self._file = file
        self._clock = clock
        self._signed = Tail(0, b"")

    async def run(self) -> None:
        """Go on until cancelled. A store that fails is tried again."""
        while True:
            await self.sign()
            await asyncio.sleep(INTERVAL_SECONDS)

    async def sign(self) -> None:
        """Sign the head, unless it was signed before. A store or file that fails is tried again later."""
        try:
            tail = await self._store.tail()
            if tail.sequence in (0, self._signed.sequence):
                return
            head = self._signer.head(self._writer, tail, to_micros(self._clock.now()))
            await self._store.add_head(head)
            await asyncio.to_thread(self._file.append, head)
        except AdjudicatorError as error:
            if error.reason is not ErrorReason.STORE_UNAVAILABLE:
                raise
        except OSError as error:
            _log.error("a signed head could not be kept", file=str(self._file.path), problem=str(error))
        else:
            self._signed = tail
