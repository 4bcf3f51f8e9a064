"""Loops, branches, temporaries and barriers."""

import numpy as np
import pytest

from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

F64, I32 = ScalarType.F64, ScalarType.I32
WORK_GROUPS = [(1, 1), (4, 1), (8, 2)]


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_branches_with_and_without_results(work_group: tuple[int, int]) -> None:
    text = """func @f(%n: i32, %out: memref<i32x4x?>) {
      %g = group_id
      %g32 = cast %g : index -> i32
      %less = cmp.lt %g32, %n : i32
      %even, %half = if %less -> (i1, i32) {
        %rest = arith.rem %g32, 2 : i32
        %is_even = cmp.eq %rest, 0 : i32
        %h = if %is_even -> (i32) {
          %q = arith.div %g32, 2 : i32
          yield %q : i32
        } else {
          yield -7 : i32
        }
        yield %is_even, %h : i1, i32
      } else {
        yield true, %n : i1, i32
      }
      if %even {
        store %half, %out[0, %g] : memref<i32x4x?>
      } else {
        store %n, %out[1, %g] : memref<i32x4x?>
      }
      if %less {
        store %g32, %out[2, %g] : memref<i32x4x?>
      }
    }"""
    compare(function_of(text, work_group), {"n": 4, "out": integers(I32, 4, 7)}, groups=7)


CONSTANT_LOOPS = [
    ("i8", "-128", "127", "100"),
    ("i8", "100", "127", "1"),
    ("i16", "0", "32767", "20000"),
    ("i32", "3", "10", "2"),
    ("i64", "-5", "20", "7"),
    ("u8", "0", "255", "254"),
    ("u64", "0", "10", "3"),
]
OTHER_LOOPS = [("i32", "3", "%n", "2"), ("i32", "0", "8", "%n"), ("index", "5", "5", "1"), ("index", "7", "2", "1")]


def loop_kernel(loops: list[tuple[str, str, str, str]]) -> str:
    """Appends the numbers that each loop counts to a number of its own."""
    body = "".join(
        f"""
      for %i{n} = {start}, {stop}, {step} : {type_} {{
        %c{n} = cast %i{n} : {type_} -> i64
        %old{n} = load %out[{n}] : memref<i64x{len(loops)}>
        %ten{n} = arith.mul %old{n}, 10 : i64
        %new{n} = arith.add %ten{n}, %c{n} : i64
        barrier
        store %new{n}, %out[{n}] : memref<i64x{len(loops)}>
        barrier
      }}"""
        for n, (type_, start, stop, step) in enumerate(loops)
    )
    return f"func @f(%n: i32, %out: memref<i64x{len(loops)}>) {{{body}\n}}"


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_loops_of_every_type_with_steps(work_group: tuple[int, int]) -> None:
    function = function_of(loop_kernel(CONSTANT_LOOPS), work_group)
    compare(function, {"n": 10, "out": np.ones(len(CONSTANT_LOOPS), np.int64)})


@pytest.mark.parametrize("n", [3, 10])
def test_loops_that_may_not_run(n: int) -> None:
    compare(function_of(loop_kernel(OTHER_LOOPS)), {"n": n, "out": np.ones(len(OTHER_LOOPS), np.int64)})


@pytest.mark.parametrize("work_group", WORK_GROUPS)
@pytest.mark.parametrize("type_", ["index", "i8", "u16", "i32"])
def test_foreach_with_a_loop_and_a_branch_inside(type_: str, work_group: tuple[int, int]) -> None:
    text = f"""func @f(%to: {type_}, %A: memref<f64x30x3>, %out: memref<f64x30>) {{
      foreach %i = 2, %to : {type_} {{
        %at = cast %i : {type_} -> index
        for %j = 0, 3 {{
          %x = load %A[%at, %j] : memref<f64x30x3>
          %old = load %out[%at] : memref<f64x30>
          %positive = cmp.gt %x, 0.0 : f64
          %y = if %positive -> (f64) {{
            yield %x : f64
          }} else {{
            yield 0.0 : f64
          }}
          %new = arith.add %old, %y : f64
          store %new, %out[%at] : memref<f64x30>
        }}
      }}
    }}"""
    compare(function_of(text, work_group), {"to": 29, "A": integers(F64, 30, 3), "out": integers(F64, 30)})


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_temporaries_in_loops(work_group: tuple[int, int]) -> None:
    text = """func @f(%A: memref<f64x5x7x3>, %r: memref<f64x5x5>) {
      %sum = alloca -> memref<f64x5x5,strided<1,8>>
      axpby.n 0.0, %r, 0.0, %sum : f64, memref<f64x5x5>, f64, memref<f64x5x5,strided<1,8>>
      barrier
      for %i = 0, 3 {
        %a = subview %A[:, :, %i] : memref<f64x5x7x3>
        %square = alloca -> memref<f64x5x5>
        barrier
        gemm.n.t 1.0, %a, %a, 0.0, %square : f64, memref<f64x5x7>, memref<f64x5x7>, f64, memref<f64x5x5>
        barrier
        axpby.t 1.0, %square, 1.0, %sum : f64, memref<f64x5x5>, f64, memref<f64x5x5,strided<1,8>>
        lifetime_stop %square
      }
      barrier
      axpby.n 1.0, %sum, 1.0, %r : f64, memref<f64x5x5,strided<1,8>>, f64, memref<f64x5x5>
    }"""
    compare(function_of(text, work_group), {"A": integers(F64, 5, 7, 3), "r": integers(F64, 5, 5)})


@pytest.mark.parametrize("yes", [0, 1])
def test_temporaries_of_different_types_in_branches(yes: int) -> None:
    text = """func @f(%B: memref<i32x6>, %s: memref<i32x6>, %yes: i32) {
      %whole = alloca -> memref<i32x6>
      axpby.n 2, %B, 0, %whole : i32, memref<i32x6>, i32, memref<i32x6>
      %is = cmp.ne %yes, 0 : i32
      if %is {
        %twice = alloca -> memref<i32x6>
        %count = alloca -> memref<i64>
        barrier
        axpby.n 2, %whole, 0, %twice : i32, memref<i32x6>, i32, memref<i32x6>
        %three = cast 3 : i32 -> i64
        store %three, %count[] : memref<i64>
        barrier
        %n = load %count[] : memref<i64>
        %n32 = cast %n : i64 -> i32
        axpby.n %n32, %twice, 1, %s : i32, memref<i32x6>, i32, memref<i32x6>
      } else {
        axpby.n 5, %whole, 1, %s : i32, memref<i32x6>, i32, memref<i32x6>
      }
    }"""
    compare(function_of(text), {"B": integers(I32, 6), "s": integers(I32, 6), "yes": yes})


@pytest.mark.parametrize("work_group", WORK_GROUPS)
def test_elements_of_a_temporary(work_group: tuple[int, int]) -> None:
    """What one work-item stores, the others load behind a barrier."""
    text = """func @f(%A: memref<f64x20>, %out: memref<f64x20>) {
      %t = alloca -> memref<f64x20>
      foreach %i = 0, 20 {
        %x = load %A[%i] : memref<f64x20>
        %to = arith.sub 19, %i : index
        store %x, %t[%to] : memref<f64x20>
      }
      barrier
      %first = load %t[0] : memref<f64x20>
      foreach %i2 = 0, 20 {
        %y = load %t[%i2] : memref<f64x20>
        %z = arith.add %y, %first : f64
        store %z, %out[%i2] : memref<f64x20>
      }
    }"""
    compare(function_of(text, work_group), {"A": integers(F64, 20), "out": integers(F64, 20)})


def test_names_that_mean_something_in_c() -> None:
    text = """func @dot(%double: f64, %i: memref<f64x20x20>, %sum: memref<f64x20x20>, %int: index, %v0: f64) {
      %0 = arith.add %double, %v0 : f64
      %local_memory = arith.mul %0, 2.0 : f64
      %for = subview %i[:, :] : memref<f64x20x20>
      gemm.n.n %local_memory, %for, %for, 1.0, %sum
        : f64, memref<f64x20x20>, memref<f64x20x20>, f64, memref<f64x20x20>
      for %j = 0, %int {
        gemm.n.n %0, %i, %for, 1.0, %sum : f64, memref<f64x20x20>, memref<f64x20x20>, f64, memref<f64x20x20>
      }
    }"""
    arguments = {"double": 1.0, "i": integers(F64, 20, 20), "sum": integers(F64, 20, 20), "int": 3, "v0": 2.0}
    compare(function_of(text), arguments)
