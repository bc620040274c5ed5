"""Sets of changes that clear all obstacles, none larger than need be."""

from collections.abc import Iterator, Sequence

from adjudicator.authoring.explanation.changes import Change, Defence
from adjudicator.authoring.explanation.obstacles import Obstacle
from adjudicator.authoring.explanation.row_changes import EXACT, FOR_ROLE

_ROW_BREADTHS = frozenset((EXACT, FOR_ROLE))
_SETS = 200
"""The most sets that are put together at one place."""
_WITH_ROLES = 2
"""The most changes of a set that come in a variant for a role."""


def covering(found: Sequence[Obstacle], most: int) -> Iterator[tuple[Change, ...]]:
    """Sets of changes of which each obstacle has one, none larger than `most` and none twice."""
    seen: list[tuple[Change, ...]] = []
    for chosen in _chosen(found, (), most):
        if len(seen) == _SETS:
            return
        if _goes_together(chosen) and not any(same(chosen, other) for other in seen):
            seen.append(chosen)
            yield chosen


def _chosen(
    found: Sequence[Obstacle], chosen: tuple[Change, ...], most: int
) -> Iterator[tuple[Change, ...]]:
    left = [each for each in found if not any(change in chosen for change in each.changes)]
    if not left:
        if chosen:
            yield chosen
        return
    if len(chosen) < most:
        for change in left[0].changes:
            yield from _chosen(left[1:], (*chosen, change), most)


def _goes_together(chosen: Sequence[Change]) -> bool:
    """Rows more are all for the agent, or all for a role: a mix says nothing that these two do not.

    Of many changes, and of such as take a defence away, there are enough variants without roles.
    """
    breadths = {change.breadth for change in chosen if change.edits} & _ROW_BREADTHS
    if len(chosen) > _WITH_ROLES or any(change.defence is not Defence.NONE for change in chosen):
        return FOR_ROLE not in breadths
    return len(breadths) < len(_ROW_BREADTHS)


def same(one: Sequence[Change], other: Sequence[Change]) -> bool:
    """Whether both are the same changes, in whatever order."""
    return len(one) == len(other) and all(change in other for change in one)


def edits_twice(changes: Sequence[Change]) -> bool:
    """Whether two of them edit the same argument: the later one alone would do."""
    pointers = [edit.pointer for each in changes for edit in each.call if edit.field == "arguments"]
    return len(pointers) > len(set(pointers))
