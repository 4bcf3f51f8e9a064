"""Rows with about the same summands come into groups, and what the rows of a group lack is zero."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from einsum_front.core.machines import ZEN4
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.table import blocks_of
from einsum_front.tl_backend.schedules.batch_simd.tabulate import STRETCH, find_groups, without_pairs
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.machines import with_tables
from tests.tl_backend.opencl.harness import TARGET, expect, function_of, run

TABLES = ZEN4.batch_simd.tables
HOLDS = arrays(np.bool_, st.tuples(st.integers(1, 20), st.integers(0, 12)))


def waste(holds: Mask, rows: list[int]) -> float:
    """Multiplications of a group over those that its rows need."""
    return len(rows) * int(holds[rows].any(axis=0).sum()) / max(1, int(holds[rows].sum()))


@given(HOLDS, st.sampled_from([1, 2, 4]), st.sampled_from([1.0, 1.15, 2.0]))
def test_every_row_is_in_one_group(holds: Mask, most: int, limit: float) -> None:
    groups = find_groups(holds, most, limit)
    assert sorted(row for each in groups for row in each.ravel().tolist()) == list(range(holds.shape[0]))
    heights = [each.shape[1] for each in groups]
    assert heights == sorted(set(heights), reverse=True)
    assert set(heights) <= {1, 2, 4}
    assert heights[0] <= most
    for rows in (rows for each in groups for rows in each.tolist()):
        assert waste(holds, rows) <= limit


def test_rows_that_are_alike() -> None:
    groups = find_groups(np.ones((7, 3), np.bool_), 4, 1.0)
    assert [each.tolist() for each in groups] == [[[0, 1, 2, 3]], [[4, 5]], [[6]]]


def test_partners_are_the_rows_that_fit_best() -> None:
    holds = np.array([[1, 1, 1, 1, 1, 0], [0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]], np.bool_)
    assert [each.tolist() for each in find_groups(holds, 2, 1.15)] == [[[0, 2], [1, 3]]]
    assert [each.tolist() for each in find_groups(holds, 2, 1.0)] == [[[1, 3]], [[0], [2]]]


@given(HOLDS, st.sampled_from([1.0, 1.15]))
def test_pairs_can_be_taken_apart(holds: Mask, limit: float) -> None:
    groups = find_groups(holds, 4, limit)
    left = without_pairs(groups)
    assert [each.tolist() for each in left if each.shape[1] == 4] == [g.tolist() for g in groups if g.shape[1] == 4]
    assert {each.shape[1] for each in left} <= {1, 4}
    assert sorted(row for each in left for row in each.ravel().tolist()) == list(range(holds.shape[0]))


def test_more_rows_than_are_compared_at_once() -> None:
    groups = find_groups(np.ones((4 * STRETCH + 1, 2), np.bool_), 4, 1.0)
    assert [each.shape for each in groups] == [(STRETCH, 4), (1, 1)]


def product(holds: Mask, columns: int, beta: float) -> Function:
    """A product of a constant that has these entries and the columns of an element."""
    rows, depth = holds.shape
    nonzeros = np.flatnonzero(holds.ravel(order="F")).tolist()
    k, i, q = f"memref<f64x{rows}x{depth}>", f"memref<f64x{depth}x{columns}>", f"memref<f64x{rows}x{columns}>"
    batch_i, batch_q = i.replace(">", "x?>"), q.replace(">", "x?>")
    return function_of(f"""
    ;! nonzeros %K {" ".join(map(str, nonzeros))}
    func @f(%K: {k}, %I: {batch_i}, %Q: {batch_q}) {{
      %id = group_id
      %i = subview %I[:, :, %id] : {batch_i}
      %q = subview %Q[:, :, %id] : {batch_q}
      gemm.n.n 2.0, %K, %i, {beta}, %q : f64, {k}, {i}, f64, {q}
    }}""")


@pytest.mark.parametrize(("columns", "beta"), [(1, 0.0), (3, 1.0), (7, 0.0), (16, 1.0)])
@pytest.mark.parametrize("rows", [2, 7, 13])
def test_products_of_groups(rows: int, columns: int, beta: float) -> None:
    random = np.random.default_rng(rows)
    holds = random.random((rows, 9)) < 0.9
    elements = 6
    arguments = {
        "K": np.asfortranarray(random.integers(-4, 5, holds.shape) * holds, np.float64),
        "I": np.asfortranarray(random.integers(-4, 5, (9, columns, elements)), np.float64),
        "Q": np.asfortranarray(random.integers(-4, 5, (rows, columns, elements)), np.float64),
    }
    function = product(holds, columns, beta)
    expected = expect(function, arguments, elements)
    arguments["K"][~holds] = np.nan  # nothing reads it, and no group computes with it
    result = run(function, arguments, elements, tuning=Tuning(ScheduleKind.BATCH_SIMD), target=with_tables(TARGET))
    np.testing.assert_array_equal(result["Q"], expected["Q"])


def test_numbers_that_serve_one_column_are_not_packed() -> None:
    """Rows that have little in common, so that no group shares entries: unrolled they take less time."""
    holds = np.random.default_rng(0).random((6, 60)) < 0.45
    assert "_values[" not in emit(product(holds, 1, 0.0), DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)).source


@given(st.integers(1, 80), st.sampled_from([1, 2, 4]), st.sampled_from([16, 32]))
def test_blocks_of_columns_fit_into_the_registers(columns: int, height: int, registers: int) -> None:
    blocks = blocks_of(columns, height, registers, TABLES)
    assert [column for block in blocks for column in block] == list(range(columns))
    assert len({len(block) for block in blocks[:-1]}) <= 1
    for width in map(len, blocks):
        assert height * width + min(height, width) + 1 <= registers


@pytest.mark.parametrize(
    ("height", "registers", "widths"),
    [(1, 16, [9]), (2, 16, [5, 4]), (4, 16, [3, 3, 3]), (1, 32, [9]), (2, 32, [9]), (4, 32, [5, 4])],
)
def test_blocks_of_nine_columns(height: int, registers: int, widths: list[int]) -> None:
    assert [len(block) for block in blocks_of(9, height, registers, TABLES)] == widths


def test_the_code_of_a_group() -> None:
    holds = np.ones((4, 8), np.bool_)
    holds[0, 2] = holds[3, 5] = False
    source = emit(product(holds, 3, 0.0), with_tables(DEFAULT), Tuning(ScheduleKind.BATCH_SIMD)).source
    assert "double Q_lanes_values[32] = {0};" in source
    start = source.index("for (long item")
    loop = [line.strip() for line in source[start:].splitlines()]
    assert loop[: loop.index("}") + 1] == [
        "for (long item = rows * 8; item < (rows + 1) * 8; ++item) {",
        "double value0 = Q_lanes_values[item * 4];",
        "double value1 = Q_lanes_values[item * 4 + 1];",
        "double value2 = Q_lanes_values[item * 4 + 2];",
        "double value3 = Q_lanes_values[item * 4 + 3];",
        "const double4 *entry = lanes + item;",
        *(f"sum{row}_{column} += value{row} * entry[{8 * column}];" for row in range(4) for column in range(3)),
        "}",
    ]
