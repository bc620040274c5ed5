"""A request as JSON data, and back."""

import json

from adjudicator.domain.request import Context, Priority, Request, RequestType, Risk, Trigger
from adjudicator.domain.request_body import request_from_body, request_to_body
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.lists(st.text(), max_size=3).map(tuple)
REQUESTS = st.builds(
    Request,
    type=st.sampled_from(RequestType),
    priority=st.sampled_from(Priority),
    title=st.text(),
    description=st.text(),
    options=TEXTS,
    recommended=st.text(),
    risks=st.lists(st.builds(Risk, st.sampled_from(Trigger), st.text()), max_size=3).map(tuple),
    context=st.builds(Context, TEXTS, TEXTS, TEXTS, TEXTS),
)


@given(REQUESTS)
def test_a_request_comes_back_from_json(request):
    """Whatever is in it."""
    assert request_from_body(json.loads(json.dumps(request_to_body(request)))) == request


def test_what_was_recorded_before_there_were_requests_has_the_default_one():
    """It can still be decided on."""
    assert request_from_body(None) == Request()
