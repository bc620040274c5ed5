"""What an edit changes in a file, as lines that people and `patch` read."""

from collections.abc import Sequence

_CONTEXT = 3


def difference(name: str, before: str, after: str) -> list[str]:
    """A unified diff with one hunk, from the first line that differs to the last; none if none does.

    It takes time in proportion to the file, as an edit at one place needs no more.
    """
    old, new = before.splitlines(), after.splitlines()
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if not gone and not come:
        return []
    above, below = old[max(0, start - _CONTEXT) : start], old[len(old) - end :][:_CONTEXT]
    around, first = len(above) + len(below), start - len(above)
    return [
        f"--- {name if before else '/dev/null'}",
        f"+++ {name}",
        f"@@ -{_range(first, around + len(gone))} +{_range(first, around + len(come))} @@",
        *(f" {line}" for line in above),
        *(f"-{line}" for line in gone),
        *(f"+{line}" for line in come),
        *(f" {line}" for line in below),
    ]


def _same(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines the two begin with in common."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _range(first: int, length: int) -> str:
    return f"{first + 1 if length else 0},{length}"
