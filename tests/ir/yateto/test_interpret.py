"""The meaning of the YATeTo language against NumPy, with real-valued data."""

from collections.abc import Callable

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.ir.yateto.interpret import interpret
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.verify import check


def run(text: str, batch: int = 1, **arguments: object) -> None:
    program = parse(Source("test.yir", text))
    check(program)
    interpret(program.functions[0], arguments, batch)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape)


SAMPLE = """
define @fused_kernel(%A: group<memref<f32x16x8>,pointers>,
                     %B: memref<f32x8x8>,
                     %C: memref<f32x8x16>,
                     %D: group<memref<f32x16x16>,distance<256>>) {
  %0 = get_work_item %A : group<memref<f32x16x8>,pointers>
  %1 = get_work_item %D : group<memref<f32x16x16>,distance<256>>
  %tmp0 = alloca : memref<f32x16x8>
  log {ik, kj to ij} 1.0, %0, %B, 0.0, %tmp0
     : memref<f32x16x8>, memref<f32x8x8> to memref<f32x16x8>
  log {ik, kj to ij} 5.0, %tmp0, %C, 1.0, %1
     : memref<f32x16x8>, memref<f32x8x16> to memref<f32x16x16>
}
"""


def test_the_corrected_sample_of_the_draft() -> None:
    shapes = {"A": (3, 16, 8), "B": (8, 8), "C": (8, 16), "D": (3, 16, 16)}
    data = {name: numbers(*shape).astype(np.float32) for name, shape in shapes.items()}
    expected = data["D"] + 5 * np.einsum("eik,kl,lj->eij", data["A"], data["B"], data["C"], dtype=np.float64)
    run(SAMPLE, 3, **{**data, "A": list(data["A"])})
    np.testing.assert_allclose(data["D"], expected, rtol=1e-4, atol=1e-4)
    assert data["D"].dtype == np.float32


def test_loop_over_gemm_of_the_draft() -> None:
    a, b, c = numbers(4, 3, 5), numbers(5, 2, 6), numbers(4, 2, 6, 3)
    expected = 2 * np.einsum("ikm,mjn->ijnk", a, b) - 0.5 * c
    run(
        """define @f(%A: memref<f64x4x3x5>, %B: memref<f64x5x2x6>, %C: memref<f64x4x2x6x3>) {
             log {i[k]m, m(jn) to i(jn)[k]} 2.0, %A, %B, -0.5, %C
                 : memref<f64x4x3x5>, memref<f64x5x2x6> to memref<f64x4x2x6x3>
           }""",
        A=a,
        B=b,
        C=c,
    )
    np.testing.assert_allclose(c, expected)


Shape = tuple[int, ...]
OPERATIONS: dict[str, tuple[Shape, Shape, Callable[..., np.ndarray]]] = {
    "axpby {ijk to kij} %x, %A, 1.0, %B : memref<f64x2x3x4> to memref<f64x4x2x3>": (
        (2, 3, 4),
        (4, 2, 3),
        lambda a, b, x: x * a.transpose(2, 0, 1) + b,
    ),
    "axpby {ijk to kij} %x, %A, %B : memref<f64x2x3x4> to memref<f64x4x2x3>": (
        (2, 3, 4),
        (4, 2, 3),
        lambda a, b, x: x * a.transpose(2, 0, 1),
    ),
    "sum {ijk to kj} %x, %A, 2.0, %B : memref<f64x2x3x4> to memref<f64x4x3>": (
        (2, 3, 4),
        (4, 3),
        lambda a, b, x: x * a.sum(axis=0).T + 2 * b,
    ),
    "broadcast {k to ik} %x, %A, 2.0, %B : memref<f64x4> to memref<f64x2x4>": (
        (4,),
        (2, 4),
        lambda a, b, x: x * a + 2 * b,
    ),
    "broadcast {iii to i} %x, %A, 0.0, %B : memref<f64x4x4x4> to memref<f64x4>": (
        (4, 4, 4),
        (4,),
        lambda a, b, x: x * np.einsum("iii->i", a),
    ),
    "broadcast {ii to i} %x, %A, 0.0, %B : memref<f64x4x4> to memref<f64x4>": (
        (4, 4),
        (4,),
        lambda a, b, x: x * np.diagonal(a),
    ),
    "broadcast {i to ii} %x, %A, 0.0, %B : memref<f64x4> to memref<f64x4x4>": (
        (4,),
        (4, 4),
        lambda a, b, x: np.where(np.eye(4), np.diag(x * a), b),
    ),
}


@pytest.mark.parametrize("line", OPERATIONS)
def test_operations(line: str) -> None:
    a_shape, b_shape, meaning = OPERATIONS[line]
    a, b = numbers(*a_shape), numbers(*b_shape)
    expected = meaning(a, b.copy(), 3.0)
    types = line.split(" : ")[1].split(" to ")
    run(f"define @f(%A: {types[0]}, %B: {types[1]}, %x: f64) {{ {line} }}", A=a, B=b, x=3.0)
    np.testing.assert_allclose(b, expected)


def test_product_and_fill() -> None:
    a, b, c = numbers(3), numbers(3, 4), numbers(4, 3)
    expected = 1.0 + 2.0 * (a[:, None] * b).T
    run(
        """define @f(%a: memref<f64x3>, %B: memref<f64x3x4>, %C: memref<f64x4x3>) {
             product {i, ij to ji} 2.0, %a, %B, 0.0, %C : memref<f64x3>, memref<f64x3x4> to memref<f64x4x3>
             fill 1.0, 1.0, %C : memref<f64x4x3>
           }""",
        a=a,
        B=b,
        C=c,
    )
    np.testing.assert_allclose(c, expected)


def test_loops_views_and_arithmetic() -> None:
    a = numbers(4, 3)
    expected = a.copy()
    for column in range(1, 3):
        expected[1:, column] = 2.5 * 0.25
    run(
        """define @f(%A: memref<f64x4x3>, %x: f64) {
             %y = arith.div %x, 8.0 : f64
             %z = arith.add %y, 0.5 : f64
             %w = arith.sub %z, 0.5 : f64
             %v = arith.mul %w, 2.5 : f64
             for i32 %i = 1 to 3 {
               %c = subview %A[1:, i32 %i] : memref<f64x4x3> to memref<f64x3>
               fill %v, 0.0, %c : memref<f64x3>
             }
           }""",
        A=a,
        x=2.0,
    )
    np.testing.assert_allclose(a, expected)


ORDER_0 = """define @f(%A: group<memref<f64>,distance<1>>, %b: f64) {
  %0 = get_work_item %A : group<memref<f64>,distance<1>>
  fill 2.0, %b, %0 : memref<f64>
}"""


@pytest.mark.parametrize(("beta", "expected"), [(0.0, [2.0, 2.0]), (1.0, [np.nan, 5.0])])
def test_beta_of_0_does_not_read_the_target(beta: float, expected: list[float]) -> None:
    a = np.array([np.nan, 3.0])
    run(ORDER_0, 2, A=a, b=beta)
    np.testing.assert_array_equal(a, expected)


def test_temporary_memory_is_not_a_number_until_it_is_written() -> None:
    a = numbers(3)
    run(
        """define @f(%A: memref<f64x3>) {
             %t = alloca : memref<f64x3>
             axpby {i to i} 1.0, %t, %A : memref<f64x3> to memref<f64x3>
           }""",
        A=a,
    )
    assert np.isnan(a).all()


OFFSET = """define @f(%A: group<memref<f64x2x2>,{layout}>, %B: group<memref<f64x2x2>,distance<4>>, %o: i64) {{
  %0 = get_work_item %A, i64 %o : group<memref<f64x2x2>,{layout}>
  %1 = get_work_item %A : group<memref<f64x2x2>,{layout}>
  %2 = get_work_item %B : group<memref<f64x2x2>,distance<4>>
  axpby {{ij to ij}} 10.0, %0, %2 : memref<f64x2x2> to memref<f64x2x2>
  axpby {{ij to ij}} 1.0, %1, 1.0, %2 : memref<f64x2x2> to memref<f64x2x2>
}}"""


def test_an_offset_moves_every_work_item_in_flat_memory() -> None:
    memory, b = np.arange(16.0), np.zeros((2, 2, 2))
    run(OFFSET.format(layout="distance<5>"), 2, A=memory, B=b, o=3)
    items = [np.reshape(10 * memory[5 * e + 3 : 5 * e + 7] + memory[5 * e : 5 * e + 4], (2, 2), "F") for e in range(2)]
    np.testing.assert_array_equal(b, items)
    memories = [memory, -memory]
    run(OFFSET.format(layout="pointers"), 2, A=memories, B=b, o=3)
    np.testing.assert_array_equal(b, [np.reshape(10 * m[3:7] + m[:4], (2, 2), "F") for m in memories])


def test_an_offset_that_leaves_the_memory_is_refused() -> None:
    with pytest.raises(CompileError, match=r"E0451.*: work item 1 at offset 9 leaves its memory of 16 elements"):
        run(OFFSET.format(layout="distance<5>"), 2, A=np.arange(16.0), B=np.zeros((2, 2, 2)), o=9)


def test_a_position_outside_of_its_mode_is_refused() -> None:
    text = """define @f(%A: memref<f64x4x3>, %o: i32) {
      %c = subview %A[:, i32 %o] : memref<f64x4x3> to memref<f64x4>
    }"""
    run(text, A=numbers(4, 3), o=2)
    with pytest.raises(CompileError, match=r"E0451.*: position -1 is outside of a mode of size 3"):
        run(text, A=numbers(4, 3), o=-1)
