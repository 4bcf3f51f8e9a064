"""Written-out sums and tables of rows have the summands that may differ from zero: each once, and no others."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from hypothesis import assume, given

from einsum_front.core.machines import ZEN4
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.sparsity import Sparsity, find_sparsity, text_size, unroll_plan
from einsum_front.tl_backend.schedules.batch_simd.steps import steps_of
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.tabulate import entry_table, row_tables
from einsum_front.tl_backend.schedules.batch_simd.unrolled import UnrolledLoop, unroll
from einsum_front.tl_backend.schedules.positions.facts import Facts, find_facts
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.positions.product import ProductSum
from tests.profiles import share
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.schedules.batch_simd.strategies import lane_cases
from tests.tl_backend.strategies import Case

Summand = tuple[int, int, tuple[tuple[str, int], ...]]
"""The position of the target, the number of the term, and base and position of the factors."""

MANY = replace(ZEN4, batch_simd=replace(ZEN4.batch_simd, tables=replace(ZEN4.batch_simd.tables, most=10**6)))
"""A machine for which a product may be any number of tables."""

DIAGONAL = """;! nonzeros %D 0 4 8
func @f(%D: memref<f64x3x3>, %Q: memref<f64x3x2x?>) {
  %id = group_id
  %q = subview %Q[:, :, %id] : memref<f64x3x2x?>
  %t = alloca -> memref<f64x3x2>
  gemm.n.n 1.0, %D, %q, 0.0, %t : f64, memref<f64x3x3>, memref<f64x3x2>, f64, memref<f64x3x2>
}"""


def products(function: Function) -> list[tuple[ProductSum, Facts]]:
    """The products outside of loops."""
    facts = replace(find_facts(function), machine=MANY)
    actions = (step.action for step in steps_of(function.body, facts.places))
    return [(action, facts) for action in actions if isinstance(action, ProductSum)]


def expected(sparsity: Sparsity) -> Iterator[Summand]:
    product = sparsity.product
    for number, (term, mask) in enumerate(zip(product.terms, sparsity.terms, strict=True)):
        factors = [np.broadcast_to(factor.positions(term.shape), term.shape)[mask] for factor in term.factors]
        targets = np.broadcast_to(product.target_positions[np.ix_(term.rows, term.columns)][:, :, None], term.shape)[
            mask
        ]
        for target, *places in zip(targets.tolist(), *(each.tolist() for each in factors), strict=True):
            named = zip((factor.base for factor in term.factors), places, strict=True)
            yield target, number, tuple(sorted(named))


def of_unrolled(unrolled: UnrolledLoop) -> Iterator[Summand]:
    for iteration in range(unrolled.count):
        for each in unrolled.sums:
            target = each.target.position.constant + iteration * each.target.step
            for part in each.shares:
                for summand in part.summands:
                    entries = ((e.base, e.position.constant + iteration * e.step) for e in summand)
                    yield target, part.term, tuple(sorted(entries))


def of_table(table: RowTable) -> Iterator[Summand]:
    for group, row, column in np.ndindex(table.groups, table.height, table.columns):
        target = int(table.targets[group, row]) + column * table.target_step
        for number in range(table.starts[group], table.starts[group + 1]):
            if table.holds[number, row]:
                term = int(table.terms[number])
                yield target, term, tuple(sorted(factors_of(table, term, number, row, column)))


def factors_of(table: RowTable, term: int, number: int, row: int, column: int) -> Iterator[tuple[str, int]]:
    if table.values is not None:
        yield table.values.bases[term], int(table.values.positions[number, row])
    if table.entries is not None:
        yield table.entries.bases[term], int(table.entries.positions[number]) + column * table.entry_step


@share(1)
@given(lane_cases())
def test_every_kind_of_loop_has_the_summands_of_the_product(case: Case) -> None:
    try:
        found = products(case.function)
    except UnsuitableError:
        assume(False)
    for product, facts in found:
        sparsity = find_sparsity(product, facts.patterns)
        wanted = Counter(expected(sparsity))
        written = unroll(unroll_plan(sparsity, facts.machine.batch_simd.unrolling.body), sparsity)
        assert Counter(summand for unrolled in written for summand in of_unrolled(unrolled)) == wanted
        tables = row_tables(sparsity, facts)
        if tables is not None:
            assert Counter(summand for table in tables for summand in of_table(table)) == wanted
        if len(product.terms) == 1:
            assert Counter(of_table(entry_table(sparsity, facts))) == wanted


@share(1)
@given(lane_cases())
def test_what_is_alike_is_found_and_the_text_is_as_long_as_foretold(case: Case) -> None:
    try:
        found = products(case.function)
    except UnsuitableError:
        assume(False)
    for product, facts in found:
        sparsity = find_sparsity(product, facts.patterns)
        for axis, length in enumerate(sparsity.kept.shape):
            assert [number for run in sparsity.alike[axis] for number in run] == list(range(length))
            for run in sparsity.alike[axis]:
                counts = sparsity.counts.take(list(run), axis)
                assert (counts == counts.take([0], axis)).all()
        written = unroll(unroll_plan(sparsity, facts.machine.batch_simd.unrolling.body), sparsity)
        assert text_size(sparsity) == sum(unrolled.size for unrolled in written)


def test_rows_that_multiply_other_columns_are_not_alike() -> None:
    ((product, facts),) = products(function_of(DIAGONAL))
    sparsity = find_sparsity(product, facts.patterns)
    assert sparsity.alike == ((range(1), range(1, 2), range(2, 3)), (range(2),))
    assert sparsity.counts.tolist() == [[1, 1], [1, 1], [1, 1]]
    assert text_size(sparsity) == 3
