"""Pages and cursors as requests name them: what this service gave out, and nothing else, is read again."""

from dataclasses import dataclass

from adjudicator.config.limits import Limits
from adjudicator.domain.errors import malformed

_DIGITS = 18  # of a number that fits 64 bits
_VERSION_CHARS = 16


def page_size_of(asked: int, limits: Limits) -> int:
    """How many are on a page; raises MALFORMED_REQUEST for more than there may be."""
    if asked > limits.page:
        raise malformed("page_size", f"is over {limits.page}")
    return asked or limits.default_page


def page_number(token: str) -> int | None:
    """The number in a page token, None for an empty one; raises MALFORMED_REQUEST for anything else."""
    return _number(token, "page_token") if token else None


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a watch goes on: after a position, in a database, by a version of what people may see."""

    database: str
    position: int
    version: str

    @classmethod
    def of(cls, database: str, position: int, version: str) -> "Cursor":
        """The cursor with as much of the version as tells it from others."""
        return cls(database, position, version[:_VERSION_CHARS])

    @classmethod
    def read(cls, text: str) -> "Cursor":
        """The cursor that was given out as this text; raises MALFORMED_REQUEST for another."""
        database, number, version = (*text.split("."), "", "")[:3]
        return cls(database, _number(number, "cursor"), version)

    def is_of(self, version: str) -> bool:
        """Whether people may see the same by this version as by the cursor's."""
        return self.version == version[:_VERSION_CHARS]

    def __str__(self) -> str:
        return f"{self.database}.{self.position}.{self.version}"


def _number(text: str, name: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _DIGITS:
        raise malformed(name, "is not one that this service gave")
    return int(text)
