"""Where the matrices of a chain lie, for libraries that multiply whole batches: as axes of strided views.

A column-major matrix is a row-major transposed one, so c := a b is computed as c' := b' a' on the memory of our layout.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.arguments import Arguments
from benchmarks.chain import Array, Chain, Matrix, Product, Step, Update


@dataclass(frozen=True, slots=True)
class View:
    """A part of a tensor; the offset and the strides count entries."""

    tensor: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChainMemory:
    """The tensors of a chain by name as rows of entries, and the batch step of those that every element has."""

    tensors: Mapping[str, Array]
    steps: Mapping[str, int]
    batch: int

    def views(self, step: Step) -> tuple[View, View, View]:
        """The transposed matrices a, b and c of a step, for all elements and copies; without b, a stands for it."""
        match step:
            case Product(a, b, c, m, n, k, times=times):
                return self._view(a, m, k, times), self._view(b, k, n, times), self._view(c, m, n, times)
            case Update(a=a, c=c, m=m, n=n):
                view = self._view(a, m, n, 1)
                return view, view, self._view(c, m, n, 1)

    def _view(self, matrix: Matrix, rows: int, columns: int, times: int) -> View:
        """(batch, times, columns, rows), without the axes of no use."""
        axes = [
            *([(self.batch, self.steps[matrix.tensor])] if matrix.tensor in self.steps else []),
            *([(times, matrix.distance)] if times > 1 else []),
            (columns, matrix.ld),
            (rows, 1),
        ]
        shape, strides = zip(*axes, strict=True)
        return View(matrix.tensor, matrix.offset, shape, strides)


def memory_of(chain: Chain, arguments: Arguments) -> ChainMemory:
    """The arguments, constants and temporaries of a chain; outputs are those of `arguments`."""
    arrays = arguments.arrays | dict(chain.constants)
    dtype = arguments.array(arguments.outputs[0]).dtype
    temporaries = {name: np.empty((arguments.batch, entries), dtype) for name, entries in chain.temporaries.items()}
    steps = {name: arrays[name].strides[0] // dtype.itemsize for name in arguments.batched} | dict(chain.temporaries)
    rows = {name: _row(array) for name, array in (arrays | temporaries).items()}
    return ChainMemory(rows, steps, arguments.batch)


def _row(array: Array) -> Array:
    """All memory from the first to the last entry."""
    last = sum((size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True))
    span = last // array.itemsize + 1
    return np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,))
