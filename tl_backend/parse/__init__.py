"""Text to nodes: every spelling of both editions in one grammar, and the dialect of Tiny Tensor Compiler 0.4."""

from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree, UnexpectedInput
from lark.load_grammar import FromPackageLoader

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.limits import DEEPEST_REGIONS
from einsum_front.core.origins import NO_SOURCES, Sources
from einsum_front.core.parsing import word_found
from einsum_front.tl_backend.parse.brackets import too_deep_region
from einsum_front.tl_backend.parse.errors import WORD, syntax_error
from einsum_front.tl_backend.parse.program import ProgramReader
from einsum_front.tl_backend.parse.said import MARKS, refused
from einsum_front.tl_backend.parse.tinytc import DialectReader
from einsum_front.tl_backend.program import Program

__all__ = ["parse"]


def parse(source: Source, known: Sources = NO_SOURCES) -> Program:
    """The program that the text says; every node's origin is its place in the text, then those that the text names.

    What stands there is known of the `known` texts. Raises `CompileError`: the first mistake of syntax (E0401-E0403),
    or all numbers out of range, malformed types, facts and attributes (E0404-E0407), and comments about origins
    (E0111). Whether the program makes sense is the verifier's matter.
    """
    too_deep = too_deep_region(source.text)
    if too_deep is not None:
        message = f"regions are nested more than {DEEPEST_REGIONS} deep"
        raise CompileError([Diagnostic("E0401", message, (Label(Span(source, too_deep, too_deep + 1)),))])
    try:
        return _transformed(ProgramReader(source, known), _parser().parse(source.text))
    except UnexpectedInput as error:
        mistake = syntax_error(source, error, _is_syntax)
    # the grammar of the dialect takes any word for an instruction: a text without its marks has to be right there
    is_dialect = MARKS.search(source.text) is not None
    try:
        return _transformed(DialectReader(source, known), _dialect().parse(source.text))
    except CompileError:
        if is_dialect:
            raise
    except UnexpectedInput as error:
        if is_dialect:
            found = word_found(source, error, WORD)
            raise CompileError([refused(source, found) or syntax_error(source, error, _is_syntax)]) from None
    raise CompileError([mistake])


def _transformed(reader: ProgramReader, tree: Tree[Token]) -> Program:
    program: Program = reader.transform(tree)
    if reader.diagnostics:
        raise CompileError(sorted(reader.diagnostics, key=lambda diagnostic: diagnostic.labels[0].span.start))
    return program


def _is_syntax(text: str) -> bool:
    """True if the text follows the grammar."""
    try:
        _parser().parse(text)
    except UnexpectedInput:
        return False
    return True


@cache
def _parser() -> Lark:
    """The tables of the grammar: about 60 ms, once."""
    grammar = files("einsum_front.tl_backend").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start="program")


@cache
def _dialect() -> Lark:
    """The tables of the other grammar, made when a text needs them."""
    grammar = files("einsum_front.tl_backend").joinpath("tinytc.lark").read_text(encoding="utf-8")
    loader = FromPackageLoader("einsum_front.tl_backend")
    return Lark(grammar, parser="lalr", lexer="contextual", start="program", import_paths=[loader])
