"""AdjudicationService, on the agent plane."""

from datetime import timedelta

from adjudicator.api.v1 import adjudication_service_pb2 as pb
from adjudicator.api.v1 import adjudication_service_pb2_grpc as pb_grpc
from adjudicator.chain.judge import CHAIN
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import malformed
from adjudicator.domain.flow import Flow
from adjudicator.domain.verdict import Step
from adjudicator.service.ask_question import AskQuestion
from adjudicator.service.close_flow import CloseFlow, Opener
from adjudicator.service.close_session import CloseSession, Closing
from adjudicator.service.open_flow import OpenFlow
from adjudicator.service.report_outcome import Reporter
from adjudicator.service.use_cases import Adjudicates, ReportsOutcome
from adjudicator.service.withdraw_call import Withdrawal, WithdrawCall
from adjudicator.tracing.elements import Execution
from adjudicator.transport import convert, enums, questions
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.trace_context import trace_context

# An answer that is held leaves this long before the caller's deadline, so that it still arrives.
_MARGIN = timedelta(milliseconds=300)


class AdjudicationServicer(pb_grpc.AdjudicationServiceServicer):
    """What an agent runtime asks."""

    def __init__(
        self,
        adjudicate: Adjudicates,
        report_outcome: ReportsOutcome,
        open_flow: OpenFlow,
        close_flow: CloseFlow,
        withdraw_call: WithdrawCall,
        close_session: CloseSession,
        ask_question: AskQuestion,
        limits: Limits,
    ) -> None:
        self._adjudicate = adjudicate
        self._report_outcome = report_outcome
        self._open_flow = open_flow
        self._close_flow = close_flow
        self._withdraw_call = withdraw_call
        self._close_session = close_session
        self._ask_question = ask_question
        self._limits = limits

    @guarded
    async def Adjudicate(self, request: pb.AdjudicateRequest, context: Context) -> pb.AdjudicateResponse:
        """Judge one call."""
        call = convert.tool_call(request.call, trace_context(context))
        wait = convert.span(request, "wait", self._limits.wait_seconds)
        if request.dry_run:
            verdict = await self._adjudicate.dry_run(call)
        else:
            limit = convert.span(request, "approval_limit", self._limits.limit_seconds)
            verdict = await self._adjudicate(call, _within_deadline(wait, context), limit)
        return pb.AdjudicateResponse(verdict=convert.verdict(verdict))

    @guarded
    async def ExplainChain(
        self, request: pb.ExplainChainRequest, context: Context
    ) -> pb.ExplainChainResponse:
        """Show the list that `judge` runs."""
        return pb.ExplainChainResponse(steps=[_step(step) for step in Step])

    @guarded
    async def ReportOutcome(
        self,
        request: pb.ReportOutcomeRequest,
        context: Context,
    ) -> pb.ReportOutcomeResponse:
        """Record what became of an allowed call."""
        status = enums.EXECUTION_STATUS.from_wire(request.status)
        if status is None:
            raise malformed("status", "has to say what became of the call")
        execution = Execution(
            status=status,
            output=convert.json_or_none(request.output_json, "output_json", self._limits),
            error_class=convert.identifier_or_empty(request.error_class, "error_class"),
            duration=convert.span(request, "duration", self._limits.execution_seconds),
            final_output=convert.text(
                request.final_output, "final_output", self._limits.final_output_bytes
            ),
        )
        reporter = Reporter(request.tenant, request.agent, request.call_id, trace_context(context))
        kept = await self._report_outcome(convert.trace_number(request.trace_number), reporter, execution)
        return pb.ReportOutcomeResponse(
            trace_number=request.trace_number,
            output_valid=not kept.contract,
            violations=[convert.violation(each) for each in kept.violations],
        )

    @guarded
    async def OpenFlow(self, request: pb.OpenFlowRequest, context: Context) -> pb.OpenFlowResponse:
        """Open a flow."""
        limits = self._limits
        flow = Flow(
            tenant=request.tenant,
            agent=request.agent,
            session=request.session,
            flow_id=request.flow_id,
            principal=request.principal,
            description=convert.text(request.description, "description", limits.description_bytes),
            input=convert.json_text(request.input_json, "input_json", limits.flow_input_bytes, limits),
        )
        return pb.OpenFlowResponse(trace_number=await self._open_flow(flow))

    @guarded
    async def CloseFlow(self, request: pb.CloseFlowRequest, context: Context) -> pb.CloseFlowResponse:
        """Close a flow."""
        status = enums.FLOW_STATUS.from_wire(request.status)
        if status is None:
            raise malformed("status", "has to say how the flow ended")
        text = convert.text(request.final_output, "final_output", self._limits.final_output_bytes)
        opener = Opener(request.tenant, request.agent, request.flow_id)
        await self._close_flow(convert.trace_number(request.trace_number, "flow"), opener, status, text)
        return pb.CloseFlowResponse(trace_number=request.trace_number)

    @guarded
    async def WithdrawCall(
        self, request: pb.WithdrawCallRequest, context: Context
    ) -> pb.WithdrawCallResponse:
        """Withdraw one call."""
        one = Withdrawal(request.tenant, request.agent, request.session, request.call_id, request.reason)
        verdict, withdrawn = await self._withdraw_call(one)
        return pb.WithdrawCallResponse(verdict=convert.verdict(verdict), withdrawn=withdrawn)

    @guarded
    async def CloseSession(
        self, request: pb.CloseSessionRequest, context: Context
    ) -> pb.CloseSessionResponse:
        """Close a session for good."""
        closed = await self._close_session(
            Closing(request.tenant, request.agent, request.session, request.reason)
        )
        return pb.CloseSessionResponse(
            approvals_cancelled=closed.approvals,
            grants_cleared=closed.grants,
            questions_cancelled=closed.questions,
            trace_number=closed.trace_number,
        )

    @guarded
    async def AskQuestion(self, request: pb.AskQuestionRequest, context: Context) -> pb.AskQuestionResponse:
        """Ask people a question."""
        asking = questions.asking(request)
        wait = convert.span(request, "wait", self._limits.wait_seconds)
        limit = convert.span(request, "limit", self._limits.limit_seconds)
        return questions.asked(await self._ask_question(asking, _within_deadline(wait, context), limit))


def _within_deadline(wait: timedelta, context: Context) -> timedelta:
    remaining = context.time_remaining() if wait else None
    if remaining is None:
        return wait
    return max(timedelta(0), min(wait, timedelta(seconds=min(remaining, 1e9)) - _MARGIN))


def _step(step: Step) -> pb.ChainStep:
    return pb.ChainStep(
        step=enums.STEP.to_wire(step),
        checks=[
            pb.ChainCheck(
                name=check.name,
                description=check.description,
                denies_with=[enums.REASON_CODE.to_wire(check.denies_with)],
            )
            for check in CHAIN
            if check.step is step
        ],
    )
