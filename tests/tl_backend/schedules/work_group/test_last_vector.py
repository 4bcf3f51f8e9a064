"""The last vector of rows: shorter ones, and such that columns share, for all numbers of rows up to 40."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.instruction_sets import AVX2, AVX512, InstructionSet
from einsum_front.core.machine import Machine
from einsum_front.core.machines import AVX512 as ANY_C
from einsum_front.core.machines import ZEN4, ZEN4_C, ZEN5_C
from einsum_front.core.runs import Mask
from einsum_front.driver.c_functions import c_target
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.register_blocks import choose_last
from einsum_front.tl_backend.targets.text import TreeText
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare, lower
from tests.tl_backend.opencl.harness import function_of, integers

GROUP = Tuning(ScheduleKind.WORK_GROUP)
TARGETS = {
    "any": c_target(AVX512),
    "AVX2": c_target(AVX2),
    "Zen 4": c_target(AVX512, machine=ZEN4_C),
    "Zen 5": c_target(AVX512, machine=ZEN5_C),
    "OpenCL": replace(DEFAULT, vector_bytes=64, vector_registers=32),
}


def two_products(holds: Mask | None, rows: int, columns: int, real: ScalarType, beta: float) -> Function:
    """`C := T A + beta C` with `T = K B`, of which K has these entries."""
    depth = 6
    k, b, t, a = (
        f"memref<{real.value}x{m}x{n}>" for m, n in ((rows, depth), (depth, columns), (rows, columns), (columns,) * 2)
    )
    known = "" if holds is None else " ".join(str(place) for place in np.flatnonzero(holds.ravel(order="F")))
    return function_of(f"""
    {"" if holds is None else f";! nonzeros %K {known}"}
    func @f(%K: {k}, %B: {b}, %A: {a}, %C: {t}) {{
      %T = alloca -> {t}
      gemm.n.n 1.0, %K, %B, 0.0, %T : {real.value}, {k}, {b}, {real.value}, {t}
      gemm.n.n 2.0, %T, %A, {beta}, %C : {real.value}, {t}, {a}, {real.value}, {t}
    }}""")


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("real", [ScalarType.F32, ScalarType.F64])
def test_every_number_of_rows(name: str, real: ScalarType) -> None:
    for rows in range(1, 41):
        columns = 1 + rows % 11
        _compare(TARGETS[name], None, rows, columns, real, rows % 3 - 1.0, rows)


@pytest.mark.generated
@share(0.4)
@given(
    st.sampled_from(list(TARGETS)),
    st.sampled_from([ScalarType.F32, ScalarType.F64]),
    st.integers(1, 40),
    st.integers(1, 12),
    st.sampled_from([0.0, 1.0, -2.0]),
    st.sampled_from([0.1, 0.3, 1.0]),
    st.integers(0, 99),
)
def test_rows_with_zeros(  # one parameter for each thing that varies
    name: str, real: ScalarType, rows: int, columns: int, beta: float, density: float, seed: int
) -> None:
    holds = np.random.default_rng(seed).random((rows, 6)) < density
    _compare(TARGETS[name], holds, rows, columns, real, beta, seed)


def _compare(
    target: Target, holds: Mask | None, rows: int, columns: int, real: ScalarType, beta: float, seed: int
) -> None:
    left = integers(real, rows, 6, seed=seed)
    arguments = {
        "K": left if holds is None else np.asfortranarray(left * holds),
        "B": integers(real, 6, columns, seed=seed + 1),
        "A": integers(real, columns, columns, seed=seed + 2),
        "C": integers(real, rows, columns, seed=seed + 3),
    }
    compare(two_products(holds, rows, columns, real, beta), arguments, tuning=GROUP, target=target)


@pytest.mark.parametrize(
    ("rows", "width", "machine", "last"),
    [
        (16, 8, ZEN5_C, None),
        (9, 8, ZEN5_C, LastVector(2, 4)),
        (10, 8, ZEN5_C, LastVector(2, 4)),
        (20, 8, ZEN5_C, LastVector(4, 2)),
        (35, 16, ZEN5_C, LastVector(4, 4)),
        (18, 16, ZEN5_C, LastVector(2, 8)),
        (13, 8, ZEN5_C, None),
        (10, 8, ZEN4_C, LastVector(2, 1)),
        (11, 8, ANY_C, LastVector(4, 1)),
        (10, 8, ZEN4, LastVector(4, 2)),
        (3, 2, ZEN5_C, None),
    ],
)
def test_the_last_vector(rows: int, width: int, machine: Machine, last: LastVector | None) -> None:
    assert choose_last(rows, width, machine.work_group.blocks) == last


def test_a_column_alone_shares_nothing() -> None:
    assert choose_last(10, 8, ZEN5_C.work_group.blocks, is_alone=True) == LastVector(2, 1)
    assert choose_last(10, 8, ZEN4.work_group.blocks, is_alone=True) is None


def _loop(instructions: InstructionSet, machine: Machine | None) -> list[str]:
    file = lower(two_products(None, 10, 9, ScalarType.F64, 0.0), c_target(instructions, machine=machine), GROUP).file
    text = TreeText().unparse(file)
    return [line.strip() for line in text.splitlines() if "+= a" in line or "last[" in line]


def test_nine_columns_take_three_vectors_for_the_last_rows() -> None:
    """Nine multiply-adds for eight rows and three for two, in each of two products."""
    assert len(_loop(AVX512, ZEN5_C)) == 2 * 12


def test_shorter_vectors_have_sums_of_their_own() -> None:
    shorter = [line for line in _loop(AVX512, ZEN4_C) if line.startswith("last[0] += a1")]
    assert len(shorter) == 2
