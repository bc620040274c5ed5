"""The whole picture as SVG: a legend, a panel for each tenant, and which bundle it is of."""

from collections.abc import Iterator

from adjudicator.authoring.graph.chart import Chart, Panel
from adjudicator.authoring.graph.drawing import HEADING, SMALL, Block, box, group, label, number, width_of
from adjudicator.authoring.graph.matrix import SLOT, matrix
from adjudicator.authoring.graph.members import members
from adjudicator.domain.verdict import Outcome

_MARGIN, _APART, _LINE = 20.0, 36.0, 18.0
# The colours are told apart by whoever sees few, and by their lightness in print; letters say the same.
_STYLE = """
text{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;fill:#1b1f24}
.heading{font-size:15px;font-weight:bold}.name{font-size:11px}.small{font-size:9.5px}.mid{text-anchor:middle}
.note{fill:#57606a}.inverse{fill:#fff}.paper{fill:#fff}.panel{fill:#fff;stroke:#8c959f}.band{fill:#f3f5f7}
.bar{fill:#dfe3e8}.edge{fill:none;stroke:#57606a;stroke-width:1.3}.node{stroke:#1b1f24}
.node.agent{fill:#dbe9fb}.node.critic{fill:#fff;stroke-dasharray:4 2}.node.role{fill:#eef0f2}
.read{fill:#fff;stroke:#1b1f24}.write{fill:#1b1f24}
.allow{fill:#8fd3bf;stroke:#00654c}.ask{fill:#ffe08a;stroke:#8a6100}.deny{fill:#f0a184;stroke:#8f2f00}
.default{fill:#fff;stroke-dasharray:3 2}.on-allow{fill:#003829}.on-ask{fill:#4a3400}.on-deny{fill:#571c00}
.out{fill:url(#hatch);stroke:#afb8c1}
"""
_HATCH = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" fill="#eceff2"/><rect width="1.2" height="6" fill="#c9d0d7"/></pattern>'
)
_SLOTS = (
    ("A3", "allow", "3 rules allow"),
    ("?1", "ask", "1 rule asks a person"),
    ("D2", "deny", "2 rules deny"),
)
_LEGEND = (
    "A cell has what calls may come to, as their arguments decide. Its tooltip lists the rules.",
    "Hatched: no call gets to the rules. S1 tenant, S2 agent, S3 tool not listed, S4 tool disabled,",
    "S5 permission, S6 scope (critic, agent's or tool's own list), S7 the tenant's mode is read_only.",
)


def picture(chart: Chart) -> str:
    """The chart as one SVG document. The same bundle gives the same text."""
    blocks = [_legend(chart.default), *map(_panel, chart.panels), _notes(chart)]
    width = max(block.width for block in blocks) + 2 * _MARGIN
    y, parts = _MARGIN, []
    for block in blocks:
        parts.append(block.at(_MARGIN, y))
        y += block.height + _MARGIN
    size = f'width="{number(width)}" height="{number(y)}" viewBox="0 0 {number(width)} {number(y)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" style="color-scheme:light">\n'
        f"<title>Who may call which tool</title>\n<style>{_STYLE}</style>\n<defs>{_HATCH}</defs>\n"
        f"{box(0, 0, width, y, 'paper')}\n{chr(10).join(parts)}\n</svg>\n"
    )


def _legend(default: Outcome) -> Block:
    parts: list[str] = [label(0, HEADING, "Who may call which tool", "heading")]
    x, y = 0.0, 28.0
    slots = (
        *_SLOTS,
        (
            _of_default(default),
            f"{default.value.lower()} default",
            f"{default.value} by default, where no rule matches",
        ),
    )
    for text, kind, says in slots:
        parts.append(box(x, y, SLOT, 18, kind))
        parts.append(label(x + SLOT / 2, y + 12.5, text, f"small mid on-{kind.split()[0]}"))
        parts.append(label(x + SLOT + 6, y + 12.5, says, "small"))
        x += SLOT + 6 + width_of(says, SMALL) + 18
    for text, kind, says in (("R", "read", "reads"), ("W", "write", "writes")):
        parts.append(box(x, y + 2, 14, 14, kind))
        parts.append(label(x + 7, y + 12.5, text, "small mid inverse" if kind == "write" else "small mid"))
        parts.append(label(x + 20, y + 12.5, says, "small"))
        x += 20 + width_of(says, SMALL) + 18
    for place, line in enumerate(_LEGEND):
        parts.append(label(0, y + 36 + place * 14, line, "small note"))
    widest = max(x, *(width_of(line, SMALL) for line in _LEGEND))
    return Block("".join(parts), widest, y + 36 + len(_LEGEND) * 14)


def _of_default(default: Outcome) -> str:
    return "?" if default is Outcome.ASK else "d"


def _panel(panel: Panel) -> Block:
    """The graph on the left, the matrix on the right, what is left out below."""
    tenant = panel.tenant
    graph, cells = members(panel), matrix(panel)
    state = "" if tenant.enabled else " · disabled"
    heading = f"{tenant.code} · {tenant.title} · mode {tenant.mode.value}{state}"
    notes = panel.left_out or (() if panel.lines and panel.subjects else ("nothing to draw here",))
    gap = _APART if graph.width else 0
    width = max(
        graph.width + gap + cells.width, width_of(heading, HEADING), *(width_of(n, SMALL) for n in notes), 0
    )
    top = 2 * _MARGIN
    height = top + max(cells.head + graph.height, cells.height) + len(notes) * _LINE
    parts = [
        box(0, 0, width + 2 * _MARGIN, height + _MARGIN, "panel", ' rx="4"'),
        label(_MARGIN, 24, heading, "heading"),
        graph.at(_MARGIN, top + cells.head),
        cells.at(_MARGIN + graph.width + gap, top),
        *(
            label(_MARGIN, height - (len(notes) - 1 - place) * _LINE + 6, note, "small note")
            for place, note in enumerate(notes)
        ),
    ]
    body = group("tenant", parts, tenant=tenant.code)
    return Block(body, width + 2 * _MARGIN, height + _MARGIN)


def _notes(chart: Chart) -> Block:
    lines = tuple(_footer(chart))
    parts = [label(0, 12 + place * _LINE, line, "small note") for place, line in enumerate(lines)]
    return Block("".join(parts), max(width_of(line, SMALL) for line in lines), len(lines) * _LINE)


def _footer(chart: Chart) -> Iterator[str]:
    yield from chart.left_out
    yield f"what no rule matches: {chart.default.value}"
    yield f"policy {chart.version}"
