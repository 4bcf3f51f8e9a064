"""The arguments of one launch after all checks: what is left can be launched."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import in_parts
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout
from einsum_front.runtime.arrays.storage import Fit, fit
from einsum_front.runtime.artifact import GroupParameter, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.opencl import cl


@dataclass(frozen=True, slots=True)
class ScalarValue:
    """A number in the type of its parameter."""

    parameter: ScalarParameter
    value: np.generic

    def parts(self) -> "tuple[ScalarValue, ...]":
        """The numbers that kernels take: of a complex one its parts, else itself."""
        if not self.parameter.is_complex:
            return (self,)
        pairs = zip(self.parameter.parts(), in_parts(np.asarray(self.value)), strict=True)
        return tuple(ScalarValue(parameter, part) for parameter, part in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class HostArray:
    """A NumPy array of the right shape and element type, in any layout."""

    parameter: TensorParameter
    array: NDArray[Any]
    fit: Fit

    @property
    def batch(self) -> int | None:
        """Number of elements; None if the tensor is one for the whole launch."""
        return self.array.shape[0] if self.parameter.batched else None


@dataclass(frozen=True, slots=True, eq=False)
class DeviceArray:
    """Memory of a device in the declared layout, `offset` bytes into `memory` (None: no memory, no entries)."""

    parameter: TensorParameter
    memory: cl.MemoryObjectHolder | cl.SVMPointer | None
    offset: int
    layout: Layout
    context: cl.Context | None
    queue: cl.CommandQueue | None

    @property
    def batch(self) -> int | None:
        """Number of elements; None if the tensor is one for the whole launch."""
        return None if self.parameter.batch_mode is None else self.layout.shape[self.parameter.batch_mode]

    @property
    def nbytes(self) -> int:
        """Bytes from the first to the last entry."""
        return self.layout.span * ELEMENT_TYPES[self.parameter.type].itemsize


@dataclass(frozen=True, slots=True, eq=False)
class HostGroup:
    """NumPy arrays of the right shape and element type, one for each work-group, in any layout."""

    parameter: GroupParameter
    members: tuple[NDArray[Any], ...]

    @property
    def batch(self) -> int:
        """Number of members."""
        return len(self.members)


def host_array(parameter: TensorParameter, array: NDArray[Any], *, allow_gaps: bool) -> HostArray:
    """The array with what its shape and strides decide; the kernel runs on an array with gaps if these are allowed."""
    how = fit(parameter, array.shape, array.strides, allow_gaps=allow_gaps, is_aligned=array.flags.aligned)
    return HostArray(parameter, array, how)


ArrayValue = HostArray | DeviceArray | HostGroup
Value = ScalarValue | ArrayValue
