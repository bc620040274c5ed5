"""Permission rules of another program brought into a bundle's `rules.csv`."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.authoring.imports.forms.source_rules import SourceRules
from adjudicator.authoring.imports.notes import ImportFaultError, Note
from adjudicator.authoring.imports.rule_rows import RuleRow
from adjudicator.authoring.imports.rule_translation import RuleTranslation
from adjudicator.authoring.imports.tool_names import ToolNames
from adjudicator.authoring.progress import Progress
from adjudicator.domain.invisible import is_all_plain, plain
from adjudicator.domain.verdict import Outcome
from adjudicator.policy.condition_checks import ALWAYS
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.model import RULES, WHEN

_FOLDER_FILE = f"{RULES.name}/imported.csv"


@dataclass(frozen=True, slots=True)
class RuleWish:
    """For whom the rules are, and which of their tools are which of the bundle's.

    `subject` is as rows have it: `role:engineer`, `agent:coder`.
    """

    origin: str
    subject: str
    tenant: str
    tools: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RuleImport:
    """What an import would come to. `lost` are denials that no row says, so that more would pass here."""

    rows: tuple[RuleRow, ...]
    lost: tuple[Note, ...]
    notes: tuple[Note, ...]
    edits: Mapping[str, str]


def import_rules(source: SourceRules, bundle: OpenBundle, wish: RuleWish, progress: Progress) -> RuleImport:
    """The rows that say the rules, or something stricter, and the file that they would be added to.

    Raises ImportFaultError when the wish cannot be met.
    """
    _check_wish(bundle, wish)
    names = ToolNames(bundle.snapshot.registry, wish.tools)
    default_denies = bundle.settings.default is Outcome.DENY
    translation = RuleTranslation(source, names, plain(wish.origin), default_denies=default_denies)
    found = translation.made(progress)
    known = _known(bundle, wish)
    rows = tuple(row for row in found.rows if row.meaning not in known)
    notes = [Note(plain(wish.origin), "", remark) for remark in source.remarks]
    if len(rows) < len(found.rows):
        there = len(found.rows) - len(rows)
        notes.append(Note(RULES.name, "", f"{there} of the rows are there already"))
    return RuleImport(rows, found.lost, (*notes, *found.notes), _edits(bundle, rows, wish))


def _check_wish(bundle: OpenBundle, wish: RuleWish) -> None:
    registry = bundle.snapshot.registry
    if not is_all_plain(wish.subject):
        raise ImportFaultError(f"{wish.subject!a} has characters that nobody sees; correct the name")
    if wish.tenant not in registry.tenants:
        raise ImportFaultError(
            f"{wish.tenant!a} is not a registered tenant; register it, or correct the name"
        )
    for name, codes in wish.tools.items():
        for code in codes:
            if code not in registry.tools:
                raise ImportFaultError(
                    f"{name}={code}: {code!a} is not a registered tool; correct the name"
                )


def _known(bundle: OpenBundle, wish: RuleWish) -> set[tuple[str, ...]]:
    """What the bundle's rows for the same subject say already."""
    rows = bundle.policies[RULES.name].rows
    same = (fields for fields in rows.all_fields() if fields[:2] == [wish.subject, wish.tenant])
    # With a condition a row says less.
    return {(*fields[2:5], fields[-2]) for fields in same if fields[5:-2] in ([], [ALWAYS])}


def _edits(bundle: OpenBundle, rows: tuple[RuleRow, ...], wish: RuleWish) -> dict[str, str]:
    if not rows:
        return {}
    name = f"{RULES.name}.csv"
    name = name if name in bundle.sources.files else _FOLDER_FILE
    before = bundle.sources.files[name].text if name in bundle.sources.files else ""
    has_when = WHEN in bundle.policies[RULES.name].shape.policy
    lines = [row.text(wish.subject, wish.tenant, has_when=has_when) for row in rows]
    head = f"\n# Imported from {plain(wish.origin)} for {wish.subject} in {wish.tenant}.\n"
    return {name: (before + head).lstrip("\n") + "\n".join(lines) + "\n"}
