"""The functions that a Casbin matcher may call beside `g`. Register them and stock Casbin agrees."""

from collections.abc import Callable, Mapping
from inspect import signature

from adjudicator.domain.facet import Facet
from adjudicator.policy.patterns import Pattern, parse_pattern
from adjudicator.policy.snapshot import Effect


class FacetMatch:
    """`facet_match(r.facet, p.argument, p.unless, p.eft)`, with each pattern parsed once.

    The effect decides how closely the pattern is compared: allow exactly, ask and deny loosely. An
    exception is compared the other way round, so that it too errs on the side of not allowing.
    """

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, bool], Pattern] = {}

    def __call__(self, facet: Facet, argument: str, unless: str, effect: str) -> bool:
        """Whether a row with this argument, exception and effect speaks about the facet."""
        loose = Effect(effect) is not Effect.ALLOW
        if not self._pattern(argument, loose=loose).matches(facet):
            return False
        return not (unless and self._pattern(unless, loose=not loose).matches(facet))

    def _pattern(self, text: str, *, loose: bool) -> Pattern:
        key = (text, loose)
        if key not in self._parsed:
            self._parsed[key] = parse_pattern(text, loose=loose)
        return self._parsed[key]


def function_arity() -> Mapping[str, int]:
    """Every function that a matcher may call, `g` too, with the number of its arguments."""
    own = {name: len(signature(function).parameters) for name, function in matcher_functions().items()}
    return {"g": 3, **own}


def matcher_functions() -> Mapping[str, Callable[..., bool]]:
    """New matcher functions by the name under which a model calls them."""
    return {"facet_match": FacetMatch()}
