"""Sums and dot products along rows of arrays of a GPU, over all its work-groups, in two stages.

A row is cut into segments, a work-group for each. A work-item adds up every 256th term, eight sums side by side; the
sums of a work-group are added in pairs. If a row has several segments, a second launch adds their sums in the same way.
How rows are cut depends on their number, their length and the device alone, so each run has the same bits.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from einsum_front.runtime.arrays.allocation import memory_for_results, was_released
from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.opencl import Array, cl, driver_errors, use_drivers
from einsum_front.runtime.launches.build import build

ITEMS, SUMS = 256, 8
"""Work-items of a work-group, and sums side by side of each."""

UNIT_GROUPS = 8
"""Work-groups that a compute unit runs at a time."""

SOURCE = """
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void sums(global REAL const* x, global REAL const* y, global REAL* result, long length, long part) {
  local REAL sums[256];
  int const item = get_local_id(0);
  long const row = get_group_id(0);
  long const start = part * get_group_id(1);
  long const stop = min(length, start + part);
  x += row * length;
  y += row * length;
  REAL s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  long i = start + item;
  for (; i + 7 * 256 < stop; i += 8 * 256) {
    s0 += TERM(i);
    s1 += TERM(i + 256);
    s2 += TERM(i + 512);
    s3 += TERM(i + 768);
    s4 += TERM(i + 1024);
    s5 += TERM(i + 1280);
    s6 += TERM(i + 1536);
    s7 += TERM(i + 1792);
  }
  for (; i < stop; i += 256) s0 += TERM(i);
  sums[item] = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  for (int half_ = 128; half_ > 0; half_ /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_) sums[item] += sums[item + half_];
  }
  if (item == 0) result[row * get_num_groups(1) + get_group_id(1)] = sums[0];
}
"""

TERMS = {1: "(x[i])", 2: "(x[i] * y[i])"}
"""A term of a sum, and of a dot product."""

REALS = {4: "float", 8: "double"}


class RowSums:
    """Sums along `rows` rows of `length` entries without gaps; of products, if there are two operands.

    What a launch needs is found out once: a call takes as long as a driver needs to start it.
    """

    __slots__ = ("_device", "_empty", "_rows", "_stages", "queue", "segments")

    def __init__(
        self, device: Device, queue: cl.CommandQueue, rows: int, length: int, operands: int, itemsize: int
    ) -> None:
        """Raises what building raises."""
        self._device, self.queue, self._rows = device, queue, rows
        step = ITEMS * SUMS
        wanted = max(1, min(-(-length // step), UNIT_GROUPS * device.facts.compute_units // rows))
        part = -(-length // (wanted * step)) * step
        # so that all compute units have work, and each work-item some terms for each of its sums
        self.segments = -(-length // part)
        terms = [(TERMS[operands], length, part, self.segments)]
        if self.segments > 1:
            terms.append((TERMS[1], self.segments, self.segments, 1))
        self._stages = [
            (build(_artifact(itemsize, term), queue.context, queue.device), (count, each), (ITEMS * rows, segments))
            for term, count, each, segments in terms
        ]
        memory, size = memory_for_results(queue), rows * self.segments * itemsize
        plain = partial(cl.Buffer, queue.context, cl.mem_flags.READ_WRITE, size)
        self._empty: Callable[[], Any] = plain if memory is None else partial(memory, size)

    def start(self, arrays: Sequence[Any]) -> bool:
        """Computes the last array from the others, all in this queue and from the start of their memory; does not wait.

        False if there is an array that it cannot take. Raises CompileError (E0607, E0608).
        """
        if not all(map(self._is_fitting, arrays)):
            return False
        use_drivers()
        *operands, result = arrays
        ends = [each.base_data for each in operands]
        event: cl.Event | None = None
        with driver_errors("E0608", f"a sum failed on `{self._device.facts.name}`"):
            for pool, numbers, size in self._stages:
                is_last = size[1] == 1
                target = result.base_data if is_last else self._empty()
                kernels = pool.take()
                (kernel,) = kernels.each
                kernel.set_args(ends[0], ends[-1], target, *numbers)
                before = None if event is None else [event]
                event = cl.enqueue_nd_range_kernel(self.queue, kernel, size, (ITEMS, 1), wait_for=before)
                pool.give_back(kernels)
                ends = [target]
        result.add_event(event)
        return True

    def _is_fitting(self, array: Array) -> bool:
        memory = array.base_data
        if not isinstance(memory, cl.MemoryObjectHolder) or was_released(memory):
            return False
        return array.offset == 0 and array.queue == self.queue and bool(memory.size >= array.nbytes)


@cache
def _artifact(itemsize: int, term: str) -> Artifact:
    """The kernel for entries of so many bytes, with what `build` must know of it."""

    def memory(name: str, *, is_written: bool) -> TensorParameter:
        return TensorParameter(name, "u8", (), (), (), batch_mode=None, is_read=not is_written, is_written=is_written)

    x, y, result = (memory(name, is_written=name == "result") for name in ("x", "y", "result"))
    numbers = tuple(ScalarParameter(name, "index") for name in ("length", "part"))
    needs_fp64 = itemsize == 8
    source = f"#define TERM(i) {term}\n{SOURCE}".replace("REAL", REALS[itemsize])
    source = f"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{source}" if needs_fp64 else source
    return Artifact("sums", source, (x, y, result, *numbers), (ITEMS, 1), ITEMS * itemsize, needs_fp64=needs_fp64)
