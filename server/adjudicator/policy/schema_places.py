"""Which parts of a schema speak of which place in a value, and where secrets may be. Judges nothing."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.policy.schema_parts import (
    BRANCHES,
    PROBES,
    brought_in,
    is_marked,
    subschemas,
    values_of,
)

_BRANCHES = (*BRANCHES, *PROBES)
_OTHER_PROPERTIES = ("additionalProperties", "unevaluatedProperties")
_OTHER_ITEMS = ("additionalItems", "unevaluatedItems")

Schemas = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Place:
    """One place in a value. `speaking` are all parts that apply to it in any branch of the schema.

    `describing` are those of them that say what a value there is like; `described` is whether the
    schema provides for a value there at all. `is_secret` says that the value is marked as a secret,
    `has_secret` that it is, or that a value which may be inside it is.
    """

    speaking: Schemas
    describing: Schemas
    described: bool
    is_secret: bool
    has_secret: bool


class SchemaPlaces:
    """The places that one schema speaks of. Every branch counts, whether or not a value satisfies it.

    `matches` says whether a pattern of the schema matches a property's name. Build it only from a
    schema that was checked.
    """

    def __init__(self, schema: dict[str, Any], matches: Callable[[str, str], bool]) -> None:
        self._schema = schema
        self._matches = matches
        self._with_secrets = self._find_secrets()
        # At most two entries for each part of the schema, whatever values come.
        self._brought: dict[tuple[int, tuple[str, ...]], Schemas] = {}
        self.root = self._place([schema], [schema])
        # Most arguments are values at the root that the schema names.
        named = {name for part in self.root.speaking for name in part.get("properties", {})}
        self._named = {name: self._property(self.root, name) for name in named}

    def property(self, place: Place, name: str) -> Place:
        """The place of a property."""
        if place is self.root and name in self._named:
            return self._named[name]
        return self._property(place, name)

    def _property(self, place: Place, name: str) -> Place:
        speaking = self._of_property(place.speaking, name, beside_secret=place.has_secret)
        if place.describing is place.speaking:
            return self._place(speaking, speaking)
        return self._place(
            speaking, self._of_property(place.describing, name, beside_secret=place.has_secret)
        )

    def item(self, place: Place, index: int) -> Place:
        """The place of an item of a list."""
        return self._place(
            [
                part
                for schema in place.speaking
                for part in (*_of_item(schema, index), *values_of(schema, ("contains",)))
            ],
            [part for schema in place.describing for part in _of_item(schema, index)],
        )

    def prefix_length(self, place: Place) -> int:
        """How many items of a list have a place of their own; all others have one together."""
        lists = [each for schema in place.speaking for each in values_of(schema, ("prefixItems", "items"))]
        return max((len(each) for each in lists if isinstance(each, list)), default=0)

    def declared(self, place: Place, part: str) -> Place:
        """The place of one part of a registry's pointer: a name, an index, or `*` for every item."""
        found: list[Any] = []
        for schema in place.speaking:
            if part == "*":
                found += _of_items(schema)
                continue
            found += self._of_property([schema], part, beside_secret=place.has_secret)
            if part.isdecimal():
                found += (*_of_item(schema, int(part)), *values_of(schema, ("contains",)))
        return self._place(found, ())

    def _place(self, speaking: Sequence[Any], describing: Sequence[Any]) -> Place:
        spoken = self._applying(speaking, _BRANCHES)
        described = self._applying(describing, BRANCHES)
        return Place(
            speaking=spoken,
            describing=spoken if _same(spoken, described) else described,
            described=any(part is not False for part in describing),
            is_secret=any(is_marked(schema) for schema in spoken),
            has_secret=any(id(schema) in self._with_secrets for schema in spoken),
        )

    def _applying(self, parts: Sequence[Any], branches: tuple[str, ...]) -> Schemas:
        """These parts and all that they bring in for the same value."""
        schemas = [part for part in parts if isinstance(part, dict)]
        if len(schemas) == 1:
            return self._with_all_brought_in(schemas[0], branches)
        found = {
            id(each): each for schema in schemas for each in self._with_all_brought_in(schema, branches)
        }
        return tuple(found.values())

    def _with_all_brought_in(self, schema: dict[str, Any], branches: tuple[str, ...]) -> Schemas:
        key = id(schema), branches
        if key not in self._brought:
            found: dict[int, dict[str, Any]] = {}
            waiting: list[Any] = [schema]
            while waiting:
                part = waiting.pop()
                if isinstance(part, dict) and id(part) not in found:
                    found[id(part)] = part
                    waiting.extend(brought_in(self._schema, part, branches=branches))
            self._brought[key] = tuple(found.values())
        return self._brought[key]

    def _of_property(self, schemas: Schemas, name: str, *, beside_secret: bool) -> list[Any]:
        """What the schemas of one place say of a property; `beside_secret`: any of them has a secret."""
        return [
            part for schema in schemas for part in self._of_name(schema, name, beside_secret=beside_secret)
        ]

    def _of_name(self, schema: dict[str, Any], name: str, *, beside_secret: bool) -> list[Any]:
        properties = schema.get("properties", {})
        declared = [properties[name]] if name in properties else []
        for pattern, part in schema.get("patternProperties", {}).items():
            declared += [part] if self._matches(pattern, name) else []
        if declared:
            return declared
        others = list(values_of(schema, _OTHER_PROPERTIES))
        if beside_secret:
            # Beside a secret, a name that only the catch-all knows may be the secret's with a slip in it,
            # in whichever branch the secret is.
            return [each for each in others if isinstance(each, dict) and id(each) in self._with_secrets]
        return others

    def declares(self, place: Place, part: str) -> bool:
        """Whether a part of a registry's pointer is provided for by its name, not by a catch-all."""
        if part == "*" or part.isdecimal():
            return bool(self.declared(place, part).speaking)
        return any(
            part in schema.get("properties", {})
            or any(self._matches(pattern, part) for pattern in schema.get("patternProperties", {}))
            for schema in place.speaking
        )

    def _find_secrets(self) -> frozenset[int]:
        """The identities of all parts that are marked, or under which a marked value may be."""
        holders: dict[int, list[int]] = defaultdict(list)
        waiting: list[int] = []
        for _, schema in subschemas(self._schema):
            waiting += [id(schema)] if is_marked(schema) else []
            for part in (*brought_in(self._schema, schema), *_inside(schema)):
                holders[id(part)].append(id(schema))
        found: set[int] = set()
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += holders[each]
        return frozenset(found)


def _same(left: Schemas, right: Schemas) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))


def _of_item(schema: dict[str, Any], index: int) -> Iterator[Any]:
    for place in values_of(schema, ("prefixItems", "items")):
        if isinstance(place, list):
            yield from place[index : index + 1]
        else:
            yield place
    yield from values_of(schema, _OTHER_ITEMS)


def _of_items(schema: dict[str, Any]) -> Iterator[Any]:
    for place in values_of(schema, ("prefixItems", "items")):
        yield from place if isinstance(place, list) else [place]
    yield from values_of(schema, (*_OTHER_ITEMS, "contains"))


def _inside(schema: dict[str, Any]) -> Iterator[Any]:
    """The parts for what is inside a value of the schema, a text that is itself JSON included."""
    for keyword in ("properties", "patternProperties"):
        yield from schema.get(keyword, {}).values()
    yield from values_of(schema, (*_OTHER_PROPERTIES, "contentSchema"))
    yield from _of_items(schema)
