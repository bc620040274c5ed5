"""`adjudicator` with a policy by which people of the studio decide, whatever the bundle says of people.

bob is entitled in the archive alone, and a stranger nowhere.
"""

from dataclasses import replace

from adjudicator.app import sidecar
from adjudicator.cli.main import main
from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import ApproverRules

_admit = sidecar.admit


class People(ApproverRules):
    """Entitles by name, always the same."""

    version = "1"

    def may_decide(self, actor, tenant, _tool, _priority):
        """See ApproverRules."""
        return RuleRef("approvers.csv", 1, "p") if tenant in self.tenants(actor) else None

    def people(self):
        """See ApproverRules."""
        return frozenset({"user:operator"})

    def has_role(self, *_):
        """See ApproverRules."""
        return False

    def tenants(self, actor):
        """See ApproverRules."""
        if actor == "user:stranger":
            return frozenset()
        return frozenset({"archive" if actor == "user:bob" else "studio"})


def _admit_with_people(folder, limits):
    bundle = _admit(folder, limits=limits)
    return replace(bundle, snapshot=replace(bundle.snapshot, approvers=People()))


if __name__ == "__main__":
    sidecar.admit = _admit_with_people
    main()
