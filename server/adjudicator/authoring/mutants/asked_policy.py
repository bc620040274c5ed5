"""One policy of a bundle with all that its tests asked of it: which of them could notice another row."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from adjudicator.authoring.asked import Request
from adjudicator.policy.casbin.roles import RoleGraph
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.patterns import ANY
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect, EvaluationError

REMEMBERED = 100_000
"""Answers that are kept; then it begins anew."""
_EFFECTS = tuple(Effect)


class AskedPolicy:
    """A policy, and the requests of each test. What rows match is asked once and kept."""

    def __init__(
        self,
        policy: Policy,
        rules: CompiledRules,
        requests: Sequence[Sequence[Request]],
        always: Collection[int],
    ) -> None:
        """`requests` are those of each test in turn; the tests of `always` could notice any change."""
        self.policy = policy
        self.rules = rules
        self._always = always
        self._answers: dict[tuple[Effect, Request], list[int]] = {}
        self._trials: dict[Request, set[int]] = defaultdict(set)
        self._by_row: dict[int, set[int]] = defaultdict(set)
        self._by_keys: dict[tuple[str, str, str], list[Request]] = defaultdict(list)
        self._by_member: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._above = _above(policy)
        self._named = _named(policy)
        for number, asked in enumerate(requests):
            for request in asked:
                self._trials[request].add(number)
        for request in self._trials:
            self._note(request)

    def every(self, effect: Effect, request: Request) -> list[int]:
        """The numbers of all rows of the effect that match. Raises EvaluationError."""
        key = (effect, request)
        known = self._answers.get(key)
        if known is None:
            if len(self._answers) >= REMEMBERED:
                self._answers.clear()
            known = self._answers[key] = self.rules.every(effect, request)
        return known

    def matched(self, number: int) -> set[int]:
        """The trials that asked something which the row matches."""
        return self._by_row.get(number, set()).union(self._always)

    def could_reach(self, fields: Sequence[str]) -> list[Request]:
        """What was asked that a row of these fields matches, if its pattern and conditions do."""
        return self._by_keys.get((fields[1], fields[2], fields[0]), [])

    def asking(self, requests: Iterable[Request]) -> set[int]:
        """The trials that asked any of this."""
        return {number for request in requests for number in self._trials[request]}

    def relying_on(self, member: str, tenant: str) -> set[int]:
        """The trials that asked about the member of a role, or about whoever has it as a role."""
        return self._by_member.get((member, tenant), set()).union(self._always)

    def held_without(self, subject: str, link: tuple[str, str, str]) -> frozenset[str]:
        """The subject and its roles in the link's tenant, if the link were not there."""
        member, role, tenant = link
        found: set[str] = set()
        waiting = [subject]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                above = self._above.get((name, tenant), ())
                waiting += [each for each in above if (name, each) != (member, role)]
        return frozenset(found)

    def only_named_by(self, fields: Sequence[str]) -> str:
        """Whom no row names but the one of these fields, which may be a link; empty when others do."""
        return fields[0] if self._named[fields[0]] == 1 else ""

    @property
    def graph(self) -> RoleGraph:
        """Who has which role."""
        return self.policy.roles.graph

    def _note(self, request: Request) -> None:
        subject, tenant, thing = request[:3]
        trials = self._trials[request]
        for held in self.graph.held(subject, tenant):
            self._by_keys[tenant, thing, held].append(request)
            self._by_keys[tenant, ANY, held].append(request)
            self._by_member[held, tenant].update(trials)
        for number in self._matching(request):
            self._by_row[number].update(trials)

    def _matching(self, request: Request) -> Iterator[int]:
        for effect in _EFFECTS:
            try:
                yield from self.every(effect, request)
            except EvaluationError:
                # Which rows matter to a request that fails is not known, so each that it leads to does.
                engine = self.policy.engine
                for numbers in engine.could_match(effect.value, request) if engine else ():
                    yield from numbers


def _named(policy: Policy) -> Counter[str]:
    """How many rows begin with each subject or member."""
    named = Counter(fields[0] for fields in policy.rows.all_fields())
    named.update(fields[0] for fields in policy.roles.rows.all_fields())
    return named


def _above(policy: Policy) -> dict[tuple[str, str], list[str]]:
    above: dict[tuple[str, str], list[str]] = defaultdict(list)
    for member, role, tenant in policy.roles.rows.all_fields():
        above[member, tenant].append(role)
    return dict(above)
