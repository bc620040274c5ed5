"""What an argument looks like by its name, so that rules should look at it: a command, a path, a URL.

A guess, for warnings and for what is imported; no decision asks here.
"""

import re
from collections.abc import Mapping
from typing import Any

from adjudicator.domain.facet import ArgumentKind

_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_KINDS: Mapping[ArgumentKind, frozenset[str]] = {
    ArgumentKind.SHELL: frozenset(
        ("cmd", "command", "commandline", "shell", "bash", "script", "exec", "argv")
    ),
    ArgumentKind.PATH: frozenset(
        ("path", "pathname", "file", "filename", "filepath", "dir", "dirname", "directory", "folder", "cwd")
    ),
    ArgumentKind.URL: frozenset(("url", "uri", "href", "link", "endpoint", "webhook")),
}
_SECRETS = frozenset(
    (
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "credential",
        "apikey",
        "secretkey",
        "privatekey",
    )
)
_FORMATS = {"uri": ArgumentKind.URL, "uri-reference": ArgumentKind.URL, "iri": ArgumentKind.URL}


def looks_like(name: str, schema: Mapping[str, Any]) -> ArgumentKind | None:
    """The kind that an argument of this name should be declared as; None when it looks like plain text.

    `schema` is the JSON Schema of its value. Only texts and lists of texts look like anything. The last
    word of the name counts, or the last two as one, in whatever way words are joined and whatever number
    comes behind: `filePath`, `file_name`, `output_dir`, `urls`, `path2`.
    """
    if not _is_text(schema):
        return None
    items = schema.get("items")
    for each in (schema, items if isinstance(items, Mapping) else {}):
        if each.get("format") in _FORMATS:
            return _FORMATS[each["format"]]
    words = [word.casefold() for word in _WORD.findall(name)]
    ends = ("".join(words[-2:]), *words[-1:])
    named = {name for end in ends for name in (end, _singular(end))}
    return next((kind for kind, known in _KINDS.items() if named & known), None)


def looks_secret(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether values under this name look like what nobody should be shown: a password, a token, a key."""
    if not _is_text(schema):
        return False
    words = [word.casefold() for word in _WORD.findall(name)]
    ends = ("".join(words[-2:]), *words[-1:])
    return schema.get("format") == "password" or any(_singular(end) in _SECRETS for end in ends)


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _is_text(schema: Mapping[str, Any]) -> bool:
    """Whether values may be texts, or lists of them; where the schema does not say, they may."""
    types = schema.get("type", "string")
    types = types if isinstance(types, list) else [types]
    if "array" in types:
        items = schema.get("items", {})
        return _is_text(items) if isinstance(items, Mapping) else True
    return "string" in types
