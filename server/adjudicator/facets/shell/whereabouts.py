"""Where relative paths lead in each part of a command line, as far as its `cd` commands say."""

import re
from collections.abc import Sequence

from adjudicator.facets.paths import Place, WorkingDirectory, place
from adjudicator.facets.shell.reading import Mark

# What is the same when it is normalised: no `.`, no `..`, nothing that `place` has doubts about.
_SIMPLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}){0,8}")
_MOST = 4
_LOST = "the path is relative to a folder that a `cd` before it leaves open"
_MOVES = frozenset({"cd", "chdir", "pushd", "popd"})


def moves(name: str) -> bool:
    """Whether the command changes the folder in which later ones run."""
    return name in _MOVES


class Whereabouts:
    """The folders in which the next command may run, as prefixes of its relative paths; None is any.

    A `cd` may fail, so behind one both folders are possible, but for what `&&` joins to it.
    """

    def __init__(self, directory: WorkingDirectory) -> None:
        self._directory = directory
        self._prefix = "" if directory.path in ("", "/") or directory.opaque else f"{directory.path}/"
        self._now: tuple[str, ...] | None = ("",)
        self._chain: tuple[str, ...] | None = ("",)  # every folder of the chain of `&&` that is read
        self._outer: list[tuple[tuple[str, ...] | None, tuple[str, ...] | None]] = []
        self._outside: set[str] = set()
        self.moved = False
        self._simple = True  # every folder so far is spelled so that nothing in it is to be resolved

    def pass_mark(self, mark: Mark) -> None:
        """Go on behind what stands between two commands."""
        if mark is Mark.OTHERWISE:
            self._now = self._chain
        elif mark is Mark.ENTER:
            self._outer.append((self._now, self._chain))
        elif mark is Mark.LEAVE and self._outer:
            self._now, self._chain = self._outer.pop()

    def move(self, words: Sequence[str], *, certain: bool) -> None:
        """Follow a `cd` with these words. `certain` is a plain one that runs once at most."""
        self.moved = True
        operands = [word for word in words[1:] if word not in ("--", "-L")]
        target = operands[0] if len(operands) == 1 and words[0] != "popd" else ""
        known = target and target[0] not in "-+~" and (certain or target.startswith("/"))
        if not known or self._now is None:
            self.lose()
        else:
            self._go([_joined(prefix, target) for prefix in self._now])

    def lose(self) -> None:
        """Go on behind a command that may have changed the folder in a way that is not known."""
        self.moved = True
        self._now = self._chain = None

    @property
    def elsewhere(self) -> bool:
        """Whether the next command may run outside of the call's working directory."""
        if not self.moved:
            return False
        return self._now is None or any(prefix in self._outside for prefix in self._now)

    def places(self, path: str) -> list[Place]:
        """Every place that the path may lead to."""
        if path.startswith("/"):
            return [place(path, self._directory)]
        if self._now is None:
            return [Place(path, opaque=_LOST)]
        if self._prefix and _SIMPLE.fullmatch(path) and (self._simple or not self.moved):
            inside = [f"{prefix}/{path}" if prefix else path for prefix in self._now]
            return [Place(self._prefix + each, each) for each in inside]
        return [place(_joined(prefix, path), self._directory) for prefix in self._now]

    def _go(self, prefixes: list[str]) -> None:
        found = [place(prefix, self._directory) for prefix in prefixes]
        if self._chain is None or any(each.opaque and each.inside is None for each in found):
            self.lose()
            return
        self._outside.update(
            prefix for prefix, each in zip(prefixes, found, strict=True) if each.inside is None
        )
        self._simple = self._simple and all(map(_SIMPLE.fullmatch, prefixes))
        self._now = tuple(dict.fromkeys(prefixes))
        self._chain = tuple(dict.fromkeys((*self._chain, *self._now)))
        if len(self._chain) > _MOST:
            self.lose()


def _joined(prefix: str, path: str) -> str:
    if not prefix or path.startswith(("/", "~", "$")):
        return path
    return f"{prefix.rstrip('/')}/{path}" if path else prefix
