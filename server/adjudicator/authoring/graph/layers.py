"""Places for the nodes of a graph without cycles, in layers from left to right, with few crossings.

An edge that goes over several layers is led through a free place in each of those between.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_SWEEPS = 6

Edge = tuple[str, str]
Place = tuple[int, float]
"""A layer, and how far down in it, in steps of one node."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Where each node is, and the places that each edge goes through, both ends included."""

    places: Mapping[str, Place]
    routes: Mapping[Edge, tuple[Place, ...]]

    @property
    def width(self) -> int:
        """How many layers there are."""
        return 1 + max((layer for layer, _ in self.places.values()), default=-1)

    @property
    def height(self) -> float:
        """How many steps down the lowest node or route is, and one more."""
        through = [place for route in self.routes.values() for place in route]
        return 1 + max((down for _, down in (*self.places.values(), *through)), default=-1)


def in_layers(starts: Sequence[str], others: Sequence[str], edges: Iterable[Edge]) -> Layers:
    """Layers of the nodes: `starts` in the first one, the others behind all that lead to them."""
    edges = sorted(set(edges))
    depth = _depths(starts, others, edges)
    layers: dict[int, list[str]] = defaultdict(list)
    for name in (*starts, *others):
        layers[depth[name]].append(name)
    steps: dict[Edge, list[str]] = {}
    for member, role in edges:
        middle = [_between((member, role), layer) for layer in range(depth[member] + 1, depth[role])]
        for layer, name in enumerate(middle, start=depth[member] + 1):
            layers[layer].append(name)
        steps[member, role] = [member, *middle, role]
    order = _ordered([layers[layer] for layer in sorted(layers)], steps.values())
    places = _placed(order)
    routes = {edge: tuple(places[name] for name in path) for edge, path in steps.items()}
    return Layers({name: places[name] for name in (*starts, *others)}, routes)


def _between(edge: Edge, layer: int) -> str:
    return f"\0{edge[0]}\0{edge[1]}\0{layer}"  # no name has such a character


def _depths(starts: Sequence[str], others: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The longest way to each node; without a cycle it is found in as many rounds as there are layers."""
    depth = dict.fromkeys(starts, 0) | dict.fromkeys(others, 1 if starts else 0)
    waiting: dict[str, int] = defaultdict(int)
    above: dict[str, list[str]] = defaultdict(list)
    for member, role in edges:
        waiting[role] += 1
        above[member].append(role)
    ready = [name for name in (*starts, *others) if not waiting[name]]
    for name in ready:
        for role in above[name]:
            depth[role] = max(depth[role], depth[name] + 1)
            waiting[role] -= 1
            if not waiting[role]:
                ready.append(role)
    return depth


def _ordered(layers: list[list[str]], paths: Iterable[Sequence[str]]) -> list[list[str]]:
    """The layers, each sorted by the middle of its neighbours, back and forth, so that few edges cross."""
    left: dict[str, list[str]] = defaultdict(list)
    right: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for one, next_one in itertools.pairwise(path):
            right[one].append(next_one)
            left[next_one].append(one)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        numbers = range(1, len(layers)) if forth else range(len(layers) - 2, -1, -1)
        for number in numbers:
            beside = layers[number - 1 if forth else number + 1]
            at = {name: place for place, name in enumerate(beside)}
            layers[number] = _sorted_by(layers[number], left if forth else right, at)
    return layers


def _sorted_by(names: list[str], near: Mapping[str, list[str]], at: Mapping[str, int]) -> list[str]:
    """A node without a neighbour there keeps its place among the others."""
    middle = {
        name: sum(found) / len(found) if (found := [at[each] for each in near.get(name, ())]) else place
        for place, name in enumerate(names)
    }
    return sorted(names, key=lambda name: middle[name])


def _placed(layers: Sequence[Sequence[str]]) -> dict[str, Place]:
    """Each layer in the middle of the tallest."""
    tallest = max((len(names) for names in layers), default=0)
    return {
        name: (number, (tallest - len(names)) / 2 + place)
        for number, names in enumerate(layers)
        for place, name in enumerate(names)
    }
