"""Which patterns have all of another pattern, as far as that can be told from how the two are written."""

from collections.abc import Iterator

from adjudicator.domain.facet import Access, ArgumentKind
from adjudicator.policy.globs import DEEP
from adjudicator.policy.patterns import ANY

_EVERYTHING = (ANY, "**/*", "**/**", "*://**/**")
_ACCESSES = [access.value for access in Access]


def arguments_above(argument: str) -> Iterator[str]:
    """The arguments that contain this one: any, itself, all of its kind, each prefix with the rest open.

    A path that is read or written is a path.
    """
    yield ANY
    yield from _written_above(argument)
    word, _, glob = argument.partition(":")
    if word in _ACCESSES:
        yield from _written_above(f"{ArgumentKind.PATH.value}:{glob}")


def _written_above(argument: str) -> Iterator[str]:
    yield argument
    kind, separator, glob = argument.partition(":")
    if separator:
        yield from (f"{kind}:{everything}" for everything in _EVERYTHING)
    if kind == ArgumentKind.SHELL.value:
        words = argument.split()
        yield from (f"{' '.join(words[:count])} *" for count in range(1, len(words)))
    if glob.startswith("./"):
        yield f"{kind}:./*/**"
    end = argument.find("/") + 1
    while end:
        yield argument[:end] + DEEP
        end = argument.find("/", end) + 1
    yield f"{argument}/{DEEP}"
