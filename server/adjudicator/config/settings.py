"""What a person can set about one sidecar, and what holds when they do not."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adjudicator.config.approver_tokens import tokens_folder

POLICIES = Path("policies")
DATA = Path(".adjudicator")
AGENT_ADDRESS = "127.0.0.1:7411"
APPROVER_ADDRESS = "127.0.0.1:7412"
LogFormat = Literal["text", "json"]
LOG_FORMATS: tuple[LogFormat, ...] = ("text", "json")
LOG_FORMAT: LogFormat = "text"
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_LEVEL = "info"


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses are `host:port` on loopback, or `unix:/path`.

    `watch` says whether a change in the policy folder goes live by itself. `otlp_endpoint` is the URL of
    a collector for spans, or empty.
    """

    policies: Path = POLICIES
    data: Path = DATA
    listen: str = AGENT_ADDRESS
    approver_listen: str = APPROVER_ADDRESS
    log_format: LogFormat = LOG_FORMAT
    log_level: str = LOG_LEVEL
    database: Path | None = None
    watch: bool = True
    otlp_endpoint: str = ""

    @property
    def database_path(self) -> Path:
        """Where the SQLite database is."""
        return self.database or self.data / "adjudicator.db"

    @property
    def approver_tokens(self) -> Path:
        """The folder with one token file for each approver."""
        return tokens_folder(self.data)

    @property
    def digest_key(self) -> Path:
        """The file with the key of the call digests."""
        return self.data / "digest.key"
