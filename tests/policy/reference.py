"""What jsonschema, the reference, finds wrong, in our own words."""

import re

import jsonschema
from adjudicator.domain.json_pointer import to_pointer
from adjudicator.policy.explanation import Explanation

REFERENCES = {
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "http://json-schema.org/draft-07/schema#": jsonschema.Draft7Validator,
}


def _pattern(_, pattern, value, __):
    """`$` is the end of the text, as ECMA-262 says; in Python it also matches before a last line end."""
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield jsonschema.ValidationError(f"does not match {pattern!r}")


GENERATED = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": _pattern})
"""The reference for generated schemas, whose only `$` are anchors."""

# What the two libraries call differently; the rules are stated in docs/contracts.md.
_NAMES = {
    None: "falseSchema",
    "minContains": "contains",
    "maxContains": "contains",
    "dependentRequired": "required",
    "dependencies": "required",
}


def reference_violations(validator, value):
    """The paths and keywords of all that the reference finds wrong."""
    return {_named(error) for error in validator.iter_errors(value)}


def our_violations(schema, value):
    """The paths and keywords of all that we find wrong."""
    return {
        (to_pointer(wrong.path), _NAMES.get(wrong.keyword, wrong.keyword))
        for wrong in Explanation(schema).of(value)
    }


def _named(error):
    path = to_pointer(error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        return path, "propertyNames"
    return path, _NAMES.get(error.validator, error.validator)
