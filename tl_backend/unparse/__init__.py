"""Nodes to text, in the spelling of an edition: `parse(Source(name, unparse(program))) == program`.

Unless an edition is asked for, every program has a text: in the words of the 2024 edition, and where that has none in
those of an edition that does. Our parser reads it; others may know one edition only.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import raise_any
from einsum_front.core.extent_text import word
from einsum_front.core.facts import Indices, Limit, Modes, Nonzeros, Values, fact_lines
from einsum_front.core.prologues import with_prologues
from einsum_front.core.scattered import Scatter
from einsum_front.core.writer import LINE_WIDTH, Writer, Written
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Batched, Edition, Function, Prefetched, Program, Sizes
from einsum_front.tl_backend.types import Type
from einsum_front.tl_backend.unparse.instructions import Spelling, instruction_text, operand_text, spelling, type_text
from einsum_front.tl_backend.unparse.tinytc import write_function
from einsum_front.tl_backend.unparse.unsupported import unsupported

__all__ = [
    "Written",
    "instruction_line",
    "unparse",
    "unparse_function",
    "unparse_instruction",
    "unparse_type",
    "unparse_with_origins",
]


def unparse(program: Program, edition: Edition | None = None) -> str:
    """The text of the program. Raises `CompileError` (E0408) if the edition has no words for something in it."""
    return unparse_with_origins(program, edition)[0]


def unparse_with_origins(
    program: Program, edition: Edition | None = None, *, tells_origins: bool = False
) -> tuple[str, tuple[Written, ...]]:
    """The text, and for each function, argument and instruction its characters with its origin, inner ones first.

    If the text `tells_origins`, comments of it do: `parse` reads them.
    """
    functions = with_prologues(program.functions)
    missing = () if edition is None else unsupported(functions, edition)
    raise_any(missing)
    words = spelling(edition or Edition.E2024)
    writer = Writer(tells_origins)
    for function in functions:
        if writer.lines:
            writer.line("")
        if words.edition.is_dialect:
            _write_facts(writer, function)
            write_function(writer, function)
        else:
            _write_function(writer, function, words)
    return writer.text(), tuple(writer.written)


def unparse_function(function: Function, edition: Edition | None = None) -> str:
    """The text of one function with its facts; errors as in `unparse`."""
    return unparse(Program((function,)), edition)


def unparse_instruction(instruction: tl.Instruction) -> str:
    """The text of one instruction with its regions, for comments and messages: without a newline at its end."""
    writer = Writer()
    _write_instruction(writer, instruction, spelling(Edition.E2024))
    return writer.text().rstrip("\n")


def instruction_line(instruction: tl.Instruction) -> str:
    """The first line of one instruction, without the types if they do not fit."""
    writer = Writer()
    writer.line(instruction_text(instruction, spelling(Edition.E2024)))
    return writer.text().partition("\n")[0]


def unparse_type(type_: Type) -> str:
    """The text of a type."""
    return type_text(type_, spelling(Edition.E2024))


def _write_function(writer: Writer, function: Function, words: Spelling) -> None:
    _write_facts(writer, function)
    writer.comment(function.origin)
    start = writer.next_start
    _write_prototype(writer, function, words)
    _write_region(writer, function.body, words)
    writer.line("}")
    writer.node(start, function.origin)


def _write_facts(writer: Writer, function: Function) -> None:
    """The structured comments above the function: those about an argument came from where it did."""
    origins = {argument.name.name: argument.origin for argument in function.arguments}
    for name, line in _fact_lines(function):
        start = writer.next_start
        writer.line(line)
        writer.node(start, origins.get(name, function.origin))


def _fact_lines(function: Function) -> Iterator[tuple[str, str]]:
    """The structured comments above the function, with the names of the arguments that they are about."""
    if function.prologue is not None:
        yield "", f";! prologue @{function.prologue.name}"
    for fact in (*function.facts, *function.limits):
        match fact:
            case Batched(argument=argument, mode=mode):
                yield argument, f";! batched %{argument}" + ("" if mode is None else f" {mode}")
            case Prefetched(argument=argument):
                yield argument, f";! prefetched %{argument}"
            case Sizes(argument=argument, extents=extents):
                words = " ".join("_" if each is None else word(each) for each in extents)
                yield argument, f";! sizes %{argument} {words}".rstrip()
            case Indices(argument=name) | Scatter(source=name):
                yield from ((name, line) for line in fact_lines(fact))
            case Modes(argument=name) | Nonzeros(argument=name) | Values(argument=name) | Limit(name=name):
                yield from ((name, line) for line in fact_lines(fact))


def _write_prototype(writer: Writer, function: Function, words: Spelling) -> None:
    """The lines up to the body: one, or one for each argument where these are long or tell their origins."""
    opening = f"func @{function.name}("
    arguments = [f"{operand_text(item.name)}: {type_text(item.type, words)}" for item in function.arguments]
    closing = ")"
    if function.work_group_size is not None:
        closing += " work_group_size({}, {})".format(*function.work_group_size)
    if function.subgroup_size is not None:
        closing += f" subgroup_size({function.subgroup_size})"
    line = f"{opening}{', '.join(arguments)}{closing} {{"
    has_lines = writer.tells_origins and any(argument.origin for argument in function.arguments)
    if not arguments or (len(line) <= LINE_WIDTH and not has_lines):
        writer.line(line)
        return
    for number, (argument, text) in enumerate(zip(function.arguments, arguments, strict=True), start=1):
        before = opening if number == 1 else " " * len(opening)
        after = f"{closing} {{" if number == len(arguments) else ","
        start = writer.next_start + len(before)
        writer.line(f"{before}{text}{after}", argument.origin)
        writer.node(start, argument.origin)


def _write_region(writer: Writer, region: tl.Region, words: Spelling) -> None:
    writer.depth += 1
    for instruction in region:
        if words.has_barriers or not isinstance(instruction, tl.Barrier | tl.LifetimeStop):
            _write_instruction(writer, instruction, words)
    writer.depth -= 1


def _write_instruction(writer: Writer, instruction: tl.Instruction, words: Spelling) -> None:
    if isinstance(instruction, tl.Alloca) and instruction.nonzeros is not None:
        for line in fact_lines(Nonzeros(instruction.result.name, instruction.nonzeros)):
            start = writer.next_start
            writer.line(line)
            writer.node(start, instruction.origin)
    start = writer.next_start
    writer.line(instruction_text(instruction, words), instruction.origin)
    if isinstance(instruction, tl.If):
        _write_region(writer, instruction.then, words)
        if instruction.otherwise is not None:
            writer.line("} else {")
            _write_region(writer, instruction.otherwise, words)
        writer.line("}")
    elif isinstance(instruction, tl.For | tl.Foreach):
        _write_region(writer, instruction.body, words)
        writer.line("}")
    writer.node(start, instruction.origin)
