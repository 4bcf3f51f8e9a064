"""What is batch-invariant is packed when it is complete, also where a loop computes it.

Where it is known when compiling it is a table of the file instead, with the same bits.
"""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import TARGET, Array, expect, function_of, integers, run
from tests.tl_backend.schedules.batch_simd.uniform import LANES, MATRICES, MATRIX, check_uniform

TEMPORARY = f"""
    %a = subview %k[:, :, %l] : {MATRICES}
    axpby.n 1.0, %a, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
    gemm.n.n 1.0, %t, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""
COEFFICIENT = f"""
    %s = load %k[0, 1, %l] : {MATRICES}
    gemm.n.n %s, %first, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""


@pytest.mark.parametrize("body", [TEMPORARY, COEFFICIENT], ids=["temporary", "coefficient"])
def test_each_iteration_packs_what_it_computes(body: str) -> None:
    check_uniform(f"""
  %t = alloca -> {MATRIX}
  axpby.n 2.0, %first, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
  for %l = 0, 3 {{{body}
  }}""")


# -- known values ------------------------------------------------------------------------------------------------------

M = 16
"""Rows, columns and depths: so many summands are never unrolled."""

ONE, SEVERAL = f"memref<f64x{M}x{M}>", f"memref<f64x{M}x{M}x3>"
GPU = replace(DEFAULT, name="a GPU", is_cpu=False, vector_bytes=8, has_prefetch=False)
FIRST = "gemm.n.n 0.1, %K, %x, 1.0, %y"
SECOND = "gemm.n.n -3.0, %L, %x, 1.0, %y"
SCALED = "gemm.n.n %s, %K, %x, 1.0, %y"


def matrix(seed: int, real: ScalarType = ScalarType.F64) -> Array:
    """Nine of ten entries, none of which a short number writes exactly."""
    random = np.random.default_rng(seed)
    return np.array(random.standard_normal((M, M)) * (random.random((M, M)) < 0.9), DTYPES[real], order="F")


def fact(name: str, values: Array, word: str) -> str:
    """All values of an argument, or only where they are not zero."""
    entries = {position: value for position, value in enumerate(values.ravel(order="F").tolist()) if value}
    numbers = (f"{position}:{value!r}" if word == "values" else str(position) for position, value in entries.items())
    return f";! {word} %{name} {' '.join(numbers)}"


def function_with(facts: list[str], *products: str, real: str = "f64", gap: int = 0) -> Function:
    """A function that adds products of `%K`, `%L` and an element `%x` to `%y`; columns of `%K` are `gap` apart."""
    left, right, x = (
        f"memref<{real}x{M}x{M},strided<1,{M + gap}>>",
        f"memref<{real}x{M}x{M}>",
        f"memref<{real}x{M}x{M}x?>",
    )
    types = {name: f"{real}, {left if name == 'K' else right}, {right}, {real}, {right}" for name in "KL"}
    body = "\n".join(f"{each} : {types['K' if '%K' in each else 'L']}" for each in products)
    return function_of(
        "\n".join(facts)
        + f"""
    ;! batched %X
    ;! batched %Y
    func @f(%s: {real}, %K: {left}, %L: {right}, %X: {x}, %Y: {x}) {{
      %g = group_id
      %x = subview %X[:, :, %g] : {x}
      %y = subview %Y[:, :, %g] : {x}
      {body}
    }}"""
    )


def tables(function: Function, target: Target = DEFAULT) -> list[list[float]]:
    """The tables of values."""
    found = re.findall(r"constant (?:double|float) \w+\[\d+\] = \{([^}]*)\}", emit(function, target, LANES).source)
    return [[number_of(text.strip().removesuffix("f")) for text in table.split(",")] for table in found]


def number_of(text: str) -> float:
    return float.fromhex(text) if "x" in text else float(text)


def in_tables(function: Function) -> list[float]:
    """What the tables hold, in ascending order, without the zeros of rows that lack a summand."""
    assert not arrays(function)
    return sorted(value for table in tables(function) for value in table if value)


def arrays(function: Function, target: Target = DEFAULT) -> int:
    """How many arrays each work-item fills with values."""
    return len(re.findall(r"^ +(?:double|float) \w+_values\w*\[", emit(function, target, LANES).source, re.M))


def test_known_values_are_a_table_of_the_file() -> None:
    """It has alpha in it, with one rounding, and nothing is left to be copied."""
    k = matrix(1)
    function = function_with([fact("K", k, "values")], FIRST, gap=2)
    assert in_tables(function) == sorted(0.1 * value for value in k.ravel().tolist() if value)
    assert re.search(r"\bK\[", emit(function, DEFAULT, LANES).source) is None


def test_terms_share_a_table() -> None:
    k, m = matrix(1), matrix(2)
    function = function_with([fact("K", k, "values"), fact("L", m, "values")], FIRST, SECOND)
    scaled = np.concatenate([0.1 * k.ravel(), -3.0 * m.ravel()]).tolist()
    assert in_tables(function) == sorted(value for value in scaled if value)


def test_numbers_of_f32_are_rounded_once_more() -> None:
    k = matrix(1, ScalarType.F32)
    scaled = (np.float32(0.1) * k).ravel().tolist()
    assert in_tables(function_with([fact("K", k, "values")], FIRST, real="f32")) == sorted(v for v in scaled if v)


def test_what_is_not_known_is_packed() -> None:
    k, m = matrix(1), matrix(2)
    known = fact("K", k, "values")
    packed = [
        function_with([fact("K", k, "nonzeros")], FIRST),
        function_with([known], SCALED),  # only the launch knows the coefficient
        function_with([known, fact("L", m, "nonzeros")], FIRST, SECOND),  # one of two matrices
    ]
    assert all(arrays(function) and not tables(function) for function in packed)


def test_what_is_infinite_with_alpha_is_packed() -> None:
    """C has no constant for it."""
    function = function_with([fact("K", np.full((M, M), 10.0), "values")], FIRST.replace("0.1", "1e308"))
    assert arrays(function)
    assert not tables(function)


def test_what_a_loop_moves_is_packed() -> None:
    """The same places of another matrix in each iteration."""
    function = function_of(f"""
    ;! values %K {" ".join(map(str, range(1, M * M * 3 + 1)))}
    func @f(%K: {SEVERAL}, %X: memref<f64x{M}x{M}x?>, %Y: memref<f64x{M}x{M}x?>) {{
      %g = group_id
      %x = subview %X[:, :, %g] : memref<f64x{M}x{M}x?>
      %y = subview %Y[:, :, %g] : memref<f64x{M}x{M}x?>
      for %l = 0, 3 {{
        %k = subview %K[:, :, %l] : {SEVERAL}
        gemm.n.n 1.0, %k, %x, 1.0, %y : f64, {ONE}, {ONE}, f64, {ONE}
      }}
    }}""")
    assert arrays(function)
    assert not tables(function)


@pytest.mark.parametrize(("alpha", "factor"), [("0.1", 1), ("0.0", 1), ("-0.0", 2)])
def test_equal_tables_are_one(alpha: str, factor: int) -> None:
    """Those of 0 and of -0 times a matrix are two."""
    known = [fact("K", np.abs(matrix(1)), "values")]
    types = f" : f64, {ONE}, {ONE}, f64, {ONE}"
    first, second = (f"gemm.n.n {each}, %K, %x, 0.0, %t{types}" for each in (alpha.removeprefix("-"), alpha))
    once = f"%t = alloca -> {ONE}\n{first}\ngemm.n.n 1.0, %x, %t, 1.0, %y"
    twice = f"{once}{types}\n{second}\ngemm.n.n 1.0, %t, %x, 1.0, %y"
    assert len(tables(function_with(known, twice))) == factor * len(tables(function_with(known, once))) > 0


def test_a_gpu_has_room_for_some() -> None:
    """All tables of a program have to stay in its constant memory."""
    function = function_with([fact("K", matrix(1), "values")], FIRST)
    sizes = [8 * len(table) for table in tables(function, GPU)]
    for room, left in ((sum(sizes), 0), (sum(sizes) - 8, 1)):
        shared = replace(GPU.machine.shared, constants=room)
        target = replace(GPU, machine=replace(GPU.machine, shared=shared))
        assert (len(tables(function, target)), arrays(function, target)) == (len(sizes) - left, left)
    assert not arrays(function)  # a CPU has room


@pytest.mark.parametrize("real", [ScalarType.F64, ScalarType.F32])
@pytest.mark.parametrize("products", [(FIRST,), (SECOND,), (FIRST, SECOND), (SCALED, SECOND)])
@pytest.mark.parametrize("gap", [0, 3])
def test_tables_and_packed_values_give_the_same_bits(products: tuple[str, ...], real: ScalarType, gap: int) -> None:
    k, m = matrix(1, real), matrix(2, real)
    elements = 7
    random = np.random.default_rng(3)
    x, y = (np.asfortranarray(random.standard_normal((M, M, elements)), DTYPES[real]) for _ in "XY")
    arguments: dict[str, Any] = {"s": 0.3, "K": k, "L": m, "X": x, "Y": y}
    known, packed = (
        function_with([fact("K", k, word), fact("L", m, word)], *products, real=real.value, gap=gap)
        for word in ("values", "nonzeros")
    )
    assert bool(tables(known, TARGET)) == (SCALED not in products)
    (result,) = run(known, arguments, elements, tuning=LANES)["Y"]
    np.testing.assert_array_equal(result, run(packed, arguments, elements, tuning=LANES)["Y"][0])
    (expected,) = expect(known, arguments, elements)["Y"]
    largest = np.abs(expected).max() * (1e-5 if real is ScalarType.F32 else 1e-13)
    np.testing.assert_allclose(result, expected, rtol=0, atol=largest)


def test_known_integers() -> None:
    """Exactly what the interpreter says."""
    k, m = (integers(ScalarType.F64, M, M, seed=seed, limit=3) for seed in (1, 2))
    function = function_with([fact("K", k, "values"), fact("L", m, "values")], FIRST.replace("0.1", "2.0"), SECOND)
    arguments = {
        "s": 0.0,
        "K": k,
        "L": m,
        "X": integers(ScalarType.F64, M, M, 5),
        "Y": integers(ScalarType.F64, M, M, 5),
    }
    assert tables(function, TARGET)
    (expected,) = expect(function, arguments, 5)["Y"]
    np.testing.assert_array_equal(run(function, arguments, 5, tuning=LANES)["Y"][0], expected)
