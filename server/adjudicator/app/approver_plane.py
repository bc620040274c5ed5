"""The approver plane, put together: what people who decide see and say."""

from collections.abc import Awaitable, Callable

from adjudicator.app.parts import Parts
from adjudicator.domain.ids import RandomIds
from adjudicator.policy.snapshot import Snapshot
from adjudicator.service.answer_question import AnswerQuestion
from adjudicator.service.approval_feed import ApprovalFeed
from adjudicator.service.claim_approval import ClaimApproval
from adjudicator.service.grants import ListGrants, PlanGrant, RevokeGrant
from adjudicator.service.list_questions import ListQuestions
from adjudicator.service.preview_policy import PreviewPolicy
from adjudicator.service.question_access import QuestionAccess
from adjudicator.service.reading import Reading
from adjudicator.service.release_siblings import ReleaseSiblings
from adjudicator.service.resolve import Resolve
from adjudicator.service.sight import sight_version
from adjudicator.service.summarize_traces import SummarizeTraces
from adjudicator.service.watch import Watch
from adjudicator.service.watch_questions import WatchQuestions
from adjudicator.service.watch_traces import WatchTraces
from adjudicator.transport.approval import ApprovalServicer, ApprovalUseCases
from adjudicator.transport.approval_messages import ApprovalMessages
from adjudicator.transport.authentication import Approvers
from adjudicator.transport.listeners import Listener, approver_listener
from adjudicator.transport.policy import PolicyServicer
from adjudicator.transport.question import QuestionServicer
from adjudicator.transport.trace import TraceServicer
from adjudicator.transport.watch_messages import encoding_of


def approver_plane(
    parts: Parts,
    address: str,
    approvers: Approvers,
    reload: Callable[[], Awaitable[bool]],
    retire: Callable[[Snapshot], None],
) -> Listener:
    """The listener with everything behind it. Raises AdjudicatorError for an address of no use."""
    policy, store, clock, limits = parts.policy, parts.store, parts.clock, parts.limits
    reading = Reading(store, limits)
    traces = WatchTraces(store, parts.waits, clock, limits)
    servicers = (
        _approvals(parts, approvers, reading),
        TraceServicer(reading, traces, SummarizeTraces(store, limits), approvers, limits),
        PolicyServicer(policy, reload, PreviewPolicy(policy, store, clock, limits, retire)),
        _questions(parts, approvers),
    )
    return approver_listener(address, servicers, approvers, limits)


def _approvals(parts: Parts, approvers: Approvers, reading: Reading) -> ApprovalServicer:
    policy, store, clock, limits = parts.policy, parts.store, parts.clock, parts.limits
    messages = ApprovalMessages(policy, parts.attendance)
    encoding = encoding_of(messages)
    feed = ApprovalFeed(store, parts.waits, encoding, lambda: sight_version(policy), limits)
    release = ReleaseSiblings(policy, store, parts.waits, parts.digester, clock)
    plan_grant = PlanGrant(parts.digester, RandomIds())
    use_cases = ApprovalUseCases(
        Watch(store, feed, clock, limits),
        reading,
        parts.telemetry.resolve(Resolve(policy, store, clock, limits, plan_grant, release)),
        ClaimApproval(store, clock),
        ListGrants(policy, store, limits),
        RevokeGrant(policy, store, clock, limits),
    )
    return ApprovalServicer(use_cases, policy, approvers, messages, limits)


def _questions(parts: Parts, approvers: Approvers) -> QuestionServicer:
    access, store, clock, limits = QuestionAccess(parts.policy), parts.store, parts.clock, parts.limits
    return QuestionServicer(
        WatchQuestions(access, store, parts.waits, clock, limits),
        ListQuestions(access, store, clock, limits),
        AnswerQuestion(access, store, clock, limits),
        approvers,
        limits,
    )
