"""How many callers are held while a person decides: bounded in all, and for each tenant and session."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

Session = tuple[str, str]


class Held:
    """Gives places to callers that wait. One session cannot take the places of all others."""

    def __init__(self, most: int, most_of_session: int) -> None:
        self._most = most
        self._most_of_session = most_of_session
        self._by_session: Counter[Session] = Counter()

    @contextmanager
    def place(self, session: Session) -> Iterator[bool]:
        """Whether there is a place for the length of the block."""
        if self._by_session.total() >= self._most or self._by_session[session] >= self._most_of_session:
            yield False
            return
        self._by_session[session] += 1
        try:
            yield True
        finally:
            self._by_session[session] -= 1
            if not self._by_session[session]:
                del self._by_session[session]
