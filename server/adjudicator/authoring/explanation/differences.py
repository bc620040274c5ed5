"""Where a value and a pattern part: how near they are, and in which words to say it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from adjudicator.domain.facet import UNKNOWN, Access, ArgumentKind, Facet
from adjudicator.policy.folding import fold
from adjudicator.policy.globs import DEEP, Wildcard
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.patterns import ANY, parse_pattern

_ACCESSES = [access.value for access in Access]
_DOES = {Access.READ: "reads it", Access.WRITE: "writes it"}


def kind_of(argument: str) -> str:
    """The kind of facet that a pattern is about; nothing for one that is about the tool alone."""
    word = argument.partition(":")[0]
    return ArgumentKind.PATH.value if word in _ACCESSES else "" if argument == ANY else word


class Nearness:
    """How much one facet and patterns of its kind have in common; quick, for there may be many."""

    def __init__(self, facet: Facet) -> None:
        self._is_path = facet.kind is ArgumentKind.PATH
        text = " ".join(facet.words) if facet.kind is ArgumentKind.SHELL else facet.text
        self._text = text.casefold()
        self._inside = f"./{facet.inside}".casefold() if facet.inside is not None else ""

    def to(self, argument: str) -> int:
        """How many characters they share at the beginning; of a path anywhere, those of shared names.

        A pattern for a whole folder is always a little near, even to what is outside of it.
        """
        glob = argument.partition(":")[2].casefold()
        if glob.startswith("**/"):
            return sum(len(part) for part in glob.split("/") if part != DEEP and part in self._text)
        anchor = "" if not self._is_path else "./" if glob.startswith("./") else "/"
        value = self._inside if anchor == "./" else self._text
        least = int(anchor == "./" and glob.startswith("./*"))
        if not value.startswith(anchor):
            return least
        count = -len(anchor)
        for one, other in zip(value, glob, strict=False):
            if one != other:
                break
            count += 1
        return max(least, count)


def difference(facet: Facet, argument: str, *, loose: bool) -> str:
    """Why the pattern does not match the facet, which is of its kind."""
    if facet.mention and argument == ANY:
        return "the value is only mentioned, and a row for the tool alone says nothing of it"
    if facet.opaque is not None and not loose:
        return f"Allow never matches what cannot be known: {facet.opaque.why}"
    if (fault := _access_fault(facet, argument)) is not None:
        return fault
    in_one_word = facet.kind in (ArgumentKind.PATH, ArgumentKind.TEXT)
    if in_one_word and not loose and _matches_loosely(facet, argument):
        return (
            f"Allow compares exactly: the call writes `{_shown(facet.text)}`, the rule `{_glob(argument)}`"
        )
    compare = _DIFFERENCES.get(facet.kind, _text)
    return compare(facet, _glob(argument), loose)


def _glob(argument: str) -> str:
    return argument.partition(":")[2]


def _access_fault(facet: Facet, argument: str) -> str | None:
    word = argument.partition(":")[0]
    if word not in _ACCESSES or word == facet.access.value:
        return None
    return (
        f"the rule is for what is {'read' if word == 'read' else 'written'}, the call {_DOES[facet.access]}"
    )


def _matches_loosely(facet: Facet, argument: str) -> bool:
    try:
        return parse_pattern(argument, loose=True).matches(replace(facet, opaque=None))
    except PatternError:
        return False


def _path(facet: Facet, glob: str, loose: bool) -> str:  # noqa: FBT001 - as all of them are called
    if glob.startswith("./") and facet.inside is None:
        where = f"`{_shown(facet.text)}`, outside of the working directory"
        return f"the path is {where}, the rule is for `{glob}`"
    text = facet.inside or "" if glob.startswith("./") else facet.text
    values = [part for part in text.split("/") if part not in ("", ".")]
    globs = [part for part in glob.split("/") if part not in ("", ".")]
    if globs and globs[0] == DEEP:
        missing = next((part for part in globs if part != DEEP and not _is_in(part, values, loose)), None)
        if missing is None:
            return f"the path `{_shown(text)}` has the parts of `{glob}`, but not in that place"
        return f"nothing in the path `{_shown(text)}` is `{missing}`"
    return _parted("path", values, globs, "/", loose=loose)


def _is_in(glob: str, values: Sequence[str], loose: bool) -> bool:  # noqa: FBT001 - as above
    return any(_is(glob, value, loose=loose) for value in values)


def _is(glob: str, value: str, *, loose: bool) -> bool:
    if loose:
        glob, value = fold(glob), fold(value)
    return Wildcard.compile(glob).matches(value)


def _parted(what: str, values: Sequence[str], globs: Sequence[str], joint: str, *, loose: bool) -> str:
    """The words for the first part that is another in the value than in the pattern."""
    common = 0
    for value, glob in zip(values, globs, strict=False):
        if glob == DEEP or not _is(glob, value, loose=loose):
            break
        common += 1
    if common == len(values):
        if common == len(globs):
            return f"the {what} is not what the rule is for"
        return f"the {what} ends where the rule goes on with `{globs[common]}`"
    value = _joined(values, common, joint)
    if common == len(globs):
        return f"the {what} goes on with `{value}` where the rule ends"
    if globs[common] == DEEP:
        return f"the {what} does not end as the rule wants it: `{joint.join(globs[common + 1 :])}`"
    return f"the {what} has `{value}` where the rule is for `{_joined(globs, common, joint)}`"


def _joined(parts: Sequence[str], count: int, joint: str) -> str:
    """The parts up to that one; of folders, with a last slash when more follows."""
    if joint == " ":
        return _shown(parts[count])
    text = joint.join(parts[: count + 1])
    return _shown(f"{text}{joint}" if count + 1 < len(parts) else text)


def _command(facet: Facet, glob: str, loose: bool) -> str:  # noqa: FBT001 - as above
    if not facet.words:
        return "no command can be read"
    words, globs = facet.words, glob.split()
    program = words[0].rpartition("/")[2] if loose else words[0]
    if not _is(globs[0], program, loose=loose):
        return f"the program is `{_shown(words[0])}`, the rule is for `{globs[0]}`"
    if loose:
        missing = next((each for each in globs[1:] if each != ANY and not _is_in(each, words, loose)), None)
        lacks = f"lacks `{missing}`" if missing else "does not go on as the rule wants it"
        return f"the command `{_shown(' '.join(words))}` {lacks}"
    kept = globs[:-1] if globs[-1] == ANY and len(globs) > 1 else globs
    return _parted("command", words, kept, " ", loose=loose)


def _url(facet: Facet, glob: str, loose: bool) -> str:  # noqa: FBT001 - as above
    if facet.url is None:
        return "the value is no URL"
    scheme, _, rest = glob.partition("://")
    host = rest.partition("/")[0]
    if scheme not in (ANY, facet.url.scheme):
        return f"the scheme is `{facet.url.scheme}`, the rule is for `{scheme}`"
    name, _, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    if not _host_fits(facet, scheme, name, loose=loose):
        return f"the host is `{facet.url.host}`, the rule is for `{name}`"
    if facet.url.has_query and not loose and not glob.endswith(DEEP):
        return "the address has a query, and an Allow takes one only where it ends with `**`"
    if port not in ("", ANY, str(facet.url.port)) or (
        not port and not loose and not facet.url.has_default_port
    ):
        return f"the port is {facet.url.port}, the rule is for {port or 'the one of the scheme'}"
    return f"the path is `{_shown(facet.url.path)}`, the rule is for `/{rest.partition('/')[2]}`"


def _host_fits(facet: Facet, scheme: str, name: str, *, loose: bool) -> bool:
    """Whether a pattern with this scheme and host matches where any port and any path will do."""
    try:
        pattern = parse_pattern(f"url:{scheme}://{name}:*/**", loose=loose)
    except PatternError:
        return False
    return pattern.matches(replace(facet, opaque=None))


def _text(facet: Facet, glob: str, loose: bool) -> str:  # noqa: FBT001, ARG001 - as above
    return f"the text is `{_shown(facet.text)}`, the rule is for `{glob}`"


def _shown(text: str) -> str:
    text = text.replace(UNKNOWN, "…")
    return text if len(text) <= 80 else f"{text[:80]}…"  # noqa: PLR2004 - a line of a page


_DIFFERENCES: Mapping[ArgumentKind | None, Callable[[Facet, str, bool], str]] = {
    ArgumentKind.PATH: _path,
    ArgumentKind.SHELL: _command,
    ArgumentKind.URL: _url,
    ArgumentKind.TEXT: _text,
}
