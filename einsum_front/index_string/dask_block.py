"""What a worker of dask does for an index string: it travels with the tasks, and needs no dask."""

from collections.abc import Callable

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.dask_arrays import Array, Shipped, built, device_here

COMPUTED = "their chunks have unknown sizes: `compute_chunk_sizes()` finds them, and `rechunk` makes them equal"


@dataclass(frozen=True, slots=True)
class BlockContraction:
    """The contraction of one block of each operand; `partial` modes of length 1 follow those of the result.

    `einsum` is ours: it compiles what no kernel is shipped for.
    """

    einsum: Callable[..., object]
    subscripts: str
    dtype: str
    device: str
    schedule: str | None
    partial: int
    shipped: Shipped | None = None
    names: tuple[str, ...] = ()
    output: tuple[tuple[int, int], ...] = ()
    """For each mode of the result an operand, and its mode, that has the extent."""
    equal: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Operands with their modes that have one size, of which only this task knows which."""

    @property
    def __name__(self) -> str:
        return f"einsum {self.subscripts.replace('->', '→')}"

    def __call__(self, *blocks: Array) -> Array:
        """The block of the result."""
        arrays = [np.asarray(block, self.dtype) for block in blocks]
        for (first, mode), *others in self.equal:
            for operand, each in others:
                if arrays[operand].shape[each] != arrays[first].shape[mode]:
                    sizes = f"{arrays[first].shape[mode]} in operand {first}, but {arrays[operand].shape[each]}"
                    message = f"a block of `{self.subscripts}` has size {sizes} in operand {operand}"
                    raise CompileError([Diagnostic("E0635", message, notes=(COMPUTED,))])
        kernel = None if self.shipped is None else built(self.shipped)
        if kernel is None or any(0 in array.shape for array in arrays):
            device = device_here(self.device).facts.selector
            found = np.asarray(self.einsum(self.subscripts, *arrays, device=device, schedule=self.schedule))
        else:
            found = np.empty(tuple(arrays[operand].shape[mode] for operand, mode in self.output), self.dtype)
            kernel(**dict(zip(self.names, (*map(np.ascontiguousarray, arrays), found), strict=True)))
        return found.reshape(found.shape + (1,) * self.partial)
