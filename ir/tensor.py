"""Arguments as the contraction graph and the plan see them: tensors (shape, layout, zero pattern) and scalars."""

from collections.abc import Iterable
from dataclasses import field, replace
from functools import lru_cache

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, capacity, hint, total
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern

SOME = 1024
"""Elements of a batch that lies among the modes of a tensor, where their number matters."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a kernel.

    `shape` counts entries; `strides` are in elements, one a mode, in any order of size. `nonzeros` are the entries that
    may differ from zero (None: all may), a few positions along a dynamic mode (`POSITIONS`); `values` are all
    entries in packed column-major order where they are known when compiling. Entries are of `element_type` where they
    are computed with, and of the type `memory` where an argument lies in another one, which is narrower. The elements
    of the batch lie behind all modes, or behind the fastest `batch_after` of them. The last mode of an argument that
    `is_complex` has the parts of complex numbers, side by side, which callers give as such.
    """

    name: str
    element_type: ElementType
    storage: Storage
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    nonzeros: Pattern | None = None
    values: tuple[float, ...] | None = None
    origin: Origin = field(default=(), compare=False, repr=False)
    memory: ElementType | None = None
    batch_after: int | None = None
    is_complex: bool = False

    @property
    def order(self) -> int:
        """Number of modes."""
        return len(self.shape)

    @property
    def modes_by_stride(self) -> tuple[int, ...]:
        """The modes from the fastest to the slowest: the order of the modes in memory.

        Strides are multiples of those before them, or numbers, so that their hints are in the order of the strides.
        """
        return _by_stride(self.strides, self.shape)

    @property
    def footprint(self) -> Extent:
        """Elements from the first to the last entry, both included; in a temporary for the largest extents."""
        shape = map(capacity, self.shape) if self.storage is Storage.TEMPORARY else self.shape
        return total((1, *((size - 1) * stride for size, stride in zip(shape, self.strides, strict=True))))

    @property
    def distance(self) -> Extent:
        """Elements from one tensor of a batch to the next: the stride that one more mode has."""
        ends = (size * stride for size, stride in zip(self.shape, self.strides, strict=True))
        return max(ends, default=1, key=hint)

    @property
    def spread(self) -> tuple[Extent, ...]:
        """The strides as memory has them, where elements that lie among the modes are counted as `SOME` of them."""
        if self.batch_after is None:
            return self.strides
        behind = self.modes_by_stride[self.batch_after :]
        return tuple(stride * SOME if mode in behind else stride for mode, stride in enumerate(self.strides))

    def packed(self, order: tuple[int, ...], *, for_largest: bool = True) -> "Tensor":
        """The same tensor without gaps, with its modes in this order, the fastest first.

        Strides are those of the largest extents, or of those that a launch has.
        """
        strides: list[Extent] = [0] * self.order
        stride: Extent = 1
        for mode in order:
            strides[mode] = stride
            stride = stride * (capacity(self.shape[mode]) if for_largest else self.shape[mode])
        return replace(self, strides=tuple(strides))


@lru_cache(maxsize=2**12)
def _by_stride(strides: tuple[Extent, ...], shape: tuple[Extent, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(shape)), key=lambda mode: (hint(strides[mode]), shape[mode] != 1, mode)))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar argument of a kernel, a part of a complex one if there is a name in `part_of`."""

    name: str
    element_type: ElementType
    part_of: str = ""
    origin: Origin = field(default=(), compare=False, repr=False)


# -- zero patterns of the tensors of a graph ---------------------------------------------------------------------------
# An index runs through all of a mode whose extent is dynamic, so no two positions of it differ but in being the same
# as that of another mode: patterns are the same along it, or diagonals. `POSITIONS` of them stand for all.

POSITIONS = 8
"""Positions that a pattern has along a dynamic mode: they tell apart as many indices, see `pattern.told_apart`."""


def positions(shape: Iterable[Extent]) -> tuple[int, ...]:
    """The shape of the pattern of a tensor of this shape."""
    return tuple(extent if isinstance(extent, int) else POSITIONS for extent in shape)


def dense(shape: Iterable[Extent]) -> Pattern:
    """The pattern without zeros."""
    return Pattern.full(positions(shape))


def empty(shape: Iterable[Extent]) -> Pattern:
    """The pattern of a tensor that is zero."""
    return Pattern.empty(positions(shape))


def pattern_of(tensor: Tensor) -> Pattern:
    """Which entries of the tensor may differ from zero, with the `positions` of its shape."""
    return dense(tensor.shape) if tensor.nonzeros is None else tensor.nonzeros
