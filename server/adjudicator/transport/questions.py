"""Between the messages of questions and domain values."""

from adjudicator.api.v1 import adjudication_service_pb2 as agent_pb
from adjudicator.api.v1 import question_service_pb2 as pb
from adjudicator.domain.errors import malformed
from adjudicator.domain.question import AnswerReceipt, Asking, Question
from adjudicator.transport import convert, enums


def asking(request: agent_pb.AskQuestionRequest) -> Asking:
    """What is asked. Raises MALFORMED_REQUEST for a trigger that this version does not know."""
    trigger = enums.TRIGGER.from_wire(request.trigger)
    if trigger is None and request.trigger:
        raise malformed("trigger", f"is {request.trigger}, which this version does not know")
    return Asking(
        tenant=request.tenant,
        agent=request.agent,
        session=request.session,
        question_id=request.question_id,
        text=request.text,
        options=tuple(request.options),
        recommended_option=request.recommended_option,
        free_text=request.free_text,
        principal=request.principal,
        trigger=trigger,
    )


def asked(each: Question) -> agent_pb.AskQuestionResponse:
    """The question as its agent gets it: the option in the agent's own words."""
    answer = each.answer
    return agent_pb.AskQuestionResponse(
        question_id=each.question_id,
        state=enums.QUESTION_STATE.to_wire(each.state),
        selected_option=answer.selected_option if answer else "",
        text=answer.text if answer else "",
        answered_by=answer.actor if answer else "",
        trace_number=each.trace_number,
        expires_at=convert.timestamp(each.expires_at),
    )


def question(each: Question) -> pb.Question:
    """The question, which has to be as it is shown."""
    answer = each.answer
    return pb.Question(
        id=each.id,
        state=enums.QUESTION_STATE.to_wire(each.state),
        tenant=each.tenant,
        session=each.session,
        agent=each.agent,
        principal=each.principal,
        question_id=each.question_id,
        text=each.text,
        options=each.options,
        recommended_option=each.recommended_option,
        free_text=each.free_text,
        priority=enums.PRIORITY.to_wire(each.priority),
        trigger=enums.TRIGGER.to_wire(each.trigger),
        asked_at=convert.timestamp(each.asked_at),
        expires_at=convert.timestamp(each.expires_at),
        changed_at=convert.timestamp(each.changed_at),
        trace_number=each.trace_number,
        selected_option=answer.selected_option if answer else "",
        answer_text=answer.text if answer else "",
        answered_by=answer.actor if answer else "",
    )


def receipt(each: AnswerReceipt) -> pb.AnswerQuestionResponse:
    """The receipt."""
    return pb.AnswerQuestionResponse(
        accepted=each.code.accepted,
        code=enums.ANSWER_CODE.to_wire(each.code),
        message=each.message,
        question=question(each.question) if each.question else None,
    )
