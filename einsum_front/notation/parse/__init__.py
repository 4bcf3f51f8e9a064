"""`.ein` text to syntax. The grammar itself is `grammar.lark`."""

from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.parsing import parser_of
from einsum_front.core.texts import read_source
from einsum_front.notation import syntax
from einsum_front.notation.parse.errors import explain_unexpected
from einsum_front.notation.parse.tree import TreeReader


def parse(source: Source) -> syntax.Program:
    """The program that a text spells; its mistakes against the grammar are raised as `CompileError`."""
    tree = _tree(source, "start")
    if not tree.children:
        label = Label(Span(source, 0, 0), "no program")
        raise CompileError([Diagnostic("E0101", "expected a declaration or a kernel, found nothing", (label,))])
    reader = TreeReader(source)
    program = reader.program(tree)
    if reader.mistakes:
        raise CompileError(reader.mistakes)
    return program


def parse_positions(source: Source) -> tuple[syntax.Position, ...]:
    """The index list that a text such as `[k=0:20,p]` spells."""
    reader = TreeReader(source)
    positions = reader.positions(_tree(source, "positions"))
    if reader.mistakes:
        raise CompileError(reader.mistakes)
    return positions


def _tree(source: Source, start: str) -> Tree[Token]:
    """The text as `grammar.lark` sees it, from its rule `start` on."""
    try:
        return _parser().parse(source.text, start=start)
    except UnexpectedInput as unexpected:
        raise CompileError([explain_unexpected(unexpected, source, _parser())]) from None


def parse_file(path: str | Path) -> syntax.Program:
    """The program in a file; a file that cannot be read or is no text raises `CompileError` as well."""
    return parse(read_source(path))


def _parser() -> Lark:
    """The parser, which keeps all tokens, so that the place of a tree is that of its first and last one."""
    starts = ("start", "positions")
    return parser_of(__name__, starts, lexer="basic", keep_all_tokens=True, maybe_placeholders=False)
