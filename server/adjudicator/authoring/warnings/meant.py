"""Comments by which an author says that a warning is meant: where they are, and what they accept."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adjudicator.authoring.warnings.tool_schemas import ToolSchema, output_schemas, tool_schemas
from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.source import TESTS, Source

_MARK = "meant:"
_LINE = re.compile(r"[ \t]*#[ \t]*meant:(.*)")
_COMMENT = re.compile(r"[ \t]*#")
_CODES = {code.value: code for code in Code if code is not Code.MEANT}
_FORM = "`# meant: CODE, why`"

_Key = tuple[str, int, int, Code]
"""File, line, column and code of a warning; 0 is any column of the line."""


@dataclass(frozen=True, slots=True)
class Meant:
    """One such comment with its place, what is wrong with it, and the warnings that it would accept."""

    file: str
    line: int
    column: int
    fault: str
    accepts: tuple[_Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Sorted:
    """The warnings that are left, those about comments among them, and how many were accepted."""

    warnings: tuple[BundleWarning, ...]
    accepted: int


@dataclass(slots=True)
class Acceptance:
    """All the comments of one bundle. It remembers which of them accepted something."""

    comments: tuple[Meant, ...]
    _by_key: dict[_Key, list[int]] = field(init=False)
    _used: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._by_key = defaultdict(list)
        for number, comment in enumerate(self.comments):
            for key in comment.accepts:
                self._by_key[key].append(number)

    def accepts(self, warning: BundleWarning) -> bool:
        """Whether a comment says that the warning is meant."""
        numbers = [
            number
            for column in (0, warning.column)
            for number in self._by_key.get((warning.file, warning.line, column, warning.code), ())
        ]
        self._used.update(numbers)
        return bool(numbers)

    def faults(self) -> Iterator[BundleWarning]:
        """A warning for each comment that is wrong, or has accepted nothing so far."""
        for number, comment in enumerate(self.comments):
            fault = comment.fault
            if not fault and number not in self._used:
                fault = "there is no such warning here any more; take the comment away"
            if fault:
                yield BundleWarning(comment.file, comment.line, comment.column, Code.MEANT, fault)


def sort_out(bundle: OpenBundle, found: Sequence[BundleWarning]) -> Sorted:
    """The warnings without those that a comment of the bundle accepts."""
    acceptance = Acceptance((*_in_lines(bundle), *_in_schemas(bundle)))
    kept = [warning for warning in found if not acceptance.accepts(warning)]
    return Sorted((*kept, *acceptance.faults()), len(found) - len(kept))


def _in_lines(bundle: OpenBundle) -> Iterator[Meant]:
    for name, source in bundle.sources.files.items():
        if (
            name.endswith((".csv", ".yaml", ".conf"))
            and not name.startswith(f"{TESTS}/")
            and _MARK in source.text
        ):
            yield from _of_file(source)


def _of_file(source: Source) -> Iterator[Meant]:
    """Each comment is about the next line that is none."""
    waiting: list[tuple[int, int, str]] = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        if _COMMENT.match(line) is None:
            yield from (_meant(source.name, *each, places=((number, 0),)) for each in waiting)
            waiting.clear()
        elif (found := _LINE.fullmatch(line.removesuffix("\r"))) is not None:
            waiting.append((number, line.index("#") + 1, found[1]))


def _in_schemas(bundle: OpenBundle) -> Iterator[Meant]:
    for schema in (*tool_schemas(bundle), *output_schemas(bundle)):
        for part, text in schema.comments():
            if text.startswith(_MARK):
                yield _of_part(schema, part, text.removeprefix(_MARK))


def _of_part(schema: ToolSchema, part: tuple[str, ...], text: str) -> Meant:
    """A comment of a schema is about its part, and about the properties that are described in there."""
    places = tuple(schema.places.at(path) for path in (part, *schema.properties(part)))
    at = schema.places.at((*part, "$comment"))
    return _meant(schema.file, *at, text, places=places)


def _meant(file: str, line: int, column: int, text: str, places: tuple[tuple[int, int], ...]) -> Meant:
    word, _, why = text.partition(",")
    code = _CODES.get(word.strip())
    if code is None:
        known = ", ".join(f"`{known}`" for known in _CODES)
        return Meant(
            file, line, column, f"{word.strip()!a} is not a code that can be meant; write one of {known}"
        )
    if not why.strip():
        return Meant(file, line, column, f"it does not say why `{code.value}` is meant; write {_FORM}")
    return Meant(file, line, column, "", tuple((file, *place, code) for place in places))
