"""Text to nodes."""

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.parsing import parser_of, syntax_tree
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
    tree = syntax_tree(source, parser_of("einsum_front.mlir", "module"), too_deep, syntax_error)
    reader = DocumentReader(source)
    document: Document = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    maker = ModuleMaker(document.aliases)
    module = maker.module(document.statements)
    if maker.diagnostics:
        raise CompileError(maker.diagnostics)
    return module
