"""What is known of programs that run others, or write, by their own flags and operands; read from data."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from adjudicator.domain.facet import Opacity, Opaque
from adjudicator.facets.shell.program import Program

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LISTS = frozenset({"runs", "lists", "valued", "harmless", "queries", "known"})
_FLAGS = frozenset({"stdin", "through", "writes", "bare", "evaluates", "assigns", "sets"})
_KEYS = (
    _LISTS
    | _FLAGS
    | {"names", "prefixes", "subcommands", "always", "operands", "script", "inner", "skip"}
    | {"module", "reads"}
)


class Catalogue:
    """The programs by their names."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self._programs = {name: program for program in programs for name in program.names}

    def get(self, name: str) -> Program | None:
        """What is known of a program, by its base name; a version at its end does not count."""
        found = self._programs.get(name)
        if found is None and name[-1:].isdigit():
            found = self._programs.get(name.rstrip("0123456789."))
        return found


@cache
def shipped_catalogue() -> Catalogue:
    """The catalogue that comes with the product."""
    return Catalogue(shipped_programs())


def shipped_programs() -> list[Program]:
    """The entries of the shipped catalogue, in order."""
    text = files("adjudicator.facets.shell").joinpath("catalogue.yaml").read_text(encoding="utf-8")
    entries = yaml.load(text, _Loader)  # noqa: S506 - a safe loader, in C where there is one
    return [_program(entry) for entry in entries]


def _program(entry: Mapping[str, Any]) -> Program:
    unknown = entry.keys() - _KEYS
    if unknown:
        raise ValueError(f"catalogue.yaml: {entry.get('names')}: unknown {', '.join(sorted(unknown))}")
    below = [_program(each) for each in entry.get("subcommands", ())]
    return Program(
        names=tuple(entry["names"].split()),
        prefixes=tuple(entry.get("prefixes", "").split()),
        subcommands={name: each for each in below for name in each.names},
        always=_always(entry),
        script=entry.get("script", ""),
        inner=entry.get("inner", ""),
        skip=entry.get("skip", 0),
        module=entry.get("module", ""),
        reads=entry.get("reads", 0),
        **_lists(entry),
        **_flags(entry),
    )


def _lists(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: frozenset(entry.get(key, "").split()) for key in _LISTS}


def _flags(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry.get(key, False) for key in _FLAGS}


def _always(entry: Mapping[str, Any]) -> Opaque | None:
    if "operands" in entry:
        return Opaque(Opacity.OPERANDS, entry["operands"])
    return Opaque(Opacity.PROGRAM_RUN, entry["always"]) if "always" in entry else None
