"""The same bundle as a Mermaid diagram: agents, roles and tools, with the rules of each as edges.

An edge has the rules that name its subject itself: what comes through a role is an edge of that role.
"""

from collections import defaultdict
from collections.abc import Iterator

from adjudicator.authoring.graph.chart import Chart, Panel, Subject
from adjudicator.authoring.graph.rule_table import RuleTable
from adjudicator.config.limits import DIAGRAM_CHARS, DIAGRAM_EDGES
from adjudicator.domain.facet import Access
from adjudicator.domain.invisible import plain
from adjudicator.domain.verdict import ToolStatus
from adjudicator.policy.patterns import ANY
from adjudicator.policy.registry import Tool
from adjudicator.policy.snapshot import Effect

# What Mermaid reads in a quoted text as more than itself; all else of a name stands as it is.
_ESCAPES = {ord(char): f"#{ord(char)};" for char in '"#&<>`\\;%{}'}
_CLASSES = (
    "classDef agent fill:#dbe9fb,stroke:#1b1f24,color:#1b1f24",
    "classDef critic fill:#ffffff,stroke:#1b1f24,color:#1b1f24,stroke-dasharray:4 2",
    "classDef role fill:#eef0f2,stroke:#1b1f24,color:#1b1f24",
    "classDef tool fill:#ffffff,stroke:#57606a,color:#1b1f24",
)
_ORDER = (Effect.ALLOW, Effect.ASK, Effect.DENY)
_ENDING_CHARS = 400


def mermaid(chart: Chart) -> str:
    """The diagram; never more than Mermaid draws, and then its last lines say how much is left out."""
    rules = _rules(chart.table)
    edges: list[str] = []
    lines = ["flowchart LR", *(f"  {line}" for line in _CLASSES)]
    for number, panel in enumerate(chart.panels):
        drawn = _Drawn(f"t{number}", panel, rules.get(panel.tenant.code, {}))
        lines += drawn.nodes()
        edges += drawn.edges()
    room = DIAGRAM_CHARS - _ENDING_CHARS - sum(len(line) + 1 for line in lines)
    kept = _kept(edges, room)
    left_out = [*chart.left_out, *(note for panel in chart.panels for note in panel.left_out)]
    if len(kept) < len(edges):
        left_out.append(
            f"{len(edges) - len(kept):,} edges left out: name some tools or roles with --tool, --role"
        )
    notes = [f"  %% {_comment(note)}" for note in left_out]
    ending = [f"  %% what no rule matches: {chart.default.value}", f"  %% policy {chart.version}"]
    return "\n".join([*lines, *kept, *notes, *ending, ""])


_Rules = dict[str, dict[tuple[str, str], dict[Effect, int]]]


def _rules(table: RuleTable) -> _Rules:
    """How many rules of each effect, by tenant, then by subject and tool or `*`."""
    rules: _Rules = defaultdict(dict)
    for (tenant, subject, tool), counts in table.counts():
        rules[tenant][subject, tool] = counts
    return rules


class _Drawn:
    """One tenant. Ids are numbers: no name has a part in the syntax."""

    def __init__(self, prefix: str, panel: Panel, rules: dict[tuple[str, str], dict[Effect, int]]) -> None:
        self._prefix = prefix
        self._panel = panel
        self._subjects = {each.name: f"{prefix}s{n}" for n, each in enumerate(panel.subjects)}
        listed = [line for line in panel.lines if line.tool.code in panel.tenant.tools]
        self._lines = listed
        self._tools = {line.tool.code: f"{prefix}o{n}" for n, line in enumerate(listed)}
        self._rules = {
            (subject, tool): counts
            for (subject, tool), counts in rules.items()
            if subject in self._subjects and (tool == ANY or tool in self._tools)
        }
        self._has_any = any(tool == ANY for _, tool in self._rules)

    def nodes(self) -> Iterator[str]:
        """The tenant with all that is in it."""
        tenant = self._panel.tenant
        yield f'  subgraph {self._prefix}["{_text(f"{tenant.code} ({tenant.mode.value})")}"]'
        for subject in self._panel.subjects:
            yield f"    {self._subjects[subject.name]}{_subject(subject)}"
        for line in self._lines:
            text = _text(_tool(line.tool, len(line.alike)))
            yield f'    {self._tools[line.tool.code]}[/"{text}"/]:::tool'
        if self._has_any:
            yield f'    {self._prefix}any[/"every tool"/]:::tool'
        yield "  end"

    def edges(self) -> Iterator[str]:
        """Who has which role, then whose rules speak of which tool."""
        for member, role in sorted(self._panel.links):
            yield f"  {self._subjects[member]} --> {self._subjects[role]}"
        for (subject, tool), counts in sorted(self._rules.items()):
            end = f"{self._prefix}any" if tool == ANY else self._tools[tool]
            said = ", ".join(f"{effect.value} {counts[effect]}" for effect in _ORDER if effect in counts)
            yield f'  {self._subjects[subject]} -->|"{said}"| {end}'


def _kept(edges: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for edge in edges[:DIAGRAM_EDGES]:
        room -= len(edge) + 1
        if room < 0:
            break
        kept.append(edge)
    return kept


def _subject(subject: Subject) -> str:
    more = f" +{len(subject.alike):,}" if subject.alike else ""
    mark = " (critic)" if subject.critic else ""
    text = _text(f"{subject.code}{more}{mark}{'' if subject.enabled else ' (disabled)'}")
    if subject.is_role:
        return f'(["{text}"]):::role'
    return f'["{text}"]:::{"critic" if subject.critic else "agent"}'


def _tool(tool: Tool, alike: int) -> str:
    marks = [
        "W" if tool.access is Access.WRITE else "R",
        "always asks" if tool.require_approval else "",
        f"{tool.quorum} approve" if tool.quorum > 1 else "",
        "" if tool.status is ToolStatus.ENABLED else "disabled",
    ]
    more = f" +{alike:,}" if alike else ""
    return f"{tool.code}{more} · {', '.join(filter(None, marks))}"


def _text(text: str) -> str:
    """The text as it may stand in double quotes."""
    return plain(text).translate(_ESCAPES)


def _comment(text: str) -> str:
    """The text as it may stand in a comment; braces would make it a directive."""
    return plain(text).replace("{", "(").replace("}", ")")
