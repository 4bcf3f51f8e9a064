"""Text to nodes."""

from functools import partial

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.origins import NO_SOURCES, Sources
from einsum_front.core.parsing import follows, parser_of, syntax_tree
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
    parser = parser_of("einsum_front.ir.yateto")
    tree = syntax_tree(source, parser, too_deep, partial(syntax_error, parses=partial(follows, parser)))
    reader = ProgramReader(source, known)
    program: yir.Program = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    return program
