"""Text to nodes."""

from functools import cache
from importlib.resources import files

from lark import Lark, UnexpectedInput

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.origins import NO_SOURCES, Sources
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.parse.errors import syntax_error, too_deep
from einsum_front.ir.yateto.parse.program import ProgramReader

__all__ = ["parse"]


def parse(source: Source, known: Sources = NO_SOURCES) -> yir.Program:
    """The program that the text says; every node's origin is its place in the text, then those that the text names.

    Indices are single letters. What stands there is known of the `known` texts. Raises `CompileError`: the first
    mistake of syntax (E0460-E0462), or all numbers out of range, malformed facts (E0463, E0464) and comments about
    origins (E0111). Whether the program makes sense is the verifier's matter.
    """
    nested = too_deep(source)
    if nested is not None:
        raise CompileError([nested])
    try:
        tree = _parser().parse(source.text)
    except UnexpectedInput as error:
        raise CompileError([syntax_error(source, error, _parses)]) from None
    reader = ProgramReader(source, known)
    program: yir.Program = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    return program


def _parses(text: str) -> bool:
    try:
        _parser().parse(text)
    except UnexpectedInput:
        return False
    return True


@cache
def _parser() -> Lark:
    """The tables of the grammar, built once."""
    grammar = files("einsum_front.ir.yateto").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start="program")
