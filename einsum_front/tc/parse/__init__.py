"""Text to nodes."""

from functools import cache
from importlib.resources import files

from lark import Lark, UnexpectedInput

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tc.nodes import Program
from einsum_front.tc.parse.errors import syntax_error, too_deep
from einsum_front.tc.parse.reader import DefinitionReader

__all__ = ["parse"]


def parse(source: Source) -> Program:
    """The definitions that the text says; every node's origin is its place in the text.

    Raises `CompileError`: the first mistake of syntax (E0830), or all attributes, integers out of range and arguments
    that mix positions and values (E0831). Whether the definitions make sense is the verifier's matter.
    """
    nested = too_deep(source)
    if nested is not None:
        raise CompileError([nested])
    try:
        tree = _parser().parse(source.text)
    except UnexpectedInput as error:
        raise CompileError([syntax_error(source, error)]) from None
    reader = DefinitionReader(source)
    program: Program = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    return program


@cache
def _parser() -> Lark:
    """The tables of the grammar, built once."""
    grammar = files("einsum_front.tc").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start="program")
