"""Loops over entries, and extrema of many numbers, in vectors: what they mean, and which ones they are."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.functions import Function as Mathematical
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import OWN, compare, function_of, run
from tests.tl_backend.test_elementary import assert_right, numbers

F32, F64 = ScalarType.F32, ScalarType.F64
REALS = st.sampled_from([F32, F64])
SPECIAL = (float("nan"), float("inf"), float("-inf"), 1e-30, 0.0)

BODIES = {
    "in place": "%x = load %C[%i, 1] : MATRIX  %y = math.max %x, 0.5 : REAL  store %y, %C[%i, 1] : MATRIX",
    "apart": "%x = load %a[%i] : VECTOR  %y = arith.add %x, %beta : REAL  store %y, %C[%i, 0] : MATRIX",
    "one for all": "%x = load %a[0] : VECTOR  %y = load %C[%i, 1] : MATRIX  %z = math.where_lt %x, %y, 1.0, %x : REAL"
    "  store %z, %b[%i] : VECTOR",
    "two results": "%x = load %a[%i] : VECTOR  %y = math.abs %x : REAL  store %y, %b[%i] : VECTOR"
    "  %z = arith.neg %y : REAL  store %z, %C[%i, 1] : MATRIX",
}
MANY_LINES = {
    "apart": "%x = load %a[%i] : VECTOR  %y = math.erf %x : REAL  %z = load %C[%i, 1] : MATRIX"
    "  %w = arith.add %y, %z : REAL  store %w, %b[%i] : VECTOR",
    "in place": "%x = load %C[%i, 1] : MATRIX  %y = math.tanh %x : REAL  store %y, %C[%i, 1] : MATRIX",
}
LEFT_ALONE = {
    "another entry of what is written": "%x = load %b[0] : VECTOR  %y = arith.add %x, 1.0 : REAL"
    "  store %y, %b[%i] : VECTOR",
    "in steps": "%x = load %D[1, %i] : TURNED  store %x, %b[%i] : VECTOR",
    "one entry": "%x = load %a[%i] : VECTOR  store %x, %C[0, 1] : MATRIX",
    "a choice": "%x = load %a[%i] : VECTOR  %p = cmp.lt %x, 0.0 : REAL  if %p { store %x, %b[%i] : VECTOR }",
}


def loop(real: ScalarType, size: int, start: int, body: str) -> Function:
    """A loop over the entries of vectors, or of a column, from one on."""
    types = {"MATRIX": f"{size}x2", "VECTOR": f"{size}", "TURNED": f"2x{size}"}
    text = f"""func @loop(%beta: REAL, %a: VECTOR, %b: VECTOR, %C: MATRIX, %D: TURNED) {{
      foreach %i = {start}, {size} {{ {body} }}
    }}"""
    for word, shape in types.items():
        text = text.replace(word, f"memref<{real.value}x{shape}>")
    return function_of(text.replace("REAL", real.value))


def arguments(function: Function, real: ScalarType, seed: int = 0, *, special: bool = True) -> dict[str, Any]:
    """Small integers of both signs, and, if wanted, some numbers that are none."""
    random, values = np.random.default_rng(seed), dict[str, Any]()
    for argument in function.arguments:
        if argument.name.name == "beta":
            values["beta"] = 3.0
        if (shape := getattr(argument.type, "shape", None)) is not None:
            numbers = np.asfortranarray(random.integers(-9, 9, shape).astype(DTYPES[real]))
            chosen = random.random(shape) < 0.1 * special
            numbers[chosen] = random.choice(SPECIAL, shape)[chosen]
            values[argument.name.name] = numbers
    return values


def source_of(function: Function) -> str:
    """The code for a processor whose vectors have 32 bytes, whatever runs this."""
    return emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source


@share(0.2)
@given(REALS, st.integers(1, 40), st.integers(0, 5), st.sampled_from(sorted(BODIES)), st.integers(0, 99))
def test_every_size(real: ScalarType, size: int, start: int, body: str, seed: int) -> None:
    function = loop(real, size, min(start, size), BODIES[body])
    compare(function, arguments(function, real, seed))


@pytest.mark.parametrize("body", sorted(BODIES))
def test_what_is_done_in_vectors(body: str) -> None:
    assert "double4" in source_of(loop(F64, 9, 0, BODIES[body]))
    assert "float8" in source_of(loop(F32, 9, 0, BODIES[body]))


@share(0.1)
@given(REALS, st.integers(1, 150), st.integers(0, 5), st.sampled_from(sorted(MANY_LINES)), st.integers(0, 99))
def test_functions_of_many_lines_of_every_size(real: ScalarType, size: int, start: int, body: str, seed: int) -> None:
    function = loop(real, size, min(start, size), MANY_LINES[body])
    compare(function, arguments(function, real, seed, special=False), exact=False)


@pytest.mark.parametrize(("registers", "beside"), [(16, 2), (32, 4)])
def test_functions_of_many_lines_run_side_by_side(registers: int, beside: int) -> None:
    target = replace(DEFAULT, vector_registers=registers)
    artifact = emit(loop(F64, 4 * 7 + 3, 0, MANY_LINES["apart"]), target, Tuning(ScheduleKind.WORK_GROUP))
    looped, left = artifact.source.split("for (", 1)[1].split("}\n", 1)
    assert looped.count("double4 size") + left.count("double4 size") == beside + 7 % beside + 1
    assert f"i += {4 * beside})" in looped


@pytest.mark.parametrize("body", sorted(LEFT_ALONE))
def test_what_stays_entry_by_entry(body: str) -> None:
    function = loop(F64, 9, 0, LEFT_ALONE[body])
    assert "double4" not in source_of(function)
    if body != "one entry":
        compare(function, arguments(function, F64) | {"a": np.arange(-4.0, 5), "b": np.ones(9)})


@pytest.mark.parametrize("function", [Mathematical.EXP, Mathematical.LOG, Mathematical.TANH, Mathematical.ERF])
@pytest.mark.parametrize(("real", "width"), [(F64, "double4"), (F32, "float8")])
def test_functions_of_many_lines(function: Mathematical, real: ScalarType, width: str) -> None:
    x = numbers(np.dtype(DTYPES[real]).type)[:4093]
    body = f"%x = load %a[%i] : VECTOR  %y = math.{function.value} %x : REAL  store %y, %b[%i] : VECTOR"
    kernel = loop(real, x.size, 0, body)
    assert f"{width} powers" in source_of(kernel)
    if not OWN.is_cpu:
        pytest.skip("elsewhere functions are those of the device")
    found = run(kernel, arguments(kernel, real) | {"a": x}, 1)["b"][0]
    assert_right(function, x, found, has_denormals=real is F64)


def extremum(real: ScalarType, name: str, extent: int, together: int, *, odd: str = "") -> Function:
    """The largest or smallest of the absolute values in each column, as the tensor language gets it of a notation.

    `odd` stands in the place of the first number in the loop.
    """
    whole = extent // together * together

    def number(n: int, place: str) -> str:
        return f"%x{n} = load %A[{place}, %q] : MATRIX  %v{n} = math.abs %x{n} : REAL\n"

    def found(first: int, count: int, level: str) -> str:
        text, last = f"%y{level} = load %m[%q] : VECTOR\n", f"%y{level}"
        for n in range(first, first + count):
            text += f"%z{n} = math.{name} {last}, %v{n} : REAL\n"
            last = f"%z{n}"
        return f"{text} store {last}, %m[%q] : VECTOR\n"

    places = "".join(f"%k{n} = arith.add %k, {n} : index\n" for n in range(1, together))
    inside = "".join(number(n, f"%k{n}" if n else odd or "%k") for n in range(together))
    behind = "".join(number(100 + n, str(n)) for n in range(whole, extent))
    text = f"""func @extremum(%A: MATRIX, %m: VECTOR) {{
      foreach %q = 0, 3 {{
        {number(99, "0")} store %v99, %m[%q] : VECTOR
        for %k = 0, {whole}, {together} {{ {places}{inside}{found(0, together, "")} }}
        {behind}{found(100 + whole, extent - whole, "1") if behind else ""}
      }}
    }}"""
    text = text.replace("MATRIX", f"memref<REALx{extent}x3>").replace("VECTOR", "memref<REALx3>")
    return function_of(text.replace("REAL", real.value))


@share(0.2)
@given(REALS, st.sampled_from(["max", "min"]), st.integers(1, 70), st.sampled_from([1, 3, 8]), st.integers(0, 99))
def test_extrema_of_every_size(real: ScalarType, name: str, extent: int, together: int, seed: int) -> None:
    function = extremum(real, name, max(extent, together), together)
    compare(function, arguments(function, real, seed))


@pytest.mark.parametrize("place", [0, 7, 15, 16, 18])
def test_a_number_that_is_none_is_found_everywhere(place: int) -> None:
    function = extremum(F64, "max", 19, 8)
    matrix = np.zeros((19, 3), order="F")
    matrix[place, 1] = np.nan
    compare(function, {"A": matrix, "m": np.zeros(3)})


def test_extrema_are_found_in_vectors() -> None:
    assert "double4 max_" in source_of(extremum(F64, "max", 19, 8))
    assert "float8 min_" in source_of(extremum(F32, "min", 19, 8))
    assert "double4" not in source_of(extremum(F64, "max", 7, 1))


@pytest.mark.parametrize("odd", ["0", "%k1", "%q"])
def test_numbers_that_are_not_made_alike(odd: str) -> None:
    function = extremum(F64, "max", 24, 8, odd=odd)
    assert "double4" not in source_of(function)
    compare(function, arguments(function, F64))
