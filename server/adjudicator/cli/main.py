"""The command line's root: what it is called, and how it ends when something goes wrong."""

import io
import os
import sys
from typing import Any

import click
import grpc

from adjudicator.cli.approvals import approval, pending
from adjudicator.cli.approvers import approver
from adjudicator.cli.bridge.command import bridge
from adjudicator.cli.call import call
from adjudicator.cli.chain import chain
from adjudicator.cli.claims import claim
from adjudicator.cli.db import db
from adjudicator.cli.decisions import approve, cancel, delegate, deny, reject, skip
from adjudicator.cli.exit_code import MEANING, ExitCode, exit_codes
from adjudicator.cli.flow import flow
from adjudicator.cli.grants import grant, grants
from adjudicator.cli.outcome import outcome
from adjudicator.cli.output import err, problem
from adjudicator.cli.policy.command import policy
from adjudicator.cli.question import question
from adjudicator.cli.serve import demo, serve
from adjudicator.cli.session import session, withdraw
from adjudicator.cli.tool_calls import CallError
from adjudicator.cli.trace import trace
from adjudicator.cli.traces import traces
from adjudicator.cli.watch import watch
from adjudicator.client.errors import ClientError
from adjudicator.config.approver_tokens import ApproverNameError
from adjudicator.domain.errors import AdjudicatorError

_FIRST_ROUND = """\b
A first round:
  adjudicator serve                start the sidecar on ./policies
  adjudicator call --tenant studio --agent coder --tool bash --arguments '{"command": "ls"}'
  adjudicator pending              what waits for a person
  adjudicator approve apr-...      let one call run, once
  adjudicator trace 1              everything about one call"""

_ENVIRONMENT = """\b
Environment:
  ADJUDICATOR_ADDRESS             the agent plane
  ADJUDICATOR_APPROVER_ADDRESS    the approver plane
  ADJUDICATOR_DATA                the data folder
  ADJUDICATOR_DATABASE            the database: a file outside the data folder, or postgresql://...
  ADJUDICATOR_POLICIES            the folder of the policy bundle
  ADJUDICATOR_ARCHIVE_AFTER       how old what is archived has to be, as 90d
  ADJUDICATOR_ARCHIVE_TO          the folder for archives
  ADJUDICATOR_WATCH               0: do not watch the folder of the bundle for changes
  ADJUDICATOR_AS                  whose token to use
  ADJUDICATOR_TOKEN_FILE          a token file to use instead
  ADJUDICATOR_TENANT              the tenant of a call
  ADJUDICATOR_AGENT               the agent of a call
  ADJUDICATOR_SESSION             the session of a call
  OTEL_EXPORTER_OTLP_ENDPOINT     a collector for spans
  NO_COLOR                        no colours"""

_SETTINGS = {"help_option_names": ["-h", "--help"]}

COMMANDS = (
    serve,
    demo,
    call,
    outcome,
    withdraw,
    flow,
    session,
    chain,
    pending,
    approval,
    approve,
    deny,
    reject,
    skip,
    cancel,
    delegate,
    claim,
    grants,
    grant,
    watch,
    bridge,
    question,
    traces,
    trace,
    policy,
    approver,
    db,
)


class Root(click.Group):
    """A group that turns what its commands raise into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        del ctx
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ClientError as error:
            _explain(error)
        except (ApproverNameError, AdjudicatorError, CallError) as error:
            problem(str(error))
        except UnicodeEncodeError:
            problem("an argument is not Unicode text")
        except (KeyboardInterrupt, click.Abort):
            err().print()
            return ctx.exit(ExitCode.INTERRUPTED)
        return ctx.exit(ExitCode.ERROR)


@click.group(
    cls=Root,
    commands=COMMANDS,
    epilog=f"{_FIRST_ROUND}\n\n{exit_codes(*MEANING)}\n\n{_ENVIRONMENT}",
    context_settings=_SETTINGS,
)
@click.version_option(package_name="adjudicator-sidecar")
def cli() -> None:
    """Judge the tool calls of AI agents against policy: ALLOW, DENY, or ASK a person.

    Every command prints for people, or with --json for scripts.
    """


def main() -> None:
    """Run the command line of this process."""
    # Before the first channel: the C core would otherwise write its own lines to standard error.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    cli(prog_name="adjudicator")


def _explain(error: ClientError) -> None:
    if error.unreachable:
        problem(f"no sidecar answers at {error.address}; start one with: adjudicator serve")
        return
    if error.code is grpc.StatusCode.UNIMPLEMENTED:
        problem(f"{error.address} does not serve this; is it the address of the other plane?")
        return
    if error.code is grpc.StatusCode.DEADLINE_EXCEEDED and not error.reason:
        problem(f"{error.address} did not answer in time; take it as no")
        return
    reason = error.reason or error.code.name
    problem(f"{reason}: {error.message}")
    for name, description in error.fields.items():
        problem(f"  {name}: {description}")


if __name__ == "__main__":
    main()
