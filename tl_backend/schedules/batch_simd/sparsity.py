"""Which summands of a product may differ from zero, and along which runs of rows and columns that is the same.

How a product is cut into loops whose summands are unrolled, and how much text that is.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum
from einsum_front.tl_backend.schedules.positions.zeros import Patterns, stored_mask, summands
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True, eq=False)
class Sparsity:
    """Terms of a product that may differ from zero.

    `terms` says for each of its terms which summands (rows x columns x depth of the term) may differ from zero, `kept`
    which entries of the target get a new value, `counts` how many summands each of them has. `alike` are the longest
    runs of rows, and those of columns, that have the same summands and new values.
    """

    product: ProductSum
    terms: tuple[Mask, ...]
    kept: Mask
    counts: Positions
    alike: tuple[tuple[range, ...], tuple[range, ...]]

    def kept_in(self, axis: Axis, number: int) -> Positions:
        """The columns (rows) of a row (column) with this number whose entries get a new value."""
        return np.flatnonzero(self.kept.take(number, axis))

    def counts_in(self, axis: Axis, number: int) -> Positions:
        """The numbers of summands of a row or column."""
        return np.asarray(self.counts.take(number, axis))


def find_sparsity(product: ProductSum, patterns: Patterns) -> Sparsity:
    """The sparsity of a product."""
    kept = stored_mask(product, patterns)
    terms = []
    counts = np.zeros(kept.shape, np.int64)
    for term in product.terms:
        within = np.ix_(term.rows, term.columns)
        mask = summands(term, patterns) & kept[within][:, :, None]
        counts[within] += np.count_nonzero(mask, axis=2)
        terms.append(mask)
    alike = _alike(product, terms, kept, Axis.M), _alike(product, terms, kept, Axis.N)
    return Sparsity(product, tuple(terms), kept, counts, alike)


def _alike(product: ProductSum, terms: list[Mask], kept: Mask, axis: Axis) -> tuple[range, ...]:
    """The runs are cut where a term begins or ends, too."""
    length = kept.shape[axis]
    is_cut = np.zeros(length + 1, np.bool_)
    is_cut[1:length] = _changes(kept, axis)
    for term, mask in zip(product.terms, terms, strict=True):
        run = term.along(axis)
        is_cut[run.start + 1 : run.stop] |= _changes(mask, axis)
        is_cut[[run.start, run.stop]] = True
    is_cut[[0, length]] = True
    cuts = np.flatnonzero(is_cut).tolist()
    return tuple(map(range, cuts[:-1], cuts[1:]))


def _changes(mask: Mask, axis: Axis) -> Mask:
    """Whether what lies along an axis differs from what is before it."""
    others = tuple(each for each in range(mask.ndim) if each != axis)
    return np.asarray(np.diff(mask, axis=axis).any(axis=others))


# -- unroll plan -------------------------------------------------------------------------------------------------------


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
