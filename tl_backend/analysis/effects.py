"""Effects of a function on the memory of its arguments, and on memory that work-groups share."""

from collections.abc import Mapping
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses, buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import known_sizes, reads, sizes, writes
from einsum_front.tl_backend.traverse import operands, walk, walked
from einsum_front.tl_backend.types import MemrefType


@dataclass(frozen=True, slots=True)
class Effects:
    """Whether elements of a tensor are read and written."""

    is_read: bool
    is_written: bool


def argument_access(function: Function) -> Mapping[str, Effects]:
    """For every memref and group argument, in order, whether the function reads and writes its elements.

    An access through any view counts; taking a memref out of a group, or asking for a size, is none. Regions may have
    names in common: on the way through the text, a name means the last value that got it.
    """
    return function.get(_argument_access)


def _argument_access(function: Function) -> Mapping[str, Effects]:
    accesses = Accesses.of_arguments(function)
    names = tuple(accesses.memrefs)
    read: set[str] = set()
    written: set[str] = set()
    for instruction in function.get(walked):
        read.update(accesses.memrefs[memref.name].buffer for memref in reads(instruction))
        written.update(accesses.memrefs[memref.name].buffer for memref in writes(instruction))
        accesses.note(instruction)
    return {name: Effects(name in read, name in written) for name in names}


def is_global_memory_shared(function: Function) -> bool:
    """True if an instruction may need what another one, or an earlier run of itself, has left in global memory.

    So it is where arguments that are written are touched more than once, and where temporaries are in global memory.
    """
    buffer = buffers(function)
    touched: dict[str, int] = {}
    written: set[str] = set()
    repeated = [inner for each in function.get(walked) if isinstance(each, tl.For) for inner in walk(each.body)]
    for instruction in (*function.get(walked), *repeated):
        if isinstance(instruction, tl.Alloca) and instruction.is_global:
            return True
        written.update(buffer[memref.name] for memref in writes(instruction))
        for name in {buffer[memref.name] for memref in (*reads(instruction), *writes(instruction))}:
            touched[name] = touched.get(name, 0) + 1
    arguments = {argument.name.name for argument in function.arguments}
    return any(touched[name] > 1 for name in written & arguments)


def owned_memory(prologue: Function) -> Mapping[str, MemrefType]:
    """Results of a prologue: the memrefs that it writes, which belong to a launch, by name."""
    access = argument_access(prologue)
    types = {argument.name.name: argument.type for argument in prologue.arguments}
    return {n: type_ for n, type_ in types.items() if isinstance(type_, MemrefType) and access[n].is_written}


def access_of_launch(function: Function) -> Mapping[str, Effects]:
    """`argument_access` of a function and its prologue together: what happens to the caller's arguments."""
    access = argument_access(function)
    before = {} if function.prologue is None else argument_access(function.prologue)
    return {
        name: Effects(own.is_read or (name in before and before[name].is_read), own.is_written)
        for name, own in access.items()
    }


# -- how many operations a function executes for one work-group --------------------------------------------------------


def operations(function: Function) -> int:
    """Multiplications and additions, two a point of an index space; run-time sizes and trip counts count as 1.

    Of two branches the shorter one counts: the other is often for sizes that turn out to be large.
    """
    return _region(function.body)


def depends_on_launch(function: Function) -> bool:
    """True if the number of operations depends on sizes or trip counts that are known only at run time."""
    return any(map(_is_open, function.get(walked)))


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
