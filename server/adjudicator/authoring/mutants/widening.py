"""Patterns that match more than a pattern of a rule does: by one step, and by all of its kind."""

from collections.abc import Iterator

from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.policy.globs import DEEP
from adjudicator.policy.patterns import ANY

Widened = tuple[str, str]
"""The kind of mutant, and the pattern."""

STEP, KIND, ACCESS, ARGUMENT = "pattern-widened", "pattern-opened", "access-widened", "argument-opened"
_OPEN = {ArgumentKind.TEXT: "*", ArgumentKind.PATH: "**/*", ArgumentKind.URL: "*://**/**"}
_KINDS = {kind.value: kind for kind in ArgumentKind} | {each.value: ArgumentKind.PATH for each in Access}


def widened(argument: str, *, loose: bool) -> Iterator[Widened]:
    """Each other pattern once, the least different first. Not every one is a pattern that would load.

    What is compared loosely may have further words anyway, so an open end is no difference to it.
    """
    word, separator, glob = argument.partition(":")
    kind = _KINDS.get(word)
    if not separator or kind is None:
        return
    seen = {argument}
    for name, wider in _all(word, kind, glob):
        if wider not in seen and not (loose and wider == f"{argument} {ANY}"):
            seen.add(wider)
            yield name, wider


def _all(word: str, kind: ArgumentKind, glob: str) -> Iterator[Widened]:
    for step in _STEPS[kind](glob):
        yield STEP, f"{word}:{step}"
    if word != kind.value:
        yield ACCESS, f"{kind.value}:{glob}"
    if kind in _OPEN:
        yield KIND, f"{word}:{_OPEN[kind]}"
    yield ARGUMENT, ANY


def _path_steps(glob: str) -> Iterator[str]:
    """The last name open; the folder before `**` left out; the anchor open."""
    anchor = next((each for each in ("./", "**/", "/") if glob.startswith(each)), "")
    words = glob.removeprefix(anchor).split("/")
    if words[-1] in (DEEP, ""):
        yield f"{anchor}{'/'.join([*words[:-2], DEEP])}" if len(words) > 1 else f"**/{ANY}"
    else:
        open_name = words[-1] == ANY
        yield f"{anchor}{'/'.join([*words[:-1], DEEP if open_name else ANY])}"
    if anchor != "**/":
        yield f"**/{'/'.join(words)}"


def _shell_steps(glob: str) -> Iterator[str]:
    """The end open; then the last word that is written out left out."""
    words = glob.split()
    if words[-1] != ANY:
        yield f"{glob} {ANY}"
        words.append(ANY)
    if len(words) > 2:  # noqa: PLR2004 - a program, and more than what is open
        yield " ".join([*words[:-2], ANY])


def _url_steps(glob: str) -> Iterator[str]:
    """Any scheme; the first label of the host open, and all of them but the last two; the path open."""
    scheme, _, rest = glob.partition("://")
    host, slash, path = rest.partition("/")
    yield f"{ANY}://{rest}"
    labels = host.split(".")
    if not host.startswith("[") and len(labels) > 2:  # noqa: PLR2004 - a name in a domain
        end = f"{slash}{path}"
        yield f"{scheme}://{'.'.join([DEEP if labels[0] == ANY else ANY, *labels[1:]])}{end}"
        yield f"{scheme}://{'.'.join([DEEP, *labels[-2:]])}{end}"
    if path not in (DEEP, ""):
        folders = path.split("/")
        yield f"{scheme}://{host}/{'/'.join([*folders[: -2 if folders[-1] == DEEP else -1], DEEP])}"


def _text_steps(glob: str) -> Iterator[str]:
    """Any beginning, any end."""
    yield f"{ANY}{glob.lstrip(ANY)}"
    yield f"{glob.rstrip(ANY)}{ANY}"


_STEPS = {
    ArgumentKind.PATH: _path_steps,
    ArgumentKind.SHELL: _shell_steps,
    ArgumentKind.URL: _url_steps,
    ArgumentKind.TEXT: _text_steps,
}


def loosened(condition: str) -> Iterator[str]:
    """The condition without each of the parts that `&&` joins in it."""
    parts = _conjuncts(condition)
    for place in range(len(parts)) if len(parts) > 1 else ():
        yield " && ".join([*parts[:place], *parts[place + 1 :]])


def _conjuncts(condition: str) -> list[str]:
    """The parts; the whole where `||` joins some of it."""
    parts, depth, quote, start = [], 0, "", 0
    for place, char in enumerate(condition):
        if quote or char in "\"'":
            quote = "" if char == quote else quote or char
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif not depth and condition.startswith("||", place):
            return [condition]
        elif not depth and condition.startswith("&&", place):
            parts.append(condition[start:place].strip())
            start = place + len("&&")
    return [*parts, condition[start:].strip()]
