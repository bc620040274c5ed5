"""`adjudicator policy`: the group."""

import click

from adjudicator.cli.policy.check import check
from adjudicator.cli.policy.diff import diff
from adjudicator.cli.policy.graph import graph
from adjudicator.cli.policy.importing import importing
from adjudicator.cli.policy.live import reload, status
from adjudicator.cli.policy.new import new
from adjudicator.cli.policy.preview import preview
from adjudicator.cli.policy.test import test

COMMANDS = (new, importing, check, test, diff, graph, status, reload, preview)


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which an author meets them."""
        del ctx
        return list(self.commands)


@click.group(cls=_Group, commands=COMMANDS, short_help="Check, test, show, preview or reload the policy.")
def policy() -> None:
    """Check and test a bundle offline, see which snapshot decides, preview the folder, or read it again."""
