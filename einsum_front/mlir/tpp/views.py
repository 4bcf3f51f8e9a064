"""Views of memrefs that primitives ask for."""

from collections.abc import Callable, Collection

from einsum_front.core.diagnostics import Origin
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.strides import layout_of, subview


def with_unit_mode(value: mlir.Value, at: int, names: Names) -> tuple[mlir.Value, mlir.Reshape]:
    """A view with one more mode, of one position, at `at`: in front, or behind all."""
    assert isinstance(value.type, mlir.MemrefType)
    shape, rank = value.type.shape, len(value.type.shape)
    layout = layout_of(value.type)
    is_front = at == 0
    outer = None if None in (shape[0], layout.strides[0]) else (shape[0] or 1) * (layout.strides[0] or 1)
    strides = (outer, *layout.strides) if is_front else (*layout.strides, layout.strides[-1])
    sizes = (1, *shape) if is_front else (*shape, 1)
    type_ = mlir.MemrefType(
        sizes, value.type.element, None if value.type.layout is None else mlir.Strided(strides, layout.offset)
    )
    groups = (
        ((0, 1), *((n,) for n in range(2, rank + 1)))
        if is_front
        else (*((n,) for n in range(rank - 1)), (rank - 1, rank))
    )
    view = mlir.Value(names.numbered(""), type_)
    known = tuple(size or 1 for size in sizes)
    return view, mlir.Reshape(view, value, groups, is_expansion=True, sizes=known)


def first_entries(
    name: str, source: mlir.Value, held: Collection[int], size: Callable[[int], mlir.Number], origin: Origin = ()
) -> mlir.Slice:
    """A view of the entries at position 0 of the modes `held`; `size` of the others may be a value."""
    assert isinstance(source.type, mlir.MemrefType)
    sizes = [1 if mode in held else size(mode) for mode in range(len(source.type.shape))]
    return subview(name, source, [0] * len(sizes), sizes, held, origin)
