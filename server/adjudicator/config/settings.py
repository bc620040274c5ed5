"""What a person can set about one sidecar."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses are `host:port` on loopback, or `unix:/path`."""

    policies: Path = Path("policies")
    data: Path = Path(".adjudicator")
    listen: str = "127.0.0.1:7411"
    approver_listen: str = "127.0.0.1:7412"
    log_format: Literal["text", "json"] = "text"
    log_level: str = "info"
    database: Path | None = None

    @property
    def database_path(self) -> Path:
        """Where the SQLite database is."""
        return self.database or self.data / "adjudicator.db"

    @property
    def approver_tokens(self) -> Path:
        """The folder with one token file for each approver."""
        return self.data / "approvers"

    @property
    def digest_key(self) -> Path:
        """The file with the key of the call digests."""
        return self.data / "digest.key"
