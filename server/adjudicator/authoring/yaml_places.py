"""Where in a YAML file its keys, and the texts of its lists, stand. For a file without a fault."""

from collections.abc import Iterator, Mapping

import yaml

from adjudicator.policy.document import parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.source import Source

Path = tuple[str, ...]


def yaml_places(source: Source) -> Mapping[Path, tuple[int, int]]:
    """The line and column, from 1, by keys; a text in a list has itself as the last of its keys."""
    root = parse_document(source, Problems())
    return {} if root is None else dict(_places(root.node, ()))


def _places(node: yaml.Node, at: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (*at, str(key.value)), _place(key)
            yield from _places(value, (*at, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            if isinstance(item, yaml.ScalarNode):
                yield (*at, str(item.value)), _place(item)


def _place(node: yaml.Node) -> tuple[int, int]:
    return int(node.start_mark.line) + 1, int(node.start_mark.column) + 1
