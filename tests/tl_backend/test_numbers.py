"""Numbers of all types, those that devices do not run too: what they mean in NumPy, and how they are written."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Source
from einsum_front.core.numbers import bf16
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check

RANDOM = np.random.default_rng(3)
TYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "bf16": bf16(),
    "c32": np.dtype(np.complex64),
    "c64": np.dtype(np.complex128),
}

SAID = """
func @f(%A: memref<TYPEx5>, %B: memref<TYPEx5>, %C: memref<TYPEx9>, %s: TYPE) {
  parallel {
    %c0 = constant 0 : index  %c1 = constant 1 : index  %c2 = constant 2 : index  %c3 = constant 3 : index
    %c4 = constant 4 : index  %c5 = constant 5 : index  %c6 = constant 6 : index
    %half = constant HALF : TYPE
    %a = load %A[%c0] : TYPE
    %b = load %B[%c1] : TYPE
    %0 = add %a, %half : TYPE  store %0, %C[%c0]
    %1 = sub %a, %b : TYPE  store %1, %C[%c1]
    %2 = mul %a, %b : TYPE  store %2, %C[%c2]
    %3 = div %a, %b : TYPE  store %3, %C[%c3]
    %4 = neg %a : TYPE  store %4, %C[%c4]
    %5 = exp %s : TYPE  store %5, %C[%c5]
    %is = not_equal %a, %b : bool
    %6 = if %is -> (TYPE) { yield (%a) } else { yield (%b) }
    store %6, %C[%c6]
  }
}
"""


def numbers(dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Numbers from 0.5 to 1.5, with an imaginary part if they are complex."""
    imaginary = 1j * RANDOM.uniform(0.5, 1.5, count) if dtype.kind == "c" else 0
    return np.asarray(RANDOM.uniform(0.5, 1.5, count) + imaginary).astype(dtype)


@pytest.mark.parametrize("word", TYPES)
def test_scalars_are_numbers_of_their_type(word: str) -> None:
    dtype = TYPES[word]
    half = "[0.5, -0.25]" if word[0] == "c" else "0.5"
    program = parse(Source("f.ir", SAID.replace("TYPE", word).replace("HALF", half)))
    check(program)
    for edition in (None, Edition.TINYTC_0_4):
        text = unparse(program) if edition is None else unparse(program, edition)
        again = parse(Source("again.ir", text))
        check(again)
        assert unparse(again) == unparse(parse(Source("f.tl", unparse(again))))
        a, b, c, s = numbers(dtype, 5), numbers(dtype, 5), np.zeros(9, dtype), numbers(dtype, 1)[0]
        interpret(again.functions[0], {"A": a, "B": b, "C": c, "s": s}, 1)
        half_ = dtype.type(0.5 - 0.25j if word[0] == "c" else 0.5)
        x, y = a[0], b[1]
        power = np.exp(s.astype(np.complex128 if word[0] == "c" else np.float64)).astype(dtype)
        expected = np.array([x + half_, x - y, x * y, x / y, -x, power, x, 0, 0], dtype)
        wide = np.complex128 if word[0] == "c" else np.float64
        rounding = {"f16": 1e-3, "bf16": 8e-3, "c32": 1e-6, "c64": 1e-14}[word]
        np.testing.assert_allclose(c.astype(wide), expected.astype(wide), rtol=rounding)


def test_parts_of_complex_numbers_are_real() -> None:
    text = """
    func @f(%A: memref<c32x2>, %B: memref<f32x3>, %C: memref<c64x3>) {
      parallel {
        %c0 = constant 0 : index  %c1 = constant 1 : index  %c2 = constant 2 : index
        %a = load %A[%c0] : c32
        %0 = re %a : f32  store %0, %B[%c0]
        %1 = im %a : f32  store %1, %B[%c1]
        %2 = abs %a : f32  store %2, %B[%c2]
        %3 = conj %a : c32
        %4 = cast %3 : c64  store %4, %C[%c0]
        %5 = cast %0 : c64  store %5, %C[%c1]
        %6 = exp2 %4 : c64  store %6, %C[%c2]
      }
    }"""
    program = parse(Source("f.ir", text))
    check(program)
    a, b, c = numbers(np.dtype(np.complex64), 2), np.zeros(3, np.float32), np.zeros(3, np.complex128)
    interpret(program.functions[0], {"A": a, "B": b, "C": c}, 1)
    x = a[0]
    np.testing.assert_allclose(b, [x.real, x.imag, abs(x)], rtol=1e-6)
    np.testing.assert_allclose(c, [x.conj(), x.real, 2 ** np.complex128(x.conj())], rtol=1e-7)


@pytest.mark.parametrize(("word", "sums"), [("f16", np.float32), ("bf16", np.float32), ("c32", np.complex64)])
def test_products_of_matrices_are_sums_in_the_wide_type(word: str, sums: type[np.generic]) -> None:
    matrix = f"memref<{word}x4x4>"
    half = "[0.5, 1.0]" if word[0] == "c" else "0.5"
    said = f"gemm.n.t {half}, %A, %B, 1.0, %C : {word}, {matrix}, {matrix}, {word}, {matrix}"
    program = parse(Source("f.tl", f"func @f(%A: {matrix}, %B: {matrix}, %C: {matrix}) {{ {said} }}"))
    check(program)
    a, b, c = (np.asfortranarray(numbers(TYPES[word], 16).reshape(4, 4)) for _ in range(3))
    factor = sums(0.5 + 1j) if word[0] == "c" else sums(0.5)
    expected = (factor * (a.astype(sums) @ b.astype(sums).T) + c.astype(sums)).astype(c.dtype)
    interpret(program.functions[0], {"A": a, "B": b, "C": c}, 1)
    np.testing.assert_allclose(c.astype(sums), expected.astype(sums), rtol=1e-2 if word == "bf16" else 2e-3)
