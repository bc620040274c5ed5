"""What of the sidecar's this editor has been shown: nothing else can be decided through the bridge."""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass

from adjudicator.cli.bridge.outbox import line_of
from adjudicator.config.limits import BRIDGE_REMEMBERED


@dataclass(slots=True)
class _Item:
    told: bytes
    """The hash of what it was last told of."""
    digest: str | None = None
    """That of the view which was last sent, whole; None while none was."""


class Shown:
    """The approvals, or the questions, of one stream by their exact ids. Threads share it.

    The last of those that are over stay, so that an answer which crossed its end gets the sidecar's own
    receipt for it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, _Item] = {}
        self._over: OrderedDict[str, str | None] = OrderedDict()

    def is_news(self, item_id: str, message: dict[str, object]) -> bool:
        """Whether the editor was not told exactly this of it last; it counts as told from now on."""
        told = hashlib.sha256(line_of(message)).digest()
        with self._lock:
            item = self._open.get(item_id)
            if item is None:
                self._open[item_id] = _Item(told, self._over.pop(item_id, None))
                return True
            news, item.told = item.told != told, told
            return news

    def sent(self, item_id: str, digest: str) -> None:
        """A line with this view of it is being written."""
        with self._lock:
            if item := self._open.get(item_id):
                item.digest = digest

    def end(self, item_id: str) -> bool:
        """It is over. Whether it was open until now."""
        with self._lock:
            item = self._open.pop(item_id, None)
            if item is None:
                return False
            self._over[item_id] = item.digest
            while len(self._over) > BRIDGE_REMEMBERED:
                self._over.popitem(last=False)
            return True

    def digest_of(self, item_id: str) -> str | None:
        """The digest of the view that the editor was sent last; None when it was sent none."""
        with self._lock:
            item = self._open.get(item_id)
            return item.digest if item else self._over.get(item_id)

    def open_ids(self) -> set[str]:
        """What is open, as far as the editor was told."""
        with self._lock:
            return set(self._open)

    def forget(self) -> None:
        """Nothing was shown: all of it has to be sent again before it can be decided."""
        with self._lock:
            self._open.clear()
            self._over.clear()
