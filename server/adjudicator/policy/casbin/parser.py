"""From the text of a matcher or a condition to its tree, or to what is wrong with it and where."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from adjudicator.config.limits import EXPRESSION_CHARS
from adjudicator.policy.casbin.expression import (
    AllOf,
    AnyOf,
    Call,
    Comparison,
    ExpressionError,
    Literal,
    Membership,
    Negation,
    PolicyColumn,
    RequestColumn,
    Sum,
    Truth,
    Value,
)

_TOKEN = re.compile(
    r"""[ \t]*(?:
      (?P<text>"[^"]*"|'[^']*')
    | (?P<number>[0-9]{1,40}(?:\.[0-9]{1,40})?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    | (?P<sign>&&|\|\||==|!=|<=|>=|[!<>()\[\],+-])
    )""",
    re.VERBOSE,
)
# Stock Casbin rewrites these in the whole expression, also inside of quotes.
_REWRITTEN = re.compile(r"&&|\|\||!|\\|#|\b[rp][0-9]*\.")
_SIDE = re.compile(r"[rp][0-9]*")
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_CONSTANTS = frozenset({"true", "false", "True", "False", "None", "nil"})
_DEPTH = 32


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


def parse_expression(text: str) -> Truth:
    """The tree of an expression, which is true or false by itself. Raises ExpressionError."""
    if len(text) > EXPRESSION_CHARS:
        raise ExpressionError(
            f"longer than {EXPRESSION_CHARS:,} characters; shorten it, or write several rows"
        )
    return _Parser(_tokens(text)).whole()


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    end = len(text.rstrip(" \t"))
    place = 0
    while place < end:
        found = _TOKEN.match(text, place, end)
        if found is None:
            offset = place + len(text[place:]) - len(text[place:].lstrip(" \t"))
            raise ExpressionError(f"`{text[offset]}` is not understood here", offset)
        kind = str(found.lastgroup)
        tokens.append(_Token(kind, found[kind], found.start(kind)))
        place = found.end()
    tokens.append(_Token("end", "", end))
    return tokens


@dataclass(slots=True)
class _Parser:
    tokens: list[_Token]
    place: int = 0
    depth: int = field(default=0)

    def whole(self) -> Truth:
        truth = self._any()
        if self._next.kind != "end":
            raise self._unexpected("join the parts with `&&` or `||`")
        return truth

    @property
    def _next(self) -> _Token:
        return self.tokens[self.place]

    def _take(self, *signs: str) -> _Token | None:
        token = self._next
        if token.kind == "sign" and token.text in signs:
            self.place += 1
            return token
        return None

    def _expect(self, sign: str, advice: str) -> None:
        if self._take(sign) is None:
            raise self._unexpected(advice)

    def _unexpected(self, advice: str) -> ExpressionError:
        token = self._next
        what = f"`{token.text}` is not expected here" if token.text else "the expression ends too early"
        return ExpressionError(f"{what}; {_WORD_ADVICE.get(token.text, advice)}", token.offset)

    def _any(self) -> Truth:
        parts = self._joined("||", self._all)
        return parts[0] if len(parts) == 1 else AnyOf(_flat(parts, AnyOf))

    def _all(self) -> Truth:
        parts = self._joined("&&", self._truth)
        return parts[0] if len(parts) == 1 else AllOf(_flat(parts, AllOf))

    def _joined(self, sign: str, read: Callable[[], Truth]) -> list[Truth]:
        parts = [read()]
        while self._take(sign):
            parts.append(read())
        return parts

    def _truth(self) -> Truth:
        if self._take("!"):
            return self._negation()
        if self._next.text == "(" and not self._opens_value():
            return self._bracketed()
        if self._next.kind == "name" and self.tokens[self.place + 1].text == "(":
            return self._call()
        return self._comparison()

    def _negation(self) -> Truth:
        """Only before a bracket or a call: Casbins disagree about `!a == b`."""
        if self._next.text == "(":
            return Negation(self._bracketed())
        if self._next.kind == "name" and self.tokens[self.place + 1].text == "(":
            return Negation(self._call())
        raise self._unexpected("after `!` write a bracket or a function")

    def _bracketed(self) -> Truth:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ExpressionError(f"more than {_DEPTH} brackets in one another", self._next.offset)
        self._expect("(", "write a bracket")
        truth = self._any()
        self._expect(")", "close the bracket")
        self.depth -= 1
        return truth

    def _opens_value(self) -> bool:
        """Whether the bracket that comes next holds a sum, and not something true or false."""
        depth = 0
        before = ""
        for token in self.tokens[self.place :]:
            depth += (token.text == "(") - (token.text == ")")
            is_call = token.text == "(" and before == "name"
            if is_call or token.text in _COMPARISONS or token.text in ("&&", "||", "!", "in"):
                return False
            before = token.kind
            if depth == 0:
                return True
        return False

    def _call(self) -> Call:
        name = self._next
        if name.text in _WORD_ADVICE:
            raise self._unexpected("")
        self.place += 2
        arguments: list[Value] = []
        while not self._take(")"):
            if arguments:
                self._expect(",", "separate arguments with a comma, and close the bracket")
            arguments.append(self._value())
        return Call(name.text, tuple(arguments), name.offset)

    def _comparison(self) -> Truth:
        left = self._value()
        if self._next.text == "in":
            self.place += 1
            return Membership(left, self._options())
        sign = self._take(*_COMPARISONS)
        if sign is None:
            raise self._unexpected("a column is neither true nor false; compare it, or call a function")
        right = self._value()
        if self._next.text in _COMPARISONS:
            raise self._unexpected("compare two values at a time, and join the comparisons with `&&`")
        return Comparison(sign.text, left, right)

    def _options(self) -> tuple[str | int | float, ...]:
        opened = self._take("(", "[")
        if opened is None:
            raise self._unexpected("write the values in brackets, as in `('a', 'b')`")
        close = {"(": ")", "[": "]"}[opened.text]
        options: list[str | int | float] = []
        while not self._take(close):
            if options:
                self._expect(",", "separate the values with commas, and close the bracket")
            value = self._value()
            if not isinstance(value, Literal):
                raise self._unexpected("write texts or numbers between the brackets")
            options.append(value.value)
        if not options or (
            len(options) == 1 and close == ")"
        ):  # one in round brackets is no list to Python
            raise ExpressionError("write at least two values, or `==` for one", opened.offset)
        return tuple(options)

    def _value(self) -> Value:
        value = self._term()
        terms = 1
        while sign := self._take("+", "-"):
            terms += 1
            if terms > _DEPTH:
                raise ExpressionError(f"more than {_DEPTH} terms in one sum", sign.offset)
            value = Sum(sign.text, value, self._term())
        return value

    def _term(self) -> Value:
        token = self._next
        if self._take("("):
            self.depth += 1
            if self.depth > _DEPTH:
                raise ExpressionError(f"more than {_DEPTH} brackets in one another", token.offset)
            value = self._value()
            self._expect(")", "close the bracket")
            self.depth -= 1
            return value
        if token.kind not in ("text", "number", "name"):
            raise self._unexpected("write a column (`r.…`, `p.…`), a number, or a text in quotes")
        self.place += 1
        if token.kind == "text":
            return Literal(_unquoted(token))
        if token.kind == "number":
            return Literal(float(token.text) if "." in token.text else int(token.text))
        return _column(token)


_WORD_ADVICE = {word: f"write `{sign}`, which every Casbin knows" for word, sign in _WORDS.items()}


def _flat(parts: list[Truth], kind: type[AllOf] | type[AnyOf]) -> tuple[Truth, ...]:
    return tuple(inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,)))


def _unquoted(token: _Token) -> str:
    text = token.text[1:-1]
    found = _REWRITTEN.search(text)
    if found is not None:
        raise ExpressionError(
            f"stock Casbin would rewrite `{found[0]}` inside of quotes; write the text without it",
            token.offset + 1 + found.start(),
        )
    return text


def _column(token: _Token) -> Value:
    if token.text in _WORD_ADVICE:
        raise ExpressionError(_WORD_ADVICE[token.text], token.offset)
    if token.text in _CONSTANTS:
        raise ExpressionError(
            f"`{token.text}` is not the same in every Casbin; compare a column", token.offset
        )
    side, *names = token.text.split(".")
    if any(_SIDE.fullmatch(name) for name in names[:-1]):
        raise ExpressionError(
            f"stock Casbin would rewrite `{token.text}`; rename the attribute", token.offset
        )
    if side == "r" and names:
        return RequestColumn(names[0], tuple(names[1:]))
    if side == "p" and len(names) == 1:
        return PolicyColumn(names[0])
    raise ExpressionError(f"`{token.text}` is not a column; write `r.…` or `p.…`", token.offset)
