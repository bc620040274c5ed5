"""A contract as its file has it."""

import json
from typing import Any

from adjudicator.domain.invisible import is_plain


def schema_text(schema: dict[str, Any]) -> str:
    """JSON in which every character that nobody sees is escaped."""
    text = json.dumps(schema, ensure_ascii=False, indent=2)
    return (
        "".join(char if char == "\n" or is_plain(char) else json.dumps(char)[1:-1] for char in text) + "\n"
    )
