"""Which machine a processor is, and that schedules read the machine of their target."""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.driver import ready
from einsum_front.tl_backend.machine import SAPPHIRE_RAPIDS, ZEN4, recognised
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import Form
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
        ("fma avx2 avx512f avx512vl avx512_bf16", ZEN4),
        ("fma avx2", ZEN4),
        ("", ZEN4),
    ],
)
def test_processors_are_recognised_by_their_instructions(flags: str, machine: object) -> None:
    assert recognised(frozenset(flags.split())) is machine


def test_a_machine_that_transposes_for_nothing_vectorizes_the_batch() -> None:
    function = function_of(SPARSE.read_text(encoding="utf-8"))
    free = replace(ZEN4, batch_simd=replace(ZEN4.batch_simd, transposed=0.0, fused=0.0))
    for machine, form in ((ZEN4, Form.GROUP), (free, Form.LANES)):
        target = replace(DEFAULT, machine=machine)
        assert choose(ready(function, target), target).form is form


def test_a_larger_second_cache_has_room_for_larger_elements() -> None:
    function = function_of(LANES.format(n=40_000))
    small, large = (choose(function, replace(DEFAULT, machine=each)) for each in (ZEN4, SAPPHIRE_RAPIDS))
    of_small, of_large = small.rivals[Form.LANES], large.rivals[Form.LANES]
    assert not isinstance(of_small, Reason)
    assert not isinstance(of_large, Reason)
    assert of_small.cost.counted == "the elements in the lanes would need 1250 KiB"
    assert of_large.cost.counted.startswith("40000 multiplications and 40000 entries")
