"""Loops that load and store arguments themselves: which do, what they say in C, and that they mean the same."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from einsum_front.core.machine import Machine
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.flow import find_flows
from einsum_front.tl_backend.schedules.batch_simd.planned import make_plan, plan_steps
from einsum_front.tl_backend.schedules.batch_simd.schedule import find_count, planned_count
from einsum_front.tl_backend.schedules.batch_simd.steps import steps_of
from einsum_front.tl_backend.schedules.batch_simd.transfer import Fusion
from einsum_front.tl_backend.schedules.positions.facts import find_facts
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.machines import with_unrolling
from tests.tl_backend.opencl.harness import TARGET, compare, function_of
from tests.tl_backend.schedules.batch_simd.test_groups import product

ANY_TRANSFERS = with_unrolling(DEFAULT, transfers=99)


def fusions_of(function: Function, width: int = 4, machine: Machine = DEFAULT.machine) -> dict[str, Fusion]:
    """The passages of all steps, by their argument."""
    facts = replace(find_facts(function), machine=machine)
    steps = steps_of(function.body, facts.places)
    planned = plan_steps(steps, find_flows(steps, facts, width), facts, width)
    return {fusion.base: fusion for step in planned for fusion in step.fusions}


def dense(rows: int, depth: int) -> Mask:
    return np.ones((rows, depth), np.bool_)


def test_a_column_of_each_argument_in_an_iteration() -> None:
    """The sixth entry of a column comes with the vector before it, and is stored by itself."""
    source = emit(product(dense(5, 6), 3, 1.0), DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)).source
    loop = source[source.index("for (int turn") : source.rindex("    }\n}")]
    lines = [line.strip() for line in loop.splitlines() if "prefetch" not in line]
    load = lines.index("// load %I")
    assert lines[load : load + 12] == [
        "// load %I",
        "double4 I_lanes[6];",
        *(f"I_lanes[{lane}] = *(global const double4_u *)(I_{lane} + turn * 6);" for lane in range(4)),
        "transpose(I_lanes);",
        *(f"I_lanes[{2 + lane}] = *(global const double4_u *)(I_{lane} + (turn * 6 + 2));" for lane in range(4)),
        "transpose(I_lanes + 2);",
    ]
    fourth = next(number for number, line in enumerate(lines) if line.startswith("Q_lanes[3] = "))
    assert lines[fourth + 1 : fourth + 11] == [
        "// store %Q",
        "transpose(Q_lanes);",
        *(
            f"Q_lanes[{lane}] = *(global const double4_u *)(Q_{lane} + turn * 5) + Q_lanes[{lane}];"
            for lane in range(4)
        ),
        *(f"*(global double4_u *)(Q_{lane} + turn * 5) = Q_lanes[{lane}];" for lane in range(4)),
    ]
    assert lines[fourth + 11].startswith("Q_lanes[4] = ")
    assert (
        "double4 entry = (double4)(Q_0[turn * 5 + 4], Q_1[turn * 5 + 4], Q_2[turn * 5 + 4], "
        "Q_3[turn * 5 + 4]) + Q_lanes[4];" in lines
    )
    assert "double4 lanes" not in source


def test_entries_that_nobody_computes_fill_vectors() -> None:
    """A negative zero changes nothing: row 1 of 4 gets no summand."""
    holds = dense(4, 3)
    holds[1] = False
    source = emit(product(holds, 3, 1.0), DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)).source
    assert "Q_lanes[1] = (double4)(-0.0);" in source
    assert source.count("transpose(Q_lanes);") == 1


def test_what_two_products_use_is_loaded_before() -> None:
    function = function_of("""
    func @f(%K: memref<f64x4x4>, %I: memref<f64x4x3x?>, %P: memref<f64x4x3x?>, %Q: memref<f64x4x3x?>) {
      %id = group_id
      %i = subview %I[:, :, %id] : memref<f64x4x3x?>
      %p = subview %P[:, :, %id] : memref<f64x4x3x?>
      %q = subview %Q[:, :, %id] : memref<f64x4x3x?>
      gemm.n.n 1.0, %K, %i, 0.0, %p : f64, memref<f64x4x4>, memref<f64x4x3>, f64, memref<f64x4x3>
      gemm.t.n 1.0, %K, %i, 0.0, %q : f64, memref<f64x4x4>, memref<f64x4x3>, f64, memref<f64x4x3>
    }""")
    assert set(fusions_of(function)) == {"P", "Q"}


def test_what_is_read_and_written_is_in_an_array() -> None:
    function = function_of("""
    func @f(%K: memref<f64x4x4>, %Q: memref<f64x4x3x?>) {
      %id = group_id
      %q = subview %Q[:, :, %id] : memref<f64x4x3x?>
      %t = alloca -> memref<f64x4x3>
      gemm.n.n 1.0, %K, %q, 0.0, %t : f64, memref<f64x4x4>, memref<f64x4x3>, f64, memref<f64x4x3>
      gemm.n.n 1.0, %K, %t, 1.0, %q : f64, memref<f64x4x4>, memref<f64x4x3>, f64, memref<f64x4x3>
    }""")
    assert fusions_of(function) == {}


def test_a_work_item_with_one_element_transposes_nothing() -> None:
    assert fusions_of(product(dense(4, 4), 3, 0.0), width=1) == {}


def test_many_summands_are_written_out_only_if_no_array_stays() -> None:
    """With 9 x 9 entries both arguments pass; with 20 rows the target is a table, and the other one stays with it."""
    assert set(fusions_of(product(dense(9, 9), 4, 0.0))) == {"I", "Q"}
    assert fusions_of(product(dense(20, 20), 4, 0.0)) == {}


def test_short_columns_are_transferred_as_a_whole() -> None:
    """Three rows: alone, they would be picked from each element one by one; eight columns of them are six vectors."""
    assert "Q" not in fusions_of(product(dense(3, 8), 8, 0.0))


def test_the_cost_knows_what_passes_and_what_is_spread() -> None:
    """81 multiplications for each of 4 columns; 36 entries of each argument."""
    function = product(dense(9, 9), 4, 0.0)
    facts = find_facts(function)
    steps = steps_of(function.body, facts.places)
    count, plan = find_count(function, steps, facts), make_plan(function, steps, facts, 4)
    assert (count.multiplications, count.entries) == (324, 72)
    assert planned_count(count, plan, facts, embeds_broadcasts=False) == replace(count, fused=72)
    most = replace(count, fused=72, spread=324)
    assert planned_count(count, plan, facts, embeds_broadcasts=True) == most == count.least
    function = product(dense(20, 20), 4, 0.0)
    facts = find_facts(function)
    steps = steps_of(function.body, facts.places)
    count, plan = find_count(function, steps, facts), make_plan(function, steps, facts, 4)
    assert planned_count(count, plan, facts, embeds_broadcasts=True) == count


masks = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(0, 99), st.sampled_from([0.3, 0.7, 1.0]))
"""Rows, depth, the seed and the density of a constant."""


def mask_of(drawn: tuple[int, int, int, float]) -> Mask:
    rows, depth, seed, density = drawn
    return np.random.default_rng(seed).random((rows, depth)) < density


@given(masks, st.integers(2, 9), st.sampled_from([2, 4, 8]), st.sampled_from([0.0, 1.0]))
def test_vectors_stay_inside_an_element(
    drawn: tuple[int, int, int, float], columns: int, width: int, beta: float
) -> None:
    holds = mask_of(drawn)
    sizes = {"I": holds.shape[1] * columns, "Q": holds.shape[0] * columns}
    found = fusions_of(product(holds, columns, beta), width, ANY_TRANSFERS.machine)
    for base, fusion in found.items():
        last = fusion.step * (columns - 1)
        assert all(start >= 0 and start + width + last <= sizes[base] for start in fusion.runs.vectors)
        assert all(position >= 0 and position + last < sizes[base] for position in fusion.runs.singles)
        ends = (*(start + width for start in fusion.runs.vectors), *(one + 1 for one in fusion.runs.singles))
        assert fusion.first + fusion.size == max(ends)


@settings(max_examples=20)
@given(masks, st.integers(2, 9), st.integers(1, 9), st.sampled_from([0.0, 1.0, 2.0]))
def test_products_in_passing(drawn: tuple[int, int, int, float], columns: int, elements: int, beta: float) -> None:
    holds = mask_of(drawn)
    random = np.random.default_rng(columns)
    arguments = {
        "K": np.asfortranarray(random.integers(-4, 5, holds.shape) * holds, np.float64),
        "I": np.asfortranarray(random.integers(-4, 5, (holds.shape[1], columns, elements)), np.float64),
        "Q": np.asfortranarray(random.integers(-4, 5, (holds.shape[0], columns, elements)), np.float64),
    }
    target = with_unrolling(TARGET, transfers=99)
    compare(product(holds, columns, beta), arguments, elements, tuning=Tuning(ScheduleKind.BATCH_SIMD), target=target)
