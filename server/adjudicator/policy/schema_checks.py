"""What a tool's schema must be before it may judge: sound, local, closed, and strict about blanks."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import jsonschema

from adjudicator.config.limits import ENUM_NUMBERS
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.domain.numbers import count_slow_numbers
from adjudicator.policy.problem import Problems
from adjudicator.policy.schema_chains import chain_faults
from adjudicator.policy.schema_parts import (
    CHOICES,
    OWN_MARK,
    REFERENCES,
    brought_in,
    is_marked,
    resolve,
    subschemas,
)
from adjudicator.policy.schema_patterns import UNANCHORED, pattern_faults
from adjudicator.policy.source import Source

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

_SHARED_WORDS = """
    $schema $ref $anchor $comment $defs definitions
    items contains additionalProperties properties patternProperties dependentSchemas propertyNames
    if then else allOf anyOf oneOf not unevaluatedItems unevaluatedProperties
    type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
    maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
    dependentRequired format contentEncoding contentMediaType contentSchema
    title description default deprecated readOnly writeOnly examples
"""
_SHARED_KEYWORDS = frozenset(_SHARED_WORDS.split())
_KEYWORDS_2020 = _SHARED_KEYWORDS | {"$dynamicRef", "$dynamicAnchor", "prefixItems"}
_KEYWORDS_2019 = _SHARED_KEYWORDS | {"$recursiveRef", "$recursiveAnchor", "additionalItems"}
_OURS = (OWN_MARK, UNANCHORED)
_ALIKE = 0.8
"""How alike two words are of which one is taken for a slip of the other, from 0 to 1."""
_REBASING = ("$id", "$vocabulary")
_FORMAT_WORDS = """
    date date-time time email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference
    uri-template json-pointer relative-json-pointer regex
"""
_FORMATS_7 = frozenset(_FORMAT_WORDS.split())
_FORMATS = _FORMATS_7 | {"duration", "uuid"}
_BESIDE_REFERENCE = frozenset({"$ref", "$comment", "$schema", "title", "description", "definitions"})


class Subject(Enum):
    """What a schema is about, as its problems name it."""

    ARGUMENTS = "arguments"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft of JSON Schema: what checks a schema of it, and the keywords that it gives a meaning."""

    uri: str
    validator: Any
    keywords: frozenset[str]
    closing: tuple[str, ...]
    formats: frozenset[str]


def drafts() -> dict[str, Draft]:
    """The drafts that a schema may be written in, by `$schema`."""
    both = ("additionalProperties", "unevaluatedProperties")
    known = frozenset(jsonschema.Draft7Validator.META_SCHEMA["properties"])
    found = [
        Draft(DRAFT_2020, jsonschema.Draft202012Validator, _KEYWORDS_2020, both, _FORMATS),
        Draft(DRAFT_2019, jsonschema.Draft201909Validator, _KEYWORDS_2019, both, _FORMATS),
        Draft(DRAFT_7, jsonschema.Draft7Validator, known, both[:1], _FORMATS_7),
    ]
    return {draft.uri: draft for draft in found}


def check_schema(source: Source, schema: Any, subject: Subject, problems: Problems) -> bool:
    """Whether the schema may be used; each reason why not is a problem with its JSON Pointer."""
    if not isinstance(schema, dict):
        problems.add(source.name, 'a schema here is an object; write `{"type": "object", …}`')
        return False
    known = drafts()
    draft = known.get(str(schema.get("$schema", DRAFT_2020)))
    if draft is None:
        problems.add(source.name, f"/$schema: not known here; write one of {', '.join(known)}")
        return False
    faults = list(_metaschema_faults(schema, draft))
    if not faults:
        faults = [*_part_faults(schema, draft), *_root_faults(schema, subject, draft)]
    if not faults:
        faults = [f"{_pointer(at)}: {fault}" for at, fault in chain_faults(schema)]
    for fault in faults:
        problems.add(source.name, fault)
    return not faults


def _metaschema_faults(schema: dict[str, Any], draft: Draft) -> Iterator[str]:
    for error in draft.validator(draft.validator.META_SCHEMA).iter_errors(schema):
        yield f"{_pointer(error.absolute_path)}: {str(error.message)[:200]}"


def _part_faults(schema: dict[str, Any], draft: Draft) -> Iterator[str]:
    targets = _targets(schema)
    for at, part in subschemas(schema):
        for keyword in part:
            fault = _keyword_fault(keyword, draft)
            if keyword in REFERENCES:
                fault = fault or _reference_fault(schema, part[keyword], targets)
            if fault is not None:
                yield f"{_pointer((*at, keyword))}: {fault}"
        for place, fault in (
            *pattern_faults(part),
            *_value_faults(part, draft),
            *_mark_faults(schema, part),
        ):
            yield f"{_pointer((*at, *place))}: {fault}"
        if draft.uri == DRAFT_7 and "$ref" in part and not part.keys() <= _BESIDE_REFERENCE:
            yield f"{_pointer(at)}: draft 7 ignores what stands beside `$ref`; use 2020-12, or `allOf`"


def _targets(schema: dict[str, Any]) -> dict[int, bool]:
    """The parts by identity, and whether a reference may lead to them: not to one inside a choice."""
    targets: dict[int, bool] = {}
    for _, part in subschemas(schema):
        targets.setdefault(id(part), True)
        for choice in CHOICES:
            for child in part.get(choice, ()):
                targets |= {id(inner): False for _, inner in subschemas(child)}
    return targets


def _value_faults(part: dict[str, Any], draft: Draft) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong with a part's format, and with its enumeration."""
    written = part.get("format")
    if written is not None and written not in draft.formats:
        known = ", ".join(sorted(draft.formats))
        yield ("format",), f"{written!a} is not a format that is checked; known in this draft: {known}"
    slow = sum(map(count_slow_numbers, part.get("enum", ())))
    if slow > ENUM_NUMBERS:
        fault = f"lists {slow} fractions and integers beyond 64 bits, which are slow to compare with"
        yield ("enum",), f"{fault}; list {ENUM_NUMBERS} at most, or state bounds"


def _keyword_fault(keyword: str, draft: Draft) -> str | None:
    if keyword in _REBASING:
        return "changes what a reference means; remove it"
    if keyword in draft.keywords or keyword in _OURS:
        return None
    if not keyword.startswith("x-"):
        return "not a keyword of this draft, so it would be ignored; correct it, or begin it with `x-`"
    # With a slip in the mark a secret would be shown, and nobody would be told.
    meant = difflib.get_close_matches(keyword.lower(), _OURS, n=1, cutoff=_ALIKE)
    return f"nearly `{meant[0]}`, but would be ignored; correct it, or call it otherwise" if meant else None


def _mark_faults(schema: dict[str, Any], part: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Marks that would hide nothing."""
    if not isinstance(part.get(OWN_MARK, False), bool):
        yield (OWN_MARK,), "write `true`, or `false`"
    if any(is_marked(each) for each in _applying(schema, part.get("propertyNames"))):
        yield ("propertyNames",), "names are not hidden alone; mark the object that they are in"


def _applying(schema: dict[str, Any], part: Any) -> Iterator[dict[str, Any]]:
    """The part and all that it brings in for the same value."""
    seen: set[int] = set()
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict) and id(each) not in seen:
            seen.add(id(each))
            yield each
            try:
                waiting += brought_in(schema, each)
            except KeyError:
                continue  # the reference has its own problem


def _reference_fault(schema: dict[str, Any], reference: Any, targets: dict[int, bool]) -> str | None:
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return f"{reference!a} is not a place in this file; write `#/$defs/…`, nothing is ever fetched"
    if "%" in reference:
        return f"{reference!a} has an escaped character; name the definition with plain letters"
    try:
        target = resolve(schema, reference)
    except KeyError:
        return f"{reference!a} points at nothing; define it in this file"
    if isinstance(target, bool):
        return None
    if id(target) not in targets:
        return f"{reference!a} does not point at a schema"
    inside = f"{reference!a} leads into an `anyOf` or a `oneOf`; define that schema in `$defs` for both"
    return None if targets[id(target)] else inside


def _root_faults(schema: dict[str, Any], subject: Subject, draft: Draft) -> Iterator[str]:
    if schema.get("type") != "object":
        yield f'/type: the {subject.value} must be an object; write `"type": "object"`'
    if not any(keyword in schema for keyword in draft.closing):
        yield (
            f"/additionalProperties: undeclared {subject.value} would pass unjudged; "
            'write `"additionalProperties": false`, or state the schema for it'
        )
    # An output may well be empty: the tool has run, and nothing acts on it here.
    for name in schema.get("required", []) if subject is Subject.ARGUMENTS else ():
        fault = _blank_fault(schema, schema.get("properties", {}).get(name))
        if fault is not None:
            yield f"{_pointer(('properties', name))}: {fault}"


def _blank_fault(root: dict[str, Any], schema: Any) -> str | None:
    """Why a required argument may be null or empty without anybody having said so."""
    seen: list[str] = []
    while isinstance(schema, dict) and "$ref" in schema and schema["$ref"] not in seen:
        seen.append(schema["$ref"])
        try:
            schema = resolve(root, schema["$ref"])
        except KeyError:
            return None  # the reference has its own problem
    if not isinstance(schema, dict):
        return "a required argument needs a schema; declare it"
    values = [*([schema["const"]] if "const" in schema else []), *schema.get("enum", [])]
    if values:
        blank = None in values or "" in values
        return "a required argument may be null or empty here; take that value away" if blank else None
    types = schema.get("type", "null")
    if "null" in types:
        return "a required argument may be null here; state a `type` without null"
    if "string" in types and "minLength" not in schema:
        return 'a required text may be empty here; write `"minLength": 1`, or `"minLength": 0` if meant'
    return None


def _pointer(parts: Iterable[str | int]) -> str:
    return to_pointer(parts) or "/"
