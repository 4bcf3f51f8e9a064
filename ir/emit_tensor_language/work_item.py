"""`get_work_item`: the memref of this work-group, moved by an offset or not."""

from math import prod

from einsum_front.diagnostics import CompilerBug
from einsum_front.ir.emit_tensor_language.access import name_of
from einsum_front.ir.yateto import nodes as yir
from einsum_front.tl_backend.builder import ALL, Builder, Index, Value
from einsum_front.tl_backend.instructions import BinaryOperator
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType


def emit_work_item(builder: Builder, group: Value, group_id: Value, name: str) -> Value:
    """The work-group's item of a batched memref, or behind its pointer.

    %1 = subview %D[:,:,%group] : memref<f32x16x16x?>
    %0 = load %A[%group] : group<memref<f32x16x8>>
    """
    match group.type:
        case MemrefType(order=order):
            return builder.subview(group, *([ALL] * (order - 1)), group_id, name=name)
        case GroupType():
            return builder.load(group, group_id, name=name)
        case ScalarType():
            raise CompilerBug("a group became a scalar")


def emit_moved_work_item(
    builder: Builder, group: Value, type_: yir.GroupType, group_id: Value, offset: Index, name: str
) -> Value:
    """The packed item at an offset in flat memory.

    %start  = arith.mul %group, 256 : index
    %start1 = arith.add %start, %offset : index
    %flat   = subview %D[%start1 : 256] : memref<f32x?>
    %1      = expand %flat[0 -> 16x16] : memref<f32x256>
    """
    shape = type_.memref.shape
    start: Index
    match type_.layout:
        case yir.Distance(elements=distance):
            memory, start = group, _add(builder, _start(builder, group, group_id, distance), offset)
        case yir.Pointers():
            memory, start = builder.load(group, group_id, name=name_of(group, "memory")), offset
    if not shape:
        return builder.subview(memory, start, name=name)
    part = (start, prod(shape))
    if len(shape) == 1:
        return builder.subview(memory, part, name=name)
    return builder.expand(builder.subview(memory, part, name=name_of(group, "flat")), 0, shape, name=name)


def _start(builder: Builder, group: Value, group_id: Value, distance: int) -> Value:
    return builder.arith(BinaryOperator.MUL, group_id, distance, name=name_of(group, "start"))


def _add(builder: Builder, start: Value, offset: Index) -> Value:
    return start if offset == 0 else builder.arith(BinaryOperator.ADD, start, offset, name=start.local.name)
