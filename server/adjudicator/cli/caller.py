"""Options that say who calls, for commands of the agent plane that send no call."""

import click

tenant_option = click.option(
    "--tenant", required=True, envvar="ADJUDICATOR_TENANT", show_envvar=True, help="The tenant."
)
agent_option = click.option(
    "--agent", required=True, envvar="ADJUDICATOR_AGENT", show_envvar=True, help="The agent."
)
session_option = click.option(
    "--session", default="", envvar="ADJUDICATOR_SESSION", show_envvar=True, help="The session."
)
