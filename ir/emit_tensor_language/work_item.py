"""`get_work_item`: the memref of this work-group, moved by an offset or not."""

from math import prod

from diagnostics import CompilerBug
from ir.emit_tensor_language.access import WHOLE
from ir.emit_tensor_language.types import argument_type, memref_type
from ir.emit_tensor_language.writer import ZERO, Memref, Writer
from ir.yateto import nodes as yir
from tl_backend.instructions import BinaryOperator, IndexOperand, IntegerConstant, Local, Position, Slice
from tl_backend.types import GroupType, MemrefType, ScalarType

Slices = tuple[Position | Slice, ...]


def emit_work_item(writer: Writer, group: Local, type_: yir.GroupType, group_id: Local, result: Local) -> Memref:
    """The work-group's item of a batched memref, or behind its pointer.

    %1 = subview %D[:,:,%group] : memref<f32x16x16x?>
    %0 = load %A[%group] : group<memref<f32x16x8>>
    """
    match argument_type(type_, False):
        case MemrefType(order=order) as batch:
            slices: Slices = (*([WHOLE] * (order - 1)), Position(group_id))
            return writer.subview(Memref(group, batch), slices, result)
        case GroupType() as pointers:
            return writer.item(group, pointers, group_id, result)
        case ScalarType():
            raise CompilerBug("a group became a scalar")


def emit_moved_work_item(
    writer: Writer, group: Local, type_: yir.GroupType, group_id: Local, offset: IndexOperand, result: Local
) -> Memref:
    """The packed item at an offset in flat memory.

    %start  = arith.mul %group, 256 : index
    %start1 = arith.add %start, %offset : index
    %flat   = subview %D[%start1 : 256] : memref<f32x?>
    %1      = expand %flat[0 -> 16x16] : memref<f32x256>
    """
    match type_.layout, argument_type(type_, True):
        case yir.Distance(elements=distance), MemrefType() as flat:
            memory = Memref(group, flat)
            start = writer.arith(
                BinaryOperator.MUL, group_id, IntegerConstant(distance), ScalarType.INDEX, f"{group.name}_start"
            )
            offset = start if offset == ZERO else _add(writer, start, offset)
        case yir.Pointers(), GroupType() as pointers:
            memory = writer.item(group, pointers, group_id, writer.fresh(f"{group.name}_memory"))
        case _:
            raise CompilerBug("a moved group is flat memory")
    return _packed_at(writer, memory, offset, memref_type(type_.memref), result)


def _add(writer: Writer, start: Local, offset: IndexOperand) -> Local:
    return writer.arith(BinaryOperator.ADD, start, offset, ScalarType.INDEX, start.name)


def _packed_at(writer: Writer, memory: Memref, start: IndexOperand, item: MemrefType, result: Local) -> Memref:
    shape = tuple(size for size in item.shape if size is not None)
    if not shape:
        return writer.subview(memory, (Position(start),), result)
    entries = (Slice(start, IntegerConstant(prod(shape))),)
    if len(shape) == 1:
        return writer.subview(memory, entries, result)
    return writer.expand(writer.subview(memory, entries), 0, shape, result)
