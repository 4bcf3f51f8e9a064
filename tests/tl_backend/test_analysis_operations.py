"""Operations of one work-group, and whether their number is known before the launch."""

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.analysis.effects import depends_on_launch, operations
from einsum_front.tl_backend.parse import parse

ARGUMENTS = "%A: memref<f32x4x8>, %B: memref<f32x8x?>, %c: memref<f32x4>, %n: index, %x: f32"
COPY = "axpby.n 1.0, %c, 0.0, %c : f32, memref<f32x4>, f32, memref<f32x4>"


@pytest.mark.parametrize(
    ("body", "count", "is_open"),
    [
        ("", 0, False),
        ("%y = arith.add %x, 1.0 : f32", 1, False),
        (COPY, 8, False),
        ("sum.n 1.0, %A, 0.0, %c : f32, memref<f32x4x8>, f32, memref<f32x4>", 64, False),
        ("sum.t 1.0, %B, 0.0, %c : f32, memref<f32x8x?>, f32, memref<f32x4>", 64, False),
        ("sum.n 1.0, %B, 0.0, %c : f32, memref<f32x8x?>, f32, memref<f32x8>", 16, True),
        (f"for %i = 0, 7, 2 {{ {COPY} }}", 32, False),
        (f"for %i = 0, %n {{ {COPY} }}", 8, True),
        ("foreach %i = 1, 4 { %y = arith.mul %x, %x : f32 }", 3, False),
        ("foreach %i = %n, 4 { %y = arith.mul %x, %x : f32 }", 1, True),
        (f"if true {{ {COPY} }} else {{ {COPY} {COPY} }}", 8, False),
    ],
)
def test_operations(body: str, count: int, is_open: bool) -> None:
    (function,) = parse(Source("test.tl", f"func @f({ARGUMENTS}) {{ {body} }}")).functions
    assert (operations(function), depends_on_launch(function)) == (count, is_open)
