"""Which values can be computed at any time, whether they are needed or not."""

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    BinaryOperator,
    Cast,
    Compare,
    Expand,
    Fuse,
    GroupId,
    GroupSize,
    IntegerConstant,
    Load,
    Local,
    MathCall,
    Position,
    Size,
    Slice,
    Subview,
    ValueInstruction,
)
from einsum_front.tl_backend.types import Extent, ScalarType

PARTIAL = (BinaryOperator.DIV, BinaryOperator.REM, BinaryOperator.SHL, BinaryOperator.SHR)
"""Operators on integers that have no result for some right operands: none of them legal constants above 0."""


def is_total(instruction: ValueInstruction) -> bool:
    """True if the value is defined whatever the operands are, and the same wherever it is computed.

    A load is not: its index may be outside, and the memory may change.
    """
    match instruction:
        case ArithBinary(operator=operator, right=right, type=type_):
            is_safe = isinstance(right, IntegerConstant) and right.value > 0
            return type_.is_floating or operator not in PARTIAL or is_safe
        case Cast(from_type=from_type, to_type=to_type):
            return not from_type.is_floating or to_type.is_floating or to_type is ScalarType.BOOL
        case Subview(slices=slices, type=type_):
            return all(map(_is_inside, slices, type_.shape))
        case Fuse(type=type_, first=first, last=last):
            return None not in (*type_.shape[first : last + 1], *type_.strides[first : last + 1])
        case Expand(type=type_, shape=shape, mode=mode):
            return type_.shape[mode] is not None and all(not isinstance(size, Local) for size in shape)
        case ArithUnary() | Compare() | GroupId() | GroupSize() | MathCall() | Size():
            return True
        case Alloca() | Load():
            return False


def _is_inside(slice_: Position | Slice, size: Extent) -> bool:
    """True if the legal pick is known to be inside a mode of the size."""
    match slice_:
        case Position(index=index):
            return isinstance(index, IntegerConstant) and size is not None
        case Slice(offset=IntegerConstant(value=0), size=None):
            return True
        case Slice(offset=offset, size=count):
            return isinstance(offset, IntegerConstant) and not isinstance(count, Local) and size is not None
