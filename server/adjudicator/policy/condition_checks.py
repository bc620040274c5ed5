"""Conditions of rules that would fail on every call, or hold on all or none."""

from adjudicator.policy.casbin.expression import (
    ExpressionError,
    Literal,
    Membership,
    Node,
    RequestColumn,
    Sum,
    Truth,
    nodes,
)
from adjudicator.policy.casbin.parser import parse_expression

ALWAYS = "1 == 1"
"""The condition of a rule without one."""
_FACET = ("kind", "access", "text", "pointer")


def condition_fault(text: str) -> str | None:
    """What is wrong with a condition; nothing for one that cannot be read, which is told elsewhere.

    A call has texts only: a number equals none of them, and is less than none.
    """
    if text == ALWAYS:
        return None
    try:
        condition = parse_expression(text)
    except ExpressionError:
        return None
    return _fault(condition)


def _is_number(node: Node) -> bool:
    match node:
        case Literal(value):
            return not isinstance(value, str)
        case Membership(_, options):
            return not all(isinstance(option, str) for option in options)
    return isinstance(node, Sum)


def _fault(condition: Truth) -> str | None:
    looks = False
    for node in nodes(condition):
        if _is_number(node):
            return "what a call says is text, and no number; compare texts in quotes"
        if isinstance(node, RequestColumn):
            looks = True
            if node.name == "facet" and (len(node.attributes) != 1 or node.attributes[0] not in _FACET):
                known = ", ".join(f"`r.facet.{each}`" for each in _FACET)
                return f"`{node}` is nothing to compare; write one of {known}"
            if node.name != "facet" and node.attributes:
                return f"`{node}` is nothing that a call has; write `r.{node.name}`"
    return None if looks else f"a condition that looks at no call; write `{ALWAYS}` for a rule without one"
