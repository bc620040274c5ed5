"""What mutants are judged on: a bundle, its tests, and what each of them asked of it unchanged."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from adjudicator.authoring.asked import EVERY, Asked, Entry, noted
from adjudicator.authoring.mutants.asked_policy import AskedPolicy
from adjudicator.authoring.mutants.changed_rules import ChangedEntitlements, ChangedRules
from adjudicator.authoring.progress import Progress
from adjudicator.authoring.trials import Trial
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import PERMISSION, RULES, SCOPE
from adjudicator.policy.snapshot import Snapshot
from adjudicator.policy.tool_lists import ListedTools


class Grounds:
    """Built once; every mutant is then judged in time that does not grow with the bundle."""

    def __init__(self, bundle: OpenBundle, trials: Sequence[Trial], progress: Progress) -> None:
        """Runs every trial once. Those that fail already could notice nothing, and are left out."""
        self.bundle = bundle
        self.snapshot = bundle.snapshot
        self.failing: list[Trial] = []
        passing: list[tuple[Trial, Asked]] = []
        for number, trial in enumerate(trials):
            progress("running the tests", number, len(trials))
            asked = Asked()
            if trial.fails(noted(self.snapshot, asked)):
                self.failing.append(trial)
            else:
                passing.append((trial, asked))
        self.trials = [trial for trial, _ in passing]
        self._by_entry: dict[Entry, list[int]] = defaultdict(list)
        for number, (_, asked) in enumerate(passing):
            for entry in asked.entries:
                self._by_entry[entry].append(number)
        self.policies = {
            name: AskedPolicy(
                policy,
                bundle.rule_sets[name],
                [list(asked.requests[name]) for _, asked in passing],
                self._by_entry.get((name, EVERY), ()),
            )
            for name, policy in bundle.policies.items()
        }

    def everybody(self) -> range:
        """The numbers of all trials."""
        return range(len(self.trials))

    def asking(self, kind: str, code: str) -> list[int]:
        """The trials that asked for this entry of the registry, or this contract."""
        own, every = self._by_entry.get((kind, code)), self._by_entry.get((kind, EVERY))
        return sorted({*(own or ()), *(every or ())})

    def with_rules(self, name: str, rules: ChangedRules) -> Snapshot:
        """The snapshot with another rule set in the place of the one of this name."""
        if name == PERMISSION.name:
            return replace(self.snapshot, permission=rules)
        if name == SCOPE.name:
            return replace(self.snapshot, scope=rules)
        if name == RULES.name:
            return replace(self.snapshot, rules=ListedTools(rules, self.bundle.settings.listed))
        return replace(self.snapshot, approvers=ChangedEntitlements(rules, self.snapshot))
