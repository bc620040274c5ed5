"""Which nodes of a graph lead back to themselves, in time that grows with the graph alone."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Graph = Mapping[Node, Sequence[Node]]
"""What each node leads to. A node that leads nowhere need not be there."""


def circles(graph: Graph[Node]) -> dict[Node, int]:
    """A number for each node; two nodes have the same one exactly when each leads to the other."""
    back: dict[Node, list[Node]] = defaultdict(list)
    for node, others in graph.items():
        for other in others:
            back[other].append(node)
    numbers: dict[Node, int] = {}
    for number, node in enumerate(reversed(_left_last(graph))):
        waiting = [node]
        while waiting:
            found = waiting.pop()
            if found not in numbers:
                numbers[found] = number
                waiting.extend(back.get(found, ()))
    return numbers


def _left_last(graph: Graph[Node]) -> list[Node]:
    """All nodes in the order in which a walk that goes deeper first leaves them."""
    left: list[Node] = []
    seen: set[Node] = set()
    for start in graph:
        path: list[tuple[Node, Iterator[Node]]] = [] if start in seen else [(start, iter(graph[start]))]
        seen.add(start)
        while path:
            node, others = path[-1]
            other = next((each for each in others if each not in seen), None)
            if other is None:
                left.append(node)
                path.pop()
            else:
                seen.add(other)
                path.append((other, iter(graph.get(other, ()))))
    return left
