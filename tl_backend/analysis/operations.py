"""How many operations a function executes for one work-group."""

from math import prod

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import known_sizes, sizes
from einsum_front.tl_backend.traverse import operands, walked


def operations(function: Function) -> int:
    """Multiplications and additions, two a point of an index space; run-time sizes and trip counts count as 1.

    Of two branches the shorter one counts: the other is often for sizes that turn out to be large.
    """
    return _region(function.body)


def depends_on_launch(function: Function) -> bool:
    """True if the number of operations depends on sizes or trip counts that are known only at run time."""
    return any(map(_is_open, walked(function)))


def _is_open(instruction: tl.Instruction) -> bool:
    if isinstance(instruction, tl.Collective):
        return None in sizes(instruction).values()
    if isinstance(instruction, tl.For | tl.Foreach):
        return not all(isinstance(bound, tl.IntegerConstant) for bound in operands(instruction))
    return False


def _region(region: tl.Region) -> int:
    return sum(_instruction(instruction) for instruction in region)


def _instruction(instruction: tl.Instruction) -> int:
    match instruction:
        case tl.Collective():
            return 2 * prod(known_sizes(instruction).values())
        case tl.For(body=body) | tl.Foreach(body=body):
            return iterations(instruction) * _region(body)
        case tl.If(then=then, otherwise=otherwise):
            return _region(then) if otherwise is None else min(_region(then), _region(otherwise))
        case tl.ArithBinary() | tl.ArithUnary() | tl.MathCall():
            return 1
        case (
            tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Load()
            | tl.Size() | tl.Subview() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return 0


def iterations(instruction: tl.Instruction) -> int:
    """How often the regions of an instruction run: those of a loop as `trips` says, others once."""
    if not isinstance(instruction, tl.For | tl.Foreach):
        return 1
    step = instruction.step if isinstance(instruction, tl.For) else tl.IntegerConstant(1)
    return trips(instruction.start, instruction.stop, step)


def trips(start: tl.Operand, stop: tl.Operand, step: tl.Operand) -> int:
    """How often a loop runs; 1 if that is known only at run time."""
    match start, stop, step:
        case tl.IntegerConstant(value=first), tl.IntegerConstant(value=last), tl.IntegerConstant(value=by):
            return len(range(first, last, by))
        case _:  # open: bounds that are known at run time
            return 1
