"""tree-sitter's reading of a command line, reduced to what the other reader is held against."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from adjudicator.facets.shell.reading import Role

_Span = tuple[int, int]
_LEAVES = frozenset(
    {
        "word",
        "number",
        "raw_string",
        "ansi_c_string",
        "string_content",
        "variable_name",
        "special_variable_name",
        "file_descriptor",
        "heredoc_start",
        "heredoc_end",
        "heredoc_content",
        "comment",
        "test_operator",
    }
)
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})


@dataclass(slots=True)
class Outline:
    """The role of each word, by place in bytes; where commands are; and whether all of it is known."""

    roles: dict[_Span, Role] = field(default_factory=dict)
    commands: list[_Span] = field(default_factory=list)
    broken: bool = False


class Grammar:
    """The grammar, with a parser for each thread, for a parser serves one thread at a time."""

    def __init__(self) -> None:
        self._language = Language(tree_sitter_bash.language())
        self._local = threading.local()

    def outline(self, line: bytes) -> Outline:
        """What the grammar takes the line for."""
        parser = getattr(self._local, "parser", None)
        if parser is None:
            parser = self._local.parser = Parser(self._language)
        root = parser.parse(line).root_node
        outline = Outline(broken=root.has_error)
        _visit(root, outline)
        return outline


def _visit(node: Node, outline: Outline) -> None:
    """Note the roles below a node; what is no command or redirection only leads to more of them."""
    for child in node.children:
        kind = child.type
        if kind not in _LEAVES and child.is_named:
            _VISITS.get(kind, _visit)(child, outline)


def _command(node: Node, outline: Outline) -> None:
    outline.commands.append((node.start_byte, node.end_byte))
    for child in node.children:
        kind = child.type
        if kind in _REDIRECTS:
            _VISITS[kind](child, outline)
        elif kind != "comment":
            _word(child, kind, Role.PROGRAM if kind == "command_name" else Role.ARGUMENT, outline)


def _declaration(node: Node, outline: Outline) -> None:
    """A command such as `export`, whose name the grammar takes for a keyword."""
    _command(node, outline)
    name = node.children[0]
    outline.roles[name.start_byte, name.end_byte] = Role.PROGRAM


def _word(node: Node, kind: str, role: Role, outline: Outline) -> None:
    outline.roles[node.start_byte, node.end_byte] = role
    if kind not in _LEAVES:
        _visit(node, outline)


def _test(node: Node, outline: Outline) -> None:
    outline.commands.append((node.start_byte, node.end_byte))
    _word(node, "", Role.PROGRAM, outline)


def _assignment(node: Node, outline: Outline) -> None:
    _word(node, "", Role.ARGUMENT, outline)


def _redirect(node: Node, outline: Outline) -> None:
    """The first word of a redirection is its target; the grammar counts arguments behind it to it too."""
    role = Role.TARGET
    for child in _operands(node):
        _word(child, child.type, role, outline)
        role = Role.ARGUMENT


def _operands(node: Node) -> Iterator[Node]:
    return (child for child in node.children if child.is_named and child.type != "file_descriptor")


def _with_words_in(field: str) -> Callable[[Node, Outline], None]:
    """Visits a node whose children of that field are words, and the others whatever they are."""

    def visit(node: Node, outline: Outline) -> None:
        for index, child in enumerate(node.children):
            kind = child.type
            if node.field_name_for_child(index) == field:
                _word(child, kind, Role.ARGUMENT, outline)
            elif kind not in _LEAVES and child.is_named:
                _VISITS.get(kind, _visit)(child, outline)

    return visit


_VISITS = {
    "command": _command,
    "declaration_command": _declaration,
    "unset_command": _declaration,
    "test_command": _test,
    "variable_assignment": _assignment,
    "file_redirect": _redirect,
    "herestring_redirect": _redirect,
    "heredoc_redirect": _with_words_in("argument"),
    "for_statement": _with_words_in("value"),
}
