"""A model's matcher: read as Casbin reads it, refused where Casbins differ or a row could be ignored."""

import ast
import re
from dataclasses import dataclass

_NAME = re.compile(r"[rp]\.[a-z]+")
_LITERAL = re.compile(r"[A-Za-z0-9_*:/-]*")
_ALLOWED = (
    ast.Expression,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Call,
    ast.Attribute,
    ast.Name,
    ast.Load,
    ast.Constant,
)


class MatcherError(ValueError):
    """A matcher that is refused. `offset` is where in its text, from 0."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Matcher:
    """A matcher: its text, the parts that `&&` joins, and the columns that it looks at."""

    text: str
    conjuncts: tuple[str, ...]
    request_columns: frozenset[str]
    policy_columns: frozenset[str]

    def has_conjunct(self, equality: str) -> bool:
        """Whether the equality, either way round, is one of the joined parts."""
        left, right = equality.split(" == ")
        return bool({f"{left} == {right}", f"{right} == {left}"} & set(self.conjuncts))


def parse_matcher(
    text: str, request: frozenset[str], policy: frozenset[str], functions: frozenset[str]
) -> Matcher:
    """The matcher of a model with these columns; `functions` are those that it may call.

    Raises MatcherError for whatever is not an expression of `&&`, `||`, `!`, `==`, `!=`, calls of those
    functions with columns, and plain words in quotes.
    """
    if "eval(" in text.replace(" ", ""):
        raise MatcherError("`eval(…)` is not supported: write the condition in the matcher itself")
    if re.search(r"\b(and|or|not|in|is)\b", text):
        raise MatcherError("write `&&`, `||` and `!`, which every Casbin knows")
    tree = _parsed(text)
    for node in ast.walk(tree):
        _check_node(node, functions)
    names = set(_NAME.findall(text))
    known = {f"r.{column}" for column in request} | {f"p.{column}" for column in policy}
    for name in sorted(names - known):
        raise MatcherError(f"`{name}` is not a column of this model", text.index(name))
    if not any(name.startswith("p.") for name in names):
        raise MatcherError("the matcher looks at no column of a row (`p.…`), so every row would match")
    return Matcher(text, _conjuncts(tree.body), _columns(names, "r."), _columns(names, "p."))


def _parsed(text: str) -> ast.Expression:
    python = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or ")).strip()
    try:
        return ast.parse(python, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MatcherError(
            "not an expression that Casbin can evaluate; check brackets and quotes"
        ) from error


def _check_node(node: ast.AST, functions: frozenset[str]) -> None:
    allowed = sorted(functions)
    if not isinstance(node, _ALLOWED):
        raise MatcherError("only `&&`, `||`, `!`, `==`, `!=`, functions and words in quotes are understood")
    if isinstance(node, ast.Constant) and not (
        isinstance(node.value, str) and _LITERAL.fullmatch(node.value)
    ):
        raise MatcherError(f"{node.value!a} is not a plain word in quotes")
    if isinstance(node, ast.Attribute) and not (
        isinstance(node.value, ast.Name) and node.value.id in ("r", "p")
    ):
        raise MatcherError(f"`{ast.unparse(node)}` is not a column; write `r.…` or `p.…`")
    if isinstance(node, ast.Compare) and len(node.ops) != 1:
        raise MatcherError("compare two values at a time, and join the comparisons with `&&`")
    if isinstance(node, ast.Name) and node.id not in (*functions, "r", "p"):
        raise MatcherError(
            f"`{node.id}` is not known; the functions are {', '.join(f'`{f}`' for f in allowed)}"
        )
    if isinstance(node, ast.Call) and (node.keywords or not isinstance(node.func, ast.Name)):
        raise MatcherError("call a function by its name, with columns")


def _conjuncts(node: ast.expr) -> tuple[str, ...]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return tuple(part for value in node.values for part in _conjuncts(value))
    return (ast.unparse(node),)


def _columns(names: set[str], side: str) -> frozenset[str]:
    return frozenset(name.removeprefix(side) for name in names if name.startswith(side))
