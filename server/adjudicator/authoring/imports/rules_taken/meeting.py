"""How two arguments of rows meet, as far as that can be told from how they are written."""

from collections.abc import Sequence

from adjudicator.policy.coverage import arguments_above
from adjudicator.policy.folding import fold
from adjudicator.policy.patterns import ANY

_WILD = "*?"


def has_all(above: str, argument: str) -> bool:
    """Whether whatever the second argument matches, as an Allow, the first matches too."""
    if above in (ANY, argument, f"{argument} *"):
        return True
    if argument.startswith("url:"):
        return _is_host_above(_host(above), _host(argument))
    return above in arguments_above(argument)


def never_meet(loose: str, exact: str) -> bool:
    """Whether nothing is matched by both; the first as an Ask compares, the second as an Allow does."""
    kind, _, first = loose.partition(":")
    other, _, second = exact.partition(":")
    if ANY in (loose, exact):
        return False
    if kind != other:
        return True
    if kind == "shell":
        return _words_differ(first.split(), second.split())
    if kind == "url":
        host, given = _host(loose), _host(exact)
        return not ("*" in host + given or _is_host_above(host, given) or _is_host_above(given, host))
    return first[:2] == second[:2] == "./" and _differ(first.split("/"), second.split("/"))


def _words_differ(loose: Sequence[str], exact: Sequence[str]) -> bool:
    """Whether two commands differ in a word before which both have only written operands."""
    first, second = (_base(words[0]) for words in (loose, exact))
    if _apart(first, second):
        return True
    for one, other in zip(loose[1:], exact[1:], strict=False):
        if one.startswith("-") or other.startswith("-") or set(_WILD) & set(one + other):
            return _apart(one, other) and not one.startswith("-") and not other.startswith(("-", "*", "?"))
        if fold(one) != fold(other):
            return True
    return False


def _differ(loose: Sequence[str], exact: Sequence[str]) -> bool:
    for one, other in zip(loose, exact, strict=False):
        if set(_WILD) & set(one + other):
            return False
        if fold(one) != fold(other):
            return True
    return False


def _apart(one: str, other: str) -> bool:
    """Whether the written beginnings of two words exclude each other."""
    first, second = (_written(fold(word)) for word in (one, other))
    if not set(_WILD) & set(one + other):
        return first != second
    return not (first.startswith(second) or second.startswith(first))


def _written(word: str) -> str:
    return word[: min((word.find(char) for char in _WILD if char in word), default=len(word))]


def _base(program: str) -> str:
    return program.rpartition("/")[2]


def _host(argument: str) -> str:
    return argument.partition("://")[2].partition("/")[0].lower().removeprefix("**.")


def _is_host_above(above: str, host: str) -> bool:
    return host == above or host.endswith(f".{above}")
