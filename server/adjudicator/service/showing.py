"""What of a call may be shown to people: secrets are hidden, and what may stand for one."""

from dataclasses import replace
from typing import Any

from adjudicator.chain.case import Case
from adjudicator.domain.arguments import Fault
from adjudicator.domain.call import ToolCall
from adjudicator.domain.facet import ArgumentKind
from adjudicator.domain.json_pointer import parts_of
from adjudicator.policy.redaction import MARKER

_PATH = ArgumentKind.PATH
Shown = dict[str, Any] | Fault | None


def shown_arguments(case: Case) -> Shown:
    """The arguments as they may be shown: secrets redacted; why they cannot be read; or None.

    None is for a tool without a contract, which nobody can redact. Raises EvaluationError.
    """
    if isinstance(case.arguments, Fault):
        return case.arguments
    contract = case.snapshot.contracts.get(case.call.tool)
    return contract.redact(case.arguments.value) if contract else None


def shown_call(case: Case) -> ToolCall:
    """The call with only those resolved paths whose arguments are declared to be paths.

    Any other may stand for an argument that is secret.
    """
    if not case.call.resolved_paths:
        return case.call
    tool = case.snapshot.registry.tools.get(case.call.tool)
    declared = [parts_of(spec.pointer) for spec in (tool.arguments if tool else ()) if spec.kind is _PATH]
    shown = tuple(
        (pointer, path if any(_is_at(pointer, parts) for parts in declared) else MARKER)
        for pointer, path in case.call.resolved_paths
    )
    return replace(case.call, resolved_paths=shown)


def _is_at(pointer: str, declared: list[str]) -> bool:
    parts = parts_of(pointer)
    return len(parts) == len(declared) and all(
        want in ("*", have) for want, have in zip(declared, parts, strict=True)
    )
