"""RFC 6901 JSON Pointers as text: made of parts, and taken apart. Looks into no value."""

import re
from collections.abc import Iterable

_POINTER = re.compile(r"(/([^~/]|~[01])+)+")


def to_pointer(parts: Iterable[str | int]) -> str:
    """The pointer of these parts; empty for none."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def parts_of(pointer: str) -> list[str]:
    """The parts of a pointer, or of what follows the `#` of a local reference; none for an empty one."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def is_pointer(text: str) -> bool:
    """Whether the text is a pointer to something inside: it has a part, and no part is empty."""
    return _POINTER.fullmatch(text) is not None
