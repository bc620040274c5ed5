"""What traces keep of a call's arguments and of its output: the policy says how much."""

from dataclasses import dataclass, replace
from typing import Any

import structlog

from adjudicator.approvals.digest import Digester
from adjudicator.chain.case import Case
from adjudicator.config.limits import Limits
from adjudicator.domain.arguments import Arguments, Fault, weighed
from adjudicator.domain.strict_json import Json, canonical_json
from adjudicator.domain.trace import Recorded
from adjudicator.domain.verdict import Violation
from adjudicator.policy.redaction import MARKER
from adjudicator.policy.snapshot import Contract, Snapshot
from adjudicator.service.active_policy import ActivePolicy
from adjudicator.service.showing import Shown, shown_call
from adjudicator.tracing.elements import Execution, KeptExecution
from adjudicator.tracing.kept import Kept

_VIOLATED, _UNJUDGED = "violated", "unjudged"
_NO_CONTRACT = "no contract says which of the output is secret"
_NO_TOOL = "the policy that is active now does not know the tool"
_FAILED = "the contract failed on the output"
_log = structlog.get_logger("adjudicator.recording")


@dataclass(frozen=True, slots=True)
class _Check:
    """What an output was by its contract. `withheld` says why there is nothing redacted of it."""

    contract: str = ""
    violations: tuple[Violation, ...] = ()
    redacted: Any = None
    withheld: str = ""


class Recording:
    """Decides what is kept; writes nothing."""

    def __init__(self, policy: ActivePolicy, digester: Digester, limits: Limits) -> None:
        self._policy = policy
        self._digester = digester
        self._limits = limits

    def arguments(self, case: Case, shown: Shown) -> Kept | Fault | None:
        """What is kept of the call's arguments; `shown` is what of them may be shown.

        Nothing is kept of what cannot be read or shown, whatever the policy says.
        """
        if not isinstance(case.arguments, Arguments) or not isinstance(shown, dict):
            return shown if isinstance(shown, Fault) else None
        recorded = case.snapshot.recorded_arguments(case.call.tool)
        if recorded is Recorded.FULL:
            return Kept(recorded, case.arguments.value)
        if recorded is Recorded.REDACTED:
            return Kept(recorded, shown)
        return self._digest(case.arguments.canonical)

    def paths(self, case: Case) -> dict[str, str]:
        """What is kept of the resolved paths, which say of arguments where they lead."""
        recorded = case.snapshot.recorded_arguments(case.call.tool)
        if recorded is Recorded.FULL:
            return dict(case.call.resolved_paths)
        if recorded is Recorded.REDACTED:
            return dict(shown_call(case).resolved_paths)
        return {pointer: MARKER for pointer, _ in case.call.resolved_paths}

    def execution(self, tool: str, execution: Execution, judged_by: str) -> KeptExecution:
        """What is kept of an execution, by the policy that is active now.

        It has an answer whatever that policy is and whatever fails: the tool has run. `judged_by` is the
        version of the policy that the call was judged by.
        """
        snapshot = self._policy.status.snapshot
        recorded = snapshot.recorded_output(tool) if snapshot else Recorded.REDACTED
        kept = KeptExecution(
            final_output=self._final_output(execution.final_output, recorded),
            policy_version=snapshot.version if snapshot and snapshot.version != judged_by else "",
        )
        if execution.output is None:
            return kept
        check = self._check(snapshot, tool, execution.output, recorded)
        return replace(
            kept,
            output=self._output(execution.output, recorded, check),
            contract=check.contract,
            violations=check.violations,
        )

    def _check(self, snapshot: Snapshot | None, tool: str, output: Json, recorded: Recorded) -> _Check:
        if snapshot is None or tool not in snapshot.registry.tools:
            return _Check(_UNJUDGED, withheld=_NO_TOOL)
        contract = snapshot.output_contracts.get(tool)
        if contract is None:
            return _Check(withheld=_NO_CONTRACT)
        limits = self._limits
        heavy = weighed(
            output.value,
            "outputs",
            max_values=limits.arguments_values,
            max_digits=limits.arguments_digits,
        )
        if heavy is not None:
            return _Check(_UNJUDGED, withheld=heavy.message)
        try:
            return _checked(contract, output, quoting=recorded is not Recorded.DIGEST)
        except Exception as error:  # noqa: BLE001 - whatever fails, the outcome is recorded
            # The error's own text may repeat the output.
            _log.error("an output could not be checked", tool=tool, error=type(error).__name__)
            return _Check(_UNJUDGED, withheld=_FAILED)

    def _output(self, output: Json, recorded: Recorded, check: _Check) -> Kept:
        if recorded is Recorded.FULL:
            return Kept(recorded, output.value)
        if recorded is Recorded.DIGEST:
            return self._digest(output.canonical)
        if check.withheld:
            return replace(self._digest(output.canonical), withheld=check.withheld)
        return Kept(recorded, check.redacted)

    def _final_output(self, text: str, recorded: Recorded) -> Kept | None:
        """Free text: no schema says what in it is secret, so it is kept whole or not at all."""
        if not text:
            return None
        return Kept(recorded, text) if recorded is Recorded.FULL else self._digest(canonical_json(text))

    def _digest(self, canonical: bytes) -> Kept:
        return Kept(Recorded.DIGEST, digest=self._digester.of_value(canonical), size=len(canonical))


def _checked(contract: Contract, output: Json, *, quoting: bool) -> _Check:
    violations = tuple(contract.violations(output.value, quoting=quoting))
    return _Check(_VIOLATED if violations else "", violations, contract.redact(output.value))
