"""`adjudicator policy`: the group."""

import click

from adjudicator.cli.policy.check import check
from adjudicator.cli.policy.explain import explain
from adjudicator.cli.policy.live import reload, status
from adjudicator.cli.policy.preview import preview

COMMANDS = (check, explain, status, reload, preview)


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which an author meets them."""
        del ctx
        return list(self.commands)


@click.group(cls=_Group, commands=COMMANDS, short_help="Check, explain, preview or reload the policy.")
def policy() -> None:
    """Check and explain a bundle offline, see which snapshot decides, preview the folder, or reload it."""
