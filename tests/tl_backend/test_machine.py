"""Which machine a processor is, and that the planner and the schedules read the machine of their target."""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.machines import GENERIC, GPU, SAPPHIRE_RAPIDS, SKYLAKE, ZEN4, ZEN5, recognised
from einsum_front.driver import Session, ready, translate_program
from einsum_front.driver.texts import explanation, level_text
from einsum_front.ir.plan.explain import explain
from einsum_front.notation.parse import parse
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.batch_simd.schedule import Count
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import ScheduleKind
from tests.ir.programs import plan_of
from tests.tl_backend.opencl.harness import function_of

SPARSE = Path(__file__).parent / "schedules" / "text" / "sparse.tl"
LANES = """func @add(%A: memref<f64x{n}>, %Q: memref<f64x{n}x?>) {{
  %id = group_id
  %q = subview %Q[:, %id] : memref<f64x{n}x?>
  axpby.n 1.0, %A, 1.0, %q : f64, memref<f64x{n}>, f64, memref<f64x{n}>
}}"""


@pytest.mark.parametrize(
    ("flags", "machine"),
    [
        ("fma avx2 avx512f avx512vl avx512_fp16 amx_tile amx_int8", SAPPHIRE_RAPIDS),
        ("fma avx2 avx512f avx512vl avx512_bf16 sse4a", ZEN4),
        ("fma avx2 avx512f avx512vl avx512_bf16 avx512_vp2intersect sse4a", ZEN5),
        ("fma avx2 avx512f avx512vl", SKYLAKE),
        ("fma avx2 sse4a", GENERIC),
        ("", GENERIC),
    ],
)
def test_processors_are_recognised_by_their_instructions(flags: str, machine: object) -> None:
    assert recognised(frozenset(flags.split())) is machine


def test_a_machine_that_transposes_for_nothing_vectorizes_the_batch() -> None:
    function = function_of(SPARSE.read_text(encoding="utf-8"))
    free = replace(ZEN4, batch_simd=replace(ZEN4.batch_simd, transposed=0.0, fused=0.0))
    for machine, kind in ((ZEN4, ScheduleKind.WORK_GROUP), (free, ScheduleKind.BATCH_SIMD)):
        target = replace(DEFAULT, machine=machine)
        assert choose(ready(function, target), target).kind is kind


def test_narrow_vectors_cost_twice_where_wide_ones_take_one_step() -> None:
    """The units are multiplications in the lanes of the widest vectors; what is transposed counts by itself."""
    count = Count(multiplications=100, entries=10, fused=4)
    for machine, factor in ((SAPPHIRE_RAPIDS, 1), (ZEN5, 2)):
        times = machine.batch_simd
        wide, narrow = count.total(4, times), count.total(4, times, is_narrow=True)
        assert wide == pytest.approx(100 + 2 * (6 * times.transposed + 4 * times.fused))
        assert narrow - wide == pytest.approx((factor - 1) * 100)


def test_a_larger_second_cache_has_room_for_larger_elements() -> None:
    function = function_of(LANES.format(n=40_000))
    small, large = (choose(function, replace(DEFAULT, machine=each)) for each in (ZEN4, SAPPHIRE_RAPIDS))
    of_small, of_large = small.rivals[ScheduleKind.BATCH_SIMD], large.rivals[ScheduleKind.BATCH_SIMD]
    assert of_small == Reason("the elements in the lanes would need 1250 KiB")
    assert not isinstance(of_large, Reason)
    assert of_large.cost.counted.startswith("40000 multiplications and 40000 entries")


def test_a_graph_is_planned_for_the_machine_of_its_target() -> None:
    text = "tensor A[4, 4]\ntensor B[4, 4]\ntensor C[4, 4]\nkernel f { C[ij] = A[ik] * B[kj] }"
    for machine in (ZEN4, GPU):
        session = Session(replace(DEFAULT, machine=machine))
        (stages,) = translate_program(session, parse(Source("f.ein", text)))
        assert explanation(stages)["machine"] == stages.artifact.machine == machine.name
        assert f"  machine: {machine.name}\n" in level_text(stages.scheduled)


@pytest.mark.parametrize(("cost", "loops"), [(0.0, "{(ab)x, xp to (ab)p}"), (1e5, "{a[b]x, xp to a[b]p}")])
def test_a_plan_depends_on_the_costs_of_its_machine(cost: float, loops: str) -> None:
    """A product with 4096 rows, or 64 with 64 rows, which fetch less: that decides if fetching costs something."""
    text = "tensor A[64,64,8]\ntensor B[8,64]\ntensor C[64,64,64]\nkernel f { C[abp] = A[abx] * B[xp] }"
    cycles = ZEN4.gemm.cycles._replace(pages=cost, lines=cost)
    made = plan_of(text, machine=replace(ZEN4, gemm=replace(ZEN4.gemm, cycles=cycles)))
    assert loops in explain(made)
