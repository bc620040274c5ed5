"""`adjudicator policy`: the group."""

import click

from adjudicator.cli.policy.check import check
from adjudicator.cli.policy.diff import diff
from adjudicator.cli.policy.explain import explain
from adjudicator.cli.policy.graph import graph
from adjudicator.cli.policy.importing import importing
from adjudicator.cli.policy.live import reload, status
from adjudicator.cli.policy.new import new
from adjudicator.cli.policy.preview import preview
from adjudicator.cli.policy.test import test

COMMANDS = (new, importing, check, test, explain, diff, graph, status, reload, preview)


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which an author meets them."""
        del ctx
        return list(self.commands)


@click.group(
    cls=_Group,
    commands=COMMANDS,
    short_help="Write policy: new, check, test, explain, diff, ... and reload it.",
)
def policy() -> None:
    """Write policy, and see what it does.

    All but the last three work on a folder and need no sidecar. docs/authoring.md leads from an empty
    folder to a bundle that is tested.
    """
