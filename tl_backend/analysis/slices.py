"""Products whose factors have no room in local memory pass through it slice by slice of their depth."""

from einsum_front.core.machine import SharedWork
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.analysis.placement import ALIGNMENT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis, memrefs, sizes
from einsum_front.tl_backend.traverse import walked


def slice_depth(depth: int, shared: SharedWork) -> int:
    """A divisor of the depth if there is one, so that all slices are alike."""
    least, most = shared.slices
    fitting = (each for each in range(min(depth, most), least - 1, -1) if depth % each == 0)
    return next(fitting, min(depth, most))


def odd(size: int) -> int:
    """The distance of columns in a slice: with an odd one, entries of a row are in different banks of the memory."""
    return size | 1


def panel_bytes(product: tl.Gemm, work_group: tuple[int, int], shared: SharedWork) -> int | None:
    """Bytes of local memory for a slice of both factors.

    None if that is not known, if the types differ, or if too few work-items of the group read an entry.
    """
    size = sizes(product)
    rows, columns, depth = size[Axis.M], size[Axis.N], size[Axis.K]
    element, elements = product.target.type.element, {each.type.element for each in memrefs(product)}
    if rows is None or columns is None or depth is None or len(elements) > 1 or not element.is_floating:
        return None
    if not is_read_often(rows, columns, work_group, shared):
        return None
    entries = slice_depth(depth, shared) * (odd(rows) + odd(columns))
    return -(-entries * element.size // ALIGNMENT) * ALIGNMENT


def is_read_often(rows: int, columns: int, work_group: tuple[int, int], shared: SharedWork) -> bool:
    """True if several work-items read each entry of both factors."""
    return min(rows, columns, *work_group) >= shared.readers


def needed_panel(function: Function, work_group: tuple[int, int], room: int, shared: SharedWork) -> int:
    """The bytes that the slices of the largest product take for which there is room, none of whose factors is near."""
    base = buffers(function)
    near = {each.result.name for each in walked(function) if isinstance(each, tl.Alloca) and not each.is_global}
    far = (
        each
        for each in walked(function)
        if isinstance(each, tl.Gemm) and not {base[factor.value.name] for factor in each.inputs} & near
    )
    return max((size for each in far if (size := panel_bytes(each, work_group, shared) or 0) <= room), default=0)
