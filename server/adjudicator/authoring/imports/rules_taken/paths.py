"""Globs over paths, as `.gitignore` has them or simpler, made into patterns of paths."""

from adjudicator.authoring.imports.forms.source_rules import PathSpec
from adjudicator.authoring.imports.rules_taken.taken import NotTranslatedError, Taken, checked
from adjudicator.policy.globs import DEEP

_HOMES = ("~/", "$HOME/", "${HOME}/")
_UNKNOWN = frozenset("[]{}\\;|")
_IN_HOME = "home is not known here: the path is denied, or asked about, below any folder"


def loose_path(spec: PathSpec, *, word: str) -> Taken:
    """A pattern for a Deny or an Ask: it matches whatever the glob matches, and all below that.

    Raises NotTranslatedError.
    """
    _refuse_negation(spec)
    anchor, body, remarks = _loose_anchor(spec)
    kept: list[str] = []
    for number, segment in enumerate(body):
        if segment == "..":
            anchor, kept = "**/", []
            remarks.append("`..` leads out of the folder: the rest of the path counts below any folder")
        elif _goes_on(spec, segment) and not _is_tail(body[number:], anchor, kept):
            kept.append(DEEP)
            remarks.append(f"wider than there: what stands behind `{'/'.join(kept)}` does not count")
            break
        elif _UNKNOWN & set(segment):
            kept.append("*")
            remarks.append(f"wider than there: `{segment}` is any name")
        else:
            kept.append(segment)
    if not kept or kept[-1] != DEEP:
        kept.append(DEEP)
    if anchor == "**/" and kept[0] == DEEP:
        kept = kept[1:] or [DEEP]
    return checked([f"{word}:{anchor}{'/'.join(kept)}"], remarks, loose=True)


def exact_path(spec: PathSpec) -> Taken:
    """A pattern for an Allow: the glob matches whatever it matches. Raises NotTranslatedError."""
    _refuse_negation(spec)
    if not _segments(spec.glob):
        raise NotTranslatedError("names no file")
    anchor, body, remarks = _exact_anchor(spec)
    if any(segment == ".." or _UNKNOWN & set(segment) for segment in body):
        raise NotTranslatedError("has `..`, or a character that has no meaning in a pattern of a path")
    if spec.crossing:
        kept = ["*" if segment.strip("*") == "" else _starred(segment) for segment in body]
        kept += [DEEP] if kept and kept[-1] == "*" else []
        if any("*" in segment for segment in body[:-1]):
            remarks.append("narrower than there: `*` stays within one name")
    else:
        kept = [segment if segment == DEEP else _starred(segment) for segment in body]
        if spec.glob.endswith("/"):
            kept.append(DEEP)
        elif kept[-1:] == [DEEP] and len(kept) > 1 and kept[-2] != DEEP:
            kept.insert(-1, "*")  # what is in a folder there, and not the folder
    return checked([f"path:{anchor}{'/'.join(kept)}"], remarks, loose=False)


def _refuse_negation(spec: PathSpec) -> None:
    if spec.glob.startswith("!"):
        raise NotTranslatedError("takes back what other rules say")


def _loose_anchor(spec: PathSpec) -> tuple[str, list[str], list[str]]:
    glob = spec.glob
    for home in _HOMES:
        if glob.startswith(home):
            return "**/", _segments(glob.removeprefix(home)), [_IN_HOME]
    if glob in ("~", "$HOME"):
        return "**/", [], [_IN_HOME]
    if glob.startswith("//") or (glob.startswith("/") and spec.rooted):
        return "/", _segments(glob), []
    if glob.startswith("/"):
        return "**/", _segments(glob), ["which folder the first `/` stands for is not known here: any"]
    body = _segments(glob)
    anywhere = not spec.crossing and not glob.startswith("./") and "/" not in glob.rstrip("/")
    starred = bool(body) and body[0].startswith("*") and not glob.startswith("./")
    return ("**/" if anywhere or starred else "./"), body, []


def _exact_anchor(spec: PathSpec) -> tuple[str, list[str], list[str]]:
    glob = spec.glob
    if glob.startswith(("~", "$")):
        raise NotTranslatedError("begins with home, which is not known here and never allowed")
    if glob.startswith("//") or (glob.startswith("/") and spec.rooted):
        return "/", _segments(glob), []
    if glob.startswith("/"):
        return "./", _segments(glob), ["taken as inside of the working directory of a call"]
    body = _segments(glob)
    anywhere = not spec.crossing and not glob.startswith("./") and "/" not in glob.rstrip("/")
    return "./", [DEEP, *body] if anywhere and body != [DEEP] else body, []


def _segments(glob: str) -> list[str]:
    return [segment for segment in glob.split("/") if segment not in ("", ".")]


def _goes_on(spec: PathSpec, segment: str) -> bool:
    """Whether a wildcard in the segment may stand for `/` too."""
    return bool(spec.crossing and {"*", "?"} & set(segment)) or (segment != DEEP and DEEP in segment)


def _is_tail(rest: list[str], anchor: str, kept: list[str]) -> bool:
    """Whether only the end of a name is left, which is one of a path's end too: `*.env`."""
    return (
        anchor == "**/"
        and not kept
        and len(rest) == 1
        and rest[0].startswith("*")
        and not {"*", "?"} & set(rest[0][1:])
    )


def _starred(segment: str) -> str:
    while DEEP in segment:
        segment = segment.replace(DEEP, "*")
    return segment
