"""How many operations a function executes for one work-group."""

from math import prod

from tl_backend.analysis.extents import extents
from tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Axpby,
    Barrier,
    Cast,
    CollectiveInstruction,
    Compare,
    Expand,
    For,
    Foreach,
    Fuse,
    Gemm,
    Gemv,
    Ger,
    GroupId,
    GroupSize,
    HadamardProduct,
    If,
    Instruction,
    IntegerConstant,
    LifetimeStop,
    Load,
    Region,
    Size,
    Store,
    Subview,
    Sum,
    Yield,
)
from tl_backend.program import Function


def operations(function: Function) -> int:
    """Multiplications and additions, two a point of an index space; run-time sizes and trip counts count as 1."""
    return _region(function.body)


def _region(region: Region) -> int:
    return sum(_instruction(instruction) for instruction in region)


def _instruction(instruction: Instruction) -> int:
    match instruction:
        case Axpby() | Gemm() | Gemv() | Ger() | HadamardProduct() | Sum():
            return 2 * _points(instruction)
        case For(start=start, stop=stop, step=step, body=body):
            return _trips(start, stop, step) * _region(body)
        case Foreach(start=start, stop=stop, body=body):
            return _trips(start, stop, IntegerConstant(1)) * _region(body)
        case If(then=then, otherwise=otherwise):
            return max(_region(then), _region(otherwise or ()))
        case ArithBinary() | ArithUnary():
            return 1
        case (
            Alloca() | Cast() | Compare() | Expand() | Fuse() | GroupId() | GroupSize() | Load() | Size() | Subview()
            | Store() | Yield() | Barrier() | LifetimeStop()
        ):  # fmt: skip
            return 0


def _points(instruction: CollectiveInstruction) -> int:
    return prod(uses[0].size or 1 for uses in extents(instruction).values())


def _trips(start: object, stop: object, step: object) -> int:
    match start, stop, step:
        case IntegerConstant(value=first), IntegerConstant(value=last), IntegerConstant(value=by):
            return len(range(first, last, by))
        case _:
            return 1
