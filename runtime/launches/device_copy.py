"""Copies and sums of arrays of a device whatever their strides are: pyopencl has those without gaps, in one order."""

from functools import cache
from math import prod
from typing import Any, cast

import numpy as np

from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.driver_errors import driver_errors
from einsum_front.runtime.devices.forked import use_drivers
from einsum_front.runtime.devices.opencl import Array, KernelArg, cl
from einsum_front.runtime.launches.build import build

SOURCE = """
kernel void copy(global ENTRY const* source, long source_start, global ENTRY* target, long target_start,
                 global long const* modes, long order MORE) {
  long from = source_start + (long)get_global_id(0) * modes[1] + (long)get_global_id(1) * modes[4];
  long to = target_start + (long)get_global_id(0) * modes[2] + (long)get_global_id(1) * modes[5];
  long rest = get_global_id(2);
  for (long mode = 2; mode < order; ++mode) {
    long position = rest;
    if (mode + 1 < order) {
      position = rest % modes[3 * mode];
      rest = rest / modes[3 * mode];
    }
    from += position * modes[3 * mode + 1];
    to += position * modes[3 * mode + 2];
  }
  target[to] = VALUE;
}
"""
"""A work-item computes an entry. `modes` has size and strides, in source and target, of two modes or more."""

ENTRIES = {4: "uint", 8: "ulong", 16: "ulong2"}
"""What has as many bytes as an entry: bits are copied, whatever they mean."""

FP64 = 8
"""Bytes of an entry."""

FLOATS = {4: "float", 8: "double"}

SUM = "(alpha == 0 ? 0 : alpha * source[from]) + (beta == 0 ? 0 : beta * target[to])"
"""Where a factor is 0, its entry does not count, whatever it is."""

Mode = tuple[int, int, int]
"""Its size, and its strides in the source and in the target, in entries."""


def copy_entries(target: Array, source: Array, queue: cl.CommandQueue) -> None:
    """Copies all entries between arrays of one shape and element type on one device, and waits.

    The strides may be any, those of the target such that no two entries share memory; source and target are apart.
    """
    _compute(target, source, queue, ())


def combine_entries(
    target: Array, source: Array, alpha: np.floating[Any], beta: np.floating[Any], queue: cl.CommandQueue
) -> None:
    """`target = alpha * source + beta * target`, for such arrays, or one that is both; of type f32 or f64, as are the
    factors."""
    _compute(target, source, queue, (alpha, beta))


def _compute(target: Array, source: Array, queue: cl.CommandQueue, factors: tuple[np.floating[Any], ...]) -> None:
    use_drivers()
    for array in (source, target):
        if array.queue is not None:
            array.queue.finish()
    if target.size == 0:
        return
    modes = [*_modes(source, target), (1, 0, 0), (1, 0, 0)]
    modes = modes[: max(2, len(modes) - 2)]
    global_size = modes[0][0], modes[1][0], prod(size for size, _, _ in modes[2:])
    itemsize = target.dtype.itemsize
    with driver_errors("E0608", "an array cannot be copied"):
        flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        table = cl.Buffer(queue.context, flags, hostbuf=np.array(modes, dtype=np.int64))
        pool = build(_artifact(itemsize, is_sum=bool(factors)), queue.context, queue.device)
        ends = {"source": source.base_data, "target": target.base_data}
        shared = frozenset(name for name, memory in ends.items() if isinstance(memory, cl.SVMPointer))
        kernels = pool.take(shared)
        starts = source.offset // itemsize, target.offset // itemsize
        # every kind of memory object can be an argument; the type of pyopencl's arguments names buffers only
        here, there = cast("KernelArg", source.base_data), cast("KernelArg", target.base_data)
        (kernel,) = kernels.each
        kernel.set_args(here, starts[0], there, starts[1], table, len(modes), *factors)
        cl.enqueue_nd_range_kernel(queue, kernel, global_size, None)
        queue.finish()
        pool.give_back(kernels, shared)


def _modes(source: Array, target: Array) -> list[Mode]:
    """The modes with more than one entry, the last one first; neighbours that lie alike in both arrays are one."""
    modes: list[Mode] = []
    for size, *strides in reversed(list(zip(target.shape, source.strides, target.strides, strict=True))):
        here, there = (stride // target.dtype.itemsize for stride in strides)
        if size == 1:
            continue
        if modes and (here, there) == (modes[-1][0] * modes[-1][1], modes[-1][0] * modes[-1][2]):
            modes[-1] = (size * modes[-1][0], *modes[-1][1:])
        else:
            modes.append((size, here, there))
    return modes


@cache
def _artifact(itemsize: int, *, is_sum: bool) -> Artifact:
    """The kernel for entries of so many bytes, with what `build` must know of it."""

    def memory(name: str, is_written: bool) -> TensorParameter:
        return TensorParameter(name, "u8", (), (), (), batch_mode=None, is_read=not is_written, is_written=is_written)

    number = [ScalarParameter(name, "index") for name in ("source_start", "target_start", "order")]
    parameters = (
        memory("source", False),
        number[0],
        memory("target", True),
        number[1],
        memory("modes", False),
        number[2],
    )
    entry = FLOATS[itemsize] if is_sum else ENTRIES[itemsize]
    more = f", {entry} alpha, {entry} beta" if is_sum else ""
    source = SOURCE.replace("ENTRY", entry).replace("MORE", more).replace("VALUE", SUM if is_sum else "source[from]")
    if not is_sum:
        return Artifact("copy", source, parameters, (1, 1), 0, needs_fp64=False)
    factors = tuple(ScalarParameter(name, f"f{8 * itemsize}") for name in ("alpha", "beta"))
    needs_fp64 = itemsize == FP64
    source = f"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{source}" if needs_fp64 else source
    return Artifact("copy", source, (*parameters, *factors), (1, 1), 0, needs_fp64=needs_fp64)
