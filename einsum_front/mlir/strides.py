"""Layouts of memrefs: the types of views, as MLIR derives them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from einsum_front.core.diagnostics import CompilerBug, Origin
from einsum_front.mlir import nodes as mlir


def packed(shape: tuple[mlir.Size, ...]) -> tuple[mlir.Size, ...]:
    """The strides of a memref without a layout: the last mode is the fastest."""
    strides: list[mlir.Size] = []
    stride: mlir.Size = 1
    for size in reversed(shape):
        strides.insert(0, stride)
        stride = _times(stride, size)
    return tuple(strides)


def layout_of(type_: mlir.MemrefType) -> mlir.Strided:
    """Where the entries lie."""
    return type_.layout or mlir.Strided(packed(type_.shape))


def _times(left: mlir.Size, right: mlir.Size) -> mlir.Size:
    return None if left is None or right is None else left * right


def _known(number: mlir.Number) -> mlir.Size:
    return number if isinstance(number, int) else None


def dropped_modes(sizes: tuple[mlir.Size, ...], shape: tuple[mlir.Size, ...]) -> tuple[int, ...] | None:
    """The modes of size 1 that a slice of these sizes leaves out to have a shape; None if it cannot have it.

    Of several that could be left out, the first ones are.
    """
    dropped: list[int] = []
    kept = list(shape)
    for mode in reversed(range(len(sizes))):
        if kept and kept[-1] == sizes[mode]:
            kept.pop()
        elif sizes[mode] == 1:
            dropped.insert(0, mode)
        else:
            return None
    return None if kept else tuple(dropped)


def sliced(operation: mlir.Slice) -> mlir.MemrefType | None:
    """The type of a subview, without the modes that its result leaves out; None if there is no such type."""
    source, result = operation.source.type, operation.result.type
    if not isinstance(source, mlir.MemrefType) or not isinstance(result, mlir.MemrefType):
        return None
    layout = layout_of(source)
    offset: mlir.Size = layout.offset
    for start, stride in zip(operation.offsets, layout.strides, strict=True):
        step = 0 if start == 0 else _times(_known(start), stride)
        offset = None if offset is None or step is None else offset + step
    strides = tuple(
        _times(_known(step), stride) for step, stride in zip(operation.strides, layout.strides, strict=True)
    )
    sizes = tuple(_known(each) for each in operation.sizes)
    dropped = dropped_modes(sizes, result.shape)
    if dropped is None:
        return None
    kept = [mode for mode in range(len(sizes)) if mode not in dropped]
    shape = tuple(sizes[mode] for mode in kept)
    lying = mlir.Strided(tuple(strides[mode] for mode in kept), offset)
    # a layout that is packed may be written or left out
    if result.layout is None and lying == mlir.Strided(packed(shape)):
        return mlir.MemrefType(shape, source.element)
    return mlir.MemrefType(shape, source.element, lying)


def subview(
    name: str,
    source: mlir.Value,
    offsets: Sequence[mlir.Number],
    sizes: Sequence[mlir.Number],
    held: Collection[int] = (),
    origin: Origin = (),
) -> mlir.Slice:
    """A part of a memref without the modes `held`, which have one position; the type of its result follows.

    Of several modes of one position, any may be the one that stays.
    """
    if not isinstance(source.type, mlir.MemrefType):
        raise CompilerBug(f"`%{source.name}` is no memref")
    shape = tuple(_known(size) for mode, size in enumerate(sizes) if mode not in held)
    tentative = mlir.MemrefType(shape, source.type.element, mlir.Strided((None,) * len(shape), None))
    lists = tuple(offsets), tuple(sizes), (1,) * len(sizes)
    type_ = sliced(mlir.Slice(mlir.Value(name, tentative), source, *lists))
    if type_ is None:
        raise CompilerBug(f"a view of `%{source.name}` has another shape than its parts")
    return mlir.Slice(mlir.Value(name, type_, origin), source, *lists, origin=origin)


def transposed(name: str, source: mlir.Value, permutation: Sequence[int], origin: Origin = ()) -> mlir.Permute:
    """The memref with its modes in another order; the type of its result follows."""
    tentative = mlir.Permute(mlir.Value(name, source.type, origin), source, tuple(permutation), origin=origin)
    return replace(tentative, result=replace(tentative.result, type=permuted(tentative)))


def permuted(operation: mlir.Permute) -> mlir.MemrefType:
    """The type of a transposed memref."""
    source, result = operation.source.type, operation.result.type
    if not isinstance(source, mlir.MemrefType):
        raise CompilerBug("only memrefs are transposed as views")
    layout = layout_of(source)
    shape = tuple(source.shape[mode] for mode in operation.permutation)
    lying = mlir.Strided(tuple(layout.strides[mode] for mode in operation.permutation), layout.offset)
    if isinstance(result, mlir.MemrefType) and result.layout is None and lying == mlir.Strided(packed(shape)):
        return mlir.MemrefType(shape, source.element)
    return mlir.MemrefType(shape, source.element, lying)
