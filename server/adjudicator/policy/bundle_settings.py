"""`bundle.yaml`: the format, defaults, terms of approvals, and the tools that pass or ask for everybody."""

from dataclasses import dataclass

from adjudicator.config.limits import APPROVAL_SECONDS
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Outcome, RuleRef
from adjudicator.policy.approval_terms import read_approval_terms
from adjudicator.policy.document import Field, parse_document
from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.registry_reader import RECORDED_KEYS, read_recorded
from adjudicator.policy.snapshot import ApprovalTerms, Effect
from adjudicator.policy.source import Sources

FILE = "bundle.yaml"
_FORMAT = "1"
_LISTS = {"auto_approved": Effect.ALLOW, "approval_required": Effect.ASK}
_EFFECTS = {"deny": Outcome.DENY, "ask": Outcome.ASK}


@dataclass(frozen=True, slots=True)
class BundleSettings:
    """What `bundle.yaml` says. `listed` maps a tool to the effect of its list and the place in it."""

    default: Outcome
    approvals: ApprovalTerms
    listed: dict[str, tuple[Effect, RuleRef]]
    record_arguments: Recorded = Recorded.REDACTED
    record_output: Recorded = Recorded.REDACTED


def read_bundle_settings(sources: Sources, registry: Registry, problems: Problems) -> BundleSettings:
    """The settings, as far as they can be read; what cannot be read stands as deny and no time."""
    source = sources.files.get(FILE)
    root = parse_document(source, problems) if source else None
    if root is None:
        return BundleSettings(Outcome.DENY, ApprovalTerms(1), {}, Recorded.DIGEST, Recorded.DIGEST)
    at = root.known_entries(frozenset({"format", "defaults"}), frozenset({"approvals", *_LISTS}))
    if "format" in at and (written := at["format"].as_text()) not in (None, _FORMAT):
        at["format"].refuse(f"format {written!a} is not known to this version; write `format: {_FORMAT}`")
    defaults = at["defaults"].known_entries(_DEFAULTS, RECORDED_KEYS) if "defaults" in at else {}
    seconds = defaults.get("approval_seconds")
    return BundleSettings(
        default=_default(defaults.get("effect")),
        approvals=read_approval_terms(
            at.get("approvals"), (seconds.as_count(1, APPROVAL_SECONDS) if seconds else None) or 1
        ),
        listed=_listed(at, registry),
        record_arguments=read_recorded(defaults, "record_arguments") or Recorded.REDACTED,
        record_output=read_recorded(defaults, "record_output") or Recorded.REDACTED,
    )


_DEFAULTS = frozenset({"effect", "approval_seconds"})


def _default(field: Field | None) -> Outcome:
    if field is None:
        return Outcome.DENY
    if field.as_text() == "allow":
        field.refuse("`allow` would let through whatever no rule speaks of; write `deny` or `ask`")
        return Outcome.DENY
    outcome: Outcome | None = field.as_choice(_EFFECTS)
    return outcome or Outcome.DENY


def _listed(at: dict[str, Field], registry: Registry) -> dict[str, tuple[Effect, RuleRef]]:
    listed: dict[str, tuple[Effect, RuleRef]] = {}
    for key, effect in _LISTS.items():
        for item in at[key].items() if key in at else ():
            tool = item.as_text()
            if tool is None:
                continue
            if registry.tools and tool not in registry.tools:
                item.refuse(f"{tool!a} is not a registered tool; register it, or correct the name")
            elif tool in listed:
                item.refuse(f"{tool!a} is listed already at line {listed[tool][1].line}; keep one")
            else:
                listed[tool] = (effect, RuleRef(FILE, item.line, f"{key}: {tool}", general=True))
    return listed
