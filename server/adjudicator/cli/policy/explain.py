"""`adjudicator policy explain`: why one call gets its verdict, and what would give it another."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.call_options import FORM, call_options, flag_fields, given_fields
from adjudicator.cli.exit_code import ExitCode, exit_codes
from adjudicator.cli.output import out, print_json
from adjudicator.cli.planes import json_option
from adjudicator.cli.policy.calls import offline_call
from adjudicator.cli.policy.folder import telling_problems
from adjudicator.cli.progress import progress_bar
from adjudicator.cli.tool_calls import CallFields
from adjudicator.config.limits import Limits
from adjudicator.config.settings import POLICIES
from adjudicator.domain.call import ToolCall
from adjudicator.domain.verdict import Outcome

if TYPE_CHECKING:
    from adjudicator.policy.bundle_tests import BundleTest
    from adjudicator.policy.loader import OpenBundle

_WORDS = 2
_EXIT_CODES = {Outcome.ALLOW: ExitCode.OK, Outcome.DENY: ExitCode.DENY, Outcome.ASK: ExitCode.ASK}
_EXAMPLES = """\b
Examples:
  adjudicator policy explain --tenant studio --agent coder --tool bash --arguments '{"command": "ls"}'
  adjudicator policy explain ./policies '{"tenant": "studio", "agent": "coder", "tool": "ls",
      "arguments": {"path": "."}}' --want ALLOW
  adjudicator policy explain --test "drafts are free" --json
  adjudicator policy explain ./policies --test tests/writing.yaml:11"""
_CODES = exit_codes(ExitCode.OK, ExitCode.DENY, ExitCode.ASK, ExitCode.ERROR, ExitCode.USAGE)


@click.command(
    epilog=f"{_EXAMPLES}\n\n{FORM}\n\n{_CODES}",
    short_help="Why a call gets its verdict, and what would change it.",
)
@click.argument("words", nargs=-1, metavar="[DIR] [JSON | -]")
@call_options
@click.option("--test", "test_name", metavar="NAME", help="A test of the bundle, by name or FILE:LINE.")
@click.option(
    "--want",
    "wants",
    multiple=True,
    type=click.Choice([outcome.value for outcome in Outcome], case_sensitive=False),
    help="Look for ways to this outcome only; repeat for more.  [default: each other]",
)
@click.option("--all", "everything", is_flag=True, help="List every row that nearly matches.")
@json_option
def explain(
    *,
    words: tuple[str, ...],
    test_name: str | None,
    wants: tuple[str, ...],
    everything: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Explain the verdict on one call by the bundle in a folder, without a sidecar.

    It shows every step, also those not reached; every row that matches, or nearly does and why not; and the
    smallest changes of the policy or the call that give another outcome. Each change was made, loaded and
    judged; nothing is written. DIR is ./policies unless it is given, or named by ADJUDICATOR_POLICIES.
    """
    folder, text = _folder_and_call(words)
    if test_name is not None and (text is not None or flags["tool"] or flags["arguments"]):
        raise click.UsageError("Give a call or a test, not both.")
    fields = None if test_name is not None else given_fields(text, flag_fields(**flags), "--test")
    with telling_problems(folder, as_json=as_json), progress_bar() as progress:
        code = _explain(folder, fields, test_name, wants, progress, everything=everything, as_json=as_json)
    click.get_current_context().exit(code)


def _folder_and_call(words: tuple[str, ...]) -> tuple[Path, str | None]:
    """The folder and the call; one word alone is the call if it looks like one."""
    *folders, text = words or ("",)
    if not (text == "-" or text.lstrip().startswith("{")):
        folders, text = list(words), ""
    if len(folders) >= _WORDS:
        raise click.UsageError("Give one folder and one call.")
    folder = folders[0] if folders else os.environ.get("ADJUDICATOR_POLICIES", POLICIES)
    return Path(folder), text or None


def _explain(
    folder: Path,
    fields: CallFields | None,
    test_name: str | None,
    wants: tuple[str, ...],
    progress: Any,
    *,
    everything: bool,
    as_json: bool,
) -> ExitCode:
    from adjudicator.authoring.explanation import explain as explanation  # noqa: PLC0415 - only this needs it
    from adjudicator.cli.policy.explanation_json import explanation_json  # noqa: PLC0415 - the same
    from adjudicator.cli.policy.explanation_view import ExplanationView  # noqa: PLC0415 - the same
    from adjudicator.policy.loader import open_bundle  # noqa: PLC0415 - the same

    progress("reading the bundle", 0, 0)
    bundle = open_bundle(folder)
    call = offline_call(fields) if fields is not None else _test_call(bundle, test_name or "")
    outcomes = [Outcome(want.upper()) for want in wants] or list(Outcome)
    found = explanation.explain(call, bundle, Limits(), outcomes, progress, every_miss=everything)
    if as_json:
        print_json(explanation_json(found))
    else:
        ExplanationView(out(), everything=everything).print(found)
    return _EXIT_CODES[found.verdict.outcome]


def _test_call(bundle: "OpenBundle", name: str) -> ToolCall:
    """The call of the test of this name, or at this place. Raises a usage error unless there is one."""
    tests = bundle.bundle.call_tests
    found = [test for test in tests if test.name == name or _place(test) == name]
    if len(found) == 1:
        return found[0].call
    if found:
        places = ", ".join(_place(test) for test in found)
        raise click.UsageError(f"There are several tests of that name; name one by its place: {places}.")
    if any(name in (test.name, _place(test)) for test in bundle.bundle.tests):
        raise click.UsageError(f"The test {name!a} is about no call: there is nothing to explain.")
    import difflib  # noqa: PLC0415 - only a slip needs it

    near = difflib.get_close_matches(name, [test.name for test in tests], n=1)
    hint = f" Did you mean {near[0]!a}?" if near else ""
    raise click.UsageError(f"The bundle has no test {name!a}.{hint}")


def _place(test: "BundleTest") -> str:
    return f"{test.file}:{test.line}"
