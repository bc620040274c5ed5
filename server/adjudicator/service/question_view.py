"""A question as people are shown it: nothing that deceives the eye is left as it came."""

from dataclasses import replace

from adjudicator.approvals.deception import reveal
from adjudicator.domain.question import Question


def written_out(text: str) -> str:
    """The text with every character that deceives the eye written out, as in the view of a call."""
    return str(reveal(text).value)


def shown(question: Question) -> Question:
    """The question as whoever answers it sees it, its answer too."""
    answer = question.answer
    if answer is not None:
        option, text = written_out(answer.selected_option), written_out(answer.text)
        answer = replace(answer, selected_option=option, text=text)
    return replace(
        question,
        text=written_out(question.text),
        options=tuple(map(written_out, question.options)),
        recommended_option=written_out(question.recommended_option),
        answer=answer,
    )


def option_meant(question: Question, chosen: str) -> str | None:
    """The option that is shown as `chosen`; None when there is none."""
    return next((each for each in question.options if written_out(each) == chosen), None)
