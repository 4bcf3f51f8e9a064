"""Text to nodes."""

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.parsing import parser_of, syntax_tree
from einsum_front.tc.nodes import Program
from einsum_front.tc.parse.reader import DefinitionReader, syntax_error, too_deep

__all__ = ["parse"]


def parse(source: Source) -> Program:
    """The definitions that the text says; every node's origin is its place in the text.

    Raises `CompileError`: the first mistake of syntax (E0830), or all attributes, integers out of range and arguments
    that mix positions and values (E0831). Whether the definitions make sense is the verifier's matter.
    """
    tree = syntax_tree(source, parser_of("einsum_front.tc"), too_deep, syntax_error)
    reader = DefinitionReader(source)
    program: Program = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    return program
