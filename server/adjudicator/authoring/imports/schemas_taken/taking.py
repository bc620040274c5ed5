"""A schema part by part: what can be said here is kept, what says nothing is dropped, the rest refused.

Whatever the result accepts the original accepts too. Stricter parts make a whole stricter only where they
are not under a `not`, an `if` or a `oneOf`; there a part is kept exactly.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

from adjudicator.authoring.argument_looks import looks_secret
from adjudicator.authoring.imports.notes import Notes
from adjudicator.authoring.imports.schemas_taken.hoisting import Hoisted, NotTakenError, Use
from adjudicator.authoring.imports.schemas_taken.types import describes_names, types_of
from adjudicator.authoring.imports.texts import shown_text
from adjudicator.config.limits import IMPORTED_TEXT_CHARS
from adjudicator.domain.call import quoted
from adjudicator.domain.invisible import is_all_plain
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.schema_checks import DRAFT_7, DRAFT_2020, Draft
from adjudicator.policy.schema_patterns import UNANCHORED, pattern_faults

At = tuple[str, ...]
EXACT = Use(exact=True, closed=False)
_COMBINED = Use(exact=False, closed=False)
INSIDE = Use()

_TEXTS = ("title", "description", "$comment")
# Each says by itself what it says here: a number, a type, names, values.
_PLAIN_WORDS = """
    type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
    maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
    dependentRequired writeOnly deprecated readOnly
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())
_SILENT = frozenset(("$schema", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$recursiveAnchor"))
_REFUSED = frozenset(("$dynamicRef", "$recursiveRef"))
_COMBINING = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies", "$ref")
_CLOSING = ("additionalProperties", "unevaluatedProperties")
_PLAIN_DEFAULT_CHARS = 200


class Taker:
    """Takes the parts of one schema."""

    def __init__(self, root: dict[str, Any], draft: Draft, notes: Notes, above: At) -> None:
        """`above` is where the schema stands in the tool's definition, for the notes."""
        self._root = root
        self._draft = draft
        self._notes = notes
        self._above = above
        self._hoisted = Hoisted(root, draft, self.part)
        self._takers: dict[str, Callable[[dict[str, Any], Any, At, Use], dict[str, Any]]] = {
            **dict.fromkeys(_TEXTS, self._text),
            "default": self._default,
            "pattern": self._pattern,
            "format": self._format,
            "$ref": self._reference,
            "properties": self._properties,
            "patternProperties": self._pattern_properties,
            "items": self._items,
            "additionalItems": self._nothing,
            "contains": self._contains,
            "dependencies": self._dependencies,
            **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), self._other_properties),
            **dict.fromkeys(("propertyNames", "unevaluatedItems"), self._one),
            **dict.fromkeys(("not", "if"), self._probe),
            **dict.fromkeys(("then", "else"), self._branch),
            "prefixItems": self._prefix,
            **dict.fromkeys(("allOf", "anyOf", "oneOf"), self._combined),
            "dependentSchemas": self._dependent,
        }

    def whole(self, use: Use) -> dict[str, Any]:
        """The schema as 2020-12 has it, with the definitions that it needs. Raises NotTakenError."""
        part = self._taken(self._root, (), use)
        definitions = self._hoisted.definitions(part)
        head = {"$schema": DRAFT_2020}
        return {**head, **part, **({"$defs": definitions} if definitions else {})}

    def part(self, schema: Any, at: At, use: Use) -> Any:
        """A part with all that is in it. Raises NotTakenError."""
        return schema if isinstance(schema, bool) else self._taken(schema, at, use)

    def note(self, text: str, at: At) -> None:
        """Note something of a part."""
        self._notes.add(text, to_pointer((*self._above, *at)))

    def _taken(self, schema: dict[str, Any], at: At, use: Use) -> dict[str, Any]:
        if "$ref" in schema and self._draft.uri == DRAFT_7:
            beside = schema.keys() - {"$ref", *_TEXTS}
            if beside:
                self.note(f"draft 7 ignores {_listed(beside)} beside `$ref`; gone here", at)
            schema = {key: value for key, value in schema.items() if key not in beside}
        found: dict[str, Any] = {}
        for keyword, value in schema.items():
            if keyword in _REFUSED:
                raise NotTakenError(f"has `{keyword}`, which is not known here")
            if keyword in _PLAIN and keyword in self._draft.keywords:
                found[keyword] = value
            elif keyword in self._takers and keyword in self._draft.keywords:
                found |= self._takers[keyword](schema, value, (*at, keyword), use)
            elif keyword not in _SILENT:
                self.note(f"{quoted(keyword)} says nothing that is checked; gone here", at)
        return found if use.exact or not use.closed else self._closed(schema, found, at)

    def _closed(self, schema: dict[str, Any], found: dict[str, Any], at: At) -> dict[str, Any]:
        """The part with no names of an object but those that it, or what it combines, describes."""
        if any(keyword in schema for keyword in _CLOSING) or "object" not in types_of(self._root, schema):
            return found
        if not describes_names(self._root, schema):
            if at and "type" in schema:
                self.note("takes any names; describe them if people should see the values", at)
            return found
        if "$ref" in found and _is_alone(schema):
            return found  # what it refers to is closed
        self.note("closed: names that it does not describe are refused", at)
        combines = any(keyword in schema for keyword in _COMBINING)
        return found | {_CLOSING[1] if combines else _CLOSING[0]: False}

    def _inner(self, schema: Any, at: At, use: Use) -> Any:
        """A part that may be given up: None, with a note, where no value of it can be let pass."""
        if use.exact:
            return self.part(schema, at, use)
        try:
            return self.part(schema, at, use)
        except NotTakenError as error:
            self.note(f"{error}; no value is accepted here", at)
            return None

    def _needed(self, schema: Any, at: At, use: Use) -> Any:
        """A part without which the whole accepts nothing."""
        part = self._inner(schema, at, use)
        if part is None:
            raise NotTakenError("needs what cannot be taken")
        return part

    def _text(self, _: dict[str, Any], value: Any, at: At, __: Use) -> dict[str, Any]:
        name = at[-1]
        text = shown_text(
            value, IMPORTED_TEXT_CHARS, f"`{name}`", self._notes, to_pointer((*self._above, *at))
        )
        return {name: text} if text else {}

    def _default(self, _: dict[str, Any], value: Any, at: At, __: Use) -> dict[str, Any]:
        text = json.dumps(value, ensure_ascii=False)
        self.note(
            "has a `default`, which nobody fills in here: what is left out is judged as left out", at[:-1]
        )
        return {"default": value} if len(text) <= _PLAIN_DEFAULT_CHARS and is_all_plain(text) else {}

    def _pattern(self, _: dict[str, Any], value: str, at: At, __: Use) -> dict[str, Any]:
        if not any(pattern_faults({"pattern": value})):
            return {"pattern": value}
        fault = next((fault for _, fault in pattern_faults({"pattern": value, UNANCHORED: True})), None)
        if fault is not None:
            raise NotTakenError(f"has a pattern that {fault}")
        self.note(
            "the pattern is searched for anywhere in the text, as it is there; anchor it if you can", at
        )
        return {"pattern": value, UNANCHORED: True}

    def _format(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        if not use.exact and value in self._draft.formats:
            return {"format": value}
        self.note(f"the format {quoted(str(value))} is not checked; gone here", at)
        return {}

    def _reference(self, schema: dict[str, Any], value: Any, __: At, use: Use) -> dict[str, Any]:
        return {"$ref": self._hoisted.reference(value, use if _is_alone(schema) else _beside(use))}

    def _properties(self, schema: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        needed = schema.get("required", ()) if not use.exact else value.keys()
        found = {}
        for name, child in value.items():
            part = (self._needed if name in needed else self._inner)(child, (*at, name), _within(use))
            found[name] = False if part is None else part
            if not use.exact and isinstance(part, dict) and looks_secret(name, child if part else {}):
                found[name] = {**part, "writeOnly": True}
                self.note(
                    "looks like a secret, so it is marked `writeOnly`: nobody is shown it", (*at, name)
                )
        return {"properties": found}

    def _pattern_properties(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        # A name whose pattern were gone would be one of the others, of which less may be said.
        found: dict[str, Any] = {}
        marks: dict[str, Any] = {}
        for name, child in value.items():
            marks |= self._pattern({}, name, (*at, name), use)
            part = self._inner(child, (*at, name), _within(use))
            found[name] = False if part is None else part
        return {"patternProperties": found, **({UNANCHORED: True} if UNANCHORED in marks else {})}

    def _other_properties(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        if not use.exact and not use.closed and value in (True, {}):
            self.note("would take any names in this case; gone here", at)
            return {}
        part = self._inner(value, at, _within(use))
        return {at[-1]: False if part is None else part}

    def _items(self, schema: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        if not isinstance(value, list):
            return {"items": self._needed(value, at, _within(use))}
        found = self._prefix(schema, value, at, use)
        if "additionalItems" in schema:
            rest = self._inner(schema["additionalItems"], (*at[:-1], "additionalItems"), _within(use))
            found["items"] = False if rest is None else rest
        return found

    def _prefix(self, _: dict[str, Any], value: list[Any], at: At, use: Use) -> dict[str, Any]:
        parts = [self._needed(each, (*at, str(index)), _within(use)) for index, each in enumerate(value)]
        return {"prefixItems": parts}

    def _nothing(self, _: dict[str, Any], __: Any, ___: At, ____: Use) -> dict[str, Any]:
        return {}  # taken with `items`, and ignored without a list of them

    def _contains(self, schema: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        if "unevaluatedItems" in schema and self._draft.uri != DRAFT_2020:
            raise NotTakenError(
                "has `contains` and `unevaluatedItems`, of which drafts say different things"
            )
        counted = "maxContains" in schema
        return {"contains": self._needed(value, at, EXACT if counted else _within(use))}

    def _dependencies(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        names = {name: each for name, each in value.items() if isinstance(each, list)}
        parts = {
            name: self._needed(each, (*at, name), _beside(use))
            for name, each in value.items()
            if name not in names
        }
        return {
            **({"dependentRequired": names} if names else {}),
            **({"dependentSchemas": parts} if parts else {}),
        }

    def _dependent(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        return {
            at[-1]: {name: self._needed(each, (*at, name), _beside(use)) for name, each in value.items()}
        }

    def _one(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        return {at[-1]: self._needed(value, at, _within(use))}

    def _probe(self, _: dict[str, Any], value: Any, at: At, __: Use) -> dict[str, Any]:
        return {at[-1]: self.part(value, at, EXACT)}

    def _branch(self, _: dict[str, Any], value: Any, at: At, use: Use) -> dict[str, Any]:
        part = self._inner(value, at, _beside(use))
        return {at[-1]: False if part is None else part}

    def _combined(self, _: dict[str, Any], value: list[Any], at: At, use: Use) -> dict[str, Any]:
        places = [(each, (*at, str(index))) for index, each in enumerate(value)]
        if at[-1] == "oneOf":
            return {"oneOf": [self.part(each, place, EXACT) for each, place in places]}
        if at[-1] == "allOf":
            return {"allOf": [self._needed(each, place, _beside(use)) for each, place in places]}
        parts = [self._inner(each, place, _beside(use)) for each, place in places]
        if all(part is None for part in parts):
            raise NotTakenError("has no choice that can be taken")
        return {"anyOf": [part for part in parts if part is not None]}


def _is_alone(schema: dict[str, Any]) -> bool:
    """Whether a reference is all that the part says of names."""
    others = {*_COMBINING, *_CLOSING, "properties", "patternProperties"} - {"$ref"}
    return schema.keys().isdisjoint(others)


def _within(use: Use) -> Use:
    return EXACT if use.exact else INSIDE


def _beside(use: Use) -> Use:
    return EXACT if use.exact else _COMBINED


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in sorted(words))
