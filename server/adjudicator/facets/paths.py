"""Where a path leads, as far as its text tells: normalised, or opaque with the reason. Opens no file."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from adjudicator.config.limits import PATH_CHARS
from adjudicator.domain.invisible import has_unprintable
from adjudicator.domain.system_links import leads_elsewhere

_VARIABLE = re.compile(r"\$[A-Za-z_{(]|%[A-Za-z_][A-Za-z0-9_]*%")
_WILDCARD = re.compile(r"[*?]|[@!+]\(")
_LINKED = "the path goes through a link of the system, such as /proc/self/root"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Place:
    """A path's normalised text, the part below the working directory, and why it is not certain."""

    text: str
    inside: str | None = None
    opaque: str | None = None


@dataclass(frozen=True, slots=True)
class WorkingDirectory:
    """The call's working directory. `path` is empty when none was stated or it cannot be used."""

    path: str
    opaque: str | None = None
    parts: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()

    @classmethod
    @lru_cache(maxsize=256)  # an agent works in one folder for a long time
    def parse(cls, text: str) -> Self:
        """The working directory that a call states; one that is not absolute and clean is not used."""
        if not text:
            return cls("")
        if (
            _uncertainty(text) is not None
            or not text.startswith("/")
            or _normalised(text) != _unended(text)
        ):
            return cls("", opaque="the call's working_directory is not an absolute, normalised path")
        path = _unended(text)
        parts = tuple(_parts(path))
        return cls(path, parts=parts, folded=tuple(map(_folded, parts)))

    def below(self, path: str) -> tuple[str | None, bool]:
        """The part of an absolute path below this directory, and whether it is spelled the same way."""
        if not self.path:
            return None, True
        parts = _parts(path)
        head, rest = tuple(parts[: len(self.parts)]), parts[len(self.parts) :]
        same = head == self.parts
        if not same and tuple(map(_folded, head)) != self.folded:
            return None, True
        return "/".join(rest) or ".", same


def place(path: str, directory: WorkingDirectory) -> Place:
    """Where the path leads: `.`, `..` and repeated separators resolved by their text alone.

    What another program might read differently is opaque and keeps its text: home folders, variables,
    drives, schemes, wildcards, backslashes, and characters that are not drawn. Links of the system, such as
    `/proc/self/root`, are opaque as well.
    """
    opaque = _uncertainty(path)
    if opaque is not None:
        return Place(_joined_as_is(path, directory), opaque=opaque)
    if path.startswith("/"):
        if leads_elsewhere(path):
            return Place(path, opaque=_LINKED)
        return _absolute(_normalised(path), directory)
    if directory.opaque is not None:
        return Place(path, opaque=directory.opaque)
    if directory.path:
        return _absolute(_normalised(f"{directory.path}/{path}"), directory)
    relative = _normalised(path)
    if relative == ".." or relative.startswith("../"):
        return Place(path, opaque="the path leaves a working directory that the call does not state")
    # Deny still looks inside; no Allow does, for nobody knows whether this leads to /etc.
    return Place(relative, relative, "the path is relative and the call states no working_directory")


def _absolute(path: str, directory: WorkingDirectory) -> Place:
    inside, same = directory.below(path)
    if leads_elsewhere(path):
        return Place(path, inside, opaque=_LINKED)
    if same:
        return Place(path, inside)
    return Place(path, inside, opaque="the path spells the working directory in another way")


def _joined_as_is(path: str, directory: WorkingDirectory) -> str:
    rooted = path.startswith(("/", "\\", "~", "$", "%")) or _SCHEME.match(path) is not None
    return path if rooted or not directory.path else f"{directory.path}/{path}"


def _uncertainty(path: str) -> str | None:
    """Why the path's text does not say for certain where it leads; None when it does."""
    if not path or path != path.strip():
        return "the path is empty, or begins or ends with a blank"
    if len(path) > PATH_CHARS:
        return f"the path is longer than {PATH_CHARS} characters"
    if has_unprintable(path):
        return "the path has a control character, or one that is not drawn"
    if "\\" in path:
        return "the path has a backslash"
    if path.startswith("~") or _VARIABLE.search(path) is not None:
        return "the path begins with a home folder or has a variable in it"
    if path.startswith("//") and not path.startswith("///"):
        return "the path may name another machine"
    return _ambiguity(path)


def _ambiguity(path: str) -> str | None:
    if _SCHEME.match(path) is not None:
        return "the path begins with a drive or a scheme"
    if _WILDCARD.search(path) is not None or _has_alternatives(path):
        return "the path has a wildcard, so it may stand for others"
    if not path.isascii() and _separators(unicodedata.normalize("NFKC", path)) != _separators(path):
        return "the path has a character that may be read as a separator or a dot"
    return None


def _has_alternatives(path: str) -> bool:
    """Whether a shell makes several paths of it: `{a,b}`, `{1..3}`. A name as `{slug}` stays what it is."""
    inner = path[path.find("{") : path.rfind("}")] if "{" in path else ""
    return "," in inner or ".." in inner


def _separators(path: str) -> list[str]:
    return [char for char in path if char in "/\\.*?~$%"]


def _normalised(path: str) -> str:
    absolute = path.startswith("/")
    parts: list[str] = []
    for part in _parts(path):
        if part != "..":
            parts.append(part)
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not absolute:
            parts.append(part)
    text = "/".join(parts)
    return f"/{text}" if absolute else text or "."


def _unended(path: str) -> str:
    return path.rstrip("/") or "/"


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
