"""Parts of a schema that references lead to, each taken once for each way in which it is used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote

from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.authoring.imports.schemas_taken.dialects import check_is_schema
from adjudicator.authoring.imports.schemas_taken.types import target_of
from adjudicator.domain.call import quoted
from adjudicator.domain.json_pointer import parts_of
from adjudicator.policy.schema_checks import Draft
from adjudicator.policy.schema_parts import subschemas


class NotTakenError(Exception):
    """A part that can be stated neither exactly nor more strictly; the text says why."""


@dataclass(frozen=True, slots=True)
class Use:
    """How a part is used: `exact` where being stricter would let more pass, as under a `not`.

    `closed` says that the part has to close an object itself; what is combined leaves that to the whole.
    """

    exact: bool = False
    closed: bool = True


Take = Callable[[Any, tuple[str, ...], Use], Any]


class Hoisted:
    """The definitions that are referred to, by what leads to them and how they are used."""

    def __init__(self, root: dict[str, Any], draft: Draft, take: Take) -> None:
        self._root = root
        self._draft = draft
        self._take = take
        self._names: dict[tuple[str, Use], str] = {}
        self._taken: dict[str, Any] = {}
        self._inexact = False

    def reference(self, reference: Any, use: Use) -> str:
        """The reference to the definition that says the same. Raises NotTakenError."""
        target = self._target(reference)
        if use.exact and self._inexact:
            raise NotTakenError("refers to what cannot be stated exactly")
        name = self._names.get((reference, use))
        if name is None:
            name = self._hoist(reference, target, use)
        if self._taken.get(name) is None and name in self._taken:
            raise NotTakenError(f"refers to {quoted(reference)}, which cannot be taken")
        return f"#/$defs/{name}"

    def definitions(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Those that the schema needs; what could not be taken accepts nothing."""
        needed: dict[str, Any] = {}
        waiting = [schema]
        while waiting:
            for _, part in subschemas(waiting.pop()):
                name = part.get("$ref", "").removeprefix("#/$defs/")
                if name and name not in needed:
                    taken = self._taken[name]
                    needed[name] = False if taken is None else taken
                    waiting.append(needed[name])
        return dict(sorted(needed.items()))

    def _hoist(self, reference: str, target: Any, use: Use) -> str:
        name = next(each for each in _names_for(reference) if each not in self._names.values())
        self._names[reference, use] = name
        try:
            self._taken[name] = self._take(target, tuple(parts_of(unquote(reference))), use)
        except NotTakenError:
            # What refers to it meanwhile is not exact either.
            self._inexact = self._inexact or use.exact
            self._taken[name] = None
            raise
        return name

    def _target(self, reference: Any) -> Any:
        try:
            target = target_of(self._root, str(reference))
        except KeyError:
            _refuse(f"refers to {quoted(str(reference))}, which is no place in it; nothing is ever fetched")
        if not isinstance(target, bool):
            try:
                check_is_schema(target, self._draft)
            except (ImportFaultError, AttributeError):
                _refuse(f"refers to {quoted(str(reference))}, which is no schema")
        return target


def _refuse(why: str) -> NoReturn:
    raise NotTakenError(why)


def _names_for(reference: str) -> Iterator[str]:
    last = reference.rpartition("/")[2]
    plain = "".join(char for char in last if (char.isascii() and char.isalnum()) or char in "_-") or "whole"
    yield plain
    number = 2
    while True:
        yield f"{plain}-{number}"
        number += 1
