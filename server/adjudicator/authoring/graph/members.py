"""The small graph of one tenant: from agents to their roles, and on to the roles that these include."""

from collections.abc import Iterator, Sequence

from adjudicator.authoring.graph.chart import Panel, Subject
from adjudicator.authoring.graph.drawing import Block, box, fitted, group, label, number, safe, width_of
from adjudicator.authoring.graph.layers import Layers, Place, in_layers
from adjudicator.domain.verdict import RuleRef

_HEIGHT, _STEP, _BETWEEN = 24.0, 34.0, 56.0
_MOST_NAME = 26
_PADDING = 10.0


def members(panel: Panel) -> Block:
    """The whole of it."""
    agents = [subject.name for subject in panel.subjects if not subject.is_role]
    roles = [subject.name for subject in panel.subjects if subject.is_role]
    drawn = _Members(panel, in_layers(agents, roles, panel.links))
    return Block("".join(drawn.parts()), drawn.width, drawn.height)


class _Members:
    def __init__(self, panel: Panel, layers: Layers) -> None:
        self._panel = panel
        self._layers = layers
        texts = {subject.name: _text(subject) for subject in panel.subjects}
        self._texts = texts
        self._widths = [
            max((width_of(texts[name]) + 2 * _PADDING for name in _in_layer(layers, place)), default=0.0)
            for place in range(layers.width)
        ]
        self.width = sum(self._widths) + _BETWEEN * max(0, layers.width - 1)
        self.height = layers.height * _STEP

    def parts(self) -> Iterator[str]:
        """The edges first, so that nodes lie on them."""
        for link, route in self._layers.routes.items():
            yield self._edge(link, route, self._panel.links[link])
        for subject in self._panel.subjects:
            yield self._node(subject, self._layers.places[subject.name])

    def _x(self, layer: int) -> float:
        return sum(self._widths[:layer]) + _BETWEEN * layer

    def _node(self, subject: Subject, place: Place) -> str:
        layer, down = place
        x, y, width = self._x(layer), down * _STEP, self._widths[layer]
        kind = "role" if subject.is_role else "critic" if subject.critic else "agent"
        shape = ' rx="12"' if subject.is_role else ' rx="2"'
        parts = [
            box(x, y, width, _HEIGHT, f"node {kind}", shape),
            label(x + width / 2, y + 16, self._texts[subject.name], "name mid"),
        ]
        return group("member", parts, [f"{subject.name} {subject.title}".strip()], name=subject.name)

    def _edge(self, link: tuple[str, str], route: Sequence[Place], refs: Sequence[RuleRef]) -> str:
        path = "".join(self._steps(route))
        end = route[-1]
        x, y = self._x(end[0]), end[1] * _STEP + _HEIGHT / 2
        head = f"M{number(x - 6)} {number(y - 4)}L{number(x)} {number(y)}L{number(x - 6)} {number(y + 4)}"
        said = f"<title>{safe(f'{link[0]} has {link[1]}')}\n{safe(', '.join(map(str, refs)))}</title>"
        return f'<g class="link">{said}<path class="edge" d="{path}"/><path class="edge" d="{head}"/></g>'

    def _steps(self, route: Sequence[Place]) -> Iterator[str]:
        """Curves between the layers, and straight through those that the edge only passes."""
        for number_, (layer, down) in enumerate(route[:-1]):
            start, y = self._x(layer) + self._widths[layer], down * _STEP + _HEIGHT / 2
            yield f"{'L' if number_ else 'M'}{number(start)} {number(y)}"
            next_layer, next_down = route[number_ + 1]
            end, to = self._x(next_layer), next_down * _STEP + _HEIGHT / 2
            middle = number((start + end) / 2)
            yield f"C{middle} {number(y)} {middle} {number(to)} {number(end)} {number(to)}"


def _in_layer(layers: Layers, layer: int) -> list[str]:
    return [name for name, (place, _) in layers.places.items() if place == layer]


def _text(subject: Subject) -> str:
    more = f" +{len(subject.alike):,}" if subject.alike else ""
    mark = " (critic)" if subject.critic else ""
    return f"{fitted(subject.code, _MOST_NAME - len(more))}{more}{mark}"
