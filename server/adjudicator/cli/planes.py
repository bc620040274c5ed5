"""Options that lead to a plane, and the clients that they open."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from adjudicator.cli.numbers import DAY, Seconds
from adjudicator.client.agent import AgentClient
from adjudicator.client.approver import ApproverClient
from adjudicator.client.connection import REQUEST_SECONDS
from adjudicator.config.approver_tokens import FIRST_APPROVER, read_token, token_path
from adjudicator.config.settings import AGENT_ADDRESS, APPROVER_ADDRESS, DATA

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class AgentPlane:
    """Where the agent plane is."""

    address: str
    timeout: float

    def open(self) -> AgentClient:
        """A client for it; nothing is sent yet."""
        return AgentClient(self.address, self.timeout)


@dataclass(frozen=True, slots=True)
class ApproverPlane:
    """Where the approver plane is, and whose token opens it."""

    address: str
    timeout: float
    data: Path
    name: str
    token_file: Path | None

    def open(self) -> ApproverClient:
        """A client for it; nothing is sent yet. Raises ApproverNameError and PrivateFileError."""
        file = self.token_file or token_path(self.data, self.name)
        return ApproverClient(self.address, self.timeout, read_token(file))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=DATA,
    show_default=True,
    envvar="ADJUDICATOR_DATA",
    show_envvar=True,
    help="The sidecar's data folder.",
)

_timeout_option = click.option(
    "--timeout",
    type=Seconds(DAY, min_open=True),
    default=REQUEST_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for an answer.",
)


agent_address_option = click.option(
    "--address",
    default=AGENT_ADDRESS,
    show_default=True,
    envvar="ADJUDICATOR_ADDRESS",
    show_envvar=True,
    help="The agent plane: HOST:PORT or unix:PATH.",
)

approver_address_option = click.option(
    "--approver-address",
    default=APPROVER_ADDRESS,
    show_default=True,
    envvar="ADJUDICATOR_APPROVER_ADDRESS",
    show_envvar=True,
    help="The approver plane: HOST:PORT or unix:PATH.",
)


def agent_plane(command: Command) -> Command:
    """Give a command the options of the agent plane, as one argument `plane`."""

    @functools.wraps(command)
    def with_plane(*args: Any, address: str, timeout: float, **options: Any) -> Any:
        return command(*args, plane=AgentPlane(address, timeout), **options)

    return cast("Command", _with_options(with_plane, agent_address_option, _timeout_option))


def approver_plane(command: Command) -> Command:
    """Give a command the options of the approver plane, as one argument `plane`."""

    @functools.wraps(command)
    def with_plane(
        *args: Any,
        approver_address: str,
        timeout: float,
        data: Path,
        name: str,
        token_file: Path | None,
        **options: Any,
    ) -> Any:
        plane = ApproverPlane(approver_address, timeout, data, name, token_file)
        return command(*args, plane=plane, **options)

    options = (approver_address_option, _as_option, _token_option, data_option, _timeout_option)
    return cast("Command", _with_options(with_plane, *options))


def _with_options(command: Any, *options: Callable[[Any], Any]) -> Any:
    for option in reversed(options):
        command = option(command)
    return command


_as_option = click.option(
    "--as",
    "name",
    default=FIRST_APPROVER,
    show_default=True,
    envvar="ADJUDICATOR_AS",
    show_envvar=True,
    metavar="NAME",
    help="Whose token to use, from the data folder.",
)

_token_option = click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="ADJUDICATOR_TOKEN_FILE",
    show_envvar=True,
    help="A token file to use instead.",
)
