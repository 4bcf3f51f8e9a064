"""The memory of the next elements is asked for while these are computed, a few cache lines in every iteration.

    __builtin_prefetch((const char *)(ulong)Q_0 + (320 * r + 11520), 0, 2);

The lines are spread over all loops that take long, those that load and store too: memory would wait while elements are
transposed. Those of an argument are asked for one after the other. They are meant for the second-level cache (locality
2), which can wait for more of them at a time and keeps those of several blocks. It pays for batches of any size: those
that the cache of a core holds lose nothing, those in the cache that cores share gain 10%, those in memory a third.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch, no_prefetch, number_at
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow


@dataclass(frozen=True, slots=True)
class Stream:
    """An argument whose elements stand side by side: the pointer to the first in the lanes, and their distance."""

    flow: Flow
    pointer: tree.Name
    distance: int

    def cache_lines(self, context: LaneContext) -> list[int]:
        """The cache lines that the elements ahead use, counted from the pointer on."""
        size, machine = context.facts.stored_as(self.flow.base).size, context.facts.machine
        times, unit = machine.batch_simd.prefetch, machine.memory.lines.unit
        used = np.flatnonzero(self.flow.needed | self.flow.written)
        if used.size == 0:
            return []
        elements = np.arange(times.blocks * context.width, (times.blocks + 1) * context.width)
        lines = sorted(set(((elements[:, None] * self.distance + used) * size // unit).ravel().tolist()))
        first, stop = lines[0], lines[-1] + 1
        return list(range(first, stop)) if len(lines) > times.all_lines * (stop - first) else lines


@dataclass(frozen=True, slots=True)
class Turn:
    """A loop that can ask for lines: how often it runs, and how long that takes, in multiplications of vectors."""

    iterations: int
    work: int


def plan_prefetches(streams: Sequence[Stream], loops: Sequence[Turn], context: LaneContext) -> list[LoopPrefetch]:
    """What each loop does ahead."""
    least = context.facts.machine.batch_simd.prefetch.least * max((loop.work for loop in loops), default=0)
    long = [loop.iterations > 1 and loop.work > least for loop in loops]
    total = sum(loop.work for loop, is_long in zip(loops, long, strict=True) if is_long)
    lines = [(stream.pointer, line) for stream in streams for line in stream.cache_lines(context)]
    plans: list[LoopPrefetch] = []
    done = 0
    for loop, is_long in zip(loops, long, strict=True):
        if not is_long:
            plans.append(no_prefetch)
            continue
        share: dict[tree.Name, list[int]] = {}
        for pointer, line in lines[len(lines) * done // total : len(lines) * (done + loop.work) // total]:
            share.setdefault(pointer, []).append(line)
        done += loop.work
        plans.append(_CacheLines(share, loop.iterations, context).prefetches)
    return plans


@dataclass(frozen=True, slots=True)
class _CacheLines:
    """The lines behind each pointer that a loop asks for, spread over its iterations."""

    lines: Mapping[tree.Name, Sequence[int]]
    iterations: int
    context: LaneContext

    def prefetches(self, counter: tree.Expression) -> tree.Statements:
        """Those of one iteration."""
        return tuple(call for pointer, lines in self.lines.items() for call in self._calls(pointer, lines, counter))

    def _calls(self, pointer: tree.Name, lines: Sequence[int], counter: tree.Expression) -> Iterator[tree.Statement]:
        """The lines of an iteration follow each other; what is asked for behind the last line does no harm."""
        count, unit = -(-len(lines) // self.iterations), self.context.facts.machine.memory.lines.unit
        padded = [*lines, *(lines[-1] + number for number in range(1, count * self.iterations - len(lines) + 1))]
        for number in range(count):
            places = [unit * line for line in padded[number::count]]
            place = number_at(counter, places, f"{pointer.text}_ahead", self.context)
            yield tree.Prefetch(pointer, place)
