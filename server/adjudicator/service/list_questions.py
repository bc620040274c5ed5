"""ListQuestions: what is open now, as far as the policy lets the person see it."""

from collections.abc import Sequence

from adjudicator.config.limits import Limits
from adjudicator.domain.clock import Clock
from adjudicator.domain.question import Question, QuestionState
from adjudicator.service.paging import page_number, page_size_of
from adjudicator.service.question_access import QuestionAccess
from adjudicator.service.question_end import as_of
from adjudicator.service.question_view import shown
from adjudicator.storage.contract import Store

_PART = 200


class ListQuestions:
    """The use case behind `ListQuestions`. A page token is the trace of the last question of a page."""

    def __init__(self, access: QuestionAccess, store: Store, clock: Clock, limits: Limits) -> None:
        self._access = access
        self._store = store
        self._clock = clock
        self._limits = limits

    async def __call__(
        self, actor: str, tenant: str, page_size: int, page_token: str
    ) -> tuple[Sequence[Question], str]:
        """A page, oldest first, and the token of the next page or nothing; raises MALFORMED_REQUEST."""
        size, after = page_size_of(page_size, self._limits), page_number(page_token) or 0
        found, chars = list[Question](), 0
        if not self._access.tenants(actor):
            return (), ""
        while part := await self._store.open_questions(tenant, "", after, None, _PART):
            for each in part:
                if self._is_seen(actor, each):
                    view = shown(each)
                    chars += len(view.text) + sum(map(len, view.options))
                    if len(found) == size or (found and chars > self._limits.page_bytes):
                        return found, str(found[-1].trace_number)
                    found.append(view)
                after = each.trace_number
        return found, ""

    def _is_seen(self, actor: str, question: Question) -> bool:
        still_open = as_of(question, self._clock.now()).state is QuestionState.OPEN
        return still_open and self._access.may_answer(actor, question)
