"""QuestionService, on the approver plane."""

import contextlib

from adjudicator.api.v1 import approval_service_pb2 as approval_pb
from adjudicator.api.v1 import question_service_pb2 as pb
from adjudicator.api.v1 import question_service_pb2_grpc as pb_grpc
from adjudicator.config.limits import Limits
from adjudicator.domain.question import Question
from adjudicator.service.answer_question import AnswerQuestion, Reply
from adjudicator.service.list_questions import ListQuestions
from adjudicator.service.watch import Heartbeat
from adjudicator.service.watch_questions import (
    QuestionFilter,
    QuestionSnapshot,
    QuestionWatchEvent,
    WatchQuestions,
)
from adjudicator.transport import convert, questions
from adjudicator.transport.authentication import Approvers, current_actor
from adjudicator.transport.errors import Context, guarded
from adjudicator.transport.watch_places import WatchPlaces


class QuestionServicer(pb_grpc.QuestionServiceServicer):
    """What a person who answers sees and says."""

    def __init__(
        self,
        watch: WatchQuestions,
        list_questions: ListQuestions,
        answer: AnswerQuestion,
        approvers: Approvers,
        limits: Limits,
    ) -> None:
        self._watch = watch
        self._list = list_questions
        self._answer = answer
        self._approvers = approvers
        self._places = WatchPlaces(limits.question_watchers)

    @guarded
    async def WatchQuestions(  # type: ignore[override]  # a coroutine that writes is as good to gRPC
        self,
        request: pb.WatchQuestionsRequest,
        context: Context,
    ) -> None:
        """Stream what is open and every change."""
        least = convert.priority(request.least_priority)
        wanted = QuestionFilter(current_actor(), request.tenant, least)
        admission = self._approvers.admission(context.invocation_metadata() or ())
        # Closed here and now when the caller goes away, so that its place becomes free.
        with self._places.of(current_actor()):
            async with contextlib.aclosing(self._watch(wanted, request.cursor)) as events:
                async for cursor, event in events:
                    admission.check()
                    await context.write(_event(cursor, event))

    @guarded
    async def ListQuestions(
        self, request: pb.ListQuestionsRequest, context: Context
    ) -> pb.ListQuestionsResponse:
        """List a page of what is open."""
        page, following = await self._list(
            current_actor(), request.tenant, request.page_size, request.page_token
        )
        return pb.ListQuestionsResponse(
            questions=[questions.question(each) for each in page], next_page_token=following
        )

    @guarded
    async def AnswerQuestion(
        self, request: pb.AnswerQuestionRequest, context: Context
    ) -> pb.AnswerQuestionResponse:
        """Count one person's answer."""
        reply = Reply(current_actor(), request.selected_option, request.text)
        return questions.receipt(await self._answer(request.id, reply))


def _event(cursor: str, event: QuestionWatchEvent) -> pb.WatchQuestionsResponse:
    if isinstance(event, QuestionSnapshot):
        part = [questions.question(each) for each in event.questions]
        return pb.WatchQuestionsResponse(
            cursor=cursor, snapshot=pb.QuestionSnapshot(questions=part, complete=event.complete)
        )
    if isinstance(event, Question):
        return pb.WatchQuestionsResponse(cursor=cursor, change=questions.question(event))
    if isinstance(event, Heartbeat):
        heartbeat = approval_pb.Heartbeat(now=convert.timestamp(event.now))
        return pb.WatchQuestionsResponse(cursor=cursor, heartbeat=heartbeat)
    return pb.WatchQuestionsResponse(cursor=cursor, resync=approval_pb.Resync(reason=event.reason))
