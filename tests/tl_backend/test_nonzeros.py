"""Facts about zeros: how they are followed, and who notices that one is wrong."""

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.interpret.patterns import find_zero_patterns
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.verify import check, verify


def function_of(text: str) -> Function:
    program = parse(Source("test.tl", text))
    check(program)
    return program.functions[0]


def patterns(text: str) -> dict[str, list[int]]:
    """The positions of each temporary that may differ from zero."""
    found = find_zero_patterns(function_of(text))
    assert found is not None
    return {
        alloca.result.name: np.flatnonzero(mask.ravel(order="F")).tolist() for alloca, mask in found.temporaries.items()
    }


def test_elements_of_batches_and_groups_have_the_zeros_of_the_facts() -> None:
    text = """;! batched %A
    ;! nonzeros %A 1
    ;! nonzeros %B 0 2
    ;! values %v 0.0 1.0 2.0
    func @f(%A: memref<f64x3x?>, %B: group<memref<f64x3>>, %v: memref<f64x3>) {
      %g = group_id
      %a = subview %A[:, %g] : memref<f64x3x?>
      %b = load %B[%g] : group<memref<f64x3>>
      %s = alloca -> memref<f64x3>
      axpby.n 1.0, %a, 0.0, %s : f64, memref<f64x3>, f64, memref<f64x3>
      %t = alloca -> memref<f64x3>
      axpby.n 1.0, %b, 0.0, %t : f64, memref<f64x3>, f64, memref<f64x3>
      %u = alloca -> memref<f64x3>
      hadamard_product 1.0, %b, %v, 0.0, %u : f64, memref<f64x3>, memref<f64x3>, f64, memref<f64x3>
    }"""
    assert patterns(text) == {"s": [1], "t": [0, 2], "u": [2]}


@pytest.mark.parametrize("condition", ["cmp.lt %g, 1 : index", "cmp.lt 0, 1 : index"])
def test_an_unknown_condition_has_both_regions(condition: str) -> None:
    text = f"""func @f(%x: memref<f64x2>) {{
      %g = group_id
      %c = {condition}
      %t = alloca -> memref<f64x2>
      %v = load %x[0] : memref<f64x2>
      if %c {{
        store %v, %t[0] : memref<f64x2>
      }} else {{
        store %v, %t[1] : memref<f64x2>
      }}
    }}"""
    assert patterns(text) == {"t": [0, 1] if "%g" in condition else [0]}


def test_a_loop_whose_bounds_are_unknown_runs_until_nothing_changes() -> None:
    """What the second instruction writes, the first one reads an iteration later."""
    text = """;! nonzeros %x 0
    func @f(%x: memref<f64x2>, %n: index) {
      %s = alloca -> memref<f64x2>
      %t = alloca -> memref<f64x2>
      for %i = 0, %n {
        axpby.n 1.0, %t, 1.0, %s : f64, memref<f64x2>, f64, memref<f64x2>
        axpby.n 1.0, %x, 1.0, %t : f64, memref<f64x2>, f64, memref<f64x2>
      }
    }"""
    assert patterns(text) == {"s": [0], "t": [0]}


def test_a_place_that_the_launch_decides_may_be_any() -> None:
    text = """;! nonzeros %x 0
    func @f(%x: memref<f64x2>, %y: memref<f64x3x2>, %n: index) {
      %t = alloca -> memref<f64x2x3>
      %tn = subview %t[:, %n] : memref<f64x2x3>
      axpby.n 1.0, %x, 0.0, %tn : f64, memref<f64x2>, f64, memref<f64x2>
      %s = alloca -> memref<f64x2>
      %xn = load %x[%n] : memref<f64x2>
      store %xn, %s[0] : memref<f64x2>
    }"""
    assert patterns(text) == {"t": list(range(6)), "s": [0]}


def test_long_loops_are_followed_without_their_numbers() -> None:
    text = """func @f(%x: memref<f64x100000>) {
      %t = alloca -> memref<f64x2>
      for %i = 0, 100000 {
        %v = load %x[%i] : memref<f64x100000>
        store %v, %t[1] : memref<f64x2>
      }
      %u = alloca -> memref<f64x100000>
      for %i = 0, 50000 {
        %v = load %x[%i] : memref<f64x100000>
        store %v, %u[%i] : memref<f64x100000>
      }
    }"""
    assert patterns(text) == {"t": [1], "u": list(range(100000))}


def test_what_is_too_large_is_not_followed() -> None:
    assert find_zero_patterns(function_of("func @f() {\n %t = alloca -> memref<f64x100000x1000>\n }")) is None


STORES = """;! nonzeros %A {given}
func @f(%A: memref<f64x3>, %n: index) {{
  ;! nonzeros %t 0:2
  %t = alloca -> memref<f64x3>
  %v = load %A[0] : memref<f64x3>
  store %v, %t[%n] : memref<f64x3>
  store %v, %A[%n] : memref<f64x3>
}}"""


def run(given: str, n: int, value: float = 1.0) -> None:
    a = np.zeros(3)
    a[0] = value
    interpret(function_of(STORES.format(given=given)), {"A": a, "n": n}, 1)


def test_the_interpreter_sees_each_write_to_a_temporary() -> None:
    run("0:3", 1)
    run("0:3", 2, 0.0)
    with pytest.raises(CompileError, match=r"E0451.*`%t` gets something at position 2, which its nonzeros leave out"):
        run("0:3", 2)


def test_the_interpreter_looks_at_arguments_before_and_after() -> None:
    run("0", 0)
    with pytest.raises(CompileError, match=r"E0450.*`%A` holds something at position 0, which its nonzeros leave out"):
        run("1", 1)
    with pytest.raises(CompileError, match=r"E0450.*`%A` holds something at position 1, which its nonzeros leave out"):
        run("0", 1)


def test_equal_allocas_of_different_regions_have_one_pattern() -> None:
    text = """func @f(%x: memref<f64x2>) {
      %v = load %x[0] : memref<f64x2>
      for %i = 0, 2 {
        %t = alloca -> memref<f64x2>
        store %v, %t[0] : memref<f64x2>
      }
      for %i = 0, 2 {
        %t = alloca -> memref<f64x2>
        store %v, %t[1] : memref<f64x2>
      }
    }"""
    function = function_of(text)
    assert sum(isinstance(each, tl.Alloca) for each in walk(function.body)) == 2
    assert patterns(text) == {"t": [0, 1]}


def test_what_a_prologue_writes_is_zero_before() -> None:
    """So what it leaves out of a result is zero, though no fact says so."""
    text = (
        ";! values %K 0.0 2.0\n;! nonzeros %R 1\n"
        "func @first(%K: memref<f64x2>, %t: memref<f64x2>, %R: memref<f64x2>) {\n"
        "  axpby.n 1.0, %K, 0.0, %t : f64, memref<f64x2>, f64, memref<f64x2>\n"
        "  axpby.n 3.0, %t, 0.0, %R : f64, memref<f64x2>, f64, memref<f64x2>\n}\n"
        ";! values %K 0.0 2.0\n;! nonzeros %R 1\n;! prologue @first\n"
        "func @f(%K: memref<f64x2>, %t: memref<f64x2>, %R: memref<f64x2>, %y: memref<f64x2>) {\n"
        "  axpby.n 1.0, %R, 0.0, %y : f64, memref<f64x2>, f64, memref<f64x2>\n}\n"
    )
    assert verify(parse(Source("t.tl", text))) == ()
    alone = text.split(";! values")[1]
    assert [each.code for each in verify(parse(Source("t.tl", f";! values{alone}")))] == ["E0453"]
