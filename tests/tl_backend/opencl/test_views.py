"""Views: subview, expand, fuse and groups, with what is known when compiling and what is not."""

import numpy as np
import pytest

from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

F32, F64, BOOL = ScalarType.F32, ScalarType.F64, ScalarType.BOOL
WORK_GROUPS = [(1, 1), (8, 2)]


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_subviews_with_constants_and_values(work_group: tuple[int, int]) -> None:
    text = """func @f(%A: memref<f64x16x8x5>, %o: index, %s: index,
                      %b: memref<f64x4x3>, %c: memref<f64x?x?>, %d: memref<f64x11>, %e: memref<f64x16>) {
      %0 = subview %A[3:4, 2:3, 1] : memref<f64x16x8x5>
      axpby.n 1.0, %0, 1.0, %b : f64, memref<f64x4x3,strided<1,16>>, f64, memref<f64x4x3>
      %1 = subview %A[%o:%s, %o:?, %o] : memref<f64x16x8x5>
      axpby.n 1.0, %1, 1.0, %c : f64, memref<f64x?x?,strided<1,16>>, f64, memref<f64x?x?>
      %2 = subview %A[5:?, 7, 4] : memref<f64x16x8x5>
      axpby.n 1.0, %2, 1.0, %d : f64, memref<f64x11>, f64, memref<f64x11>
      %3 = subview %A[:, %o, 0] : memref<f64x16x8x5>
      axpby.n 1.0, %3, 1.0, %e : f64, memref<f64x16>, f64, memref<f64x16>
    }"""
    arguments = {"A": integers(F64, 16, 8, 5), "o": 3, "s": 7, "b": integers(F64, 4, 3), "c": integers(F64, 7, 5)}
    arguments |= {"d": integers(F64, 11), "e": integers(F64, 16)}
    compare(function_of(text, work_group), arguments)


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_subviews_of_dynamic_tensors_and_writes_through_them(work_group: tuple[int, int]) -> None:
    text = """func @f(%A: memref<f32x?x?x3,strided<1,?,?>>, %B: memref<f32x?x4,strided<2,?>>, %o: index) {
      %n = size %B[0] : memref<f32x?x4,strided<2,?>>
      %a = subview %A[%o:%n, 1:4, %o] : memref<f32x?x?x3,strided<1,?,?>>
      axpby.n 2.0, %a, 1.0, %B : f32, memref<f32x?x4,strided<1,?>>, f32, memref<f32x?x4,strided<2,?>>
      %row = subview %A[0, :, 0] : memref<f32x?x?x3,strided<1,?,?>>
      %one = subview %B[:, 3:1] : memref<f32x?x4,strided<2,?>>
      %m = size %row[0] : memref<f32x?,strided<?>>
      %part = subview %row[1:3] : memref<f32x?,strided<?>>
      %column = subview %B[2:3, 0] : memref<f32x?x4,strided<2,?>>
      barrier
      axpby.n 1.0, %column, 0.0, %part : f32, memref<f32x3,strided<2>>, f32, memref<f32x3,strided<?>>
    }"""
    arguments = {"A": integers(F32, 9, 6, 3), "B": integers(F32, 5, 4), "o": 2}
    compare(function_of(text, work_group), arguments)


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_expand_and_fuse(work_group: tuple[int, int]) -> None:
    text = """func @f(%A: memref<f64x12x4>, %B: memref<f64x?x4,strided<2,?>>, %n: index,
                      %r: memref<f64x3x4>, %s: memref<f64x?x?>, %t: memref<f64x24>) {
      %0 = expand %A[0 -> 3x?] : memref<f64x12x4>
      %1 = subview %0[:, 2, :] : memref<f64x3x4x4>
      axpby.n 1.0, %1, 1.0, %r : f64, memref<f64x3x4,strided<1,12>>, f64, memref<f64x3x4>
      %2 = expand %B[0 -> %n x ?] : memref<f64x?x4,strided<2,?>>
      %3 = subview %2[:, :, 1] : memref<f64x?x?x4,strided<2,?,?>>
      axpby.n 1.0, %3, 1.0, %s : f64, memref<f64x?x?,strided<2,?>>, f64, memref<f64x?x?>
      %4 = expand %A[1 -> 2x2] : memref<f64x12x4>
      %5 = fuse %4[0, 1] : memref<f64x12x2x2>
      %6 = subview %5[:, 1] : memref<f64x24x2>
      axpby.n 3.0, %6, 1.0, %t : f64, memref<f64x24>, f64, memref<f64x24>
    }"""
    arguments = {"A": integers(F64, 12, 4), "B": integers(F64, 10, 4), "n": 5, "r": integers(F64, 3, 4)}
    arguments |= {"s": integers(F64, 5, 2), "t": integers(F64, 24)}
    compare(function_of(text, work_group), arguments)


def test_fuse_of_dynamic_modes() -> None:
    text = """func @f(%A: memref<f64x?x3x?>, %r: memref<f64x?>) {
      %0 = fuse %A[0, 2] : memref<f64x?x3x?>
      axpby.n 1.0, %0, 1.0, %r : f64, memref<f64x?>, f64, memref<f64x?>
    }"""
    compare(function_of(text), {"A": integers(F64, 4, 3, 2), "r": integers(F64, 24)}, groups=1, gap=0)


@pytest.mark.parametrize("work_group", WORK_GROUPS)
@pytest.mark.parametrize("offset", ["", ", offset: 5", ", offset: ?"])
def test_groups_of_tensors_of_different_sizes(offset: str, work_group: tuple[int, int]) -> None:
    text = f"""func @f(%A: group<memref<f32x?x4,strided<1,?>>{offset}>, %B: group<memref<f32x?x4>{offset}>) {{
      %g = group_id
      %a = load %A[%g] : group<memref<f32x?x4,strided<1,?>>{offset}>
      %b = load %B[%g] : group<memref<f32x?x4>{offset}>
      axpby.n 2.0, %a, -1.0, %b : f32, memref<f32x?x4,strided<1,?>>, f32, memref<f32x?x4>
    }}"""
    sizes = [3, 9, 1, 20]
    arguments = {name: [integers(F32, size, 4, seed=seed) for size in sizes] for seed, name in enumerate("AB")}
    compare(function_of(text, work_group), arguments, groups=len(sizes))


def test_two_elements_of_one_group() -> None:
    text = """func @f(%A: group<memref<f64x3>>) {
      %g = group_id
      %n = group_size
      %next = arith.add %g, %n : index
      %a = load %A[%g] : group<memref<f64x3>>
      %b = load %A[%next] : group<memref<f64x3>>
      hadamard_product 1.0, %a, %a, 1.0, %b : f64, memref<f64x3>, memref<f64x3>, f64, memref<f64x3>
    }"""
    compare(function_of(text), {"A": [integers(F64, 3, seed=seed) for seed in range(6)]}, groups=3)


def test_order_0_and_booleans_in_memory() -> None:
    text = """func @f(%s: memref<f64>, %flags: memref<i1x4>, %out: memref<i1x4>) {
      %x = load %s[] : memref<f64>
      %y = arith.mul %x, 2.0 : f64
      store %y, %s[] : memref<f64>
      foreach %i = 0, 4 {
        %flag = load %flags[%i] : memref<i1x4>
        %not = arith.not %flag : i1
        store %not, %out[%i] : memref<i1x4>
      }
    }"""
    arguments = {"s": np.array(1.5), "flags": np.array([True, False, True, False]), "out": np.zeros(4, bool)}
    compare(function_of(text), arguments)
