"""The one place that sets up jsonschema-rs: nothing is fetched, formats count, patterns are linear."""

from typing import Any

import jsonschema_rs

from adjudicator.config.limits import CONTRACT_PATTERN_BYTES

MASK = "\x00value\x00"
"""Stands for the value in the library's messages until the redacted one is put in."""


def compile_schema(schema: dict[str, Any]) -> Any:
    """The validator of a schema. Raises an exception of the library's for what it cannot compile."""
    return jsonschema_rs.validator_for(
        schema,
        validate_formats=True,
        ignore_unknown_formats=False,
        offline=True,
        mask=MASK,
        pattern_options=jsonschema_rs.RegexOptions(size_limit=CONTRACT_PATTERN_BYTES),
    )
