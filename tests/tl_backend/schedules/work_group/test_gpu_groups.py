"""Groups as GPUs get them, on whatever device there is: one block for each work-item, slices, elements side by side."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import compare, function_of, integers

SIZES = st.integers(1, 70)
WORDS = {"f32": ScalarType.F32, "f64": ScalarType.F64}


def product(m: int, n: int, k: int, ops: str = "n.n", beta: str = "0.0", word: str = "f64") -> str:
    """A product of matrices for each element."""
    a = f"{m}x{k}" if ops[0] == "n" else f"{k}x{m}"
    b = f"{k}x{n}" if ops[2] == "n" else f"{n}x{k}"
    c = f"{m}x{n}"
    views = "\n".join(
        f"%{name.lower()} = subview %{name}[:, :, %g] : memref<{word}x{size}x?>"
        for name, size in zip("ABC", (a, b, c), strict=True)
    )
    arguments = ", ".join(f"%{name}: memref<{word}x{size}x?>" for name, size in zip("ABC", (a, b, c), strict=True))
    types = f"{word}, memref<{word}x{a}>, memref<{word}x{b}>, {word}, memref<{word}x{c}>"
    return f"func @f({arguments}) {{\n%g = group_id\n{views}\ngemm.{ops} 1.0, %a, %b, {beta}, %c : {types}\n}}"


def ready(text: str, local_memory: int = 48 * 1024) -> Function:
    limits = WorkGroupLimits(False, 1024, (32,), local_memory, has_panels=True)
    return run(function_of(text), passes(limits))


def check(text: str, batch: int, local_memory: int = 48 * 1024) -> None:
    function = ready(text, local_memory)
    target = replace(
        DEFAULT,
        is_cpu=False,
        vector_bytes=8,
        has_prefetch=False,
        has_conditional_barriers=True,
        local_memory=local_memory,
    )
    shapes = {argument.name.name: argument.type for argument in function.arguments}
    arguments = {
        name: integers(memref.element, *(size or batch for size in memref.shape))  # type: ignore[union-attr] # memrefs
        for name, memref in shapes.items()
    }
    compare(function, arguments, batch, target=target)


@given(SIZES, SIZES, SIZES, st.sampled_from(["n.n", "n.t", "t.n", "t.t"]), st.sampled_from(["0.0", "1.0", "-0.5"]),
       st.sampled_from(["f32", "f64"]), st.integers(1, 9), st.sampled_from([4, 16, 48]))  # fmt: skip
@share(0.25, of_long=0.5)  # `test_squares` has every size
def test_products_of_every_size(
    m: int, n: int, k: int, ops: str, beta: str, word: str, batch: int, kibibytes: int
) -> None:
    check(product(m, n, k, ops, beta, word), batch, kibibytes * 1024)


@pytest.mark.parametrize("size", range(1, 71))
def test_squares(size: int) -> None:
    check(product(size, size, size, beta="1.0", word=("f32", "f64")[size % 2]), 5)


def test_factors_that_do_not_fit_pass_in_slices() -> None:
    function = ready(product(56, 56, 56))
    target = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_conditional_barriers=True, local_memory=48 * 1024)
    artifact = emit(function, target, Tuning(ScheduleKind.WORK_GROUP))
    assert "left_panel" in artifact.source
    assert artifact.local_memory == 12800  # 14 columns of 57 entries for each factor, in steps of 64 bytes
    assert "A_item_near" not in artifact.source
    alone = emit(function, replace(target, has_conditional_barriers=False), Tuning(ScheduleKind.WORK_GROUP))
    assert "left_panel" not in alone.source


def test_small_elements_stand_side_by_side() -> None:
    target = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_conditional_barriers=True)
    artifact = emit(ready(product(8, 8, 8)), target, Tuning(ScheduleKind.WORK_GROUP))
    assert (artifact.work_group_size, artifact.elements_per_group) == ((8, 16), 8)
    assert artifact.local_memory == 8 * 8 * 8 * 8  # the left factor; the right one has too few readers


@pytest.mark.parametrize("batch", [1, 15, 16, 17])
def test_places_without_an_element_read_what_the_last_element_has(batch: int) -> None:
    check(
        """func @f(%A: memref<f64x4x4x?>) {
      %g = group_id
      %a = subview %A[:, :, %g] : memref<f64x4x4x?>
      %t = alloca -> memref<f64x4x4>
      axpby.t 2.0, %a, 0.0, %t : f64, memref<f64x4x4>, f64, memref<f64x4x4>
      %x = load %t[1, 2] : memref<f64x4x4>
      axpby.n %x, %t, 1.0, %a : f64, memref<f64x4x4>, f64, memref<f64x4x4>
    }""",
        batch,
    )


def test_a_barrier_under_a_condition_keeps_an_element_alone() -> None:
    text = """func @f(%A: memref<f64x8x8x?>, %n: index) {
      %g = group_id
      %a = subview %A[:, :, %g] : memref<f64x8x8x?>
      %t = alloca -> memref<f64x8x8>
      %less = cmp.lt %g, %n : index
      if %less {
        axpby.n 1.0, %a, 0.0, %t : f64, memref<f64x8x8>, f64, memref<f64x8x8>
        axpby.t 2.0, %t, 0.0, %a : f64, memref<f64x8x8>, f64, memref<f64x8x8>
      }
    }"""
    target = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_conditional_barriers=True)
    assert emit(ready(text), target, Tuning(ScheduleKind.WORK_GROUP)).elements_per_group == 1


def test_what_is_not_a_product_is_spread_over_all_work_items() -> None:
    text = """func @f(%A: memref<f64x7x9x?>, %B: memref<f64x9x7x?>, %v: memref<f64x9x?>) {
      %g = group_id
      %n = group_size
      %count = cast %n : index -> f64
      %a = subview %A[:, :, %g] : memref<f64x7x9x?>
      %b = subview %B[:, :, %g] : memref<f64x9x7x?>
      %c = subview %v[:, %g] : memref<f64x9x?>
      axpby.t %count, %a, -1.0, %b : f64, memref<f64x7x9>, f64, memref<f64x9x7>
      foreach %i = 0, 9 {
        %x = load %c[%i] : memref<f64x9>
        %y = arith.mul %x, %count : f64
        store %y, %c[%i] : memref<f64x9>
      }
    }"""
    for batch in (1, 4, 33):
        check(text, batch)
    assert np.prod(ready(text).work_group_size or ()) > 1


def test_temporaries_in_global_memory_keep_an_element_alone() -> None:
    """Four work-items would leave room for more elements, but each runs one after the other."""
    text = """func @f(%A: memref<f64x9x7x?>) work_group_size(4, 1) {
      %g = group_id
      %a = subview %A[:, :, %g] : memref<f64x9x7x?>
      %far = alloca.global -> memref<f64x9x7>
      %near = alloca -> memref<f64x9x7>
      axpby.n 2.0, %a, 0.0, %far : f64, memref<f64x9x7>, f64, memref<f64x9x7>
      axpby.n 1.0, %far, 0.0, %near : f64, memref<f64x9x7>, f64, memref<f64x9x7>
      axpby.n 1.0, %near, 1.0, %a : f64, memref<f64x9x7>, f64, memref<f64x9x7>
    }"""
    check(text, 5)
