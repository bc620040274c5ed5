"""The agent plane: what an agent runtime asks."""

from dataclasses import dataclass

from adjudicator.api.v1.adjudication_service_pb2 import (
    AdjudicateRequest,
    AskQuestionRequest,
    AskQuestionResponse,
    ChainStep,
    CloseFlowRequest,
    CloseFlowResponse,
    CloseSessionRequest,
    CloseSessionResponse,
    ExplainChainRequest,
    OpenFlowRequest,
    OpenFlowResponse,
    ReportOutcomeRequest,
    ReportOutcomeResponse,
    WithdrawCallRequest,
    WithdrawCallResponse,
)
from adjudicator.api.v1.adjudication_service_pb2_grpc import AdjudicationServiceStub
from adjudicator.api.v1.types_pb2 import ToolCall, Verdict
from adjudicator.client.connection import REQUEST_SECONDS, Connection
from adjudicator.config.settings import AGENT_ADDRESS


@dataclass(frozen=True, slots=True)
class Ask:
    """How a verdict is asked for.

    `wait_seconds` is how long the answer may be held for a person's decision; a dry run leaves no
    trace. `limit_seconds` shortens the time limit of an approval that the call opens; 0 leaves it.
    """

    wait_seconds: float = 0.0
    dry_run: bool = False
    limit_seconds: float = 0.0


class AgentClient(Connection):
    """Asks for verdicts. Every method raises ClientError, which means no."""

    def __init__(self, address: str = AGENT_ADDRESS, timeout: float = REQUEST_SECONDS) -> None:
        super().__init__(address, timeout)
        self._stub = AdjudicationServiceStub(self.channel)

    def adjudicate(self, call: ToolCall, ask: Ask = Ask()) -> Verdict:
        """The verdict on one call. An answer without a verdict is one with OUTCOME_UNSPECIFIED: no."""
        request = AdjudicateRequest(call=call, dry_run=ask.dry_run)
        request.wait.FromNanoseconds(int(ask.wait_seconds * 1e9))
        request.approval_limit.FromNanoseconds(int(ask.limit_seconds * 1e9))
        return self.unary(self._stub.Adjudicate, request, ask.wait_seconds).verdict

    def explain_chain(self) -> list[ChainStep]:
        """The eight steps, in the order in which they run."""
        return list(self.unary(self._stub.ExplainChain, ExplainChainRequest()).steps)

    def report_outcome(self, report: ReportOutcomeRequest) -> ReportOutcomeResponse:
        """Record what became of an allowed call; its trace is finished by that."""
        return self.unary(self._stub.ReportOutcome, report)

    def open_flow(self, flow: OpenFlowRequest) -> OpenFlowResponse:
        """Open a flow; the same request again gets the same trace."""
        return self.unary(self._stub.OpenFlow, flow)

    def close_flow(self, flow: CloseFlowRequest) -> CloseFlowResponse:
        """Close a flow; its trace is finished by that."""
        return self.unary(self._stub.CloseFlow, flow)

    def withdraw_call(self, call: WithdrawCallRequest) -> WithdrawCallResponse:
        """Withdraw one call; what was allowed stays allowed."""
        return self.unary(self._stub.WithdrawCall, call)

    def close_session(self, session: CloseSessionRequest) -> CloseSessionResponse:
        """Close a session for good; what is pending in it ends with it."""
        return self.unary(self._stub.CloseSession, session)

    def ask_question(self, question: AskQuestionRequest) -> AskQuestionResponse:
        """Ask people; held for as long as the question's `wait` says. The answer authorises nothing."""
        return self.unary(self._stub.AskQuestion, question, question.wait.ToTimedelta().total_seconds())
