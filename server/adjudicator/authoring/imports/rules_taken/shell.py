"""Globs over the text of a command, made into patterns of its words.

In a glob over text `*` goes on over blanks, in a pattern it ends with its word.
"""

import re

from adjudicator.authoring.imports.forms.source_rules import ShellSpec
from adjudicator.authoring.imports.rules_taken.taken import WHOLE, NotTranslatedError, Taken, checked
from adjudicator.domain.invisible import is_all_plain

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_NOT_IN_PATTERNS = frozenset("&|;<>()`$'\"\\")


def loose_shell(spec: ShellSpec) -> Taken:
    """Patterns for a Deny or an Ask: they match whatever the glob matches. Raises NotTranslatedError."""
    words, remarks = spec.glob.split(), []
    while words and _ASSIGNMENT.fullmatch(words[0]):
        remarks.append(f"`{words.pop(0)}` before the command does not count")
    kept: list[str] = []
    for number, word in enumerate(words):
        known = _known(word, is_last=number == len(words) - 1)
        kept += [known] if known else []
        if known != word:
            remarks.append(f"wider than there: what stands behind `{' '.join(kept)}` does not count")
            break
    if not kept or kept == ["*"]:
        return Taken(WHOLE.arguments, tuple(remarks))
    text = " ".join(kept)
    # A first `*` there is one word or more, and so is any other one here.
    texts = [text, f"* {text}"] if kept[0] == "*" else [text]
    return checked([f"shell:{each}" for each in texts], remarks, loose=True)


def exact_shell(spec: ShellSpec) -> Taken:
    """A pattern for an Allow: the glob matches whatever it matches. Raises NotTranslatedError."""
    words, remarks = spec.glob.split(), []
    if not words or any(_NOT_IN_PATTERNS & set(word) for word in words):
        raise NotTranslatedError("has characters that no pattern of a command has")
    if _ASSIGNMENT.fullmatch(words[0]):
        raise NotTranslatedError("sets a variable, and a command with one is allowed by no pattern")
    if "?" in spec.glob and not spec.single:
        raise NotTranslatedError("has a `?`, which would stand for any character here")
    if any("*" in word for word in words[:-1]):
        remarks.append("narrower than there: each `*` that is not the last stays within one word")
    only = words[0].removesuffix("*")
    if len(words) == 1 and only and only != words[0] and "*" not in only:
        remarks.append(f"narrower than there: only the program `{only}` itself")
        words = [only, "*"]
    elif words[-1].endswith("*") and words[-1] != "*":
        words.append("*")
    return checked([f"shell:{' '.join(words)}"], remarks, loose=False)


def _known(word: str, *, is_last: bool) -> str:
    """As much of a word's beginning as a pattern can say of it; all of it where it can be said."""
    for place, char in enumerate(word):
        if char in _NOT_IN_PATTERNS or not is_all_plain(char):
            return f"{word[:place]}*" if place else ""
        if char == "*" and word != "*" and not (is_last and place == len(word) - 1):
            return f"{word[:place]}*" if place else ""
    return word
