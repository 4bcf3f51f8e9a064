"""Large private arrays that are never alive together share memory."""

import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend.analysis.placement import private_bytes
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.targets.opencl import OpenClC
from tests.tl_backend.kernel.harness import GROUP, lower

CHAIN = """
func @f(%A: memref<f64x{n}>, %B: memref<f64x{n}>) {{
  %s = alloca -> memref<f64x4>
  %t = alloca -> memref<f64x{n}>
  axpby.n 1.0, %A, 0.0, %t : f64, memref<f64x{n}>, f64, memref<f64x{n}>
  %u = alloca -> memref<f64x{n}>
  axpby.n 1.0, %t, 0.0, %u : f64, memref<f64x{n}>, f64, memref<f64x{n}>
  lifetime_stop %t
  %v = alloca -> memref<f64x{n}>
  axpby.n 1.0, %u, 0.0, %v : f64, memref<f64x{n}>, f64, memref<f64x{n}>
  axpby.n 1.0, %v, 0.0, %B : f64, memref<f64x{n}>, f64, memref<f64x{n}>
}}
"""


def chain(n: int) -> Function:
    return parse(Source("f.tl", CHAIN.format(n=n))).functions[0]


def test_large_ones_share() -> None:
    text = OpenClC().unparse(lower(chain(8192), DEFAULT, GROUP).file)
    assert "uchar memory[131072]" in text
    assert "double *t = (double *)memory;" in text
    assert "double *u = (double *)(memory + 65536);" in text
    assert "double *v = (double *)memory;" in text
    assert "double s[4]" in text


def test_small_ones_have_arrays_of_their_own() -> None:
    text = OpenClC().unparse(lower(chain(64), DEFAULT, GROUP).file)
    assert all(f"double {name}[64]" in text for name in "tuv")


def test_what_is_shared_counts_once() -> None:
    assert max(private_bytes(chain(8192))) == 2 * 65536 + 32
    assert max(private_bytes(chain(64))) == 3 * 512 + 32
    lower(chain(65000), DEFAULT, GROUP)
    with pytest.raises(CompileError, match="E0625"):
        lower(chain(66000), DEFAULT, GROUP)
