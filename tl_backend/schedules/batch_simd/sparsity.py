"""Which summands of a product may differ from zero, and along which runs of rows and columns that is the same."""

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
