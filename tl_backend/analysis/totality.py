"""Which values can be computed at any time, whether they are needed or not."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, ScalarType

PARTIAL = (tl.BinaryOperator.DIV, tl.BinaryOperator.REM, tl.BinaryOperator.SHL, tl.BinaryOperator.SHR)
"""Operators on integers that have no result for some right operands: none of them legal constants above 0."""


def is_total(instruction: tl.ValueInstruction) -> bool:
    """True if the value is defined whatever the operands are, and the same wherever it is computed.

    A load is not: its index may be outside, and the memory may change.
    """
    match instruction:
        case tl.ArithBinary(operator=operator, right=right, type=type_):
            is_safe = isinstance(right, tl.IntegerConstant) and right.value > 0
            return type_.is_floating or operator not in PARTIAL or is_safe
        case tl.Cast(from_type=from_type, to_type=to_type):
            return not from_type.is_floating or to_type.is_floating or to_type is ScalarType.BOOL
        case tl.Subview(slices=slices, type=type_):
            return all(map(_is_inside, slices, type_.shape))
        case tl.Fuse(type=type_, first=first, last=last):
            return None not in (*type_.shape[first : last + 1], *type_.strides[first : last + 1])
        case tl.Expand(type=type_, shape=shape, mode=mode):
            return type_.shape[mode] is not None and all(not isinstance(size, tl.Local) for size in shape)
        case tl.ArithUnary() | tl.Compare() | tl.GroupId() | tl.GroupSize() | tl.MathCall() | tl.Size():
            return True
        case tl.Alloca() | tl.Load():
            return False


def _is_inside(slice_: tl.Position | tl.Slice, size: Extent) -> bool:
    """True if the legal pick is known to be inside a mode of the size."""
    match slice_:
        case tl.Position(index=index):
            return isinstance(index, tl.IntegerConstant) and size is not None
        case tl.Slice(offset=tl.IntegerConstant(value=0), size=None):
            return True
        case tl.Slice(offset=offset, size=count):
            return isinstance(offset, tl.IntegerConstant) and not isinstance(count, tl.Local) and size is not None
