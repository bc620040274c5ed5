"""Hiding what a schema marks `writeOnly`, and what it does not provide for. In doubt, it hides."""

from typing import Any

from adjudicator.policy.schema_places import Place, SchemaPlaces

MARKER = "[redacted]"


def redact(value: dict[str, Any], places: SchemaPlaces) -> dict[str, Any]:
    """A copy of the arguments in which a marker replaces every value that may be a secret.

    That is a value that any branch of the schema marks; one that no part describes, such as a secret
    under a name with a slip of the pen; and one that is no object or list where there is a marked
    value in the object or list that belongs there. Names stay.
    """
    if places.is_secret(places.root):
        return dict.fromkeys(value, MARKER)
    return _redact_object(value, places.root, places)


def _redact_object(value: dict[str, Any], place: Place, places: SchemaPlaces) -> dict[str, Any]:
    return {name: _redact(child, places.property(place, name), places) for name, child in value.items()}


def _redact(value: Any, place: Place, places: SchemaPlaces) -> Any:
    if not place.described or places.is_secret(place):
        return MARKER
    if isinstance(value, dict):
        return _redact_object(value, place, places)
    if isinstance(value, list):
        return [_redact(child, places.item(place, index), places) for index, child in enumerate(value)]
    return MARKER if places.has_secret(place) else value
