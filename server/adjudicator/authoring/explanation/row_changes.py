"""Changes of rows that could turn what the policies say about one call: each as narrow as it can be."""

from collections.abc import Iterator

from adjudicator.authoring.explanation.changes import Change, Defence
from adjudicator.authoring.explanation.exact_patterns import exact_pattern
from adjudicator.authoring.explanation.role_paths import RolePaths
from adjudicator.authoring.explanation.row_edits import added, changed, removed
from adjudicator.domain.facet import Facet
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES, WHEN
from adjudicator.policy.patterns import ANY
from adjudicator.policy.snapshot import ROLE, Effect, subject_of

_REASON = "say here why"
EXACT, FOR_ROLE = 0, 1
"""How much more than one call a row is about that is made for its agent alone, or for a role."""
_EXCEPTION, _EFFECT, _ROW = 2, 5, 7


class RowChanges:
    """Makes them for one agent in one tenant of one bundle."""

    def __init__(self, bundle: OpenBundle, agent: str, tenant: str) -> None:
        self._bundle = bundle
        self._agent = agent
        self._tenant = tenant

    def of(self, agent: str) -> "RowChanges":
        """The same for another agent of the call."""
        return RowChanges(self._bundle, agent, self._tenant)

    def subjects(self, name: str) -> Iterator[tuple[str, int]]:
        """Whom a new row could be for: the agent alone, then the nearest of its roles."""
        subject = subject_of(self._agent)
        yield subject, EXACT
        paths = RolePaths(self._bundle.policies[name].roles, subject, self._tenant)
        nearest = next((each for each in paths.held if each.startswith(ROLE)), None)
        if nearest is not None:
            yield nearest, FOR_ROLE

    def grant(self, name: str, thing: str) -> Iterator[Change]:
        """A row of permission, or of scope, that allows."""
        what = "hold the permission" if name == "permission" else "call tool"
        for subject, breadth in self.subjects(name):
            fields = (subject, self._tenant, thing, Effect.ALLOW.value)
            edit = added(self._bundle.policies[name], self._bundle.sources, fields)
            yield Change(f"let `{subject}` {what} `{thing}`", (edit,), breadth=breadth)

    def remove(self, name: str, number: int) -> Iterator[Change]:
        """A row that is there, taken away."""
        row = self._bundle.policies[name].rows[number]
        effect = Effect(row.fields[self._at(name, "eft")])
        defence = Defence.NONE if effect is Effect.ALLOW else Defence.REMOVES
        what = f"take away the {effect.value} row {row.ref} for `{row.fields[0]}`"
        yield Change(what, (removed(row, self._bundle.sources),), defence=defence, breadth=_ROW)

    def rule(self, tool: str, facet: Facet, effect: Effect) -> Iterator[Change]:
        """A row of the rule chain for exactly this value."""
        pattern = exact_pattern(facet, loose=effect is not Effect.ALLOW)
        if pattern is None:
            return
        policy = self._bundle.policies[RULES.name]
        for subject, breadth in self.subjects(RULES.name):
            when = (ALWAYS,) if WHEN in policy.shape.policy else ()
            fields = (subject, self._tenant, tool, pattern, "", *when, effect.value, _REASON)
            edit = added(policy, self._bundle.sources, fields)
            what = f"{effect.value} `{pattern}` for `{subject}` and tool `{tool}`"
            yield Change(what, (edit,), breadth=breadth)

    def exception(self, number: int, facet: Facet) -> Iterator[Change]:
        """An exception to a row for exactly this value, where the row has room for one."""
        row = self._bundle.policies[RULES.name].rows[number]
        effect = Effect(row.fields[self._at(RULES.name, "eft")])
        pattern = exact_pattern(facet, loose=effect is Effect.ALLOW)
        if pattern is None or row.fields[4] or row.fields[3] == ANY:
            return
        defence = Defence.OPENS if effect is Effect.DENY else Defence.NONE
        what = f"except `{pattern}` from the {effect.value} row {row.ref}"
        edit = changed(row, self._bundle.sources, 4, pattern)
        yield Change(what, (edit,), defence=defence, breadth=_EXCEPTION)

    def effect(self, number: int, effect: Effect) -> Iterator[Change]:
        """Another effect of a row, with whatever else the row is about."""
        row = self._bundle.policies[RULES.name].rows[number]
        column = self._at(RULES.name, "eft")
        edit = changed(row, self._bundle.sources, column, effect.value)
        what = f"make {row.ref} {effect.value} instead of {row.fields[column]}, with all that it is about"
        yield Change(what, (edit,), breadth=_EFFECT)

    def _at(self, name: str, column: str) -> int:
        return self._bundle.policies[name].shape.policy.index(column)
