"""The expressions of matchers and conditions: a whitelisted grammar, and the tree that a text stands for.

::

any        = all { "||" all }
all        = truth { "&&" truth }
truth      = "!" ( call | "(" any ")" ) | "(" any ")" | call | value ( comparison value | "in" list )
comparison = "==" | "!=" | "<" | "<=" | ">" | ">="
value      = term { ( "+" | "-" ) term }
term       = column | number | text | "(" value ")"
column     = ( "r." | "p." ) name { "." name }
call       = name "(" [ value { "," value } ] ")"
list       = "(" literal "," literal { "," literal } ")" | "[" literal { "," literal } "]"
"""

from collections.abc import Iterator
from dataclasses import dataclass


class ExpressionError(ValueError):
    """An expression that is refused, with advice. `offset` is where in its text, from 0."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Literal:
    """A text or a number that is written in the expression."""

    value: str | int | float


@dataclass(frozen=True, slots=True)
class RequestColumn:
    """`r.name`, or an attribute of it: `r.name.attribute`."""

    name: str
    attributes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(("r", self.name, *self.attributes))


@dataclass(frozen=True, slots=True)
class PolicyColumn:
    """`p.name`: a field of a row, which is always a text."""

    name: str

    def __str__(self) -> str:
        return f"p.{self.name}"


@dataclass(frozen=True, slots=True)
class Sum:
    """Two numbers added (`+`) or subtracted (`-`)."""

    sign: str
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function. `offset` is where its name stands."""

    name: str
    arguments: tuple["Value", ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values, compared by `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    sign: str
    left: "Value"
    right: "Value"


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether a value is one of several that are written in the expression."""

    value: "Value"
    options: tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """`!` before a call or a bracket."""

    part: "Truth"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Parts that `&&` joins, at least two; none of them is an AllOf."""

    parts: tuple["Truth", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Parts that `||` joins, at least two; none of them is an AnyOf."""

    parts: tuple["Truth", ...]


Value = Literal | RequestColumn | PolicyColumn | Sum
Truth = Call | Comparison | Membership | Negation | AllOf | AnyOf
Node = Value | Truth


def conjuncts(truth: Truth) -> tuple[Truth, ...]:
    """The parts that have to hold together."""
    return truth.parts if isinstance(truth, AllOf) else (truth,)


def alternatives(truth: Truth) -> tuple[Truth, ...]:
    """The parts of which one has to hold."""
    return truth.parts if isinstance(truth, AnyOf) else (truth,)


def nodes(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for child in _children(node):
        yield from nodes(child)


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case AllOf(parts) | AnyOf(parts):
            return parts
        case Call():
            return node.arguments
        case Comparison() | Sum():
            return (node.left, node.right)
        case Negation(part):
            return (part,)
        case Membership(value):
            return (value,)
    return ()
