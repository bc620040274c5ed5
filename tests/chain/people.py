"""Approver rules by which everybody decides, or some people, on all or on some of what there is."""

import hashlib

from adjudicator.domain.verdict import RuleRef
from adjudicator.policy.snapshot import EvaluationError


class Everybody:
    """Entitles every person to everything in the studio."""

    version = "everybody"

    def may_decide(self, actor, tenant, _tool, _priority):
        """See ApproverRules."""
        entitled = actor.startswith("user:") and tenant == "studio"
        return RuleRef("approvers.csv", 1, "everybody") if entitled else None

    def has_role(self, _actor, _role, _tenant):
        """See ApproverRules."""
        return False

    def people(self):
        """See ApproverRules."""
        return frozenset(f"user:{name}" for name in ("ann", "bob", "eve", "coder", "designer"))

    def tenants(self, actor):
        """See ApproverRules."""
        return frozenset({"studio"}) if actor.startswith("user:") else frozenset()


class Only(Everybody):
    """Entitles these people to everything in the studio, and no others."""

    def __init__(self, *names):
        self.names = {f"user:{name}" for name in names}
        self.version = ",".join(sorted(names))

    def may_decide(self, actor, tenant, tool, priority):
        """See ApproverRules."""
        return super().may_decide(actor, tenant, tool, priority) if actor in self.names else None

    def people(self):
        """See ApproverRules."""
        return frozenset(self.names)

    def tenants(self, actor):
        """See ApproverRules."""
        return frozenset({"studio"} if actor in self.names else ())


class People:
    """Entitles from a set of (actor, tenant, tool, highest priority)."""

    def __init__(self, *rows, broken=False):
        self.rows = rows
        self.broken = broken
        self.version = hashlib.sha256(repr((rows, broken)).encode()).hexdigest()

    def may_decide(self, actor, tenant, tool, priority):
        """See ApproverRules."""
        if self.broken:
            raise EvaluationError("division by zero")
        for who, where, what, most in self.rows:
            if (who, where, what) == (actor, tenant, tool) and priority.rank <= most.rank:
                return RuleRef("approvers.csv", 1, "p")
        return None

    def has_role(self, *_):
        """See ApproverRules."""
        return False

    def tenants(self, actor):
        """See ApproverRules."""
        return frozenset(where for who, where, *_ in self.rows if who == actor)

    def people(self):
        """See ApproverRules."""
        return frozenset(who for who, *_ in self.rows)
