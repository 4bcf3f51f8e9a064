"""Which memory a value stands for: every view has one operand, so every memref has exactly one base."""

from collections.abc import Mapping

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Expand,
    Fuse,
    GroupId,
    GroupSize,
    Instruction,
    Load,
    Local,
    Size,
    Subview,
    ValueInstruction,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import GroupType, MemrefType


def bases(function: Function) -> Mapping[str, str]:
    """For every memref and group value the name of the argument or of the alloca whose memory it is a view on.

    Memory with different bases does not overlap: an alloca is new memory, and the language asks of its caller that
    what a kernel writes overlaps no other argument. All memrefs of one group have the group as their base.
    """
    base = argument_bases(function)
    for instruction in walk(function.body):
        note_base(instruction, base)
    return base


def argument_bases(function: Function) -> dict[str, str]:
    """The bases that are there before the first instruction."""
    names = (argument.name.name for argument in function.arguments if isinstance(argument.type, MemrefType | GroupType))
    return {name: name for name in names}


def note_base(instruction: Instruction, base: dict[str, str]) -> None:
    """Add the base of the instruction's result, if it is memory."""
    if isinstance(instruction, Alloca):
        base[instruction.result.name] = instruction.result.name
    elif isinstance(instruction, ValueInstruction) and (operand := viewed(instruction)) is not None:
        base[instruction.result.name] = base[operand.name]


def viewed(instruction: ValueInstruction) -> Local | None:
    """The operand whose memory the result is a view on, if the result is a memref that the instruction did not make."""
    match instruction:
        case Expand(operand=operand) | Fuse(operand=operand) | Subview(operand=operand):
            return operand
        case Load(operand=operand, type=type_):
            return operand if isinstance(type_, GroupType) else None
        case Alloca() | ArithBinary() | ArithUnary() | Cast() | Compare() | GroupId() | GroupSize() | Size():
            return None
