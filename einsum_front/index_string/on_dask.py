"""Index strings on arrays of dask: each block of the result is a contraction, or a tree of sums of such."""

from collections.abc import Callable, Collection, Sequence
from itertools import chain, islice
from math import isnan
from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import common_blockdim
from dask.base import tokenize

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.dask_arrays import Array, Shipped, built, device_here, is_dask
from einsum_front.index_string.element_types import ELEMENT_TYPES, is_number
from einsum_front.index_string.operands import wrong_type
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.index_string.subscripts import HIDDEN, read_subscripts
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
    as `einsum` does, and E0635 for chunks of unknown sizes that cannot be aligned.
    """
    arrays: list[Any] = [each if is_dask(each) else da.from_array(np.asarray(each), chunks=-1) for each in operands]
    string, unknown = _read(subscripts, [array.shape for array in arrays])
    kind = np.result_type(*(array.dtype for array in arrays)) if dtype is None else np.dtype(dtype)
    if kind not in ELEMENT_TYPES and (schedule is not None or not is_number(kind)):
        raise CompileError([wrong_type(arrays, kind)])
    letters = [term.names for term in string.kernel.subscripts.operands]
    arrays = [_whole(array, names, string, unknown) for array, names in zip(arrays, letters, strict=True)]
    _check_unknown(arrays, letters, unknown)
    chunks, arrays = _aligned(arrays, letters, unknown)
    output = string.kernel.subscripts.output.names
    summed = list(dict.fromkeys(name for names in letters for name in names if name not in output))
    partial = [name for name in summed if len(chunks[name]) > 1]
    real = ELEMENT_TYPES.get(kind)
    shipped, names = (None, ()) if real is None else _shipped(subscripts, arrays, real, device, schedule)
    places = {name: _places(name, letters, arrays) for name in (*output, *unknown)}
    first, equal = tuple(places[name][0] for name in output), tuple(places[name] for name in unknown)
    block = BlockContraction(einsum, subscripts, kind.str, device, schedule, len(partial), shipped, names, first, equal)
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


def _read(subscripts: str, shapes: Sequence[tuple[float, ...]]) -> tuple[IndexString, tuple[str, ...]]:
    """The string, and its indices of which only the tasks know the sizes.

    The size in another operand stands for an unknown one, or 2, as 1 would be stretched.
    """
    terms = read_subscripts(subscripts, tuple(map(len, shapes))).operands
    sizes = [*zip((name for term in terms for name in term.names), chain.from_iterable(shapes), strict=True)]
    known = {name: size for name, size in sizes if size != 1 and not isnan(size)}
    filled = iter([int(known.get(name, 2) if isnan(size) else size) for name, size in sizes])
    string = read_einsum(subscripts, [tuple(islice(filled, len(shape))) for shape in shapes])
    return string, tuple(dict.fromkeys(name for name, size in sizes if isnan(size)))


def _whole(array: Any, names: Sequence[str], string: IndexString, unknown: Collection[str]) -> Any:
    """The array without modes of length 1 that others stretch, and with whole modes where it is a diagonal.

    Tasks stretch those along an index of unknown size.
    """
    sizes = zip(names, array.shape, strict=True)
    shape = tuple(size if name in unknown else string.extents[name] for name, size in sizes)
    if array.shape != shape and not any(map(isnan, shape)):
        array = da.broadcast_to(array, shape)
    twice = {mode: -1 for mode, name in enumerate(names) if list(names).count(name) > 1 and array.numblocks[mode] > 1}
    if any(names[mode] in unknown for mode in twice):
        raise CompileError([_unknown(next(names[mode] for mode in twice if names[mode] in unknown))])
    return array.rechunk(twice) if twice else array


def _check_unknown(arrays: Sequence[Any], letters: Sequence[Sequence[str]], unknown: Collection[str]) -> None:
    """Raises `CompileError` unless blocks meet one by one along indices of unknown sizes; tasks compare their sizes."""
    for name in unknown:
        modes = [(array, names.index(name)) for array, names in zip(arrays, letters, strict=True) if name in names]
        along = [array.chunks[mode] for array, mode in modes if array.shape[mode] != 1]
        are_unknown = all(isnan(size) for chunks in along for size in chunks)
        if len(set(map(len, along))) > 1 or not (are_unknown or len(along[0]) == 1):
            raise CompileError([_unknown(name)])


def _aligned(
    arrays: Sequence[Any], letters: Sequence[Sequence[str]], unknown: Collection[str]
) -> tuple[dict[str, tuple[int, ...]], list[Any]]:
    """The chunks of each index, and arrays that have them: the finest that any has if sizes are known."""
    along: dict[str, list[tuple[int, ...]]] = {}
    for array, names in zip(arrays, letters, strict=True):
        for name, sizes in zip(names, array.chunks, strict=True):
            along.setdefault(name, []).append(sizes)
    chunks = {
        name: max(given, key=lambda sizes: (sizes != (1,), len(sizes))) if name in unknown else common_blockdim(given)
        for name, given in along.items()
    }
    wanted = [
        {
            mode: chunks[name]
            for mode, name in enumerate(names)
            if name not in unknown and array.chunks[mode] not in ((1,), chunks[name])
        }
        for array, names in zip(arrays, letters, strict=True)
    ]
    return chunks, [array.rechunk(each) if each else array for array, each in zip(arrays, wanted, strict=True)]


def _unknown(name: str) -> Diagnostic:
    where = "a mode under `...`" if HIDDEN.fullmatch(name) else f"index `{name}`"
    notes = (
        "blocks are taken one by one where all operands have as many of unknown sizes",
        "`compute_chunk_sizes()` finds them",
    )
    return Diagnostic("E0635", f"{where} has chunks of unknown sizes, which cannot be aligned with others", notes=notes)


def _places(name: str, letters: Sequence[Sequence[str]], arrays: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    """The operands and their modes that run along an index, of those that are not stretched if there are any."""
    found = [
        (operand, mode) for operand, names in enumerate(letters) for mode, each in enumerate(names) if each == name
    ]
    return tuple(place for place in found if arrays[place[0]].shape[place[1]] != 1) or tuple(found)


def _shipped(
    subscripts: str, arrays: Sequence[Any], real: str, device: str, schedule: str | None
) -> tuple[Shipped | None, tuple[str, ...]]:
    """The kernel for blocks that differ in their batch only; None if there is no such, or no device here."""
    shapes = [tuple(max(sizes) for sizes in array.chunks) for array in arrays]
    string, _ = _read(subscripts, shapes)
    kernel = string.kernel
    is_one = all(
        (len(set(sizes)) == 1 and not isnan(sizes[0])) or (mode == 0 and argument.is_batched)
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


# -- what a worker of dask does for an index string --------------------------------------------------------------------
# It travels with the tasks, and needs no dask.

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
