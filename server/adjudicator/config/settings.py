"""What a person can set about one sidecar, and what holds when they do not."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from adjudicator.config.approver_tokens import tokens_folder

POLICIES = Path("policies")
DATA = Path(".adjudicator")
AGENT_ADDRESS = "127.0.0.1:7411"
APPROVER_ADDRESS = "127.0.0.1:7412"
POSTGRES_SCHEMES = ("postgresql://", "postgres://")
LogFormat = Literal["text", "json"]
LOG_FORMATS: tuple[LogFormat, ...] = ("text", "json")
LOG_FORMAT: LogFormat = "text"
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_LEVEL = "info"


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses are `host:port` on loopback, or `unix:/path`.

    `database` is a file for SQLite, or the URL of a PostgreSQL database; without one it is a file in the
    data folder. `watch` says whether a change in the policy folder goes live by itself. `otlp_endpoint` is
    the URL of a collector for spans, or empty. What is older than `archive_after` goes to files in the
    folder `archive_to` once a day, if both are there.
    """

    policies: Path = POLICIES
    data: Path = DATA
    listen: str = AGENT_ADDRESS
    approver_listen: str = APPROVER_ADDRESS
    log_format: LogFormat = LOG_FORMAT
    log_level: str = LOG_LEVEL
    database: str = ""
    watch: bool = True
    otlp_endpoint: str = ""
    archive_after: timedelta | None = None
    archive_to: Path | None = None

    @property
    def postgres_url(self) -> str:
        """The URL of the PostgreSQL database; empty when SQLite is used."""
        return self.database if self.database.startswith(POSTGRES_SCHEMES) else ""

    @property
    def database_name(self) -> str:
        """How a database is called in what is printed: without a password, which only a URL could have."""
        return "the PostgreSQL database" if self.postgres_url else str(self.database_path)

    @property
    def database_path(self) -> Path:
        """Where the SQLite database is."""
        return Path(self.database) if self.database else self.data / "adjudicator.db"

    @property
    def approver_tokens(self) -> Path:
        """The folder with one token file for each approver."""
        return tokens_folder(self.data)

    @property
    def signing_key(self) -> Path:
        """The file with the secret key that signs heads."""
        return self.data / "signing.key"

    @property
    def public_key(self) -> Path:
        """The file with the public key by which signatures of heads are checked."""
        return self.data / "signing.pub"

    @property
    def digest_key(self) -> Path:
        """The file with the key of the call digests."""
        return self.data / "digest.key"
