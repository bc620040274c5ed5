"""Fields of a question: bounded, and such that whoever answers can tell the options apart."""

from adjudicator.chain.call_fields import check_identifiers, check_origin
from adjudicator.config.limits import Limits
from adjudicator.domain.errors import malformed
from adjudicator.domain.invisible import is_plain
from adjudicator.domain.question import Asking
from adjudicator.service.question_view import written_out


def check_asking(asking: Asking, limits: Limits) -> None:
    """Raise MALFORMED_REQUEST, naming the field, unless all of them are well formed."""
    check_identifiers({"tenant": asking.tenant, "agent": asking.agent})
    if asking.question_id:
        check_identifiers({"question_id": asking.question_id})
    check_origin(asking.session, asking.principal)
    if is_blank(asking.text):
        raise malformed("text", "has to be a question: it holds nothing that can be read")
    if len(asking.text.encode()) > limits.question_bytes:
        raise malformed("text", f"is longer than {limits.question_bytes:,} bytes")
    _check_options(asking, limits)


def is_blank(text: str) -> bool:
    """Whether nothing in the text can be seen."""
    return not any(char != " " and is_plain(char) for char in text)


def _check_options(asking: Asking, limits: Limits) -> None:
    options = asking.options
    if len(options) > limits.question_options:
        raise malformed("options", f"has more than {limits.question_options} of them")
    if any(is_blank(each) or len(each) > limits.option_chars for each in options):
        raise malformed("options", f"each has to be 1 to {limits.option_chars} characters, and not blank")
    if len({written_out(each) for each in options}) != len(options):
        raise malformed("options", "two of them look the same to whoever chooses")
    if asking.recommended_option and asking.recommended_option not in options:
        raise malformed("recommended_option", "has to be one of the options")
