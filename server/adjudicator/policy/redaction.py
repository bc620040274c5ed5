"""Hiding what a schema marks as secret, and what it does not provide for. In doubt, it hides."""

from typing import Any

from adjudicator.policy.schema_places import Place, SchemaPlaces

MARKER = "[redacted]"


def redact(value: Any, places: SchemaPlaces) -> Any:
    """A copy of the arguments, or of an output, in which a marker replaces what may be a secret.

    That is a value that any branch of the schema marks; one that no part describes, such as a secret
    under a name with a slip of the pen; and one that is no object or list where there is a marked
    value in the object or list that belongs there. Names stay, and so an object does; anything else
    in its place is not what the schema speaks of.
    """
    if not isinstance(value, dict):
        return MARKER
    if places.root.is_secret:
        return dict.fromkeys(value, MARKER)
    return _Redaction(places).of_object(value, places.root)


def without_values(value: Any) -> Any:
    """A copy of any JSON value of which only the form and the names are left."""
    if isinstance(value, dict):
        return {name: without_values(child) for name, child in value.items()}
    if isinstance(value, list):
        return [without_values(child) for child in value]
    return MARKER


class _Redaction:
    """One redaction. It remembers the places that it found: many objects of a list are alike."""

    def __init__(self, places: SchemaPlaces) -> None:
        self._places = places
        # The places in the keys live on in the values, so their identities stay theirs.
        self._found: dict[tuple[int, str | int], Place] = {}

    def of_object(self, value: dict[str, Any], place: Place) -> dict[str, Any]:
        return {name: self._of(child, self._property(place, name)) for name, child in value.items()}

    def _of(self, value: Any, place: Place) -> Any:
        if not place.described or place.is_secret:
            return MARKER
        if isinstance(value, dict):
            return self.of_object(value, place)
        if isinstance(value, list):
            # From there on all items have one place.
            last = self._places.prefix_length(place)
            return [
                self._of(child, self._item(place, min(index, last))) for index, child in enumerate(value)
            ]
        return MARKER if place.has_secret else value

    def _property(self, place: Place, name: str) -> Place:
        key = id(place), name
        if key not in self._found:
            self._found[key] = self._places.property(place, name)
        return self._found[key]

    def _item(self, place: Place, index: int) -> Place:
        key = id(place), index
        if key not in self._found:
            self._found[key] = self._places.item(place, index)
        return self._found[key]
