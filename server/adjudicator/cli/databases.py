"""Options that lead to a database, for commands that need no sidecar."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from adjudicator.cli.planes import data_option
from adjudicator.config.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])

database_option = click.option(
    "--database",
    default="",
    envvar="ADJUDICATOR_DATABASE",
    show_envvar=True,
    metavar="FILE|URL",
    help="The database: a file, or postgresql://USER@HOST/NAME.  [default: a file in the data folder]",
)


def own_database(command: Command) -> Command:
    """Give a command the options that say which database, as one argument `settings`."""

    @functools.wraps(command)
    def with_settings(*args: Any, data: Path, database: str, **options: Any) -> Any:
        return command(*args, settings=Settings(data=data, database=database), **options)

    return cast("Command", data_option(database_option(with_settings)))


def existing(settings: Settings) -> Settings:
    """The settings, if there is such a database; otherwise the command line is wrong."""
    if not settings.database_path.is_file():
        raise click.UsageError(f"There is no database {settings.database_path}; say --data or --database.")
    return settings
