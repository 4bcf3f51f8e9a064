"""A kernel, its arguments, and batches of other kinds than NumPy's."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, render_all

TEXT = """
real f64
tensor K[5, 4] constant
tensor I[4, 3]
tensor Q[5, 3]
tensor D[5, 3]
scalar dt
kernel update { Q[k,p] += dt * K[k,l] * I[l,p] }
kernel assign { D[k,p] = K[k,l] * I[l,p] }
kernel both { Q[k,p] += K[k,l] * I[l,p]
              D[k,p] = Q[k,p] + Q[k,p] }
"""

BATCH = 1000

Array = NDArray[np.float64]


@cache
def program() -> ef.CompiledProgram:
    return ef.compile(ef.parse(TEXT))


def arguments(seed: int = 1, batch: int = BATCH) -> dict[str, Array]:
    """Small integers: sums are exact in any order."""
    random = np.random.default_rng(seed)
    shapes = {"K": (5, 4), "I": (batch, 4, 3), "Q": (batch, 5, 3)}
    return {name: random.integers(-9, 9, shape).astype(np.float64) for name, shape in shapes.items()}


def on_disk(path: Path, array: Array, order: str = "C") -> "np.memmap[Any, np.dtype[np.float64]]":
    """The same entries in a mapped file; the axes of an element may lie in another order."""
    shape = array.shape if order == "C" else (array.shape[0], *array.shape[:0:-1])
    mapped = np.memmap(path, np.float64, "w+", shape=shape)
    view = mapped if order == "C" else mapped.transpose(0, *range(mapped.ndim - 1, 0, -1))
    view[...] = array
    return view


class DataSet:
    """What zarr and h5py have: a shape, a type, slices, blocks, and no array."""

    def __init__(self, array: Array, block: int = 64) -> None:
        self.array = array
        self.shape, self.dtype, self.chunks = array.shape, array.dtype, (block, *array.shape[1:])
        self.slices: list[slice] = []

    def __getitem__(self, key: slice) -> Array:
        self.slices.append(key)
        return self.array[key].copy()

    def __setitem__(self, key: slice, value: Array) -> None:
        self.slices.append(key)
        self.array[key] = value


def words(call: Callable[[], object]) -> str:
    """What the user reads after a call that must fail."""
    try:
        call()
    except CompileError as error:
        return render_all(error.diagnostics)
    raise AssertionError("the call was accepted")
