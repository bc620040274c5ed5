"""All the lints, in the order in which an author meets what they are about, and the one run of them."""

from collections.abc import Callable, Iterator

from adjudicator.authoring.progress import Progress, unheard
from adjudicator.authoring.warnings.blank_values import blank_values
from adjudicator.authoring.warnings.denied_rows import denied_rows
from adjudicator.authoring.warnings.duplicate_rows import duplicate_rows
from adjudicator.authoring.warnings.empty_roles import empty_roles
from adjudicator.authoring.warnings.idle_agents import idle_agents
from adjudicator.authoring.warnings.meant import Sorted, sort_out
from adjudicator.authoring.warnings.missing_approvers import missing_approvers
from adjudicator.authoring.warnings.open_allows import open_allows
from adjudicator.authoring.warnings.read_only_rows import read_only_rows
from adjudicator.authoring.warnings.switched_off import switched_off
from adjudicator.authoring.warnings.tools_without_rules import tools_of_no_tenant, tools_without_rules
from adjudicator.authoring.warnings.undeclared_arguments import undeclared_arguments
from adjudicator.authoring.warnings.unheld_permissions import unheld_permissions
from adjudicator.authoring.warnings.unmatched_rows import unmatched_rows
from adjudicator.authoring.warnings.unreached_rows import unreached_rows
from adjudicator.authoring.warnings.warning import BundleWarning
from adjudicator.authoring.warnings.writing_critics import writing_critics
from adjudicator.policy.loader import OpenBundle, few_collections

Lint = Callable[[OpenBundle], Iterator[BundleWarning]]

LINTS: tuple[tuple[str, Lint], ...] = (
    ("rows about what is not there", unmatched_rows),
    ("what is switched off", switched_off),
    ("rows for nobody who gets that far", unreached_rows),
    ("rows that others deny", denied_rows),
    ("rows against a read_only mode", read_only_rows),
    ("rows that say nothing new", duplicate_rows),
    ("tools without a rule", tools_without_rules),
    ("roles that nobody has", empty_roles),
    ("arguments that may be blank", blank_values),
    ("arguments that no rule sees", undeclared_arguments),
    ("critics that could write", writing_critics),
    ("permissions that nobody holds", unheld_permissions),
    ("agents with nothing to do", idle_agents),
    ("approvals without people", missing_approvers),
    ("rules that allow anything", open_allows),
    ("tools of no tenant", tools_of_no_tenant),
)
"""Each looks at a whole bundle, in a time that grows with what is in it and not with its square."""


def warnings_of(bundle: OpenBundle, progress: Progress = unheard) -> Sorted:
    """Everything that an author would want to know and has not said is meant."""
    found: list[BundleWarning] = []
    with few_collections():
        for number, (what, lint) in enumerate(LINTS):
            progress(f"looking for {what}", number, len(LINTS))
            found += lint(bundle)
        return sort_out(bundle, found)
