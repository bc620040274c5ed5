"""Calls that ask, as the views of tests are made of."""

from adjudicator.approvals.request import Asked, request_of
from adjudicator.approvals.view import view_of
from adjudicator.config.limits import VIEW_BYTES
from adjudicator.domain.call import ToolCall
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.verdict import Cause
from adjudicator.policy.snapshot import PRIORITIES
from chain.bundle import a_tool

ROOT = "/srv/app"
SHELL = (ArgumentSpec("/command", ArgumentKind.SHELL, Access.WRITE),)


def shell_tool(**changes):
    """A tool that runs a command line."""
    fields = {"title": "Run a command", "access": Access.WRITE, "arguments": SHELL}
    return a_tool("bash", **(fields | changes))


def asked(arguments, *, shown=None, tool=None, cause=Cause.DEFAULT, priorities=PRIORITIES, **call):
    """A call with these arguments, of which people see `shown`; all of them unless that is given."""
    tool = tool or shell_tool()
    fields = {"working_directory": ROOT} | call
    return Asked(
        call=ToolCall("studio", "coder", tool.code, "", **fields),
        tool=tool,
        arguments=arguments,
        shown=arguments if shown is None else shown,
        cause=cause,
        priorities=priorities,
    )


def view(arguments, max_bytes=VIEW_BYTES, **how):
    """The view of such a call."""
    return view_of(asked(arguments, **how), max_bytes)


def request(arguments, **how):
    """The request of such a call whose view has no flags."""
    return request_of(asked(arguments, **how), ())


def noted(line, **how):
    """Trigger and note of each risk of a command line."""
    return [(risk.trigger.value, risk.note) for risk in request({"command": line}, **how).risks]
