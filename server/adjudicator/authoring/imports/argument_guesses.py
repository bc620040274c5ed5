"""Which arguments of an imported tool rules should look at, guessed by their names."""

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.authoring.argument_looks import looks_like
from adjudicator.authoring.imports.notes import Notes
from adjudicator.authoring.imports.schemas_taken.types import types_of
from adjudicator.config.limits import IMPORTED_ARGUMENTS
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.argument_checks import check_arguments
from adjudicator.policy.problem import Problems
from adjudicator.policy.schema_places import Place, SchemaPlaces
from adjudicator.policy.schemas import SchemaContract

_DEPTH = 6


def guessed_arguments(contract: dict[str, Any], access: Access, notes: Notes) -> list[ArgumentSpec]:
    """The arguments to declare, each with a note. What is marked as a secret is none of them."""
    places = SchemaContract("schema", contract).places
    specs: list[ArgumentSpec] = []
    for spec in _guesses(contract, places, places.root, (), access):
        place = "/inputSchema"
        problems = Problems()
        check_arguments("schema", places, [spec], problems)
        if len(problems):
            notes.add(
                f"`{spec.pointer}` looks like a {spec.kind.value}, but no rule can look at it: secret",
                place,
            )
        elif len(specs) == IMPORTED_ARGUMENTS:
            notes.add(f"more than {len(specs)} arguments look like something; declare the others", place)
            break
        else:
            absent = f", and when it is left out as {spec.absent!a}" if spec.absent else ""
            notes.add(
                f"`{spec.pointer}` is declared as {spec.kind.value}, a guess by its name{absent}", place
            )
            specs.append(spec)
    return specs


def _guesses(
    root: dict[str, Any], places: SchemaPlaces, place: Place, at: tuple[str, ...], access: Access
) -> Iterator[ArgumentSpec]:
    if len(at) >= _DEPTH:
        return
    names = dict.fromkeys(name for part in place.speaking for name in part.get("properties", {}))
    for name in names:
        inner = places.declared(place, name)
        yield from _of_value(root, places, inner, (*at, name), access)


def _of_value(
    root: dict[str, Any], places: SchemaPlaces, place: Place, at: tuple[str, ...], access: Access
) -> Iterator[ArgumentSpec]:
    types, items = _types(root, place), places.declared(place, "*")
    is_list = "array" in types and "string" not in types
    kind = looks_like(at[-1], _summary(root, place, items))
    # A list called `command` is one command in words; one called `commands` has one in each item.
    is_one = kind is ArgumentKind.SHELL and not at[-1].casefold().endswith("s")
    if kind is not None and is_list and not is_one:
        yield ArgumentSpec(to_pointer((*at, "*")), kind, access)
    elif kind is not None:
        yield ArgumentSpec(to_pointer(at), kind, access, absent=_default(place))
    elif "object" in types:
        yield from _guesses(root, places, place, at, access)
    if kind is None and "array" in types:
        yield from _guesses(root, places, items, (*at, "*"), access)


def _summary(root: dict[str, Any], place: Place, items: Place) -> dict[str, Any]:
    """What the parts of a place say together, as far as a guess asks."""
    return {
        "type": sorted(_types(root, place)),
        **_format(place),
        "items": {"type": sorted(_types(root, items)), **_format(items)},
    }


def _types(root: dict[str, Any], place: Place) -> frozenset[str]:
    """The types of the values there, where any part states some; texts where none does."""
    stated = [part for part in place.speaking if {"type", "enum", "const"} & part.keys()]
    return (
        frozenset().union(*(types_of(root, part) for part in stated)) if stated else frozenset(("string",))
    )


def _format(place: Place) -> dict[str, Any]:
    formats: Sequence[Any] = [part["format"] for part in place.speaking if "format" in part]
    return {"format": formats[0]} if formats else {}


def _default(place: Place) -> str | None:
    """What the server says that it means when the argument is left out."""
    found = [part["default"] for part in place.speaking if "default" in part]
    return found[0] if found and isinstance(found[0], str) and found[0].strip() else None
