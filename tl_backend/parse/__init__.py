"""Text to nodes: every spelling of both editions in one grammar, and the dialect of Tiny Tensor Compiler 0.4."""

from functools import partial

from lark import Token, Tree, UnexpectedInput

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, by_place, raise_any
from einsum_front.core.limits import DEEPEST_REGIONS
from einsum_front.core.origins import NO_SOURCES, Sources
from einsum_front.core.parsing import follows, parser_of, too_deep, word_found
from einsum_front.tl_backend.parse.errors import BRACKET, WORD, syntax_error
from einsum_front.tl_backend.parse.program import ProgramReader
from einsum_front.tl_backend.parse.said import MARKS, refused
from einsum_front.tl_backend.parse.tinytc import DialectReader
from einsum_front.tl_backend.parse.views import views_fit
from einsum_front.tl_backend.program import Program

__all__ = ["parse"]


def parse(source: Source, known: Sources = NO_SOURCES) -> Program:
    """The program that the text says; every node's origin is its place in the text, then those that the text names.

    What stands there is known of the `known` texts. Raises `CompileError`: the first mistake of syntax (E0401-E0403),
    or all numbers out of range, malformed types, facts and attributes (E0404-E0407), and comments about origins
    (E0111). Whether the program makes sense is the verifier's matter.
    """
    nested = too_deep(source, BRACKET, "{", DEEPEST_REGIONS)
    if nested is not None:
        message = f"regions are nested more than {DEEPEST_REGIONS} deep"
        raise CompileError([Diagnostic("E0401", message, (Label(nested),))])
    parser = parser_of("einsum_front.tl_backend")
    is_syntax = partial(follows, parser)
    try:
        program = _transformed(ProgramReader(source, known), parser.parse(source.text))
        return program if views_fit(program) else _dialect_of_views(source, program, known)
    except UnexpectedInput as error:
        mistake = syntax_error(source, error, is_syntax)
    # the grammar of the dialect takes any word for an instruction: a text without its marks has to be right there
    is_dialect = MARKS.search(source.text) is not None
    try:
        return _transformed(
            DialectReader(source, known), parser_of("einsum_front.tl_backend", grammar="tinytc.lark").parse(source.text)
        )
    except CompileError:
        if is_dialect:
            raise
    except UnexpectedInput as error:
        if is_dialect:
            found = word_found(source, error, WORD)
            raise CompileError([refused(source, found) or syntax_error(source, error, is_syntax)]) from None
    raise CompileError([mistake])


def _dialect_of_views(source: Source, program: Program, known: Sources) -> Program:
    """The program in the dialect, whose views have the type of the result behind the colon, if it is one there."""
    grammar = parser_of("einsum_front.tl_backend", grammar="tinytc.lark")
    try:
        return _transformed(DialectReader(source, known), grammar.parse(source.text))
    except (CompileError, UnexpectedInput):
        return program


def _transformed(reader: ProgramReader, tree: Tree[Token]) -> Program:
    program: Program = reader.transform(tree)
    raise_any(by_place(reader.diagnostics))
    return program
