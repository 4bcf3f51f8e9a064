"""Where the compiler must be told of instructions, the work of a kernel is in a function of its own."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.machine import Machine
from einsum_front.core.machines import SAPPHIRE_RAPIDS, ZEN5
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl.kernel import defined
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.machines import with_tables
from tests.tl_backend.opencl.harness import OWN, TARGET, compare, function_of
from tests.tl_backend.schedules.batch_simd.test_groups import product

LANES = Tuning(ScheduleKind.BATCH_SIMD)
TOLD = replace(DEFAULT, instructions="avx512f,avx512vl")
SCALE = """
;! batched %x
func @scale(%group: f64, %x: memref<f64x4x?>) {
  %id = group_id
  %e = subview %x[:, %id] : memref<f64x4x?>
  axpby.n %group, %e, 0.0, %e : f64, memref<f64x4>, f64, memref<f64x4>
}"""


def test_the_function_and_the_kernel() -> None:
    """A name that the function of the tensor language has stays its own."""
    lines = emit(function_of(SCALE), TOLD, LANES).source.splitlines()
    start = lines.index('__attribute__((noinline, target("avx512f,avx512vl")))')
    assert lines[start + 1 : start + 5] == [
        "void scale_group(long group_1, double group, global double *restrict x, long x_size1, long elements)",
        "{",
        "    // a function of its own: what the kernel itself does is compiled without these instructions",
        "    double4 lanes[4];",
    ]
    assert "    long first = group_1 * 64;" in lines
    assert lines[-6:] == [
        "",
        "kernel __attribute__((reqd_work_group_size(1, 1, 1)))",
        "void scale(double group, global double *restrict x, long x_size1, long elements)",
        "{",
        "    scale_group(get_group_id(2), group, x, x_size1, elements);",
        "}",
    ]


def test_the_code_for_other_devices_has_no_such_function() -> None:
    """Apart from it, and from the name of the work-group, the code of a few summands is the same."""
    function = function_of(SCALE)
    told, plain = (emit(function, target, LANES).source for target in (TOLD, DEFAULT))
    assert "noinline" not in plain
    assert "target(" not in plain
    told = told.replace("group_1 * 64", "get_group_id(2) * 64")
    inside, outside = told.index("    double4 lanes[4];"), told.index("\n\nkernel")
    assert plain.endswith(told[inside:outside] + "\n")
    assert plain.startswith(told[: told.index("__attribute__((noinline")])
    no_cpu = replace(TOLD, is_cpu=False, vector_bytes=8, has_prefetch=False)
    assert emit(function, no_cpu, LANES) == emit(function, replace(no_cpu, instructions=None), LANES)
    for kind in (ScheduleKind.WORK_GROUP, ScheduleKind.PACKED):
        whole = product(np.ones((64, 64), np.bool_), 64, 0.0)
        assert emit(whole, TOLD, Tuning(kind)) == emit(whole, DEFAULT, Tuning(kind))


def test_constants_are_packed_one_after_the_other() -> None:
    """Not in vectors whose lanes have places that are far apart. And all columns of two rows fit into the registers."""
    holds = np.ones((2, 8), np.bool_)
    holds[0, 2] = False
    both = with_tables(TOLD), with_tables(DEFAULT)
    told, plain = (emit(product(holds, 9, 0.0), target, LANES).source for target in both)
    lines = [line.strip() for line in told.splitlines()]
    start = lines.index("#pragma clang loop vectorize(disable)")
    assert lines[start + 1 : start + 3] == [
        "for (int value = 0; value < 15; ++value) {  // values of K",
        "Q_lanes_values[Q_lanes_sources[value]] = 2.0 * K[Q_lanes_sources[value]];",
    ]
    assert "vectorize" not in plain
    assert "sum1_8 += value1 * entry[64];" in told
    assert "sum1_8" not in plain


@pytest.mark.skipif(OWN.instructions is None, reason="this device's compiler takes all instructions by itself")
def test_both_compute_the_same() -> None:
    random = np.random.default_rng(0)
    holds = random.random((13, 9)) < 0.8
    arguments = {
        "K": np.asfortranarray(random.integers(-4, 5, holds.shape) * holds, np.float64),
        "I": np.asfortranarray(random.integers(-4, 5, (9, 9, 70)), np.float64),
        "Q": np.asfortranarray(random.integers(-4, 5, (13, 9, 70)), np.float64),
    }
    for target in (TARGET, replace(TARGET, instructions=None)):
        compare(product(holds, 9, 1.0), arguments, 70, tuning=LANES, target=with_tables(target))


def test_a_prologue_has_other_names() -> None:
    file = tree.File((tree.Function("f_group", (), ()), tree.Function("f", (), (), (1, 1, 1))))
    assert defined(file) == {"f_group", "f"}


@pytest.mark.parametrize(
    ("machine", "n", "lanes"), [(SAPPHIRE_RAPIDS, 20, 4), (SAPPHIRE_RAPIDS, 24, 8), (ZEN5, 11, 4), (ZEN5, 12, 8)]
)
def test_wide_vectors_where_an_element_has_many_multiplications(machine: Machine, n: int, lanes: int) -> None:
    """The kernel itself is compiled with all instructions then: an outlined function would split its vectors.

    A square of n rows has n^3 multiplications for 3 n^2 entries to transpose: 6.7 or 8 for each on Sapphire Rapids; on
    Zen 5 it is their number that counts, 200 for each lane.
    """
    matrix = f"memref<f64x{n}x{n}>"
    batched = f"memref<f64x{n}x{n}x?>"
    items = "".join(f"\n  %{x.lower()} = subview %{x}[:, :, %id] : {batched}" for x in "ABC")
    text = f"""
;! batched %A
;! batched %B
;! batched %C
func @square(%A: {batched}, %B: {batched}, %C: {batched}) {{
  %id = group_id{items}
  gemm.n.n 1.0, %a, %b, 0.0, %c : f64, {matrix}, {matrix}, f64, {matrix}
}}"""
    target = replace(TOLD, vector_bytes=64, vector_registers=32, machine=machine)
    source = emit(function_of(text), target, LANES).source
    assert ("noinline" in source) == (lanes == 4)
    assert f"double{lanes} *" in source
    assert f"double{12 - lanes}" not in source
