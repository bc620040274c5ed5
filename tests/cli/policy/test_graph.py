"""`adjudicator policy graph`: where it writes, what it refuses, what it says of the rest."""

import json
from xml.etree import ElementTree as ET

from adjudicator.cli.exit_code import ExitCode
from made_bundles import made
from running import POLICIES


def test_a_picture_goes_to_a_file_or_to_standard_output(run, tmp_path):
    """Both are the same text; the file is replaced, as a build would."""
    output = tmp_path / "policies.svg"
    output.write_text("old")
    assert run("policy", "graph", str(POLICIES), "-o", str(output)).exit_code == ExitCode.OK
    text = run("policy", "graph", str(POLICIES)).stdout
    assert output.read_text() == text
    assert ET.fromstring(text).tag.endswith("svg")  # noqa: S314 - our own


def test_mermaid_and_data_are_other_forms(run):
    """Text for a page, and the same cells for a script."""
    text = run("policy", "graph", str(POLICIES), "--format", "mermaid", "--tenant", "studio").stdout
    assert text.startswith("flowchart LR\n")
    data = json.loads(run("policy", "graph", str(POLICIES), "--json", "--tool", "deploy").stdout)
    studio = next(each for each in data["tenants"] if each["tenant"] == "studio")
    cell = next(each for each in studio["cells"] if each["subject"] == "agent:coder")
    assert (cell["reach"], cell["outcomes"]["ASK"]["rules"]) == ("ask", 1)
    cell = next(each for each in studio["cells"] if each["subject"] == "agent:critic")
    assert (cell["stopped"]["step"], cell["stopped"]["cause"]) == ("PERMISSION", "PERMISSION_MISSING")


def test_a_filter_that_fits_nothing_is_refused(run):
    """An empty picture would look like an answer."""
    result = run("policy", "graph", str(POLICIES), "--tool", "no-such-tool")
    assert result.exit_code == ExitCode.USAGE
    assert "Nothing fits --tool no-such-tool" in result.stderr


def test_a_bundle_with_problems_is_not_drawn(run, tmp_path):
    """Its problems are told as `policy check` tells them."""
    folder = made(tmp_path / "bad")
    (folder / "rules.csv").write_text("p, role:nobody, acme\n")
    result = run("policy", "graph", str(folder))
    assert result.exit_code == ExitCode.ERROR
    assert "rules.csv:1:1: " in result.stdout
    assert "<svg" not in result.stdout


def test_what_is_left_out_is_said_beside_the_picture(run, tmp_path):
    """On standard error too, since a file that is written shows nothing."""
    folder = made(tmp_path / "big", agents=40, roles=40, tools=2, rules=10)
    result = run("policy", "graph", str(folder), "-o", str(tmp_path / "big.svg"))
    assert "16 roles left out (role" in result.stderr


def test_a_file_that_cannot_be_written_is_an_error(run, tmp_path):
    """The file is named."""
    result = run("policy", "graph", str(POLICIES), "-o", str(tmp_path / "no" / "x.svg"))
    assert result.exit_code == ExitCode.ERROR
    assert "x.svg cannot be written" in result.stderr
