"""Where a memref is: a pointer, and its sizes and strides as C expressions, constants where the type knows them."""

from collections.abc import Callable

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Pointer
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, memory_type
from einsum_front.tl_backend.types import Extent, MemrefType, ScalarType


@dataclass(frozen=True, slots=True)
class View:
    """Entry (i_1, …, i_n) is `base[i_1 strides_1 + … + i_n strides_n]`; sizes and strides are in elements.

    `next_element` is how far behind it the same part of the next element of the batch is, if there is one.
    """

    element: ScalarType
    base: tree.Expression
    pointer: Pointer
    shape: tuple[tree.Expression, ...]
    strides: tuple[tree.Expression, ...]
    next_element: tree.Expression | None = None

    def offset(self, position: tuple[tree.Expression, ...]) -> tree.Expression:
        """The distance of an entry from the base, in elements."""
        return index.total(map(index.multiply, self.strides, position))

    def entry(self, position: tuple[tree.Expression, ...]) -> tree.Subscript:
        """The entry in memory."""
        return tree.Subscript(self.base, self.offset(position))

    def value(self, position: tuple[tree.Expression, ...]) -> tree.Expression:
        """The entry as a value of the element type."""
        return convert(self.entry(position), memory_type(self.element), REGISTER[self.element])


@dataclass(frozen=True, slots=True)
class Group:
    """An array of addresses of memrefs; a size or stride is a constant, or an array with one entry per address."""

    element: ScalarType
    addresses: tree.Expression
    pointer: Pointer
    shape: tuple[tree.Expression, ...]
    strides: tuple[tree.Expression, ...]
    offset: tree.Expression


Value = tree.Expression | View | Group
"""What a name of the tensor language stands for in C."""


def extents(static: tuple[Extent, ...], dynamic: Callable[[int], tree.Expression]) -> tuple[tree.Expression, ...]:
    """Sizes or strides: constants where they are known, otherwise what `dynamic` says for the mode."""
    return tuple(dynamic(mode) if extent is None else index.constant(extent) for mode, extent in enumerate(static))


def footprint(memref: MemrefType) -> int:
    """Elements from the first to the last entry, both included, of a memref of known shape and strides; at least 1."""
    sizes = [size for size in memref.shape if size is not None]
    strides = [stride for stride in memref.strides if stride is not None]
    return max(1, 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True)))


def is_small(view: View) -> bool:
    """True if every offset in the view is known to fit into an `int`."""
    modes = [
        (size.value, stride.value)
        for size, stride in zip(view.shape, view.strides, strict=True)
        if isinstance(size, tree.Integer) and isinstance(stride, tree.Integer)
    ]
    return len(modes) == len(view.shape) and sum(size * stride for size, stride in modes) <= index.INT_MAX
