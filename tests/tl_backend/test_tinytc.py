"""Text of Tiny Tensor Compiler 0.4: read as what it means, printed so that it is read as what it was."""

from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.unparse import unparse, unparse_function
from einsum_front.tl_backend.verify import check
from tests.profiles import share
from tests.tl_backend.meaning import assert_same_results, results
from tests.tl_backend.strategies import Case, cases

DIALECT = Edition.TINYTC_0_4

# as YATeTo's back end writes a fused product and a copy
YATETO = """
func @fused(%alpha: f64,
            %A: group<memref<f64x20x9, strided<1,20>>x?, offset: 0>,
            %B: memref<f64x9x9, strided<1,9>>) attributes{work_group_size=[32, 1], subgroup_size=16} {
  %0 = group_id.x : index
  %1 = load %A[%0] : memref<f64x20x9, strided<1,20>>
  %2 = alloca : memref<f64x20x9, strided<1,20>, local>
  %3 = constant 1.0 : f64
  %4 = subview %1[0:20,0:9] : memref<f64x20x9, strided<1,20>>
  %5 = constant 0.0 : f64
  gemm.n.n %3, %4, %B, %5, %2
  for %k=0,9 {
    %6 = subview %2[0:20,%k] : memref<f64x20, strided<1>>
    axpby.n.atomic %alpha, %6, %3, %6
  }
}
"""
MEANS = """\
func @fused(%alpha: f64, %A: group<memref<f64x20x9>>, %B: memref<f64x9x9>) work_group_size(32, 1) subgroup_size(16) {
  %0 = group_id
  %1 = load %A[%0] : group<memref<f64x20x9>>
  %2 = alloca -> memref<f64x20x9>
  %4 = subview %1[0:20, 0:9] : memref<f64x20x9>
  gemm.n.n 1.0, %4, %B, 0.0, %2 : f64, memref<f64x20x9>, memref<f64x9x9>, f64, memref<f64x20x9>
  for %k = 0, 9 {
    %6 = subview %2[0:20, %k] : memref<f64x20x9>
    axpby.n.atomic %alpha, %6, 1.0, %6 : f64, memref<f64x20>, f64, memref<f64x20>
  }
}
"""


MISSING = ("`cast` of truth values", "`cmp` of truth values", "β other than", "does not hold exactly", "`math.")


def read(text: str) -> Function:
    (function,) = parse(Source("t.tl", text)).functions
    return function


def test_what_yateto_writes() -> None:
    assert unparse_function(read(YATETO)) == MEANS


ARGUMENTS = (
    "%a: f64, %n: index, %i: i32, %M: memref<f64x8x4>, %v: memref<f64x8>, %s: memref<f64>, %g: group<memref<f64x4>x?>"
)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("%x = add %a, %a : f64", "%x = arith.add %a, %a : f64"),
        ("%x = arith.mul %a, %a : f64", "%x = arith.mul %a, %a : f64"),
        ("%x = exp %a : f64", "%x = math.exp %a : f64"),
        ("%x = native_log2 %a : f64", "%x = math.log2 %a : f64"),
        ("%x = max %a, %a : f64", "%x = math.max %a, %a : f64"),
        (
            "%x = min %i, %i : i32",
            "%holds0 = cmp.lt %i, %i : i32\n"
            "%x = if %holds0 -> (i32) {\n  yield %i : i32\n} else {\n  yield %i : i32\n}",
        ),
        ("%z = constant 0 : index %x = atomic_load.device.acquire %v[%z] : f64", "%x = load %v[0] : memref<f64x8>"),
        ("%t = associated %v : bool if %t { }", "if 1 {\n}"),
        ("%l = constant 3 : i32 %x = subgroup_broadcast %a, %l : f64", "%x = cast %a : f64 -> f64"),
        ("%s = subgroup_size : i32 %x = add %i, %s : i32", "%x = arith.add %i, 1 : i32"),
        ("%x = neg %a : f64", "%x = arith.neg %a : f64"),
        ("%c = constant 2 : i32 %x = shl %i, %c : i32", "%x = arith.shl %i, 2 : i32"),
        ("%t = constant true : bool if %t { }", "if 1 {\n}"),
        ("%x = less_than_equal %a, %a : bool", "%x = cmp.le %a, %a : f64"),
        ("%x = cast %i : f64", "%x = cast %i : i32 -> f64"),
        ("%c = constant 3 : index %x = load %v[%c] : f64", "%x = load %v[3] : memref<f64x8>"),
        ("%x = size %M[1] : index", "%x = size %M[1] : memref<f64x8x4>"),
        ("%x = num_groups.x : index", "%x = group_size"),
        ("%x = group_id.y : index %y = load %v[%x] : f64", "%y = load %v[0] : memref<f64x8>"),
        ("%x = fuse %M[0,1] : memref<f64x32>", "%x = fuse %M[0,1] : memref<f64x8x4>"),
        ("%x = expand %v[0 -> 2x4] : memref<f64x2x4>", "%x = expand %v[0->2x4] : memref<f64x8>"),
        ("%x = subview %M[2:0, 1:2] : memref<f64x2,strided<8>>", "%x = subview %M[2, 1:2] : memref<f64x8x4>"),
        ("%x = subview %v[2:?] : memref<f64x6>", "%x = subview %v[2:?] : memref<f64x8>"),
        (
            "%c = constant 2 : f64 %x = add %a, %a : f64 store %c, %s[]",
            "%x = arith.add %a, %a : f64\n%value0 = cast 2.0 : f64 -> f64\nstore %value0, %s[] : memref<f64>",
        ),
        ("%x = subview %v[0:%n] : memref<f64x?>", "%x = subview %v[0:%n] : memref<f64x8>"),
        ("%x = alloca {alignment=64} : memref<f64x4,local>", "%x = alloca -> memref<f64x4>"),
        ("sum.atomic %a, %v, %a, %s", "sum.n.atomic %a, %v, %a, %s : f64, memref<f64x8>, f64, memref<f64>"),
        (
            "hadamard %a, %v, %v, %a, %v",
            "hadamard_product %a, %v, %v, %a, %v : f64, memref<f64x8>, memref<f64x8>, f64, memref<f64x8>",
        ),
        (
            "%c = constant 4 : index for %k = %n, %c, %c { } attributes{unroll=true}",
            "for %k = %n, 4, 4 {\n}",
        ),
        (
            "%z = constant 0 : index %c = constant 4 : index foreach (%p, %q) = (%z, %z), (%n, %c) { }",
            "foreach %p = 0, %n {\n  for %q = 0, 4 {\n  }\n}",
        ),
        (
            "%one = constant 1.0 : f64 parallel { store %one, %s[] }",
            "foreach %once0 = 0, 1 {\n  %value0 = cast 1.0 : f64 -> f64\n  store %value0, %s[] : memref<f64>\n}",
        ),
        (
            "%t = equal %a, %a : bool %x = if %t -> (f64) { yield (%a) } else { yield (%a) }",
            "%t = cmp.eq %a, %a : f64\n%x = if %t -> (f64) {\n  yield %a : f64\n} else {\n  yield %a : f64\n}",
        ),
        (
            "%x = load %g[%n] : memref<f64x4> lifetime_stop %x",
            "%x = load %g[%n] : group<memref<f64x4>>\nlifetime_stop %x",
        ),
        ("barrier.global.local", "barrier"),
    ],
)
def test_each_instruction_means_one_of_ours(said: str, means: str) -> None:
    _, _, text = unparse_function(read(f"func @f({ARGUMENTS}) {{ {said} }}")).partition(") {\n")
    assert dedent(text.removesuffix("}\n")).rstrip() == means


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("%x = cos %a : f64", "`cos` of Tiny Tensor Compiler 0.4 has no counterpart here"),
        ("cumsum %a, %v, 0, %a, %v", "`cumsum` of Tiny Tensor Compiler 0.4 has no counterpart here"),
        ("%x = subgroup_local_id : i32", "`subgroup_local_id` stands in a region of work-items"),
        ("%x = constant [1.0, 2.0] : f64", "a complex constant of type f64"),
        (
            "foreach_tile (%p,%q)=(%n,%n),(%n,%n) as (%r,%t)<=(32) { }",
            "a `foreach_tile` has as many bounds and sizes as variables",
        ),
        (
            "for %k = %n, %n init(%y=%a) -> (f64) { yield (%a) }",
            "a loop carries 1 values, and has 1 types and 0 results",
        ),
        ("%x = atomic_add %a, %v[%n] : f64", "`atomic_add` of Tiny Tensor Compiler 0.4 has no counterpart here"),
        ("%x = frobnicate %a : f64", "there is no instruction `frobnicate`"),
        ("%x = add %a, %b : f64", "there is no value `%b` here"),
        ("%c = constant 1 : i32 %x = add %a, %c : f64", "`%c` is of type i32, which should be f64"),
        ("%x = add %a, 1.0 : f64", "`add` takes values"),
        ("%c = constant 1.0 : i32", "a floating-point constant of type i32"),
        ("%x = subview %v[0:4] : memref<f64x5>", "the value has another type"),
        ("%x = load %v[%n] : f32", "the value has another type"),
        ("gemm.n.n %a, %M, %a, %a, %M", "`%a` is no memref"),
        ("axpby.n.t %a, %M, %a, %M", "`axpby.n.t` has a flag too many"),
        ("axpby %M, %M, %a, %M", "`axpby` takes a number here"),
        ("axpby %a, %M, %a", "`axpby` takes 4 operands, not 3"),
        ("%x = group_id : index", "expected `group_id.x`, `group_id.y` or `group_id.z`"),
        ("foreach (%p, %q) = (%n), (%n) { }", "a `foreach` has as many variables as bounds"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_stands(said: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        read(f"func @f({ARGUMENTS}) {{ {said} %end = group_id.x : index }}")
    assert [each.message for each in error.value.diagnostics] == [message]
    assert error.value.diagnostics[0].labels[0].span.text in said


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("%t = math.max %a, %a : f64", "`math.max`: its functions are ours; OpenCL C, C and CUDA have them"),
        ("%t = cmp.lt %a, %a : f64 %u = cmp.eq %t, %t : i1", "`cmp` of truth values"),
        ("%t = cmp.lt %a, %a : f64 %u = cast %t : i1 -> i32", "`cast` of truth values"),
        (
            "axpby.n.atomic %a, %v, 2.0, %v : f64, memref<f64x8>, f64, memref<f64x8>",
            "atomic updates with a β other than the constants 0 and 1",
        ),
        (
            "axpby.n %a, %w, 1.0, %w : f64, memref<f32x8>, f32, memref<f32x8>",
            "operands of types that the next one does not hold exactly: α, the inputs, the target",
        ),
    ],
)
def test_what_the_dialect_has_no_words_for_is_refused(said: str, thing: str) -> None:
    function = read(f"func @f(%a: f64, %v: memref<f64x8>, %w: memref<f32x8>) {{ {said} }}")
    with pytest.raises(CompileError) as error:
        unparse_function(function, DIALECT)
    assert [each.message for each in error.value.diagnostics] == [f"edition tinytc-0.4 has no {thing}"]


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("%x = subview %M[:, 1:?] : memref<f64x8x?>", ["%c0 = size %M[1] : index", "%c1 = constant 1 : index",
            "%c2 = sub %c0, %c1 : index", "%x = subview %M[0:8, 1:%c2] : memref<f64x8x?>"]),
        ("%x = expand %v[0->4x?] : memref<f64x?>", ["%c0 = size %v[0] : index", "%c1 = constant 4 : index",
            "%c2 = div %c0, %c1 : index", "%x = expand %v[0 -> 4 x %c2] : memref<f64x4x?>"]),
        ("axpby.n 1.0, %v, 0.0, %w : f64, memref<f64x?>, f64, memref<f64x8>", ["%c0 = constant 1.0 : f64",
            "%c1 = constant 0.0 : f64", "%c2 = subview %v[0:8] : memref<f64x8>", "axpby.n %c0, %c2, %c1, %w"]),
        ("%t = alloca -> memref<f64x4> %x = subview %t[1:2] : memref<f64x4>", ["%t = alloca : memref<f64x4,local>",
            "%x = subview %t[1:2] : memref<f64x2,local>"]),
    ],
)  # fmt: skip
def test_what_has_no_word_is_computed(said: str, printed: list[str]) -> None:
    function = read(f"func @f(%M: memref<f64x8x?>, %v: memref<f64x?>, %w: memref<f64x8>) {{ {said} }}")
    assert [line.strip() for line in unparse_function(function, DIALECT).splitlines()[1:-1]] == printed


def test_a_loop_over_tiles_runs_for_each_work_item() -> None:
    function = read("""
func @f(%A: memref<f32x21>) attributes{subgroup_size=8, work_group_size=[8, 2]} {
  %a = constant 0 : index
  %b = constant 21 : index
  foreach_tile (%i)=(%a),(%b) as (%t)<=(8) {
    %l = subgroup_local_id : i32
    %k = cast %l : index
    %inside = less_than %k, %t : bool
    if %inside {
      %p = add %i, %k : index
      %x = cast %p : f32
      store %x, %A[%p]
    }
  }
}""")
    found = np.zeros(21, np.float32)
    interpret(function, {"A": found}, 1)
    np.testing.assert_array_equal(found, np.arange(21))


def test_work_items_have_their_numbers() -> None:
    function = read("""
func @f(%A: memref<i32x4x2x2>) attributes{subgroup_size=4, work_group_size=[8, 2]} {
  parallel {
    %l = subgroup_local_id : i32
    %x = subgroup_id.x : i32
    %y = subgroup_id.y : i32
    %n = subgroup_linear_id : i32
    %i = cast %l : index
    %j = cast %x : index
    %k = cast %y : index
    store %n, %A[%i, %j, %k]
  }
}""")
    found = np.full((4, 2, 2), -1, np.int32)
    interpret(function, {"A": found}, 1)
    np.testing.assert_array_equal(found, np.broadcast_to([[0, 2], [1, 3]], (4, 2, 2)))


def test_a_loop_carries_values() -> None:
    function = read("""
func @fibonacci(%A: memref<i64>, %s: memref<i64>, %negative: bool) {
  %a = constant 2 : i32
  %b = constant 10 : i32
  %f0 = constant 0 : i64
  %f1 = constant 1 : i64
  %before, %last = for %n=%a,%b init(%x=%f0,%y=%f1) -> (i64,i64) {
    %z = add %x, %y : i64
    yield (%y, %z)
  }
  parallel {
    store %last, %A[]
    %m = neg %last : i64
    %c = if %negative -> (i64) { yield (%m) } else { yield (%last) }
    %d = abs %c : i64
    %e = max %before, %c : i64
    %f = add %d, %e : i64
    store %f, %s[]
  }
}""")
    for negative, wanted in ((0, 68), (1, 55)):
        found, other = np.zeros((), np.int64), np.zeros((), np.int64)
        interpret(function, {"A": found, "s": other, "negative": negative}, 1)
        assert (found.item(), other.item()) == (34, wanted)


def test_a_text_of_views_alone_is_told_by_their_types() -> None:
    text = "func @f(%a: memref<f32x32x16>) {\n  %b = subview %a[0:8, 2] : memref<f32x8>\n}\n"
    assert "%b = subview %a[0:8, 2] : memref<f32x32x16>" in unparse_function(read(text))
    with pytest.raises(CompileError, match="is used as"):
        check(parse(Source("t.tl", text.replace("memref<f32x8>", "memref<f32x9>"))))


def test_a_quotient_by_what_is_zero_is_seen() -> None:
    with pytest.raises(CompileError) as error:
        check(
            parse(
                Source("t.tl", "func @f(%x: i32) { %0 = constant 0 : i32 %1 = mul %x, %0 : i32 %2 = div %x, %1 : i32 }")
            )
        )
    assert error.value.diagnostics[0].code == "E0426"


def test_a_mistake_is_that_of_the_language_the_text_is_in() -> None:
    with pytest.raises(CompileError) as error:
        read("func @f() {\n  %0 = group_id.x : index\n  %1 = constant 1.0 : %0\n}")
    assert error.value.diagnostics[0].labels[0].span.text == "%0"
    with pytest.raises(CompileError) as error:
        read("func @f() {\n  %0 = group_id\n  %1 = arith.add 1.0, 2.0 : \n}")
    assert "expected a scalar type" in error.value.diagnostics[0].message


@pytest.mark.generated
@share(0.25)
@given(cases())
def test_what_is_printed_means_what_it_was(case: Case) -> None:
    function = make_names_unique(case.function)
    try:
        again = read(unparse_function(function, DIALECT))
    except CompileError as error:
        if any(thing in error.diagnostics[0].message for thing in MISSING):
            return
        raise
    assert_same_results(again, case, results(function, case))
    assert unparse_function(again, DIALECT) == unparse_function(read(unparse_function(again, DIALECT)), DIALECT)


def test_both_languages_may_say_the_same() -> None:
    function = read(MEANS)
    assert unparse_function(read(unparse_function(function, DIALECT))) == MEANS
    assert unparse(parse(Source("t.tl", "func @f() {\n}\n")), DIALECT) == "func @f() {\n}\n"
