"""The Mermaid text: its grammar, its names, its bounds."""

import re

from adjudicator.authoring.graph.chart import Wanted, chart_of
from adjudicator.authoring.graph.mermaid import mermaid
from adjudicator.authoring.progress import unheard
from adjudicator.policy.loader import open_bundle
from made_bundles import made

LINE = re.compile(
    r"""flowchart\ LR
    | \ \ classDef\ [a-z]+\ [#a-z0-9:,\ -]+
    | \ \ subgraph\ t\d+\["[^"]*"\]
    | \ \ end
    | \ \ \ \ t\d+(s\d+|o\d+|any)(\["[^"]*"\]|\(\["[^"]*"\]\)|\[/"[^"]*"/\]):::[a-z]+
    | \ \ t\d+s\d+\ -->\ t\d+s\d+
    | \ \ t\d+s\d+\ -->\|"[a-z0-9,\ ]+"\|\ t\d+(o\d+|any)
    | \ \ %%\ [^{}]*
    """,
    re.VERBOSE,
)


def diagram(bundle, **wanted):
    """The lines of the diagram."""
    return mermaid(chart_of(bundle, Wanted(**wanted), unheard)).splitlines()


def test_every_line_has_one_of_the_forms(shipped):
    """Nodes, subgraphs and edges by ids of ours, so that no name is part of the syntax."""
    for line in diagram(shipped):
        assert LINE.fullmatch(line), line


def test_edges_have_the_rules_that_name_their_subject(shipped):
    """Each role's own rows, by effect, and rows about every tool on one edge."""
    lines = diagram(shipped, tenants=("studio",), roles=("engineer", "reader"), tools=("bash",))
    assert any(line.endswith('-->|"allow 7, ask 2, deny 4"| t0o0') for line in lines)
    assert any(line.endswith('-->|"deny 10"| t0any') for line in lines)


def test_a_diagram_is_never_more_than_mermaid_draws(tmp_path):
    """No more than 500 edges and 50,000 characters; what is left out is counted."""
    bundle = open_bundle(made(tmp_path / "big", tools=59, agents=12, roles=12, rules=1500))
    lines = diagram(bundle)
    assert sum("-->" in line for line in lines) <= 500
    assert len("\n".join(lines)) < 50_000
    assert any(re.fullmatch(r"  %% [0-9,]+ edges left out: name some .*", line) for line in lines)
    for line in lines:
        assert LINE.fullmatch(line), line
