"""The registry's declared arguments against the tool's schema: none is secret, none is unknown."""

from collections.abc import Iterable

from adjudicator.domain.facet import ArgumentSpec
from adjudicator.domain.json_pointer import parts_of, to_pointer
from adjudicator.policy.problem import Problems
from adjudicator.policy.schema_places import SchemaPlaces


def check_arguments(
    file: str, places: SchemaPlaces, arguments: Iterable[ArgumentSpec], problems: Problems
) -> None:
    """A declared argument that may be a secret, or is not described, is a problem of the schema's file.

    Verdicts, traces and approvals repeat a declared argument. With a slip in its pointer no rule would
    ever look at the argument that was meant.
    """
    for spec in arguments:
        marked = _marked(places, spec.pointer)
        if marked is not None:
            problems.add(
                file,
                f"`{spec.pointer}` is an argument that the registry declares, so verdicts show it, and "
                f"{marked} as a secret here; take it out of the tool's `arguments`, or the mark away",
            )
        elif not _is_described(places, spec.pointer):
            problems.add(
                file,
                f"the registry declares the argument `{spec.pointer}`, which is not described here: rules "
                "would look at nothing; correct the pointer, or describe the argument",
            )


def _is_described(places: SchemaPlaces, pointer: str) -> bool:
    place = places.root
    for part in parts_of(pointer):
        if not places.declares(place, part):
            return False
        place = places.declared(place, part)
    return True


def _marked(places: SchemaPlaces, pointer: str) -> str | None:
    """What of the argument is marked, as the beginning of a sentence that ends in "is marked"."""
    parts = parts_of(pointer)
    around = [places.root]
    for part in parts:
        around.append(places.declared(around[-1], part))
    if any(place.is_secret for place in around):
        return "it, or what it is in, is marked"
    if around[-1].has_secret:
        return "a value in it is marked"
    for depth, (place, part) in enumerate(zip(around, parts, strict=False)):
        # The arguments themselves are always an object, so only a `*` can miss there.
        if (depth or part == "*") and place.has_secret:
            return f"a value beside it in `{to_pointer(parts[:depth]) or '/'}` is marked"
    return None
