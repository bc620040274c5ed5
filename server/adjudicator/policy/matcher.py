"""A model's matcher: read as Casbin reads it, refused where Casbins differ or a row could be ignored."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

_LITERAL = re.compile(r"[A-Za-z0-9_*:/-]*")


class MatcherError(ValueError):
    """A matcher that is refused. `offset` is where in its text, from 0."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Matcher:
    """A matcher: its text, the parts that `&&` joins, and the columns of a row that it looks at."""

    text: str
    conjuncts: tuple[str, ...]
    policy_columns: frozenset[str]

    def has_conjunct(self, equality: str) -> bool:
        """Whether the equality, either way round, is one of the joined parts."""
        left, right = equality.split(" == ")
        return bool({f"{left} == {right}", f"{right} == {left}"} & set(self.conjuncts))


def parse_matcher(
    text: str, request: frozenset[str], policy: frozenset[str], functions: Mapping[str, int]
) -> Matcher:
    """The matcher of a model with these columns.

    `functions` are those that it may call, with the number of their arguments. Raises
    MatcherError for whatever is not an expression of `&&`, `||`, `!`, `==`, `!=`, calls of those
    functions with columns, and plain words in quotes.
    """
    if "eval(" in text.replace(" ", ""):
        raise MatcherError("`eval(…)` is not supported: write the condition in the matcher itself")
    if "#" in text:
        raise MatcherError("a `#` would cut the matcher off; comment on a line of its own", text.index("#"))
    if re.search(r"\b(and|or|not|in|is)\b", text):
        raise MatcherError("write `&&`, `||` and `!`, which every Casbin knows")
    tree = _parsed(text)
    _check_truth(tree.body, functions)
    names = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    known = {f"r.{column}" for column in request} | {f"p.{column}" for column in policy}
    for name in sorted(names - known):
        raise MatcherError(f"`{name}` is not a column of this model", max(0, text.find(name)))
    if not any(name.startswith("p.") for name in names):
        raise MatcherError("the matcher looks at no column of a row (`p.…`), so every row would match")
    return Matcher(text, _conjuncts(tree.body), _row_columns(names))


def _parsed(text: str) -> ast.Expression:
    python = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or ")).strip()
    try:
        return ast.parse(python, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MatcherError(
            "not an expression that Casbin can evaluate; check brackets and quotes"
        ) from error


def _check_truth(node: ast.expr, functions: Mapping[str, int]) -> None:
    """The node has to be true or false by itself: a bare column is not, though it would count as true."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            _check_truth(value, functions)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check_truth(node.operand, functions)
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        if len(node.ops) > 1:
            raise MatcherError("compare two values at a time, and join the comparisons with `&&`")
        _check_value(node.left)
        _check_value(node.comparators[0])
    elif isinstance(node, ast.Call):
        _check_call(node, functions)
    else:
        raise MatcherError(
            f"`{ast.unparse(node)}` is neither true nor false; compare it, or call a function"
        )


def _check_call(node: ast.Call, functions: Mapping[str, int]) -> None:
    if not isinstance(node.func, ast.Name) or node.func.id not in functions or node.keywords:
        known = ", ".join(f"`{name}`" for name in sorted(functions))
        raise MatcherError(f"`{ast.unparse(node)}` is not a call of a known function; they are {known}")
    want, have = functions[node.func.id], len(node.args)
    if want != have:
        raise MatcherError(f"`{node.func.id}` takes {want} arguments, not {have}")
    for argument in node.args:
        _check_value(argument)


def _check_value(node: ast.expr) -> None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _LITERAL.fullmatch(node.value):
            return
    elif (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("r", "p")
    ):
        return
    raise MatcherError(f"`{ast.unparse(node)}` is no column (`r.…`, `p.…`) and no plain word in quotes")


def _conjuncts(node: ast.expr) -> tuple[str, ...]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return tuple(part for value in node.values for part in _conjuncts(value))
    return (ast.unparse(node),)


def _row_columns(names: set[str]) -> frozenset[str]:
    return frozenset(name.removeprefix("p.") for name in names if name.startswith("p."))
