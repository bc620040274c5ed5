"""The agent plane, put together: what an agent runtime asks."""

from adjudicator.app.parts import Parts
from adjudicator.domain.ids import RandomIds
from adjudicator.service.adjudicate import Adjudicate
from adjudicator.service.ask_question import AskQuestion
from adjudicator.service.close_flow import CloseFlow
from adjudicator.service.close_session import CloseSession
from adjudicator.service.open_flow import OpenFlow
from adjudicator.service.opening import Opening
from adjudicator.service.recording import Recording
from adjudicator.service.report_outcome import ReportOutcome
from adjudicator.service.withdraw_call import WithdrawCall
from adjudicator.transport.adjudication import AdjudicationServicer
from adjudicator.transport.listeners import Listener, agent_listener


def agent_plane(parts: Parts, address: str) -> Listener:
    """The listener with everything behind it. Raises AdjudicatorError for an address of no use."""
    policy, store, waits, clock = parts.policy, parts.store, parts.waits, parts.clock
    digester, limits, ids = parts.digester, parts.limits, RandomIds()
    recording = Recording(policy, digester, limits)
    opening = Opening(recording, digester, ids, parts.attendance, limits)
    adjudicate = Adjudicate(policy, store, waits, digester, opening, clock, ids, limits)
    servicer = AdjudicationServicer(
        parts.telemetry.adjudicate(adjudicate),
        parts.telemetry.report_outcome(ReportOutcome(store, clock, recording)),
        OpenFlow(policy, store, digester, clock),
        CloseFlow(store, clock),
        WithdrawCall(store, clock, limits),
        CloseSession(policy, store, clock, limits),
        AskQuestion(policy, store, waits, digester, clock, ids, limits),
        limits,
    )
    return agent_listener(address, servicer, limits)
