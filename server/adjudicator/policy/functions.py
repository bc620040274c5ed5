"""What a bundle's matchers and conditions may call, and the same for stock Casbin."""

from collections.abc import Callable, Mapping

from adjudicator.domain.facet import Facet
from adjudicator.policy.casbin.functions import Matching, MatchingFunction, casbin_functions
from adjudicator.policy.facet_anchors import anchors, path_view, plain_path_anchors, view
from adjudicator.policy.patterns import Pattern, parse_pattern
from adjudicator.policy.snapshot import Effect

FACET_MATCH = "facet_match"


class FacetMatch:
    """`facet_match(r.facet, p.argument, p.unless, p.eft)`: whether a row speaks about a facet.

    The effect decides how closely the pattern is compared: allow exactly, ask and deny loosely. An
    exception is compared the other way round, so that it too errs on the side of not allowing.
    """

    patterns = 3

    def compile(self, *patterns: str) -> Matching:
        """The argument, exception and effect of a row; raises PatternError with advice."""
        argument, unless, effect = patterns
        loose = Effect(effect) is not Effect.ALLOW
        if not unless and (words := plain_path_anchors(argument, loose=loose)):
            return Matching(_when_asked(argument, loose=loose), words, path_view(loose=loose))
        pattern = parse_pattern(argument, loose=loose)
        if not unless:
            return Matching(pattern.matches, anchors(pattern), view(pattern))
        exception = parse_pattern(unless, loose=not loose)
        matches, excepts = pattern.matches, exception.matches
        return Matching(
            lambda facet: matches(facet) and not excepts(facet), anchors(pattern), view(pattern)
        )


def _when_asked(argument: str, *, loose: bool) -> Callable[[Facet], bool]:
    """Compiles a sound pattern when the first facet shows its words: most never meet one."""
    compiled: list[Pattern] = []

    def matches(facet: Facet) -> bool:
        if not compiled:
            compiled.append(parse_pattern(argument, loose=loose))
        return compiled[0].matches(facet)

    return matches


def rule_functions() -> Mapping[str, MatchingFunction]:
    """What the matcher of the rule chain may call."""
    return {FACET_MATCH: FacetMatch()}


def condition_functions() -> Mapping[str, MatchingFunction]:
    """What a condition in a row may call: Casbin's own functions."""
    return casbin_functions()


def matcher_functions() -> Mapping[str, Callable[..., bool]]:
    """New matcher functions by the name under which a model calls them, as stock Casbin takes them."""
    compiled: dict[tuple[str, str, str], Matching] = {}
    function = FacetMatch()

    def facet_match(facet: Facet, argument: str, unless: str, effect: str) -> bool:
        key = (argument, unless, effect)
        if key not in compiled:
            compiled[key] = function.compile(*key)
        return compiled[key].matches(facet)

    return {FACET_MATCH: facet_match}
