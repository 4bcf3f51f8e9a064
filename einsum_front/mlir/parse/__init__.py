"""Text to nodes."""

from functools import cache
from importlib.resources import files

from lark import Lark, UnexpectedInput

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse.errors import syntax_error, too_deep
from einsum_front.mlir.parse.functions import ModuleMaker
from einsum_front.mlir.parse.reader import DocumentReader
from einsum_front.mlir.parse.syntax import Document

__all__ = ["parse"]


def parse(source: Source) -> mlir.Module:
    """The module that the text says; every node's origin is its place in the text.

    Raises `CompileError`: the first mistake of syntax (E0801 to E0803), or all mistakes in types, attributes,
    operations and names (E0802 to E0813). Whether the operations make sense is the verifier's matter.
    """
    nested = too_deep(source)
    if nested is not None:
        raise CompileError([nested])
    try:
        tree = _parser().parse(source.text)
    except UnexpectedInput as error:
        raise CompileError([syntax_error(source, error)]) from None
    reader = DocumentReader(source)
    document: Document = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    maker = ModuleMaker(document.aliases)
    module = maker.module(document.statements)
    if maker.diagnostics:
        raise CompileError(maker.diagnostics)
    return module


@cache
def _parser() -> Lark:
    """The tables of the grammar, built once."""
    grammar = files("einsum_front.mlir").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start="module")
