"""What can be read of a database without being its sidecar, whichever engine it has."""

from contextlib import AbstractContextManager
from typing import Protocol

from adjudicator.storage.engine import Connection


class Readable(Protocol):
    """A database that is only read. `failures` are the errors of its engine."""

    name: str
    kind: str
    failures: tuple[type[Exception], ...]

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection within a transaction: all that it reads is of one moment."""
        ...

    def version(self, db: Connection) -> int:
        """The version of the schema; 0 for a database without one."""
        ...

    def damage(self, db: Connection) -> list[str]:
        """What the engine itself finds wrong with it."""
        ...

    def foreign_parts(self, db: Connection) -> list[str]:
        """What of its tables, indexes and triggers is not as this version makes it, each said in words."""
        ...

    def size(self, db: Connection) -> int:
        """Its size in bytes."""
        ...

    def in_use(self, db: Connection) -> bool:
        """Whether a sidecar has it open."""
        ...
