"""Definitions of tools as MCP servers list them, found in what was handed over."""

from collections.abc import Mapping
from typing import Any

from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.config.limits import IMPORT_BYTES, IMPORT_DEPTH
from adjudicator.domain.strict_json import Fault, read_json

_WRAPPERS = ("result", "tools")


def read_import(text: str) -> Any:
    """The JSON value of a text that others wrote. Raises ImportFaultError."""
    read = read_json(
        text.removeprefix("\ufeff"),
        "its contents",
        max_bytes=IMPORT_BYTES,
        max_depth=IMPORT_DEPTH,
        verb="write",
        quoting=True,
    )
    if isinstance(read, Fault):
        raise ImportFaultError(read.message)
    return read.value


def definitions_in(value: Any) -> list[Mapping[str, Any]]:
    """The definitions in the result of `tools/list`, a response around it, a bare list, or one alone.

    Raises ImportFaultError for anything else.
    """
    if isinstance(value, dict) and isinstance(value.get("error"), dict):
        raise ImportFaultError("the server answered with an error; ask it for `tools/list` again")
    found = value
    for wrapper in _WRAPPERS:
        found = found[wrapper] if isinstance(found, dict) and wrapper in found else found
    if isinstance(found, dict) and "name" in found:
        found = [found]
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ImportFaultError('no definitions of tools; hand over `{"tools": […]}`, or one definition')
    if not found:
        raise ImportFaultError("the list of tools is empty")
    if isinstance(value, dict) and _more(value):
        raise ImportFaultError("the list goes on (`nextCursor`); hand over all of its pages in one list")
    return found


def _more(value: dict[str, Any]) -> bool:
    inner = value.get("result")
    return bool(value.get("nextCursor") or (isinstance(inner, dict) and inner.get("nextCursor")))
