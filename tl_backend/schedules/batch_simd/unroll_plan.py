"""How a product is cut into loops whose summands are unrolled, and how much text that is."""

from collections.abc import Iterator, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.schedules.batch_simd.sparsity import Sparsity
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class Part:
    """A loop over a run of rows or columns, for the entries of the target with these numbers along the other axis."""

    run: range
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnrollPlan:
    """The loops over an axis; `size` is how many summands and results they write out, `sizes` is that of each."""

    axis: Axis
    parts: tuple[Part, ...]
    sizes: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many summands and results are unrolled."""
        return sum(self.sizes)


def text_size(sparsity: Sparsity) -> int:
    """How many summands and results `unroll_plan` needs."""
    return min(_text_size(sparsity, axis) for axis in (Axis.M, Axis.N))


def _text_size(sparsity: Sparsity, axis: Axis) -> int:
    sizes = np.maximum(sparsity.counts, 1) * sparsity.kept
    return int(sizes.take([run.start for run in sparsity.alike[axis]], axis).sum())


def unroll_plan(sparsity: Sparsity, most: int) -> UnrollPlan:
    """The loops that need the least text; those over the longer axis if both need as much.

    A loop has at most so many summands; with more, the target is computed in several loops.
    """
    return unroll_plans(sparsity, most)[0]


def unroll_plans(sparsity: Sparsity, most: int) -> list[UnrollPlan]:
    """The loops over either axis with at most so many summands each, those with the least text first."""
    candidates = (_unroll_plan(sparsity, Axis.M, most), _unroll_plan(sparsity, Axis.N, most))
    return sorted(candidates, key=lambda each: (each.size, len(each.parts)))


def _unroll_plan(sparsity: Sparsity, axis: Axis, most: int) -> UnrollPlan:
    parts = []
    sizes = []
    for run in sparsity.alike[axis]:
        entries = sparsity.kept_in(axis, run.start).tolist()
        counts = sparsity.counts_in(axis, run.start)[entries].tolist()
        for cut in _cuts(counts, most):
            parts.append(Part(run, tuple(entries[cut])))
            sizes.append(sum(max(1, count) for count in counts[cut]))
    return UnrollPlan(axis, tuple(parts), tuple(sizes))


def _cuts(counts: Sequence[int], most: int) -> Iterator[slice]:
    """Sums in bodies of at most so many summands; each has so many as `counts` says."""
    start = size = 0
    for number, count in enumerate(counts):
        if number > start and size + count > most:
            yield slice(start, number)
            start, size = number, 0
        size += max(1, count)
    if counts:
        yield slice(start, len(counts))
