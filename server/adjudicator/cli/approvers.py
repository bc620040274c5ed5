"""`adjudicator approver add` and `list`: who may approve, as token files in the data folder."""

from collections.abc import Iterator
from pathlib import Path

import click

from adjudicator.cli.output import hint, out, print_json, print_line
from adjudicator.cli.planes import data_option, json_option
from adjudicator.config.approver_tokens import (
    add_approver,
    name_in,
    read_token,
    token_files,
    tokens_folder,
)
from adjudicator.config.private_files import PrivateFileError


@click.group(short_help="Who may approve.")
def approver() -> None:
    """Add or list the people who may approve. It works on the data folder, with or without a sidecar."""


@approver.command(
    epilog="\b\nExample:\n  adjudicator approver add ann", short_help="Make a token for a person."
)
@click.argument("name")
@data_option
@json_option
def add(*, name: str, data: Path, as_json: bool) -> None:
    """Make a token for NAME, in a file that only its owner reads. A running sidecar knows it at once.

    NAME is 1 to 64 of a-z 0-9 . _ - and votes as user:NAME. Whoever reads the file can approve as NAME.

    A token says who somebody is and decides nothing alone: give them a role by a row of approvers.csv in
    the folder of the bundle, as `g, user:NAME, role:ROLE, TENANT`.
    """
    path = add_approver(data, name)
    if as_json:
        print_json({"name": name, "actor": f"user:{name}", "token_file": str(path)})
    else:
        print_line(out(), f"{name} approves as user:{name} with the token in {path}")
        print_line(out(), "A token alone decides nothing. What else it takes is a row in approvers.csv:")
        print_line(out(), f"  g, user:{name}, role:..., TENANT")
        print_line(out(), "Roles, and what they decide, are said there too: see policies/approvers.csv.")


@approver.command(
    "list", epilog="\b\nExample:\n  adjudicator approver list", short_help="List who may approve."
)
@data_option
@json_option
def list_names(*, data: Path, as_json: bool) -> None:
    """List the names, never the tokens. With --json, one on each line.

    A file whose token counts for nobody is not listed; a hint says what is wrong with it.
    """
    names = list(_names(data))
    for name in names:
        if as_json:
            print_json({"name": name, "actor": f"user:{name}"})
        else:
            print_line(out(), name)
    if not names and not as_json:
        print_line(out(), f"Nobody: {tokens_folder(data)} has no token.")


def _names(data: Path) -> Iterator[str]:
    for file in token_files(data):
        name = name_in(file.name)
        if name is None:
            hint(f"{file} cannot be used: its name is no approver's")
            continue
        try:
            read_token(file)
        except PrivateFileError as error:
            hint(str(error))
        else:
            yield name
