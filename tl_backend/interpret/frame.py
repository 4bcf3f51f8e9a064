"""The values of the names while one work-group runs."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.scalars import DTYPES, Scalar, make
from einsum_front.tl_backend.types import MemrefType, ScalarType

Memory = np.ndarray[Any, np.dtype[Any]]
"""A memref: a view on an argument or on the memory of an alloca, with the modes and strides of the memref."""

Value = Scalar | Memory | Sequence[Memory]
"""A scalar, a memref, or a group."""


def allocate(type_: MemrefType, shape: tuple[int, ...]) -> Memory:
    """Memory for a memref of these sizes; strides behind a `?` are the least that the type allows."""
    dtype, strides = DTYPES[type_.element], run_time_strides(type_, shape, (None,) * len(shape))
    span = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    return np.ndarray(shape, dtype, bytearray(dtype.itemsize * max(1, span)), strides=bytes_of(strides, dtype))


def run_time_strides(type_: MemrefType, shape: tuple[int, ...], found: tuple[int | None, ...]) -> tuple[int, ...]:
    """The strides of a memref: of the type; behind a `?` what was found; where that is None, the least possible."""
    strides: list[int] = []
    least = 1
    for size, fixed, stride in zip(shape, type_.strides, found, strict=True):
        known = stride if fixed is None else fixed
        strides.append(least if known is None else known)
        least = max(1, size) * strides[-1]
    return tuple(strides)


def bytes_of(strides: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    """Strides that count elements, as NumPy counts them."""
    return tuple(stride * dtype.itemsize for stride in strides)


@dataclass(frozen=True, slots=True)
class Temporary:
    """The memory of an `alloca`, and which of its elements were written, gaps between entries included."""

    name: str
    memory: Memory
    written: Mask

    def written_in(self, view: Memory) -> Mask:
        """The same for a view of the memory, with its shape; changes are those of the memory."""
        size = self.memory.itemsize
        start = (view.ctypes.data - self.memory.ctypes.data) // size
        return as_strided(self.written[start:], view.shape, tuple(stride // size for stride in view.strides))


@dataclass(frozen=True, slots=True)
class Frame:
    """The last value of every name so far, the number of the group and of all groups.

    `zeros` are the temporaries whose nonzeros are stated, with the entries that these leave out; `temporaries` are all.
    """

    values: dict[str, Value]
    group: int
    groups: int
    zeros: dict[str, tuple[Memory, Mask]] = field(default_factory=dict)
    temporaries: dict[str, Temporary] = field(default_factory=dict)

    def temporary(self, view: Memory) -> Temporary | None:
        """The temporary that a memref is a view of; None for arguments."""
        found = (each for each in self.temporaries.values() if np.may_share_memory(view, each.memory))
        return next(found, None)

    def scalar(self, operand: tl.Operand, type_: ScalarType) -> Scalar:
        """The value of a scalar operand of the type."""
        if not isinstance(operand, tl.Local):
            return make(operand.value, type_)
        value = self.values[operand.name]
        if isinstance(value, np.generic):
            return value
        raise CompilerBug(f"`%{operand.name}` is no scalar")

    def index(self, operand: tl.IndexOperand) -> int:
        """The value of an operand of type `index`."""
        return int(self.scalar(operand, ScalarType.INDEX))

    def memory(self, local: tl.Local) -> Memory:
        """The memref of the name."""
        value = self.values[local.name]
        if isinstance(value, np.ndarray):
            return value
        raise CompilerBug(f"`%{local.name}` is no memref")

    def group_memory(self, local: tl.Local) -> Sequence[Memory]:
        """The memrefs of the group of the name."""
        value = self.values[local.name]
        if isinstance(value, np.generic | np.ndarray):
            raise CompilerBug(f"`%{local.name}` is no group")
        return value


def undefined(instruction: tl.Instruction, why: str) -> CompileError:
    """The error for an instruction that does what the language leaves undefined."""
    labels = tuple(Label(span, "undefined") for span in instruction.origin[:1])
    return CompileError([Diagnostic("E0451", why, labels)])
