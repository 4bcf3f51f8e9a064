"""Random arguments for a kernel, as our kernel wants them and as others do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from benchmarks.case import WorkingSet
from benchmarks.chain import Array
from einsum_front.compiled import CompiledKernel
from einsum_front.data import element_bytes, has_one_for_each, random_arguments
from einsum_front.runtime.arrays.arguments import known_array
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, declared_layout, expected_shape, nonzero_mask
from einsum_front.runtime.artifact import ArrayParameter, Artifact, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.facts import DeviceFacts

CACHE_BYTES = 4 * 1024 * 1024
GPU_CACHE_BYTES = 32 * 1024 * 1024
"""For all units together: GPUs with hundreds of them share a second-level cache of some 50 MiB."""
MEMORY_BYTES, GPU_MEMORY_BYTES = 200_000_000, 800_000_000
"""Far more than caches hold; a GPU moves 200 MB in the time of a few launches."""

ELEMENTS_PER_UNIT = 8
LINE_BYTES = 64
"""Of a cache line; so many elements end at the end of a line, whatever their size."""
SAMPLES = 32
SEED = 0

Value = Array | float


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments by name: arrays in the layout that our kernel declares, batched ones with the batch first, and numbers.

    If `is_single`, the batch has one element, which other libraries see without its first axis.
    """

    kernel: CompiledKernel
    values: Mapping[str, Value]
    batched: frozenset[str]
    outputs: tuple[str, ...]
    batch: int
    is_single: bool

    def with_own_outputs(self) -> "Arguments":
        """The same inputs, and copies of the outputs in the same layout."""
        copies = {name: _like(self.kernel, name, self.array(name), name in self.batched) for name in self.outputs}
        return replace(self, values={**self.values, **copies})

    def array(self, name: str) -> Array:
        """An argument that is an array."""
        return cast(Array, self.values[name])

    @property
    def arrays(self) -> dict[str, Array]:
        """The arguments that are arrays."""
        return {name: value for name, value in self.values.items() if isinstance(value, np.ndarray)}

    def natural(self, name: str) -> Array:
        """An array as `numpy.einsum` would get it."""
        return self.array(name)[0] if self.is_single and name in self.batched else self.array(name)

    def contiguous(self) -> dict[str, Value]:
        """Every argument as `numpy.einsum` would get it, last axis fastest, outputs in memory of their own."""
        return {
            name: np.array(self.natural(name), order="C", copy=name in self.outputs or None)
            if isinstance(value, np.ndarray)
            else value
            for name, value in self.values.items()
        }

    def sample(self) -> "Arguments":
        """A few elements of the batch, the first and the last among them."""
        chosen = sample_of(self.batch)
        values = {
            name: value[chosen] if isinstance(value, np.ndarray) and name in self.batched else value
            for name, value in self.values.items()
        }
        return replace(self, values=values, batch=len(chosen))

    def sampled(self, name: str, natural: Array) -> Array:
        """The entries of a whole natural array that `sample` has."""
        return natural if self.is_single or name not in self.batched else natural[sample_of(self.batch)]


def sample_of(batch: int) -> Array:
    """Numbers of elements, spread over the batch."""
    return np.unique(np.linspace(0, batch - 1, SAMPLES).astype(int))


def random(kernel: CompiledKernel, batch: int, *, is_single: bool) -> Arguments:
    """Random arguments for `batch` elements, with zeros where the kernel declares them, and what it knows of others."""
    parameters = _arrays(kernel.artifact)
    batched = frozenset(p.name for p in parameters if has_one_for_each(p))
    values: dict[str, Value] = {}
    for name, value in random_arguments(kernel.artifact, batch, SEED).items():
        if isinstance(value, np.ndarray):
            values[name] = _like(kernel, name, value, name in batched)
        else:
            values[name] = float(cast(float, value))
    known = (p for p in parameters if isinstance(p, TensorParameter) and p.values is not None)
    values.update({parameter.name: _like(kernel, parameter.name, known_array(parameter), False) for parameter in known})
    outputs = tuple(p.name for p in parameters if p.is_written)
    return Arguments(kernel, values, batched, outputs, batch, is_single)


def batch_of(artifact: Artifact, working_set: WorkingSet, facts: DeviceFacts) -> int:
    """How many elements the working set has: at least a few for each compute unit, and as many for each."""
    match working_set:
        case WorkingSet.SINGLE:
            return 1
        case WorkingSet.CACHE:
            size = CACHE_BYTES * facts.compute_units if facts.is_cpu else GPU_CACHE_BYTES
        case WorkingSet.MEMORY:
            size = MEMORY_BYTES if facts.is_cpu else GPU_MEMORY_BYTES
    step = ELEMENTS_PER_UNIT * facts.compute_units
    return max(1, size // element_bytes(artifact) // step) * step


def moved_bytes(artifact: Artifact, batch: int, *, with_constants: bool) -> int:
    """Bytes that have to be moved for the batch: every input read once, every output written once, no declared zeros.

    Constants serve the whole batch; they count where the batch is a single element.
    """
    total = 0
    for parameter in _arrays(artifact):
        times = batch if has_one_for_each(parameter) else int(with_constants)
        accesses = int(parameter.is_read) + int(parameter.is_written)
        total += times * accesses * _entries(parameter) * ELEMENT_TYPES[parameter.type].itemsize
    return total


def line_bytes(artifact: Artifact) -> float:
    """Bytes of the cache lines in which those of `moved_bytes` lie, without constants: memory moves whole lines."""
    total = 0.0
    for parameter in _arrays(artifact):
        if has_one_for_each(parameter):
            accesses = int(parameter.is_read) + int(parameter.is_written)
            total += accesses * _lines(parameter) * LINE_BYTES
    return total


def _lines(parameter: ArrayParameter) -> float:
    """Cache lines for an element that hold entries that are no declared zeros, in the middle of a batch."""
    shape = tuple(LINE_BYTES if size is None else size for size in expected_shape(parameter))
    layout = declared_layout(parameter, shape)
    mask = nonzero_mask(parameter, layout)
    offsets = np.zeros(layout.array_shape, dtype=np.int64)
    for axis, (size, stride) in enumerate(zip(layout.array_shape, layout.array_strides, strict=True)):
        offsets += np.expand_dims(stride * np.arange(size), tuple(i for i in range(len(shape)) if i != axis))
    touched = offsets if mask is None else offsets[:, mask]
    return len(np.unique(touched * ELEMENT_TYPES[parameter.type].itemsize // LINE_BYTES)) / LINE_BYTES


def _arrays(artifact: Artifact) -> tuple[ArrayParameter, ...]:
    return tuple(p for p in artifact.arguments if not isinstance(p, ScalarParameter))


def _entries(parameter: ArrayParameter) -> int:
    """Entries of one element, declared zeros left out."""
    shape = tuple(1 if size is None else size for size in expected_shape(parameter))
    layout = declared_layout(parameter, shape)
    mask = nonzero_mask(parameter, layout)
    return int(np.prod(shape)) if mask is None else int(mask.sum())


def _like(kernel: CompiledKernel, name: str, array: Array, is_batched: bool) -> Array:
    """A copy in the layout that the kernel declares."""
    copy = kernel.empty(name, len(array), array.shape[1:]) if is_batched else kernel.empty(name, shape=array.shape)
    np.copyto(copy, array)
    return copy
