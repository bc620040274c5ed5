"""The files that a command's words may name. Deny and Ask look at them; none needs an Allow of its own."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from adjudicator.config.limits import FACETS

_PATH_BEGINS = "/.~@"
_BETWEEN = re.compile(r"[=:,;@<{}]")
_FILE_URL = re.compile(r"file:(/[^?#]*)", re.IGNORECASE)
_LETTERS = 6  # as many as stand before a value in one word, as in `-abc/etc/passwd`


def mentioned(words: Sequence[str]) -> list[tuple[int, str]]:
    """Each text that may be a path, with the place of the word that it is in."""
    found = [(0, words[0])] if "/" in words[0] else []
    for at in range(1, len(words)):
        word = words[at]
        if word.isalnum():
            found.append((at, word))
        elif word[:1] == "-":
            found += [(at, part) for text in _in_option(word) for part in _parts(text)]
        elif word:
            found += [(at, part) for part in _parts(word)]
    return found


def _in_option(word: str) -> Iterator[str]:
    """The value in `--name=value` or `-Xvalue`. Nobody knows here where the letters of a cluster end."""
    name, _, value = word.partition("=")
    if value:
        yield value
    rest = word[2:]
    if name.startswith("--") or not rest or word[1:].isdigit():
        return
    yield rest
    for start in range(3, min(len(word), _LETTERS)):
        if word[start] in _PATH_BEGINS:
            yield word[start:]


def _parts(text: str) -> Iterator[str]:
    """The text, and what stands in it behind `@` and between `=`, `:` and `,`; and the file of its URL.

    Taken apart at all of them as well, since `name=@path;type=text/plain` is a value of `curl -F`.
    """
    parts = [text]
    for separator in "=:,":
        if separator in text:
            parts += text.split(separator, FACETS)
    if _BETWEEN.search(text) is not None:
        parts += _BETWEEN.split(text, FACETS)
    if (url := _FILE_URL.search(text)) is not None:
        parts.append(unquote(url[1]))
    for part in dict.fromkeys(parts):
        if part:
            yield part
        if part[:1] == "@" and part != "@":
            yield part[1:]
