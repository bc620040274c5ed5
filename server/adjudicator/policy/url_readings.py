"""The ways in which a server, and what stands before it, may read a URL's path. Never used to allow."""

import re
from collections.abc import Iterator
from functools import lru_cache

from adjudicator.domain.url import Url, decoded
from adjudicator.policy.folding import loose_segments, resolved

_ENCODED_DOT = re.compile("%2e", re.IGNORECASE)
_PARAMETER = re.compile(r";[^/\\]*")


@lru_cache(maxsize=256)  # each rule asks again for the same few URLs of a call
def readings(url: Url, *, doubted: bool) -> frozenset[tuple[str, ...]]:
    """The names in the path, folded and decoded, as one list for each reading.

    A path that is in no doubt has its dots resolved before anything else, and is read with and without
    `;` parameters. One in doubt is read with its dots resolved at each moment, and not at all, as well.
    """
    return frozenset(tuple(words) for words in _readings(url, doubted=doubted))


def _readings(url: Url, *, doubted: bool) -> Iterator[list[str]]:
    early = "/".join(resolved(_ENCODED_DOT.sub(".", url.path).split("/")))
    paths = (early, url.path) if doubted else (early,)
    for path in paths:
        text = decoded(path)
        for words in (loose_segments(text), loose_segments(_PARAMETER.sub("", text))):
            yield words
            if doubted:
                yield resolved(words)
