"""Texts that others wrote, as they may be shown to people and agents: all of it seen, and not too much."""

import re

from adjudicator.authoring.imports.notes import Notes
from adjudicator.domain.invisible import is_plain

_BLANKS = re.compile(r"\s+")


def shown_text(text: str, most: int, what: str, notes: Notes, place: str = "") -> str:
    """The text on one line, without what nobody sees, cut at `most` characters; notes say what was done."""
    line = _BLANKS.sub(" ", text).strip()
    plain = "".join(char for char in line if is_plain(char))
    if plain != line:
        notes.add(f"{what} had {len(line) - len(plain)} characters that nobody sees; they are gone", place)
    if len(plain) <= most:
        return plain
    notes.add(f"{what} had {len(plain):,} characters; it is cut at {most}", place)
    return f"{plain[: most - 1].rstrip()}…"
