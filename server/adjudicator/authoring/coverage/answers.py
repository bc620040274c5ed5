"""Which rows of one policy answered what tests asked, and with which effect."""

from collections.abc import Iterable, Iterator

from adjudicator.authoring.asked import Request
from adjudicator.authoring.coverage.report import Item
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.bundle_settings import BundleSettings
from adjudicator.policy.compiled_rules import CompiledRules
from adjudicator.policy.model import RULES
from adjudicator.policy.policy_reader import Policy
from adjudicator.policy.snapshot import Effect, EvaluationError

_NOTHING = "nothing matches"
# The order in which the chain asks; only the rule chain asks for the last.
_ORDER = (Effect.DENY, Effect.ALLOW, Effect.ASK)


class Answers:
    """Asks the policy again what tests asked of it, and notes the rows: the first that matches answers."""

    def __init__(self, policy: Policy, rules: CompiledRules, settings: BundleSettings) -> None:
        self._policy = policy
        self._rules = rules
        self._asked: set[Request] = set()
        self._answered: set[int] = set()
        self._matched: set[int] = set()
        self._effects: set[str] = set()
        self._tools: set[str] = set()
        self.listed: dict[str, tuple[Effect, RuleRef]] = (
            settings.listed if policy.shape.name == RULES.name else {}
        )

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self._policy.rows)

    def add(self, requests: Iterable[Request]) -> None:
        """Note what answers these."""
        for request in requests:
            if request not in self._asked:
                self._asked.add(request)
                self._note(request)

    def row_items(self) -> Iterator[Item]:
        """An item for each `p` row, which is covered when it answered something."""
        for number in range(len(self._policy.rows)):
            ref = self._policy.rows.ref(number)
            yield Item(ref.text, ref.file, ref.line, number in self._answered, number in self._matched)

    def listed_items(self) -> Iterator[Item]:
        """An item for each tool that is listed for everybody."""
        for tool, (_, ref) in self.listed.items():
            yield Item(ref.text, ref.file, ref.line, tool in self._tools)

    def effect_items(self) -> Iterator[Item]:
        """An item for each effect that the policy has, and one for what no row matches."""
        column = self._policy.shape.policy.index("eft")
        has = {fields[column] for fields in self._policy.rows.all_fields()}
        has |= {effect.value for effect, _ in self.listed.values()}
        name = self._policy.shape.name
        for word in [effect.value for effect in _ORDER if effect.value in has] + [_NOTHING]:
            yield Item(f"{name}: {word}", covered=word in self._effects)

    def _note(self, request: Request) -> None:
        """The first effect of which something matches is the answer; what matches besides is noted too."""
        is_answered = False
        for effect in _ORDER:
            try:
                numbers = self._rules.every(effect, request)
            except EvaluationError:
                return
            self._matched.update(numbers)
            is_listed = not numbers and self._is_listed(effect, request)
            if not is_answered and (numbers or is_listed):
                is_answered = True
                self._effects.add(effect.value)
                self._answered.update(numbers[:1])
                self._tools.update([request[2]] if is_listed else ())
        if not is_answered:
            self._effects.add(_NOTHING)

    def _is_listed(self, effect: Effect, request: Request) -> bool:
        """Whether the lists answer; they say nothing of what another facet answers for."""
        listed = self.listed.get(request[2])
        return listed is not None and listed[0] is effect and not request[-1].mention
