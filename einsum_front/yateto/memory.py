"""Where YATeTo stores the entries of a tensor: dense over a box around them, or column by column.

The first mode is the fastest. Kernels of the program have memory for whole shapes; those of the C++ that is generated
are on these layouts (`stored`), and scripts may ask for them.
"""

import warnings
from collections.abc import Sequence
from enum import Enum
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.yateto.aspp import ASpp
from einsum_front.yateto.mistakes import rejected


@dataclass(frozen=True, slots=True)
class Range:
    """Positions from `start` on, `stop` excluded."""

    start: int
    stop: int

    def size(self) -> int:
        """The number of positions."""
        return self.stop - self.start


class Alignment(Enum):
    """How a dense layout is aligned, in the words of YATeTo's branch `new_alignment_mode` (2020).

    `Aligned` pads the first mode. The others have the same memory: there, `Unaligned` keeps instructions away that need
    aligned memory where strides would allow them, and no code here has such.
    """

    Automatic = 0
    Aligned = 1
    Unaligned = 2


AlignStride = bool | Alignment
"""What `alignStride` may be; true is `Aligned`, false `Automatic`."""


def is_padded(alignStride: AlignStride) -> bool:
    """True if the first mode is widened to multiples of the alignment; raises `ValueError` for anything else."""
    if isinstance(alignStride, Alignment):
        return alignStride is Alignment.Aligned
    if isinstance(alignStride, bool | np.bool_ | int):
        return bool(alignStride)
    note = "it is true, false, or a member of `yateto.Alignment`"
    raise rejected("E0171", f"`alignStride` is {alignStride!r}", note)


class Aligning(Protocol):
    """Alignment that a layout asks an architecture for."""

    def alignedLower(self, index: int) -> int:
        """The last multiple of the alignment that is not above the index."""

    def alignedUpper(self, index: int) -> int:
        """The first multiple of the alignment that is not below the index."""

    def checkAlignment(self, offset: int) -> bool:
        """True if an offset in entries is a multiple of the alignment."""


def box_of(spp: ASpp) -> tuple[Range, ...]:
    """For each mode the positions from the first to the last entry."""
    if spp.count_nonzero() == 0:
        raise rejected("E0171", "a tensor has no entry that may differ from zero")
    return tuple(Range(first, last + 1) for first, last in spp.nnzbounds())


class DenseMemoryLayout:
    """Every entry of a box; with `alignStride` the box is widened in its first mode to multiples of the alignment."""

    ALIGNMENT_ARCH: ClassVar[Aligning | None] = None

    def __init__(
        self, shape: Sequence[int], boundingBox: Sequence[Range] | None = None, *, alignStride: AlignStride = False
    ) -> None:
        self._shape = tuple(shape)
        self._given = alignStride
        box = tuple(Range(0, extent) for extent in shape) if boundingBox is None else tuple(boundingBox)
        self._bbox = self._aligned(box) if is_padded(alignStride) and box else box
        strides = [1]
        for mode in self._bbox[:-1]:
            strides.append(strides[-1] * mode.size())
        self._stride = tuple(strides[: len(self._bbox)])

    @classmethod
    def setAlignmentArch(cls, arch: Aligning) -> None:
        """The architecture that layouts are aligned for from now on."""
        cls.ALIGNMENT_ARCH = arch

    @classmethod
    def fromSpp(cls, spp: ASpp, alignStride: AlignStride = False) -> "DenseMemoryLayout":
        """The layout of a tensor with this pattern."""
        return cls(spp.shape, box_of(spp), alignStride=alignStride)

    def _aligned(self, box: tuple[Range, ...]) -> tuple[Range, ...]:
        arch = self.ALIGNMENT_ARCH
        if arch is None:
            words = "no architecture is set, so nothing is aligned: call useArchitectureIdentifiedBy first"
            warnings.warn(words, UserWarning, stacklevel=2)
            return box
        return Range(arch.alignedLower(box[0].start), arch.alignedUpper(box[0].stop)), *box[1:]

    def shape(self) -> tuple[int, ...]:
        """Of the whole tensor."""
        return self._shape

    def bbox(self) -> tuple[Range, ...]:
        """The box, padding included, in positions of the whole tensor."""
        return self._bbox

    def stride(self) -> tuple[int, ...]:
        """In entries, one a mode."""
        return self._stride

    def address(self, entry: Sequence[int]) -> int:
        """Where an entry of the box is, in entries from the start of the memory."""
        return sum(
            (position - mode.start) * stride
            for position, mode, stride in zip(entry, self._bbox, self._stride, strict=True)
        )

    def requiredReals(self) -> int:
        """Entries of memory."""
        return self._bbox[-1].size() * self._stride[-1] if self._bbox else 1

    def alignment(self) -> Alignment:
        """The mode that was asked for."""
        if isinstance(self._given, Alignment):
            return self._given
        return Alignment.Aligned if self._given else Alignment.Automatic

    def kept_alignment(self) -> AlignStride:
        """The alignment of a layout of more entries: the mode that was asked for, else what this layout has."""
        return self._given if isinstance(self._given, Alignment) else self.alignedStride()

    def alignedStride(self) -> bool:
        """True if each column starts at a multiple of the alignment, and nobody asked to count on none."""
        arch = self.ALIGNMENT_ARCH
        if arch is None or not self._bbox or self._given is Alignment.Unaligned:
            return False
        return arch.checkAlignment(self._bbox[0].size())

    def storage(self) -> "DenseMemoryLayout":
        """This layout."""
        return self

    def isCSC(self) -> bool:
        """False."""
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DenseMemoryLayout):
            return False
        modes = {each.alignment() for each in (self, other)}
        is_one_mode = len(modes) == 1 or Alignment.Unaligned not in modes
        return is_one_mode and (self._bbox, self._stride) == (other._bbox, other._stride)

    def __hash__(self) -> int:
        return hash((self._bbox, self._stride))


class CSCMemoryLayout:
    """The entries of a matrix column by column; with `alignStride` blocks of rows of the alignment are whole."""

    def __init__(self, spp: ASpp, alignStride: AlignStride = False) -> None:
        if spp.ndim != 2:
            raise rejected("E0171", f"CSCMemoryLayout is for matrices, and this tensor has {spp.ndim} modes")
        arch = DenseMemoryLayout.ALIGNMENT_ARCH
        self._shape, self._is_aligned = spp.shape, is_padded(alignStride) and arch is not None
        rows, columns = box_of(spp)
        entries = {(int(row), int(column)) for row, column in zip(*spp.nonzero(), strict=True)}
        if self._is_aligned and arch is not None:
            rows = Range(arch.alignedLower(rows.start), arch.alignedUpper(rows.stop))
            blocks = {(arch.alignedLower(row), arch.alignedUpper(row + 1), column) for row, column in entries}
            entries = {(row, column) for start, stop, column in blocks for row in range(start, stop)}
        self._bbox = (rows, columns)
        listed = sorted(entries, key=lambda entry: (entry[1], entry[0]))
        self._rows = np.array([row for row, _ in listed], dtype=np.int64)
        self._pointers = np.searchsorted([column for _, column in listed], np.arange(self._shape[1] + 1))

    @classmethod
    def fromSpp(cls, spp: ASpp, alignStride: AlignStride = False) -> "CSCMemoryLayout":
        """The layout of a matrix with this pattern."""
        return CSCMemoryLayout(spp, alignStride)

    def shape(self) -> tuple[int, ...]:
        """Of the whole matrix."""
        return self._shape

    def bbox(self) -> tuple[Range, ...]:
        """The box around the entries, in positions of the whole matrix."""
        return self._bbox

    def rowIndex(self) -> NDArray[np.int64]:
        """The row of each stored entry."""
        return self._rows

    def colPointer(self) -> NDArray[np.int64]:
        """Where each column starts among the entries, and their number."""
        return self._pointers

    def address(self, entry: Sequence[int]) -> int:
        """Where an entry that is stored is."""
        start, stop = self._pointers[entry[1] : entry[1] + 2].tolist()
        return int(start + np.flatnonzero(self._rows[start:stop] == entry[0])[0])

    def requiredReals(self) -> int:
        """Entries of memory."""
        return len(self._rows)

    def alignedStride(self) -> bool:
        """True if blocks of rows are whole."""
        return self._is_aligned

    def kept_alignment(self) -> AlignStride:
        """The alignment of a layout of more entries: that of this one."""
        return self._is_aligned

    def storage(self) -> "CSCMemoryLayout":
        """This layout."""
        return self

    def isCSC(self) -> bool:
        """True."""
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CSCMemoryLayout):
            return False
        return np.array_equal(self._rows, other._rows) and np.array_equal(self._pointers, other._pointers)

    def __hash__(self) -> int:
        return hash((self._rows.tobytes(), self._pointers.tobytes()))


class AlignedCSCMemoryLayout(CSCMemoryLayout):
    """`CSCMemoryLayout` with whole blocks of rows."""

    @classmethod
    def fromSpp(cls, spp: ASpp, alignStride: AlignStride = True) -> CSCMemoryLayout:
        """The layout of a matrix with this pattern, aligned whatever is asked for."""
        return CSCMemoryLayout(spp, alignStride=True)


MemoryLayout = DenseMemoryLayout | CSCMemoryLayout
