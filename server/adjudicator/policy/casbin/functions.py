"""Matching functions: a value of the request against patterns of a row. Casbin's own, and their protocol.

A pattern is compiled once, when its row is; nothing that a caller sends is ever compiled.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import re2

from adjudicator.policy.casbin.globs import parse_glob
from adjudicator.policy.pattern_error import PatternError

REGEX_BYTES = 1 << 20
"""Memory that one regular expression may take; one that needs more is refused."""


class Anchor(NamedTuple):
    """What a word `is`, `starts` or `ends` with, in every value that the pattern matches."""

    place: str
    text: str


_SLASHES = re.compile("/+")

NOTHING: frozenset[str] = frozenset({"\0"})
"""What a view answers for a value that no pattern of it can match; told by identity."""

View = Callable[[Any], "frozenset[str] | None"]
"""The words that a value shows to patterns; None when every pattern has to look for itself."""


def whole(value: Any) -> frozenset[str] | None:
    """A text shows itself as one word."""
    return frozenset((value,)) if isinstance(value, str) else None


def single_slashes(value: Any) -> frozenset[str] | None:
    """A text shows itself as one word, in which repeated slashes are one, as they are to a glob."""
    return frozenset((_SLASHES.sub("/", value),)) if isinstance(value, str) else None


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """One compiled pattern. Of its anchors each is necessary; none means that it has to look itself."""

    matches: Callable[[Any], bool]
    anchors: tuple[Anchor, ...] = ()
    view: View = whole


class MatchingFunction(Protocol):
    """What a matcher may call with a value of the request, then `patterns` of a row or in quotes."""

    @property
    def patterns(self) -> int:
        """How many patterns follow the value."""
        ...

    def compile(self, *patterns: str) -> Matching:
        """The compiled pattern; raises PatternError with advice."""
        ...


@dataclass(frozen=True, slots=True)
class OnePattern:
    """A function of a value and one pattern."""

    compile_one: Callable[[str], Matching]
    patterns: int = 1

    def compile(self, *patterns: str) -> Matching:
        """The compiled pattern; raises PatternError with advice."""
        (pattern,) = patterns
        return self.compile_one(pattern)


def casbin_functions() -> Mapping[str, MatchingFunction]:
    """Casbin's own functions by name. Where stock pycasbin differs, docs/casbin.md says how."""
    return {
        "keyMatch": OnePattern(_key_match),
        "keyMatch2": OnePattern(lambda pattern: _segments(pattern, _COLON, "`:name`")),
        "keyMatch3": OnePattern(lambda pattern: _segments(pattern, _BRACES, "`{name}`")),
        "keyMatch4": OnePattern(_key_match4),
        "keyMatch5": OnePattern(_key_match5),
        "regexMatch": OnePattern(_regex_match),
        "ipMatch": OnePattern(_ip_match),
        "globMatch": OnePattern(_glob_match),
    }


_COLON = re.compile(r":[^/]+")
_BRACES = re.compile(r"\{[^/{}]+\}")
_SPECIAL = re.compile(r"[*+?^$|\\()\[\]{}]")


def _key_match(pattern: str) -> Matching:
    """A `*` at the end stands for anything, also for nothing."""
    star = pattern.find("*")
    if star == -1:
        return Matching(_text(lambda value: value == pattern), (Anchor("is", pattern),))
    if star != len(pattern) - 1:
        raise PatternError(f"keyMatch ignores what follows the first `*`; end {pattern!a} there")
    start = pattern[:-1]
    return Matching(_text(lambda value: value.startswith(start)), (Anchor("starts", start),))


def _segments(pattern: str, name: re.Pattern[str], written: str) -> Matching:
    return _by_regex(*_translated(pattern, name, written, "[^/]+"))


def _key_match4(pattern: str) -> Matching:
    """As keyMatch3; the same name stands for the same text."""
    _check_one_name(pattern)
    regex, start = _translated(pattern, _BRACES, "`{name}`", "([^/]+)")
    names = _BRACES.findall(pattern)
    if len(set(names)) == len(names):
        return _by_regex(regex, start)
    compiled = _compiled(regex)

    def matches(value: str) -> bool:
        found = compiled.fullmatch(value)
        if found is None:
            return False
        seen: dict[str, str] = {}
        return all(
            seen.setdefault(key, part) == part for key, part in zip(names, found.groups(), strict=True)
        )

    return Matching(_text(matches), (Anchor("starts", start),))


def _key_match5(pattern: str) -> Matching:
    """As keyMatch3, and what follows a `?` in the value does not count."""
    if "?" in pattern:
        raise PatternError(f"keyMatch5 cuts the value at `?`, so {pattern!a} can never match")
    _check_one_name(pattern)
    regex, start = _translated(pattern, _BRACES, "`{name}`", "[^/]+")
    compiled = _compiled(regex)
    return Matching(
        _text(lambda value: compiled.fullmatch(value.partition("?")[0]) is not None),
        (Anchor("starts", start),),
    )


def _check_one_name(pattern: str) -> None:
    if any(part.count("{") > 1 for part in pattern.split("/")):
        raise PatternError(
            f"two names in one part of {pattern!a}: stock Casbin takes them for one; use one"
        )


def _translated(pattern: str, name: re.Pattern[str], written: str, variable: str) -> tuple[str, str]:
    """The regular expression of a path with names and `/*`, and the text that it starts with."""
    if pattern == "*" and name is _COLON:
        return ".*", ""
    pieces: list[str] = []
    for piece in re.split(rf"({name.pattern}|/\*)", pattern):
        if piece == "/*":
            pieces.append("/.*")
        elif name.fullmatch(piece):
            pieces.append(variable)
        else:
            special = _SPECIAL.search(piece)
            if special is not None:
                advice = f"write {written} for one part of a path, and `/*` for the rest"
                raise PatternError(
                    f"`{special[0]}` in {pattern!a} means different things to Casbins; {advice}"
                )
            pieces.append(re.escape(piece))
    start = re.split(rf"{name.pattern}|\*", pattern, maxsplit=1)[0]
    return "".join(pieces), start


def _by_regex(regex: str, start: str) -> Matching:
    compiled = _compiled(regex)
    return Matching(_text(lambda value: compiled.fullmatch(value) is not None), (Anchor("starts", start),))


def _regex_match(pattern: str) -> Matching:
    """From the start of the value, as pycasbin does; other Casbins look anywhere."""
    if "{," in pattern:
        raise PatternError(f"`{{,` in {pattern!a} is a text to RE2; write `{{0,` for up to so many times")
    compiled = _compiled(pattern)
    return Matching(_text(lambda value: compiled.match(value) is not None))


def _compiled(regex: str) -> Any:
    options = re2.Options()
    options.max_mem = REGEX_BYTES
    options.log_errors = False
    try:
        return re2.compile(regex, options)
    except re2.error as error:
        text = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise PatternError(
            f"not a regular expression of RE2, which knows no look-around: {text}"
        ) from error


def _ip_match(pattern: str) -> Matching:
    try:
        network = ipaddress.ip_network(pattern, strict=False)
    except ValueError as error:
        raise PatternError(
            f"{pattern!a} is neither an address nor a network such as `10.0.0.0/8`"
        ) from error
    return Matching(_text(lambda value: ipaddress.ip_address(value) in network))


def _glob_match(pattern: str) -> Matching:
    try:
        glob = parse_glob(pattern)
    except ValueError as error:
        raise PatternError(str(error)) from error
    anchors = (Anchor("starts", glob.start),) if glob.start else ()
    return Matching(_text(glob.matches), anchors, single_slashes)


def _text(matches: Callable[[str], bool]) -> Callable[[Any], bool]:
    """The same for any value: what is not a text has no business here, and is an error."""

    def checked(value: Any) -> bool:
        if not isinstance(value, str):
            raise TypeError(f"a text was expected, not {type(value).__name__}")
        return matches(value)

    return checked
