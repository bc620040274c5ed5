"""The files that a command's words may name. Deny and Ask look at them; none needs an Allow of its own."""

from collections.abc import Iterator, Sequence


def mentioned(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each text that may be a path, with the place of the word that it is in."""
    if "/" in words[0]:
        yield 0, words[0]
    for at in range(1, len(words)):
        word = words[at]
        if word[:1] == "-":
            for text in _in_option(word):
                yield from _each(at, text)
        elif word:
            yield from _each(at, word)


def _in_option(word: str) -> Iterator[str]:
    name, separator, value = word.partition("=")
    if separator and value:
        yield value
    if not name.startswith("--") and len(word) > 2 and not word[1:].isdigit():
        # `-Xvalue`, and `-abXvalue` too: nobody knows here where the options end.
        yield from (word[start:] for start in range(2, min(len(word), 6)) if word[start] in "/.~@")
        if word[2] not in "/.~@":
            yield word[2:]


def _each(at: int, text: str) -> Iterator[tuple[int, str]]:
    yield at, text
    if text.isalnum():
        return
    if text[0] == "@" and len(text) > 1:
        yield at, text[1:]
    for separator in "=:,":
        if separator in text:
            yield from ((at, part) for part in text.split(separator) if part)
