"""How a product is run: as unrolled terms or as tables of rows, in one loop or several."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch
from einsum_front.tl_backend.schedules.batch_simd.rows import lower_rows, pack_values
from einsum_front.tl_backend.schedules.batch_simd.sparsity import (
    Sparsity,
    UnrollPlan,
    find_sparsity,
    text_size,
    unroll_plan,
    unroll_plans,
)
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.tabulate import entry_table, row_tables
from einsum_front.tl_backend.schedules.batch_simd.transfer import FusedTransfer
from einsum_front.tl_backend.schedules.batch_simd.unrolled import UnrolledLoop, lower_unrolled, unroll
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import ProductSum


@dataclass(frozen=True, slots=True)
class Loop:
    """A share of a product: a table of rows, or summands that are unrolled in a loop."""

    product: ProductSum
    body: RowTable | UnrolledLoop

    @property
    def bases(self) -> set[str]:
        """The memory that it uses."""
        if not isinstance(self.body, RowTable):
            return {entry.base for entry in self.body.entries()}
        operands = (operand for operand in (self.body.values, self.body.entries) if operand is not None)
        return {self.product.target.base}.union(*map(self.body.bases, operands))

    @property
    def text(self) -> int:
        """Summands that are unrolled."""
        return 0 if isinstance(self.body, RowTable) else self.body.size

    def spread(self, facts: Facts) -> int:
        """Multiplications by numbers in memory that are batch-invariant."""
        return self.work if self.text and _has_uniform_factor(self.product, facts) else 0

    @property
    def iterations(self) -> int:
        """How often it runs."""
        if isinstance(self.body, RowTable):
            return self.body.groups * len(self.body.blocks)
        return self.body.count

    @property
    def work(self) -> int:
        """Multiplications in all iterations."""
        if isinstance(self.body, RowTable):
            return int(self.body.holds.sum()) * self.body.columns
        return self.body.size * self.body.count


def loops_of(product: ProductSum, facts: Facts) -> tuple[Loop, ...]:
    """The loops of a product, in order: of the two kinds the faster one, unless little is to be done.

    Packed scalars each of which serves many columns are not loaded again for each of them, so that is always a table.
    """
    sparsity, limits = find_sparsity(product, facts.patterns), facts.machine.batch_simd.unrolling
    size = text_size(sparsity)
    is_vector = 1 in (product.rows, product.columns)
    if size > limits.most or (size > limits.always and not is_vector and _has_uniform_factor(product, facts)):
        return tuple(_tables(sparsity, facts))
    written = _written(unroll_plan(sparsity, limits.body), sparsity)
    if size <= limits.always:
        return written
    tables = tuple(_tables(sparsity, facts))
    return written if _cycles(written, facts) <= _cycles(tables, facts) else tables


def written_loops(product: ProductSum, facts: Facts) -> Iterator[tuple[Loop, ...]]:
    """A product with all of its terms unrolled, in each way that has room for them in the body of one loop."""
    sparsity, most = find_sparsity(product, facts.patterns), facts.machine.batch_simd.unrolling.body
    if text_size(sparsity) <= most:
        yield from (_written(each, sparsity) for each in unroll_plans(sparsity, most) if each.size <= most)


def _written(outlined: UnrollPlan, sparsity: Sparsity) -> tuple[Loop, ...]:
    return tuple(Loop(sparsity.product, part) for part in unroll(outlined, sparsity))


def _cycles(loops: Iterable[Loop], facts: Facts) -> float:
    """About how long the loops take."""
    return sum(loop.body.cycles(facts) for loop in loops)


def lower_loop(
    loop: Loop, context: LaneContext, prefetch: LoopPrefetch, fused: Sequence[FusedTransfer] = ()
) -> tree.Statements:
    """The statements of a loop whose operands are in arrays or, if they are batch-invariant, in memory.

    What is `fused` is loaded or stored in each iteration.
    """
    if not isinstance(loop.body, RowTable):
        mine = [each for each in fused if each.fusion.base in loop.bases]
        return lower_unrolled(loop.body, loop.product, context, prefetch, mine)
    values, packing = pack_values(loop.body, loop.product, context)
    return (*packing, *lower_rows(loop.body, loop.product, values, context, prefetch))


def _has_uniform_factor(product: ProductSum, facts: Facts) -> bool:
    """True if a factor can be kept as packed scalars, each of which serves a block of columns."""
    return any(facts.storages[factor.base].is_uniform for term in product.terms for factor in term.factors)


def _tables(sparsity: Sparsity, facts: Facts) -> Iterator[Loop]:
    """Tables of rows; terms that do not fit into one table come one after the other."""
    product = sparsity.product
    tables = row_tables(sparsity, facts)
    if tables is not None:
        yield from (Loop(product, table) for table in tables)
    elif len(product.terms) > 1:
        for single in _single_terms(product):
            yield from _tables(find_sparsity(single, facts.patterns), facts)
    elif sparsity.kept.any():
        yield Loop(product, entry_table(sparsity, facts))


def _single_terms(product: ProductSum) -> Iterator[ProductSum]:
    """One product after the other; the first starts all entries, also those that only later terms add to."""
    beta = product.beta
    for term in product.terms:
        yield replace(product, terms=(term,), beta=beta, is_partial=False)
        beta = tl.TypedScalar(tl.FloatConstant(1.0), product.beta.type)
