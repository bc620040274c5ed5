"""Counts over traces, by the database where it can count."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from math import ceil
from typing import Any

from adjudicator.domain.approval import ApprovalState
from adjudicator.domain.micros import from_micros
from adjudicator.domain.verdict import Cause, Outcome, Step
from adjudicator.storage.bodies import latest_rule
from adjudicator.storage.contract import TraceFilter
from adjudicator.storage.engine import Connection
from adjudicator.storage.rows import FLOW
from adjudicator.storage.statements import BODIES, select_verdict_bodies, trace_clauses
from adjudicator.storage.trace_summary import ApprovalCount, Bucket, Counts, TraceSummary, Width

READ = 10_000
"""Of how many of the newest records what only they say is read: rules, and times of votes."""
READ_CHARS = 64 * 1024 * 1024
"""Of records with how many characters at most: one may have megabytes."""
_NAMED = 10
_MICROSECOND = timedelta(microseconds=1)
_DECIDED = (ApprovalState.APPROVED, ApprovalState.DENIED, ApprovalState.CONSUMED)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is counted: a condition on `traces`, and its values."""

    db: Connection
    where: str
    values: tuple[Any, ...]

    def rows(self, sql: str, *more: Any) -> list[Any]:
        """The rows of a statement, in which `{where}` stands for the condition."""
        return self.db.execute(sql.format(where=self.where), (*self.values, *more)).fetchall()


def select_summary(db: Connection, wanted: TraceFilter, width: Width) -> TraceSummary:
    """See `Store.summarize`."""
    source = _source(db, wanted)
    kinds = source.rows(
        "SELECT outcome, step, cause, count(*), min(opened_at), max(opened_at), keyed FROM traces {where}"
        " GROUP BY outcome, step, cause, keyed"
    )
    calls = [each for each in kinds if each[0]]
    first, last = (
        pick(each[place] for each in calls) if calls else 0 for pick, place in ((min, 4), (max, 5))
    )
    span = width(from_micros(first), from_micros(last)) if calls else timedelta(0)
    denied = _source(db, replace(wanted, outcome=Outcome.DENY))
    none_denied = wanted.outcome not in (None, Outcome.DENY)
    rules, read = ([], 0) if none_denied else _rules(denied)
    return TraceSummary(
        calls=sum(each[3] for each in calls),
        flows=sum(each[3] for each in kinds if each[6] == FLOW),
        outcomes=_added(calls, 0, Outcome),
        steps=_added(calls, 1, Step),
        causes=_added(calls, 2, Cause),
        denied_tools=[] if none_denied else _most(denied, "tool"),
        denied_agents=[] if none_denied else _most(denied, "agent"),
        denying_rules=rules,
        denials_read=read,
        approvals=list(_approvals(source)),
        width=span,
        buckets=list(_buckets(source, span)) if calls else [],
    )


def _source(db: Connection, wanted: TraceFilter) -> _Source:
    clauses, values = trace_clauses(wanted)
    return _Source(db, f"WHERE {' AND '.join(['1 = 1', *clauses])}", tuple(values))


def _added(rows: list[Any], place: int, kind: type[Any]) -> dict[Any, int]:
    counts: Counter[Any] = Counter()
    for each in rows:
        counts[kind(each[place])] += each[3]
    return dict(counts.most_common())


def _most(denied: _Source, column: str) -> Counts:
    sql = f"SELECT {column}, count(*) FROM traces {{where}} GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT ?"
    return [(name, count) for name, count in denied.rows(sql, _NAMED)]


def _rules(denied: _Source) -> tuple[Counts, int]:
    """The rules of the newest denials, and how many denials were read."""
    sql = "SELECT number FROM traces {where} ORDER BY number DESC LIMIT ?"
    numbers = [number for (number,) in denied.rows(sql, READ)]
    rules: Counter[str] = Counter()
    read = chars = 0
    while read < len(numbers) and chars < READ_CHARS:
        for _, body in select_verdict_bodies(denied.db, numbers[read : read + BODIES]):
            chars += len(body)
            if rule := latest_rule(body):
                rules[str(rule)] += 1
        read = min(read + BODIES, len(numbers))
    return rules.most_common(_NAMED), read


def _buckets(source: _Source, width: timedelta) -> Iterator[Bucket]:
    micros = width // _MICROSECOND
    sql = f"""
    SELECT opened_at / {micros}, outcome, count(*) FROM traces {{where}} AND outcome <> ''
    GROUP BY 1, 2 ORDER BY 1
    """
    for place, rows in groupby(source.rows(sql), key=lambda row: row[0]):
        outcomes = {Outcome(outcome): count for _, outcome, count in rows}
        yield Bucket(from_micros(place * micros), outcomes)


def _approvals(source: _Source) -> Iterator[ApprovalCount]:
    # From the approvals to their traces: there are fewer of them.
    calls = "EXISTS (SELECT 1 FROM traces {where} AND number = approvals.trace)"
    counts = dict(source.rows(f"SELECT state, count(*) FROM approvals WHERE {calls} GROUP BY state"))
    sql = f"""
    SELECT state, created_at, changed_at, votes FROM approvals WHERE {calls} ORDER BY trace DESC LIMIT ?
    """
    spans: defaultdict[ApprovalState, list[int]] = defaultdict(list)
    for name, created_at, changed_at, votes in source.rows(sql, READ):
        state = ApprovalState(name)
        if state is not ApprovalState.PENDING:
            spans[state].append(_ended(state, changed_at, votes) - created_at)
    for state in ApprovalState:
        if count := counts.get(state.value, 0):
            taken = sorted(spans[state])
            yield ApprovalCount(state, count, _at_most(taken, 0.5), _at_most(taken, 0.9))


def _ended(state: ApprovalState, changed_at: int, votes: str) -> int:
    """When it was decided; what a person decided may be used much later."""
    voted = json.loads(votes)
    return int(voted[-1][3]) if voted and state in _DECIDED else changed_at


def _at_most(taken: list[int], share: float) -> timedelta | None:
    """What that share of them took at most: one of them, by the nearest rank."""
    return taken[ceil(share * len(taken)) - 1] * _MICROSECOND if taken else None
