"""Nodes to text, in the spelling of an edition: `parse(Source(name, unparse(program))) == program`.

Unless an edition is asked for, every program has a text: in the words of the 2024 edition, and where that has none in
those of an edition that does. Our parser reads it; others may know one edition only.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent_text import word
from einsum_front.core.facts import Limit, Modes, Nonzeros, Values, fact_lines
from einsum_front.core.prologues import with_prologues
from einsum_front.tl_backend.instructions import Alloca, Barrier, For, Foreach, If, Instruction, LifetimeStop, Region
from einsum_front.tl_backend.program import Batched, Edition, Function, Program, Sizes
from einsum_front.tl_backend.types import Type
from einsum_front.tl_backend.unparse.editions import Spelling, spelling
from einsum_front.tl_backend.unparse.instructions import instruction_text
from einsum_front.tl_backend.unparse.tinytc import write_function
from einsum_front.tl_backend.unparse.unsupported import unsupported
from einsum_front.tl_backend.unparse.words import operand_text, type_text
from einsum_front.tl_backend.unparse.writer import LINE_WIDTH, Writer, Written

__all__ = ["Written", "unparse", "unparse_function", "unparse_instruction", "unparse_type", "unparse_with_origins"]


def unparse(program: Program, edition: Edition | None = None) -> str:
    """The text of the program. Raises `CompileError` (E0408) if the edition has no words for something in it."""
    return unparse_with_origins(program, edition)[0]


def unparse_with_origins(program: Program, edition: Edition | None = None) -> tuple[str, tuple[Written, ...]]:
    """The text, and for each function and instruction its characters with its origin, inner ones first."""
    functions = with_prologues(program.functions)
    missing = () if edition is None else unsupported(functions, edition)
    if missing:
        raise CompileError(missing)
    words = spelling(edition or Edition.E2024)
    writer = Writer()
    for function in functions:
        if writer.lines:
            writer.line("")
        if words.edition.is_dialect:
            for line in _fact_lines(function):
                writer.line(line)
            write_function(writer, function)
        else:
            _write_function(writer, function, words)
    return writer.text(), tuple(writer.written)


def unparse_function(function: Function, edition: Edition | None = None) -> str:
    """The text of one function with its facts; errors as in `unparse`."""
    return unparse(Program((function,)), edition)


def unparse_instruction(instruction: Instruction) -> str:
    """The text of one instruction with its regions, for comments and messages: without a newline at its end."""
    writer = Writer()
    _write_instruction(writer, instruction, spelling(Edition.E2024))
    return writer.text().rstrip("\n")


def unparse_type(type_: Type) -> str:
    """The text of a type."""
    return type_text(type_, spelling(Edition.E2024))


def _write_function(writer: Writer, function: Function, words: Spelling) -> None:
    for line in _fact_lines(function):
        writer.line(line)
    start = writer.next_start
    for line in _prototype(function, words):
        writer.line(line)
    _write_region(writer, function.body, words)
    writer.line("}")
    writer.node(start, function.origin)


def _fact_lines(function: Function) -> Iterator[str]:
    """The structured comments above the function."""
    if function.prologue is not None:
        yield f";! prologue @{function.prologue.name}"
    for fact in (*function.facts, *function.limits):
        match fact:
            case Batched(argument=argument):
                yield f";! batched %{argument}"
            case Sizes(argument=argument, extents=extents):
                yield " ".join((f";! sizes %{argument}", *("_" if each is None else word(each) for each in extents)))
            case Modes() | Nonzeros() | Values() | Limit():
                yield from fact_lines(fact)


def _prototype(function: Function, words: Spelling) -> list[str]:
    """The lines up to the body: one, or one for each argument."""
    opening = f"func @{function.name}("
    arguments = [f"{operand_text(item.name)}: {type_text(item.type, words)}" for item in function.arguments]
    closing = ")"
    if function.work_group_size is not None:
        closing += " work_group_size({}, {})".format(*function.work_group_size)
    if function.subgroup_size is not None:
        closing += f" subgroup_size({function.subgroup_size})"
    line = f"{opening}{', '.join(arguments)}{closing} {{"
    if len(line) <= LINE_WIDTH or not arguments:
        return [line]
    separator = f",\n{' ' * len(opening)}"
    return f"{opening}{separator.join(arguments)}{closing} {{".split("\n")


def _write_region(writer: Writer, region: Region, words: Spelling) -> None:
    writer.depth += 1
    for instruction in region:
        if words.has_barriers or not isinstance(instruction, Barrier | LifetimeStop):
            _write_instruction(writer, instruction, words)
    writer.depth -= 1


def _write_instruction(writer: Writer, instruction: Instruction, words: Spelling) -> None:
    if isinstance(instruction, Alloca) and instruction.nonzeros is not None:
        for line in fact_lines(Nonzeros(instruction.result.name, instruction.nonzeros)):
            writer.line(line)
    start = writer.next_start
    writer.line(instruction_text(instruction, words))
    if isinstance(instruction, If):
        _write_region(writer, instruction.then, words)
        if instruction.otherwise is not None:
            writer.line("} else {")
            _write_region(writer, instruction.otherwise, words)
        writer.line("}")
    elif isinstance(instruction, For | Foreach):
        _write_region(writer, instruction.body, words)
        writer.line("}")
    writer.node(start, instruction.origin)
