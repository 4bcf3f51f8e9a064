"""What programs mean, compared with NumPy."""

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.verify import check

RANDOM = np.random.default_rng(2)


def compiled(text: str) -> Function:
    program = parse(Source("test.tl", text))
    check(program)
    return program.functions[0]


def random(*shape: int) -> NDArray[np.float64]:
    return np.asfortranarray(RANDOM.random(shape))


def run(text: str, groups: int = 1, **arguments: object) -> None:
    interpret(compiled(text), arguments, groups)


# -- the execution model -----------------------------------------------------------------------------------------------


def test_every_group_works_on_its_own_part() -> None:
    text = """func @f(%alpha: f64, %A: group<memref<f64x3x4>>, %B: memref<f64x4x2>, %D: memref<f64x3x2x?>) {
      %g = group_id
      %a = load %A[%g] : group<memref<f64x3x4>>
      %d = subview %D[:, :, %g] : memref<f64x3x2x?>
      gemm.n.n %alpha, %a, %B, 1.0, %d : f64, memref<f64x3x4>, memref<f64x4x2>, f64, memref<f64x3x2>
    }"""
    a, b, d = random(5, 3, 4), random(4, 2), random(3, 2, 5)
    expected = d + 2.5 * np.einsum("gik,kj->ijg", a, b)
    run(text, 5, alpha=2.5, A=list(a), B=b, D=d)
    np.testing.assert_allclose(d, expected, rtol=1e-14)


def test_group_size_and_size() -> None:
    text = """func @f(%A: memref<i64x?>, %n: memref<i64x2>) {
      %s = group_size
      %m = size %A[0] : memref<i64x?>
      %s64 = cast %s : index -> i64
      %m64 = cast %m : index -> i64
      store %s64, %n[0] : memref<i64x2>
      store %m64, %n[1] : memref<i64x2>
    }"""
    n = np.zeros(2, np.int64)
    run(text, 7, A=np.zeros(3, np.int64), n=n)
    assert n.tolist() == [7, 3]


def test_arrays_of_any_strides_are_written_in_place() -> None:
    text = """func @f(%A: memref<f64x4x6>, %B: memref<f64x24>) {
      %a = fuse %A[0, 1] : memref<f64x4x6>
      axpby.n 1.0, %B, 0.0, %a : f64, memref<f64x24>, f64, memref<f64x24>
    }"""
    surrounding = np.zeros((6, 8))
    view = surrounding[:, ::2].T
    run(text, A=view, B=np.arange(24.0))
    np.testing.assert_array_equal(view, np.arange(24.0).reshape(4, 6, order="F"))
    assert not surrounding[:, 1::2].any()


FUSED = """func @f(%A: memref<f64x?x3,strided<1,?>>, %B: memref<f64x?>) {
  %a = fuse %A[0, 1] : memref<f64x?x3,strided<1,?>>
  axpby.n 1.0, %a, 0.0, %B : f64, memref<f64x?>, f64, memref<f64x?>
}"""


@pytest.mark.parametrize("rows", [1, 2])
def test_modes_with_gaps_between_them_are_not_fused(rows: int) -> None:
    """One row counts, too: its modes follow each other only if the second has stride 1."""
    array = np.asfortranarray(np.zeros((4, 3)))[:rows]
    with pytest.raises(CompileError, match=r"E0451.*modes 0 and 1 do not follow each other in memory"):
        run(FUSED, A=array, B=np.zeros(3 * rows))


def test_modes_are_fused_of_arrays_that_lie_otherwise() -> None:
    """No kernel can be given strides that the type does not allow: such arrays are copied."""
    array, result = random(3, 4).T, np.zeros(12)
    run(FUSED, A=array, B=result)
    np.testing.assert_array_equal(result, array.ravel(order="F"))


def test_sizes_that_do_not_fit_the_strides_of_a_type() -> None:
    text = "func @f(%A: memref<f64x?x3,strided<1,8>>) {\n}"
    run(text, A=random(8, 3))
    with pytest.raises(
        CompileError, match=r"E0450.*has shape \(9, 3\), and strides \(1, 8\), at which entries overlap"
    ):
        run(text, A=random(9, 3))


def test_memory_has_the_strides_of_its_type() -> None:
    """Behind a slice whose size is not known when compiling, only they show that modes do not follow each other."""
    text = """func @f(%n: index) {
      %t = alloca -> memref<f64x4x3,strided<1,8>>
      %s = subview %t[0:%n, :] : memref<f64x4x3,strided<1,8>>
      %x = fuse %s[0, 1] : memref<f64x?x3,strided<1,8>>
    }"""
    with pytest.raises(CompileError, match="E0451"):
        run(text, n=4)


def test_an_array_that_occurs_twice_in_a_group_is_one_memory() -> None:
    text = """func @f(%A: group<memref<f64x2x2>>) {
      %g = group_id
      %a = load %A[%g] : group<memref<f64x2x2>>
      axpby.n 1.0, %a, 1.0, %a : f64, memref<f64x2x2>, f64, memref<f64x2x2>
    }"""
    once = np.ones((2, 2))[:, ::-1]
    run(text, 2, A=[once, once])
    np.testing.assert_array_equal(once, np.full((2, 2), 4.0))


# -- collective instructions -------------------------------------------------------------------------------------------


def test_axpby() -> None:
    text = """func @f(%A: memref<f64x3x2>, %B: memref<f64x2x3>) {
      axpby.t 2.0, %A, 3.0, %B : f64, memref<f64x3x2>, f64, memref<f64x2x3>
    }"""
    a, b = random(3, 2), random(2, 3)
    expected = 2 * a.T + 3 * b
    run(text, A=a, B=b)
    np.testing.assert_allclose(b, expected, rtol=1e-15)


def test_gemm_transposes_both_operands() -> None:
    text = """func @f(%A: memref<f64x4x3>, %B: memref<f64x2x4>, %C: memref<f64x3x2>) {
      gemm.t.t 2.0, %A, %B, -1.0, %C : f64, memref<f64x4x3>, memref<f64x2x4>, f64, memref<f64x3x2>
    }"""
    a, b, c = random(4, 3), random(2, 4), random(3, 2)
    expected = 2 * a.T @ b.T - c
    run(text, A=a, B=b, C=c)
    np.testing.assert_allclose(c, expected, rtol=1e-13)


def test_gemv_ger_and_hadamard_product() -> None:
    text = """func @f(%A: memref<f64x4x3>, %b: memref<f64x4>, %c: memref<f64x3>) {
      gemv.t 1.0, %A, %b, 0.0, %c : f64, memref<f64x4x3>, memref<f64x4>, f64, memref<f64x3>
      ger 1.0, %b, %c, 1.0, %A : f64, memref<f64x4>, memref<f64x3>, f64, memref<f64x4x3>
      hadamard_product 2.0, %b, %b, 0.0, %b : f64, memref<f64x4>, memref<f64x4>, f64, memref<f64x4>
    }"""
    a, b, c = random(4, 3), random(4), random(3)
    product = a.T @ b
    expected = a + np.outer(b, product), 2 * b * b, product
    run(text, A=a, b=b, c=c)
    for array, value in zip((a, b, c), expected, strict=True):
        np.testing.assert_allclose(array, value, rtol=1e-14)


def test_sum_of_a_matrix_and_of_a_vector() -> None:
    text = """func @f(%A: memref<f64x4x3>, %b: memref<f64x3>, %s: memref<f64>) {
      sum.t 1.0, %A, 0.0, %b : f64, memref<f64x4x3>, f64, memref<f64x3>
      sum.n 1.0, %b, 1.0, %s : f64, memref<f64x3>, f64, memref<f64>
    }"""
    a, b, s = random(4, 3), random(3), np.array(1.0)
    run(text, A=a, b=b, s=s)
    np.testing.assert_allclose(b, a.sum(axis=0), rtol=1e-14)
    np.testing.assert_allclose(s, 1 + a.sum(), rtol=1e-14)


@pytest.mark.parametrize("beta", ["0.0", "%beta"])
def test_a_target_with_beta_zero_is_not_read(beta: str) -> None:
    text = f"""func @f(%beta: f64, %A: memref<f64x3>, %B: memref<f64x3>) {{
      axpby.n 1.0, %A, {beta}, %B : f64, memref<f64x3>, f64, memref<f64x3>
    }}"""
    a, b = random(3), np.full(3, np.nan)
    run(text, beta=0.0, A=a, B=b)
    np.testing.assert_array_equal(a, b)


def test_alpha_zero_multiplies() -> None:
    text = """func @f(%A: memref<f64x2>, %B: memref<f64x2>) {
      axpby.n 0.0, %A, 1.0, %B : f64, memref<f64x2>, f64, memref<f64x2>
    }"""
    b = np.ones(2)
    run(text, A=np.array([np.inf, 3.0]), B=b)
    np.testing.assert_array_equal(b, [np.nan, 1.0])


def test_mixed_widths_compute_in_the_wider() -> None:
    text = """func @f(%A: memref<f64x2>, %B: memref<f32x2>) {
      axpby.n 3.0, %A, 1.0, %B : f64, memref<f64x2>, f32, memref<f32x2>
    }"""
    a, b = np.array([0.1, 1e-9]), np.array([1.0, 1.0], np.float32)
    run(text, A=a, B=b)
    np.testing.assert_array_equal(b, (3 * a + 1.0).astype(np.float32))


def test_integer_products_wrap() -> None:
    text = """func @f(%A: memref<i8x2x2>, %C: memref<i8x2x2>) {
      gemm.n.n 3, %A, %A, 0, %C : i8, memref<i8x2x2>, memref<i8x2x2>, i8, memref<i8x2x2>
    }"""
    a = np.array([[100, 7], [-3, 50]], np.int8)
    c = np.zeros((2, 2), np.int8)
    run(text, A=a, C=c)
    np.testing.assert_array_equal(c, (3 * (a.astype(int) @ a.astype(int))).astype(np.int8))


# -- views and elements ------------------------------------------------------------------------------------------------


def test_views_of_views() -> None:
    text = """func @f(%n: index, %A: memref<f64x12x5>, %B: memref<f64x2x2>) {
      %e = expand %A[0 -> %n x ?] : memref<f64x12x5>
      %v = subview %e[1:2, 2, 3:?] : memref<f64x?x?x5,strided<1,?,12>>
      axpby.n 1.0, %v, 0.0, %B : f64, memref<f64x2x2,strided<1,12>>, f64, memref<f64x2x2>
    }"""
    a, b = random(12, 5), np.zeros((2, 2))
    run(text, n=4, A=a, B=b)
    np.testing.assert_array_equal(b, a.reshape(4, 3, 5, order="F")[1:3, 2, 3:])


def test_spmd_loop_with_loads_and_stores() -> None:
    text = """func @f(%A: memref<f64x4x3>, %B: memref<f64x3x4>) {
      foreach %i = 0, 4 {
        for %j = 0, 3 {
          %a = load %A[%i, %j] : memref<f64x4x3>
          %b = arith.mul %a, 2.0 : f64
          store %b, %B[%j, %i] : memref<f64x3x4>
        }
      }
    }"""
    a, b = random(4, 3), np.zeros((3, 4))
    run(text, A=a, B=b)
    np.testing.assert_array_equal(b, 2 * a.T)


def test_if_yields_the_values_of_the_region_that_runs() -> None:
    text = """func @f(%n: i32, %x: memref<i32x2>) {
      %small = cmp.lt %n, 16 : i32
      %a, %b = if %small -> (i32, i32) {
        %c = arith.add %n, 1 : i32
        yield %c, 5 : i32, i32
      } else {
        yield 16, %n : i32, i32
      }
      store %a, %x[0] : memref<i32x2>
      store %b, %x[1] : memref<i32x2>
    }"""
    x = np.zeros(2, np.int32)
    run(text, n=3, x=x)
    assert x.tolist() == [4, 5]
    run(text, n=30, x=x)
    assert x.tolist() == [16, 30]


def test_loops_with_a_step_and_without_iterations() -> None:
    text = """func @f(%n: index, %x: memref<i64>) {
      for %i = 1, %n, 3 {
        %old = load %x[] : memref<i64>
        %one = cast %i : index -> i64
        %new = arith.add %old, %one : i64
        store %new, %x[] : memref<i64>
      }
    }"""
    x = np.zeros((), np.int64)
    run(text, n=9, x=x)
    assert x == 1 + 4 + 7
    run(text, n=1, x=x)
    assert x == 1 + 4 + 7


NEW = """func @f(%n: index, %A: memref<f64x3>, %B: memref<f64x2>, %s: memref<f64>) {{
  %t = alloca -> memref<f64x3x2>
  %column = subview %t[:, 0] : memref<f64x3x2>
  %part = subview %A[0:2] : memref<f64x3>
  %some = subview %t[0:2, 1] : memref<f64x3x2>
  axpby.n 1.0, %A, 0.0, %column : f64, memref<f64x3>, f64, memref<f64x3>
  axpby.n 1.0, %part, 0.0, %some : f64, memref<f64x2>, f64, memref<f64x2>
  {}
}}"""
"""Of a temporary all but one entry is written."""

LAST = "%a = subview %t[:, 1] : memref<f64x3x2>"


@pytest.mark.parametrize(
    ("instruction", "entry"),
    [
        ("gemv.t 1.0, %t, %A, 0.0, %B : f64, memref<f64x3x2>, memref<f64x3>, f64, memref<f64x2>", "(2, 1)"),
        (f"{LAST} axpby.n 1.0, %A, 1.0, %a : f64, memref<f64x3>, f64, memref<f64x3>", "(2)"),
        ("%x = load %t[2, 1] : memref<f64x3x2>", ""),
        ("%x = load %t[%n, 1] : memref<f64x3x2>", ""),
        ("%f = fuse %t[0, 1] : memref<f64x3x2> sum.n 1.0, %f, 0.0, %s : f64, memref<f64x6>, f64, memref<f64>", "(5)"),
    ],
)
def test_new_memory_holds_nothing(instruction: str, entry: str) -> None:
    with pytest.raises(CompileError) as caught:
        run(NEW.format(instruction), n=2, A=np.ones(3), B=np.ones(2), s=np.array(0.0))
    (found,) = caught.value.diagnostics
    where = f": entry {entry} of what is read here" if entry else ""
    assert (found.code, found.message) == ("E0451", f"`%t` is read where nothing has written it{where}")


@pytest.mark.parametrize(
    "instruction",
    [
        "%one = arith.add 1.0, 0.0 : f64 store %one, %t[2, 1] : memref<f64x3x2> "
        "gemv.n 1.0, %t, %B, 0.0, %A : f64, memref<f64x3x2>, memref<f64x2>, f64, memref<f64x3>",
        f"{LAST} axpby.n 1.0, %A, 0.0, %a : f64, memref<f64x3>, f64, memref<f64x3> %x = load %a[2] : memref<f64x3>",
        "%x = load %t[1, 1] : memref<f64x3x2>",
        "axpby.n 1.0, %A, 1.0, %column : f64, memref<f64x3>, f64, memref<f64x3>",
        "%one = arith.add 1.0, 0.0 : f64 store %one, %t[2, 1] : memref<f64x3x2> %x = load %t[2, 1] : memref<f64x3x2>",
    ],
)
def test_what_was_written_is_read(instruction: str) -> None:
    run(NEW.format(instruction), n=1, A=np.ones(3), B=np.ones(2), s=np.array(0.0))


def test_stated_zeros_are_zero_without_a_write() -> None:
    text = """func @f(%A: memref<f64x3>) {
      ;! nonzeros %t 0:2
      %t = alloca -> memref<f64x3>
      %u = subview %t[0:2] : memref<f64x3>
      %B = subview %A[1:2] : memref<f64x3>
      axpby.n 1.0, %B, 0.0, %u : f64, memref<f64x2>, f64, memref<f64x2>
      axpby.n 1.0, %t, 0.0, %A : f64, memref<f64x3>, f64, memref<f64x3>
    }"""
    a = np.array([1.0, 2.0, 3.0])
    run(text, A=a)
    np.testing.assert_array_equal(a, [2.0, 3.0, 0.0])


# -- mistakes of the caller, and what is undefined ---------------------------------------------------------------------


def test_arguments_that_do_not_fit_are_all_reported() -> None:
    text = """func @f(%n: i8, %A: memref<f64x3x?>, %B: memref<f32x3>, %C: memref<f32>, %D: group<memref<f32x3>>) {
      store %n, %n[] : memref<i8>
    }"""
    function = parse(Source("test.tl", text.replace("store %n, %n[] : memref<i8>", ""))).functions[0]
    arguments = {"n": 200, "A": np.zeros((4, 2)), "B": np.zeros(3), "D": np.zeros(3, np.float32), "E": 1}
    with pytest.raises(CompileError) as caught:
        interpret(function, arguments, 1)
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [
        "argument `%n` is 200, expected `i8`",
        "argument `%A` has shape (4, 2), expected (3, ?)",
        "argument `%B` has elements of type float64, expected float32",
        "argument `%C` is missing",
        "argument `%D` is no sequence of arrays",
        "`@f` has no argument `%E`",
    ]


def test_a_read_only_array_is_not_written() -> None:
    text = """func @f(%a: f64, %A: memref<f64x3>) {
      store %a, %A[0] : memref<f64x3>
    }"""
    array = np.zeros(3)
    array.flags.writeable = False
    with pytest.raises(CompileError, match="argument `%A` is written, but the array is read-only"):
        run(text, a=1.0, A=array)


UNDEFINED = {
    "index 3 is outside of mode 0, which has size 3": "%x = load %A[%n] : memref<f64x?>",
    "the slice 1:3 is outside of mode 0, which has size 3": "%x = subview %A[1:%n] : memref<f64x?>",
    "the shapes do not fit: m is 3 and 4": ("axpby.n 1.0, %A, 0.0, %B : f64, memref<f64x?>, f64, memref<f64x4>"),
    "3 is divided by 0": "%z = arith.sub %n, 3 : index\n %x = arith.div %n, %z : index",
    "the step of a loop is -3": "%m = arith.neg %n : index\n for %i = 0, %n, %m {\n }",
    "2 x 3 is not mode 0, which has size 4": "%x = expand %B[0 -> 2 x %n] : memref<f64x4>",
    "index 3 is outside of the group, which has 1 memrefs": "%x = load %G[%n] : group<memref<f64x4>>",
    "modes 0 and 1 do not follow each other in memory": (
        "%s = subview %M[0:%n, :] : memref<f64x4x2,strided<1,?>>\n %x = fuse %s[0, 1] : memref<f64x?x2,strided<1,?>>"
    ),
}


@pytest.mark.parametrize("why", UNDEFINED)
def test_undefined_behaviour_is_found(why: str) -> None:
    text = f"""func @f(%n: index, %A: memref<f64x?>, %B: memref<f64x4>, %G: group<memref<f64x4>>,
                       %M: memref<f64x4x2,strided<1,?>>) {{
      {UNDEFINED[why]}
    }}"""
    arguments = {"n": 3, "A": np.zeros(3), "B": np.zeros(4), "G": [np.zeros(4)], "M": np.zeros((4, 2))}
    with pytest.raises(CompileError) as caught:
        interpret(compiled(text), arguments, 1)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("E0451", why)


def test_undefined_behaviour_is_shown_at_its_instruction() -> None:
    text = "func @f(%n: index, %A: memref<f64x?>) {\n  %x = load %A[%n] : memref<f64x?>\n}\n"
    with pytest.raises(CompileError) as caught:
        run(text, n=3, A=np.zeros(3))
    assert (
        render_all(caught.value.diagnostics)
        == """\
error[E0451]: index 3 is outside of mode 0, which has size 3
 --> test.tl:2:3
  |
2 |   %x = load %A[%n] : memref<f64x?>
  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ undefined"""
    )
