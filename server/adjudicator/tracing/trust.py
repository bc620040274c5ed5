"""Which public keys a verification believes, and why."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trust:
    """`keys` are known from outside of what is verified. With `only`, no other key is believed.

    Without `only` at least one chain has to have one of the keys, if there are any: others may be those of
    an earlier key, or of another sidecar. Without keys a chain proves what the owner of its key wrote, but
    not whose key that is.
    """

    keys: frozenset[bytes] = frozenset()
    only: bool = False

    def problems(self, keys: Iterable[bytes]) -> list[bytes]:
        """Those of the keys in the database that should not be there; all of them if none is trusted."""
        found = list(keys)
        if not self.keys:
            return []
        unknown = [each for each in found if each not in self.keys]
        return unknown if self.only or len(unknown) == len(found) else []
