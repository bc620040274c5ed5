"""A span as data: what is told of one request that was answered. Nothing here knows how it is exported."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adjudicator.domain.trace_context import TraceContext

Attributes = dict[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Span:
    """One request, from its beginning to its answer. `problem` is the reason of its error, or empty."""

    name: str
    context: TraceContext
    began_at: datetime
    ended_at: datetime
    attributes: Attributes
    problem: str = ""


class Spans(Protocol):
    """Where spans go."""

    def root(self) -> TraceContext:
        """The context of a request whose caller named none: a trace of its own."""
        ...

    def add(self, span: Span) -> None:
        """Take the span, at once and whatever happens: raises nothing, waits for nobody."""
        ...
