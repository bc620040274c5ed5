"""What a path with wildcards may come to stand for. Used to deny and to ask, never to allow.

Nobody says here which program expands it, so that every kind of wildcard counts: `?`, `*` and `**`,
`[ab]` and `{a,b}`, and the shell's `@(a|b)`.
"""

import re
from functools import lru_cache

from adjudicator.config.limits import PATH_CHARS
from adjudicator.policy.folding import fold, loose_segments, scattered_words
from adjudicator.policy.globs import Wildcard

_WILDCARD = re.compile(r"[*?\[{]|[@!+]\(")
_OPENING = re.compile(r"\{|[@!+?*]\(")
_BETWEEN = re.compile(r"[,/|(){}]")
# A plain set is one character. Of one that is negated, nested or oddly closed only the outside is certain,
# and to some programs a separator in a set is one of its characters.
_SET = re.compile(r"(?P<one>\[[^\[\]/!^][^\[\]/]*\])|\[[^\[\]]+/[^\[\]]*\]|\[[^/]*\]")
_PARENT = Wildcard.compile("..")


def has_wildcard(text: str) -> bool:
    """Whether some program may expand the text to others."""
    return _WILDCARD.search(fold(text)) is not None


@lru_cache(maxsize=256)  # each rule asks again for the same few paths of a call
def expansions(path: str, *, scattered: bool) -> tuple[Wildcard | None, ...]:
    """Globs, segment by segment, for all that the path may be expanded to; None is any number of them.

    `scattered` takes a value that is no plain path apart at all that may stand beside a path. A value
    longer than any path may stand for anything.
    """
    if len(path) > PATH_CHARS:
        return (None,)
    text = _SET.sub(lambda found: "?" if found["one"] else "*", _without_alternatives(fold(path)))
    globs: list[Wildcard | None] = []
    for word in scattered_words(text) if scattered else loose_segments(text):
        if word == "..":
            del globs[-1 if globs and globs[-1] is not None else len(globs) :]
        elif word.startswith(".") and Wildcard.compile(word).meets(_PARENT):
            globs = [None]  # older shells expand `.*` to `..` as well
        else:
            globs.append(None if "**" in word else Wildcard.compile(word))
    return tuple(globs)


def _without_alternatives(text: str) -> str:
    """The text with a star for all from the first alternative to the last.

    Where a separator is among them nothing is certain of the segments that they begin and end in, and
    where they may come to `..` nothing is of all before.
    """
    opening = _OPENING.search(text)
    closing = max(text.rfind("}"), text.rfind(")"))
    if opening is None or closing < opening.start():
        return text
    before, _, head = text[: opening.start()].rpartition("/")
    tail, separator, after = text[closing + 1 :].partition("/")
    alternatives = _BETWEEN.split(text[opening.end() : closing])
    if any(_is_dots(alternative) for alternative in alternatives) or _is_dots(head + tail):
        return f"**{separator}{after}"
    inner = f"{head}*{tail}" if "/" not in text[opening.start() : closing] else "**"
    return f"{before}/{inner}{separator}{after}"


def _is_dots(text: str) -> bool:
    return bool(text) and not text.strip(".")
