"""Where in a JSON text its values stand, for who edits the text or names a line of it."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from adjudicator.authoring.item_places import between_commas

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')

Path = tuple[str, ...]


@dataclass(slots=True)
class Member:
    """One member of an object, or item of a list: offsets into the text. `start` is that of its name."""

    start: int
    value: int
    end: int = 0
    parent: Path = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class JsonPlaces:
    """The members of a text that is sound JSON, by path."""

    text: str
    members: dict[Path, Member] = field(default_factory=dict)
    children: dict[Path, list[Member]] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "JsonPlaces":
        """Read where everything is."""
        places = cls(text, lines=[0, *(found.end() for found in re.finditer("\n", text))])
        tokens = _TOKEN.finditer(text)
        first = next(tokens, None)
        if first is not None:
            places._read(first, tokens, ())
        return places

    def at(self, path: Path) -> tuple[int, int]:
        """The line and column, from 1, of the member at the path: of its name, of an item its value.

        Raises KeyError for what is not there.
        """
        offset = self.members[path].start if path else len(self.text) - len(self.text.lstrip())
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def line(self, path: Path) -> int:
        """The line of the member at the path, from 1; 0 for what is not there."""
        member = self.members.get(path)
        return bisect_right(self.lines, member.start) if member else 0

    def without(self, path: Path) -> tuple[int, int]:
        """What to cut out so that the text is sound without the member at the path."""
        member = self.members[path]
        # Of a long list only the neighbours, so that taking out each in turn is no square of it.
        first = max(0, member.place - 1)
        near = self.children[member.parent][first : member.place + 2]
        return between_commas([(each.start, each.end) for each in near], member.place - first)

    def _read(self, token: re.Match[str], tokens: Iterator[re.Match[str]], path: Path) -> int:
        """Read the value that begins with this token; answers where it ends."""
        if token[0] == "{":
            return self._read_object(tokens, path)
        if token[0] == "[":
            return self._read_list(tokens, path)
        return token.end()

    def _read_object(self, tokens: Iterator[re.Match[str]], path: Path) -> int:
        for token in tokens:
            if token[0] == "}":
                return token.end()
            if token[0] != ",":
                next(tokens)  # the colon
                value = next(tokens)
                self._add(path, json.loads(token[0]), Member(token.start(), value.start()), value, tokens)
        raise ValueError("the text ends inside of an object")

    def _read_list(self, tokens: Iterator[re.Match[str]], path: Path) -> int:
        count = 0
        for token in tokens:
            if token[0] == "]":
                return token.end()
            if token[0] != ",":
                self._add(path, str(count), Member(token.start(), token.start()), token, tokens)
                count += 1
        raise ValueError("the text ends inside of a list")

    def _add(
        self, path: Path, name: str, member: Member, value: re.Match[str], tokens: Iterator[re.Match[str]]
    ) -> None:
        siblings = self.children.setdefault(path, [])
        member.parent, member.place = path, len(siblings)
        siblings.append(member)
        self.members[*path, name] = member
        member.end = self._read(value, tokens, (*path, name))
