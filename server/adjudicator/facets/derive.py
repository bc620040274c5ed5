"""From a call's arguments to its facets, as the registry declares the arguments. Judges nothing."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from adjudicator.config.limits import FACETS
from adjudicator.domain.facet import Access, ArgumentKind, ArgumentSpec, Facet, Opacity, Opaque
from adjudicator.domain.invisible import plain
from adjudicator.domain.json_pointer import parts_of, to_pointer
from adjudicator.facets.bounds import InvalidArgumentError, check_bounds
from adjudicator.facets.paths import Place, WorkingDirectory, place
from adjudicator.facets.shell.line import command_lines
from adjudicator.facets.urls import doubt_about, normalised, parse_url


@dataclass(frozen=True, slots=True)
class _Found:
    """A declared argument that is present. `misfit` says why its value cannot be what was declared."""

    pointer: str
    value: Any
    misfit: str | None = None


def derive(
    arguments: dict[str, Any],
    specs: tuple[ArgumentSpec, ...],
    working_directory: str,
    resolved_paths: Mapping[str, str],
) -> tuple[Facet, ...]:
    """The facets of a call, in the order of the specs; never empty.

    A call with no declared argument yields one facet of no kind, which only `*` matches. A path with
    a resolved path yields a facet for each of the two. A resolved path that belongs to no declared
    path of the call yields an opaque facet: the runtime and the registry disagree about the call.

    A command line yields a facet for each command in it and each file that it names.

    Raises TooComplexError, before it looks closer, for a call that cannot be judged in a short time, and
    InvalidArgumentError for a URL that programs could read in different ways, and for a command line
    without a command.
    """
    values = [(spec, found) for spec in specs for found in _values_of(arguments, spec)]
    check_bounds([_text_of(found) for _, found in values], resolved_paths.values(), working_directory)
    directory = WorkingDirectory.parse(working_directory)
    unused = dict(resolved_paths)
    facets: list[Facet] = []
    for spec, found in values:
        resolved = unused.pop(found.pointer, None) if spec.kind is ArgumentKind.PATH else None
        facets.extend(_facets_of(spec, found, directory, resolved))
    for pointer, path in unused.items():
        facets.extend(_unclaimed(pointer, path))
    if len(facets) == 1:
        return (facets[0],)
    return tuple(dict.fromkeys(facets)) or (Facet(kind=None, text=""),)


def _values_of(arguments: dict[str, Any], spec: ArgumentSpec) -> list[_Found]:
    """The argument's values in the call, one more than the limit at most; or what its absence means."""
    found = list(islice(_present(arguments, _declared_parts(spec.pointer), ""), FACETS + 1))
    if spec.kind is ArgumentKind.SHELL:
        found = [replace(each, misfit=None) if _is_words(each) else each for each in found]
    if not found and spec.absent is not None:
        return [_Found(spec.pointer, spec.absent)]
    return found


@lru_cache(maxsize=256)  # a registry declares few
def _declared_parts(pointer: str) -> tuple[str, ...]:
    return tuple(parts_of(pointer))


def _is_words(found: _Found) -> bool:
    """Whether the value is a command as a list of words, which is run without a shell."""
    words = found.value
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


def _text_of(found: _Found) -> str:
    return found.value if isinstance(found.value, str) else _as_json(found.value)


def _facets_of(
    spec: ArgumentSpec, found: _Found, directory: WorkingDirectory, resolved: str | None
) -> Iterator[Facet]:
    if found.misfit is not None:
        text = _as_json(found.value)
        opaque = Opaque(Opacity.FORM, found.misfit)
        yield Facet(spec.kind, text, found.pointer, spec.access, opaque=opaque, misfit=True)
        return
    if spec.kind is ArgumentKind.URL:
        yield _url_facet(spec, found)
        return
    if spec.kind is ArgumentKind.SHELL:
        yield from command_lines().facets(found.value, found.pointer, spec.access, directory)
        return
    if spec.kind is not ArgumentKind.PATH:
        yield Facet(spec.kind, found.value, found.pointer, spec.access)
        return
    named = _path_facet(spec, found.pointer, place(found.value, directory))
    if spec.needs_resolution and resolved is None and named.opaque is None:
        why = f"the tool requires resolved_paths for {plain(found.pointer)}"
        named = replace(named, opaque=Opaque(Opacity.PATH, why))
    yield named
    if resolved is not None:
        yield _path_facet(spec, found.pointer, _resolved_place(resolved, directory))


def _url_facet(spec: ArgumentSpec, found: _Found) -> Facet:
    try:
        url = parse_url(found.value)
    except ValueError as error:
        raise InvalidArgumentError(
            f"{plain(found.pointer)} is no URL that can be judged: {error}"
        ) from error
    opaque = doubt_about(url)
    text = normalised(url, found.value, doubted=opaque is not None)
    return Facet(spec.kind, text, found.pointer, spec.access, opaque=opaque, url=url)


def _path_facet(spec: ArgumentSpec, pointer: str, where: Place) -> Facet:
    opaque = None if where.opaque is None else Opaque(Opacity.PATH, where.opaque)
    return Facet(spec.kind, where.text, pointer, spec.access, where.inside, opaque)


def _resolved_place(resolved: str, directory: WorkingDirectory) -> Place:
    where = place(resolved, directory)
    if where.opaque is None and (where.text != resolved or not resolved.startswith("/")):
        return replace(where, opaque="the resolved path is not absolute and normalised")
    return where


def _unclaimed(pointer: str, path: str) -> Iterator[Facet]:
    """One facet for each access, since nobody says which it is. No sentence shows what may be a secret."""
    why = f"resolved_paths names {plain(pointer)}, which is not a declared path of this call"
    for access in Access:
        opaque = Opaque(Opacity.PATH, why)
        yield Facet(ArgumentKind.PATH, path, pointer, access, opaque=opaque, misfit=True)


def _present(value: Any, segments: tuple[str, ...], pointer: str) -> Iterator[_Found]:
    if not segments:
        yield _Found(pointer, value, None if isinstance(value, str) else "the value is not a string")
        return
    head, rest = segments[0], segments[1:]
    if head == "*" and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _present(item, rest, f"{pointer}/{index}")
    elif head != "*" and isinstance(value, dict):
        if head in value:
            yield from _present(value[head], rest, pointer + to_pointer([head]))
    elif head.isdecimal() and isinstance(value, list):
        if int(head) < len(value):
            yield from _present(value[int(head)], rest, f"{pointer}/{head}")
    else:
        yield _Found(pointer, value, f"the value has no {head!r} in it, which the registry declares")


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
