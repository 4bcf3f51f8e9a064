"""How many operations a function executes for one work-group."""

from math import prod

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Collective,
    Compare,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    Instruction,
    IntegerConstant,
    LifetimeStop,
    Load,
    MathCall,
    Operand,
    Region,
    Size,
    Store,
    Subview,
    Yield,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import known_sizes, sizes
from einsum_front.tl_backend.traverse import operands, walk


def operations(function: Function) -> int:
    """Multiplications and additions, two a point of an index space; run-time sizes and trip counts count as 1.

    Of two branches the shorter one counts: the other is often for sizes that turn out to be large.
    """
    return _region(function.body)


def depends_on_launch(function: Function) -> bool:
    """True if the number of operations depends on sizes or trip counts that are known only at run time."""
    return any(map(_is_open, walk(function.body)))


def _is_open(instruction: Instruction) -> bool:
    if isinstance(instruction, Collective):
        return None in sizes(instruction).values()
    if isinstance(instruction, For | Foreach):
        return not all(isinstance(bound, IntegerConstant) for bound in operands(instruction))
    return False


def _region(region: Region) -> int:
    return sum(_instruction(instruction) for instruction in region)


def _instruction(instruction: Instruction) -> int:
    match instruction:
        case Collective():
            return 2 * prod(known_sizes(instruction).values())
        case For(start=start, stop=stop, step=step, body=body):
            return trips(start, stop, step) * _region(body)
        case Foreach(start=start, stop=stop, body=body):
            return trips(start, stop, IntegerConstant(1)) * _region(body)
        case If(then=then, otherwise=otherwise):
            return _region(then) if otherwise is None else min(_region(then), _region(otherwise))
        case ArithBinary() | ArithUnary() | MathCall():
            return 1
        case (
            Alloca() | Cast() | Compare() | Expand() | Fuse() | GroupId() | GroupSize() | Load() | Size() | Subview()
            | Store() | Yield() | Barrier() | LifetimeStop()
        ):  # fmt: skip
            return 0


def trips(start: Operand, stop: Operand, step: Operand) -> int:
    """How often a loop runs; 1 if that is known only at run time."""
    match start, stop, step:
        case IntegerConstant(value=first), IntegerConstant(value=last), IntegerConstant(value=by):
            return len(range(first, last, by))
        case _:
            return 1
