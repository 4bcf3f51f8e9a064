"""The types that instructions return; legality is the verifier's matter: the answers hold for legal instructions."""

from math import prod

from einsum_front.core.functions import Function
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type


def result_type(instruction: tl.ValueInstruction) -> Type:
    """The type of the value that the instruction names."""
    match instruction:
        case tl.Alloca(type=memref):
            return memref
        case (
            tl.ArithUnary(operator=tl.UnaryOperator.IM | tl.UnaryOperator.RE, type=scalar)
            | tl.MathCall(function=Function.ABS, type=scalar)
        ) if scalar.is_complex:
            return scalar.real
        case (
            tl.ArithBinary(type=scalar)
            | tl.ArithUnary(type=scalar)
            | tl.Cast(to_type=scalar)
            | tl.MathCall(type=scalar)
        ):
            return scalar
        case tl.Compare():
            return ScalarType.BOOL
        case tl.Expand(type=memref, mode=mode, shape=shape):
            return expand_type(memref, mode, shape)
        case tl.Fuse(type=memref, first=first, last=last):
            return fuse_type(memref, first, last)
        case tl.GroupId() | tl.GroupSize() | tl.Size():
            return ScalarType.INDEX
        case tl.Load(type=operand):
            return load_type(operand)
        case tl.Subview(type=memref, slices=slices):
            return subview_type(memref, slices)


def load_type(operand: MemrefType | GroupType) -> ScalarType | MemrefType:
    """The element of a memref, or the memref of a group; the group's offset moves the pointer, not the type."""
    match operand:
        case MemrefType(element=element):
            return element
        case GroupType(memref=memref):
            return memref


def subview_type(memref: MemrefType, slices: tuple[tl.Position | tl.Slice, ...]) -> MemrefType:
    """A mode at one position is gone, a sliced mode has the size of its slice; the strides of what stays are kept.

    [4:8, 8:4]   memref<f32x32x16>        -> memref<f32x8x4,strided<1,32>>
    [2:4, %1]    memref<f32x16x8>         -> memref<f32x4>
    [5:?]        memref<f32x16>           -> memref<f32x11>
    """
    kept = [
        (_slice_size(slice_, size), stride)
        for slice_, size, stride in zip(slices, memref.shape, memref.strides, strict=True)
        if isinstance(slice_, tl.Slice)
    ]
    return MemrefType(memref.element, tuple(size for size, _ in kept), tuple(stride for _, stride in kept))


def _slice_size(slice_: tl.Slice, mode_size: Extent) -> Extent:
    if slice_.size is not None:
        return _known(slice_.size)
    offset = _known(slice_.offset)
    return None if offset is None or mode_size is None else mode_size - offset


def fuse_type(memref: MemrefType, first: int, last: int) -> MemrefType:
    """The modes `first` to `last` become one of their product's size, with the stride of the first.

    [1,3]   memref<f32x32x16x8x4x42>                     -> memref<f32x32x512x42>
    [1,3]   memref<f32x32x16x?x4x42,strided<1,32,?,?,?>> -> memref<f32x32x?x42,strided<1,32,?>>
    """
    shape, strides = memref.shape, memref.strides
    return MemrefType(
        memref.element,
        (*shape[:first], _product(shape[first : last + 1]), *shape[last + 1 :]),
        (*strides[: first + 1], *strides[last + 1 :]),
    )


def expand_type(memref: MemrefType, mode: int, shape: tuple[tl.IndexOperand | None, ...]) -> MemrefType:
    """The mode becomes the modes of `shape`; a `?` is what remains of the mode, if that can be known.

    The first new stride is the mode's own, the others follow the canonical computation.

        [1->2x?]   memref<f32x32x16x8>               -> memref<f32x32x2x8x8>
        [0->?x4]   memref<f32x?x7,strided<2,?>>      -> memref<f32x?x4x7,strided<2,?,?>>
        [0->4x8]   memref<f32x32x7,strided<2,64>>    -> memref<f32x4x8x7,strided<2,8,64>>
    """
    sizes = _expanded_sizes(memref.shape[mode], shape)
    strides: list[Extent] = [memref.strides[mode]]
    for size in sizes[:-1]:
        strides.append(_product((strides[-1], size)))
    return MemrefType(
        memref.element,
        (*memref.shape[:mode], *sizes, *memref.shape[mode + 1 :]),
        (*memref.strides[:mode], *strides, *memref.strides[mode + 1 :]),
    )


def _expanded_sizes(mode_size: Extent, shape: tuple[tl.IndexOperand | None, ...]) -> tuple[Extent, ...]:
    """The new mode sizes: a local's is dynamic, a `?` is the mode size divided by the product of the given sizes."""
    given = _product(tuple(_known(entry) for entry in shape if entry is not None))
    inferred = mode_size // given if mode_size is not None and given else None
    return tuple(inferred if entry is None else _known(entry) for entry in shape)


def _known(operand: tl.IndexOperand) -> Extent:
    return operand.value if isinstance(operand, tl.IntegerConstant) else None


def _product(extents: tuple[Extent, ...]) -> Extent:
    known = [extent for extent in extents if extent is not None]
    return prod(known) if len(known) == len(extents) else None
