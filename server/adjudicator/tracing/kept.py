"""What a trace keeps of one value: the value, or a digest in its place."""

from dataclasses import dataclass
from typing import Any

from adjudicator.domain.trace import Recorded


@dataclass(frozen=True, slots=True)
class Kept:
    """A value, or its digest and the size of its canonical JSON in bytes.

    `withheld` says why there is only the digest of what the policy would have kept redacted.
    """

    recorded: Recorded
    value: Any = None
    digest: str = ""
    size: int = 0
    withheld: str = ""

    def fields(self, name: str) -> dict[str, Any]:
        """The fields of an element's body. How much is recorded is stated where it is not the usual."""
        if self.recorded is Recorded.REDACTED:
            return {name: self.value}
        said: dict[str, Any] = {f"{name}_recorded": self.recorded.value}
        if self.recorded is Recorded.FULL:
            return {name: self.value} | said
        said |= {f"{name}_digest": self.digest, f"{name}_bytes": self.size}
        return said | ({"withheld": self.withheld} if self.withheld else {})
