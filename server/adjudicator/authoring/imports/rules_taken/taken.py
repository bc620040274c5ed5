"""What a specification of a source rule comes to: arguments of rows, and what differs."""

from dataclasses import dataclass

from adjudicator.domain.invisible import is_all_plain
from adjudicator.policy.pattern_error import PatternError
from adjudicator.policy.patterns import ANY, parse_pattern


class NotTranslatedError(Exception):
    """A specification that no argument stands for; the text says why."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Arguments of rows, one for each row. `remarks` say what differs from the source."""

    arguments: tuple[str, ...]
    remarks: tuple[str, ...] = ()


WHOLE = Taken((ANY,))


def checked(arguments: list[str], remarks: list[str], *, loose: bool) -> Taken:
    """The arguments, each of which is a pattern. Raises NotTranslatedError."""
    for argument in arguments:
        if not is_all_plain(argument):
            raise NotTranslatedError("has characters that nobody sees")
        try:
            parse_pattern(argument, loose=loose)
        except PatternError as error:
            raise NotTranslatedError(f"comes to `{argument}`: {error}") from error
    return Taken(tuple(arguments), tuple(remarks))
