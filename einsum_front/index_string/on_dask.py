"""Index strings on arrays of dask: each block of the result is a contraction, or a tree of sums of such."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize

from einsum_front.core.diagnostics import CompileError
from einsum_front.dask_arrays import Shipped, is_dask
from einsum_front.index_string.dask_block import BlockContraction
from einsum_front.index_string.operands import ELEMENT_TYPES, wrong_type
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.index_string.ways import Choice, find_way
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import Kernel, available_devices, find_device

SPLIT = 8
"""Partial results that are added in one task."""


def einsum_on_dask(
    einsum: Callable[..., object],
    subscripts: str,
    operands: Sequence[object],
    dtype: Any,
    device: str,
    schedule: str | None,
) -> Any:
    """The contraction as an array of dask: nothing is computed. `einsum` is ours, for blocks that no kernel fits.

    Chunks stay as they are, but where operands that share an index have others: then all have the finer ones. An index
    that is summed over and has several chunks gives partial results, which are added as a tree. Raises `CompileError`
    as `einsum` does.
    """
    arrays: list[Any] = [each if is_dask(each) else da.from_array(np.asarray(each), chunks=-1) for each in operands]
    string = read_einsum(subscripts, [array.shape for array in arrays])
    kind = np.result_type(*(array.dtype for array in arrays)) if dtype is None else np.dtype(dtype)
    if kind not in ELEMENT_TYPES:
        raise CompileError([wrong_type(arrays, kind)])
    letters = [term.names for term in string.kernel.subscripts.operands]
    arrays = [_whole(array, names, string) for array, names in zip(arrays, letters, strict=True)]
    chunks, arrays = da.core.unify_chunks(*chain.from_iterable(zip(arrays, letters, strict=True)))
    output = string.kernel.subscripts.output.names
    summed = list(dict.fromkeys(name for names in letters for name in names if name not in output))
    partial = [name for name in summed if len(chunks[name]) > 1]
    shipped, names = _shipped(subscripts, arrays, ELEMENT_TYPES[kind], device, schedule)
    places = tuple(_place(name, letters) for name in output)
    block = BlockContraction(einsum, subscripts, kind.str, device, schedule, len(partial), shipped, names, places)
    result = da.blockwise(
        *(block, (*output, *partial), *chain.from_iterable(zip(arrays, letters, strict=True))),
        adjust_chunks=dict.fromkeys(partial, 1),
        concatenate=True,
        align_arrays=False,
        dtype=kind,
        meta=np.empty((0,) * (len(output) + len(partial)), kind),
        name=f"{block.__name__}-{tokenize(block, *arrays)}",
    )
    if partial:
        result = result.sum(axis=tuple(range(len(output), len(output) + len(partial))), split_every=SPLIT, dtype=kind)
    return result


def _whole(array: Any, names: Sequence[str], string: IndexString) -> Any:
    """The array without modes of length 1 that others stretch, and with whole modes where it is a diagonal."""
    shape = tuple(string.extents[name] for name in names)
    if array.shape != shape:
        array = da.broadcast_to(array, shape)
    twice = {mode: -1 for mode, name in enumerate(names) if list(names).count(name) > 1}
    return array.rechunk(twice) if twice else array


def _place(name: str, letters: Sequence[Sequence[str]]) -> tuple[int, int]:
    return next((operand, list(names).index(name)) for operand, names in enumerate(letters) if name in names)


def _shipped(
    subscripts: str, arrays: Sequence[Any], real: str, device: str, schedule: str | None
) -> tuple[Shipped | None, tuple[str, ...]]:
    """The kernel for blocks that differ in their batch only; None if there is no such, or no device here."""
    shapes = [tuple(max(sizes) for sizes in array.chunks) for array in arrays]
    string = read_einsum(subscripts, shapes)
    kernel = string.kernel
    is_one = all(
        len(set(sizes)) == 1 or (mode == 0 and argument.is_batched)
        for array, argument in zip(arrays, kernel.operands, strict=True)
        for mode, sizes in enumerate(array.chunks)
    )
    if not (kernel.has_batch_index and is_one and available_devices()) or any(0 in shape for shape in shapes):
        return None, ()
    found = find_device(device)
    way = find_way(kernel, real, Choice(found.facts.selector, ScheduleOptions(schedule), None))
    if not isinstance(way, Kernel):
        return None, ()
    names = (*(operand.name for operand in kernel.operands), kernel.output.name)
    return Shipped(way.artifact, found.facts), names
