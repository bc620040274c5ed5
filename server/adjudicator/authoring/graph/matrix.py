"""The matrix of one tenant: tools down, agents and roles across, in each cell what may happen."""

from collections.abc import Iterator, Sequence

from adjudicator.authoring.graph.cell_texts import slot, stopped_by, tooltip
from adjudicator.authoring.graph.chart import Line, Panel, Subject
from adjudicator.authoring.graph.drawing import (
    SMALL,
    Block,
    box,
    columns_of,
    fitted,
    group,
    label,
    number,
    width_of,
)
from adjudicator.authoring.graph.reach import Cell, Reach, Stop
from adjudicator.domain.facet import Access
from adjudicator.domain.verdict import Cause, Outcome

SLOT = 27.0
"""One outcome of a cell; each has its own place, so that a column of them reads like a list."""
_ROW, _CELL = 22.0, 3 * SLOT + 5
_GAP, _BAR, _MARK = 8.0, 20.0, 14.0
_MOST_NAME = 42
_LEAST_REASON = 12
_SOME = 20
_PLACES = {Outcome.ALLOW: 0, Outcome.ASK: 1, Outcome.DENY: 2}
_BASELINE = 14.5


def matrix(panel: Panel) -> Block:
    """The whole of it, with its column heads."""
    drawn = _Matrix(panel)
    return Block("".join(drawn.parts()), drawn.width, drawn.height, drawn.head)


class _Matrix:
    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._names = [_named(line.tool.code, line.alike, _MOST_NAME) for line in panel.lines]
        self._notes = [
            "" if _same_stop(cells) else _notes(line)
            for line, cells in zip(panel.lines, panel.cells, strict=True)
        ]
        self._heads = [_named(each.code, each.alike, _MOST_NAME) for each in panel.subjects]
        self._marks = [_mark(subject) for subject in panel.subjects]
        self._left = 22 + max(map(width_of, self._names), default=0.0) + _GAP
        upright = max(map(width_of, self._heads), default=0.0)
        self._upright = upright > _CELL - 4
        self.head = _BAR + (upright + _GAP if self._upright else _ROW) + (_MARK if any(self._marks) else 0)
        agents = sum(not subject.is_role for subject in panel.subjects)
        self._split = agents if agents < len(panel.subjects) else 0
        self._right = self._left + len(panel.subjects) * _CELL + (_GAP if self._split else 0)
        noted = max((width_of(note, SMALL) for note in self._notes), default=0.0)
        self.width = self._right + (_GAP + noted if noted else 0)
        self.height = self.head + len(panel.lines) * _ROW

    def parts(self) -> Iterator[str]:
        """All that is drawn, from the top."""
        yield from self._bars()
        for place, subject in enumerate(self._panel.subjects):
            yield self._column_head(self._x(place), subject, self._heads[place], self._marks[place])
        for place, line in enumerate(self._panel.lines):
            y = self.head + place * _ROW
            if place % 2 == 0:
                yield box(0, y, self._right, _ROW, "band")
            yield self._row_head(y, line, self._names[place], self._notes[place])
            yield from self._row(y, line, self._panel.cells[place])

    def _x(self, place: int) -> float:
        gap = _GAP if self._split and place >= self._split else 0
        return self._left + place * _CELL + gap

    def _bars(self) -> Iterator[str]:
        """What the columns below are: agents, or roles."""
        subjects = self._panel.subjects
        agents = sum(not subject.is_role for subject in subjects)
        for first, count, text in ((0, agents, "agents"), (agents, len(subjects) - agents, "roles")):
            if count:
                x = self._x(first)
                yield box(x + 1, 0, count * _CELL - 2, _BAR - 4, "bar")
                yield label(x + 6, 12, text, "small")

    def _column_head(self, x: float, subject: Subject, text: str, mark: str) -> str:
        kind = "role" if subject.is_role else "agent"
        middle, bottom = x + _CELL / 2, self.head - (_MARK if any(self._marks) else 0)
        if self._upright:
            turned = f' transform="translate({number(middle + 4)} {number(bottom - 5)}) rotate(-90)"'
            parts = [label(0, 0, text, "name", turned)]
        else:
            parts = [label(middle, bottom - 6, text, "name mid")]
        if mark:
            parts.append(label(middle, self.head - 5, mark, "small mid note"))
        return group(f"head {kind}", parts, _about(subject), **{kind: subject.code})

    def _row_head(self, y: float, line: Line, name: str, notes: str) -> str:
        writes = line.tool.access is Access.WRITE
        parts = [
            box(1, y + 4, 14, 14, "write" if writes else "read"),
            label(8, y + _BASELINE, "W" if writes else "R", "small mid inverse" if writes else "small mid"),
            label(22, y + _BASELINE + 0.5, name),
        ]
        if notes:
            parts.append(label(self._right + _GAP, y + _BASELINE, notes, "small note"))
        return group("tool", parts, _about_tool(line), tool=line.tool.code)

    def _row(self, y: float, line: Line, cells: Sequence[Cell]) -> Iterator[str]:
        stop = _same_stop(cells)
        if stop is not None:
            yield self._stopped_for_all(y, line, stop)
            return
        for place, (subject, cell) in enumerate(zip(self._panel.subjects, cells, strict=True)):
            parts = (
                self._stopped(self._x(place), y, cell.stop)
                if cell.stop
                else self._slots(self._x(place), y, cell)
            )
            who = {"role" if subject.is_role else "agent": subject.code}
            said = {**who, "tool": line.tool.code, "reach": cell.reach.value}
            yield group("cell", parts, tooltip(subject, line, cell), **said)

    def _stopped_for_all(self, y: float, line: Line, stop: Stop) -> str:
        """One bar across: whoever calls, the same step denies it."""
        x, room = self._left + 2, self._right - self._left - 4
        most = int((room - 12) / width_of("x", SMALL))
        text = stopped_by(stop)
        if stop.cause is Cause.TOOL_DISABLED and most > columns_of(text) + _LEAST_REASON:
            text = fitted(f"{text}: {line.tool.disable_reason}", most)
        parts = [box(x, y + 2, room, _ROW - 4, "out"), label(x + 6, y + _BASELINE, text, "small note")]
        lines = (f"everybody · {line.tool.code}", f"{stopped_by(stop)}: {stop.reason}")
        return group(
            "cell", parts, lines, tool=line.tool.code, reach=Reach.OUT.value, step=f"S{stop.step.value}"
        )

    def _stopped(self, x: float, y: float, stop: Stop) -> list[str]:
        return [
            box(x + 2, y + 2, _CELL - 4, _ROW - 4, "out"),
            label(x + _CELL / 2, y + _BASELINE, stopped_by(stop), "small mid note"),
        ]

    def _slots(self, x: float, y: float, cell: Cell) -> list[str]:
        parts = []
        for outcome, way in cell.ways.items():
            at = x + 2 + _PLACES[outcome] * (SLOT + 0.5)
            kind = outcome.value.lower()
            parts.append(box(at, y + 2, SLOT - 0.5, _ROW - 4, kind if way.rules else f"{kind} default"))
            parts.append(label(at + SLOT / 2, y + _BASELINE, slot(outcome, way), f"small mid on-{kind}"))
        return parts


def _same_stop(cells: Sequence[Cell]) -> Stop | None:
    """The step that stops everybody's call for one cause."""
    stops = {(cell.stop.step, cell.stop.cause) if cell.stop else None for cell in cells}
    return cells[0].stop if len(cells) > 1 and len(stops) == 1 else None


def _named(code: str, alike: Sequence[str], most: int) -> str:
    more = f" +{len(alike):,}" if alike else ""
    return f"{fitted(code, most - len(more))}{more}"


def _mark(subject: Subject) -> str:
    return " ".join(filter(None, ("critic" if subject.critic else "", "" if subject.enabled else "off")))


def _notes(line: Line) -> str:
    tool = line.tool
    words = [
        "always asks" if tool.require_approval else "",
        f"{tool.quorum} approve" if tool.quorum > 1 else "",
        "four eyes" if tool.four_eyes else "",
    ]
    return ", ".join(filter(None, words))


def _about(subject: Subject) -> Iterator[str]:
    yield f"{subject.name} {subject.title}".strip()
    if subject.critic:
        yield "a critic: it calls no tool that writes"
    if not subject.enabled:
        yield "disabled"
    yield from _alike(subject.alike)


def _about_tool(line: Line) -> Iterator[str]:
    tool = line.tool
    yield f"{tool.code}: {tool.title}"
    yield f"{tool.access.value}; needs {tool.permission}"
    if notes := _notes(line):
        yield notes
    yield from _alike(line.alike)


def _alike(names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _SOME:,} more" if len(names) > _SOME else ""
        yield f"the same: {', '.join(names[:_SOME])}{more}"
