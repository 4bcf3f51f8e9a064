"""Instructions with a value: arithmetic, views, loads and new memory."""

from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.lib.stride_tricks import as_strided

from einsum_front.core.numbers import is_floating
from einsum_front.core.runs import mask_from_runs
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret.frame import Frame, Memory, Temporary, Value, allocate, undefined
from einsum_front.tl_backend.scalars import Scalar, binary, call, cast, compare, make, unary
from einsum_front.tl_backend.types import MemrefType, ScalarType


def evaluate(instruction: tl.ValueInstruction, frame: Frame) -> Value:
    """The value that the instruction names."""
    match instruction:
        case tl.ArithBinary(operator=operator, left=left, right=right, type=type_):
            return binary(operator, frame.scalar(left, type_), frame.scalar(right, type_), type_)
        case tl.ArithUnary(operator=operator, operand=operand, type=type_):
            return unary(operator, frame.scalar(operand, type_), type_)
        case tl.Cast(operand=operand, from_type=from_type, to_type=to_type):
            return cast(frame.scalar(operand, from_type), to_type)
        case tl.Compare(condition=condition, left=left, right=right, type=type_):
            return compare(condition, frame.scalar(left, type_), frame.scalar(right, type_))
        case tl.MathCall(function=function, operands=operands, type=type_):
            return call(function, [frame.scalar(operand, type_) for operand in operands], type_)
        case tl.GroupId():
            return make(frame.group, ScalarType.INDEX)
        case tl.GroupSize():
            return make(frame.groups, ScalarType.INDEX)
        case tl.Size(operand=local, mode=mode):
            return make(frame.memory(local).shape[mode], ScalarType.INDEX)
        case tl.Alloca():
            return _allocate(instruction, frame)
        case tl.Load():
            return _load(instruction, frame)
        case tl.Subview():
            return _subview(instruction, frame)
        case tl.Fuse():
            return _fuse(instruction, frame)
        case tl.Expand():
            return _expand(instruction, frame)


def _allocate(alloca: tl.Alloca, frame: Frame) -> Memory:
    given = iter(alloca.sizes)
    shape = tuple(frame.index(next(given)) if size is None else size for size in alloca.type.shape)
    if min(shape, default=1) < 1:
        raise undefined(alloca, f"a temporary of sizes {shape} has no entries")
    name, memory = alloca.result.name, allocate(alloca.type, shape)
    forget(memory)
    span = 1 + sum((size - 1) * stride for size, stride in zip(memory.shape, memory.strides, strict=True))
    elements = max(1, 1 + span // memory.itemsize)
    frame.temporaries[name] = temporary = Temporary(name, memory, np.zeros(elements, np.bool_))
    frame.zeros.pop(name, None)
    if alloca.nonzeros is not None:
        zeros = ~mask_from_runs(alloca.nonzeros, memory.shape)
        memory[zeros] = 0
        temporary.written_in(memory)[zeros] = True
        frame.zeros[name] = memory, zeros
    return memory


def check_written(instruction: tl.Instruction, view: Memory, frame: Frame) -> None:
    """All that is read of a temporary was written."""
    temporary = frame.temporary(view)
    if temporary is None or (written := temporary.written_in(view)).all():
        return
    first = tuple(int(index) for index in np.argwhere(~np.asarray(written))[0])
    place = f": entry ({', '.join(map(str, first))}) of what is read here" if first else ""
    raise undefined(instruction, f"`%{temporary.name}` is read where nothing has written it{place}")


def note_written(view: Memory, frame: Frame, index: tuple[int, ...] | None = None) -> None:
    """A view, or one entry of it, is written."""
    if (temporary := frame.temporary(view)) is not None:
        temporary.written_in(view)[... if index is None else index] = True


def check_zeros(instruction: tl.Collective | tl.Store, written: tl.Local, frame: Frame) -> None:
    """What was written is zero where nonzeros leave it out; what nobody wrote there is no number."""
    view = frame.memory(written)
    for name, (memory, zeros) in frame.zeros.items():
        if np.may_share_memory(view, memory):
            wrong = zeros & (memory != 0) & ~np.isnan(memory)
            if wrong.any():
                first = np.flatnonzero(wrong.ravel(order="F"))[0]
                message = f"`%{name}` gets something at position {first}, which its nonzeros leave out"
                raise undefined(instruction, message)


def forget(memory: Memory) -> None:
    """Fill memory that holds nothing of use with what shows when it is used."""
    if is_floating(memory.dtype) or memory.dtype.kind == "c":
        memory[...] = np.nan
    else:
        memory[...] = True if memory.dtype.kind == "b" else np.iinfo(memory.dtype).max


def position(instruction: tl.Load | tl.Store, frame: Frame) -> tuple[int, ...]:
    """The indices of an element; they lie inside the memref."""
    shape = frame.memory(instruction.target if isinstance(instruction, tl.Store) else instruction.operand).shape
    found = tuple(frame.index(index) for index in instruction.indices)
    for mode, (index, size) in enumerate(zip(found, shape, strict=True)):
        if not 0 <= index < size:
            raise undefined(instruction, f"index {index} is outside of mode {mode}, which has size {size}")
    return found


def _load(instruction: tl.Load, frame: Frame) -> Scalar | Memory:
    if isinstance(instruction.type, MemrefType):
        memory, at = frame.memory(instruction.operand), position(instruction, frame)
        entry: Memory = memory[(*at, ...)]  # type: ignore[arg-type] # an array without modes, which is a view
        check_written(instruction, entry, frame)
        element: Scalar = memory[at]
        return element
    group = frame.group_memory(instruction.operand)
    index = frame.index(instruction.indices[0])
    if not 0 <= index < len(group):
        raise undefined(instruction, f"index {index} is outside of the group, which has {len(group)} memrefs")
    return group[index]


def _subview(instruction: tl.Subview, frame: Frame) -> Memory:
    memory = frame.memory(instruction.operand)
    picks: list[int | slice] = []
    for mode, (pick, size) in enumerate(zip(instruction.slices, memory.shape, strict=True)):
        offset = frame.index(pick.index if isinstance(pick, tl.Position) else pick.offset)
        count = 1 if isinstance(pick, tl.Position) else _count(pick, size - offset, frame)
        if offset < 0 or count < 1 or offset + count > size:
            raise undefined(instruction, f"the slice {offset}:{count} is outside of mode {mode}, which has size {size}")
        picks.append(offset if isinstance(pick, tl.Position) else slice(offset, offset + count))
    return memory[(*picks, ...)]


def _count(slice_: tl.Slice, rest: int, frame: Frame) -> int:
    return rest if slice_.size is None else frame.index(slice_.size)


def _fuse(instruction: tl.Fuse, frame: Frame) -> Memory:
    memory, first, last = frame.memory(instruction.operand), instruction.first, instruction.last
    shape, strides = memory.shape, memory.strides
    for mode in range(first, last):
        if strides[mode] * shape[mode] != strides[mode + 1]:
            raise undefined(instruction, f"modes {mode} and {mode + 1} do not follow each other in memory")
    return as_strided(
        memory,
        (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]),
        (*strides[: first + 1], *strides[last + 1 :]),
    )


def _expand(instruction: tl.Expand, frame: Frame) -> Memory:
    memory, mode = frame.memory(instruction.operand), instruction.mode
    size = memory.shape[mode]
    given = prod(frame.index(entry) for entry in instruction.shape if entry is not None)
    inferred = size // given if given > 0 else 0
    sizes = tuple(inferred if entry is None else frame.index(entry) for entry in instruction.shape)
    if prod(sizes) != size or min(sizes) < 1:
        raise undefined(instruction, f"{' x '.join(map(str, sizes))} is not mode {mode}, which has size {size}")
    strides = accumulate(sizes[:-1], mul, initial=memory.strides[mode])
    return as_strided(
        memory,
        (*memory.shape[:mode], *sizes, *memory.shape[mode + 1 :]),
        (*memory.strides[:mode], *strides, *memory.strides[mode + 1 :]),
    )
