"""Transformed loops compute what they computed; what a step does not allow is an error with its place."""

import re
from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.transform import parse_steps, transformed
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import check
from tests.mlir.programs import Array

LAYER = """
func.func @f(%a: memref<MxKxf64>, %b: memref<KxNxf64>, %c: memref<MxNxf64>, %d: memref<MxNxf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<MxNxf64>)
  linalg.matmul ins(%a, %b : memref<MxKxf64>, memref<KxNxf64>) outs(%c : memref<MxNxf64>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<MxNxf64>) outs(%d : memref<MxNxf64>) {
  ^bb0(%x: f64, %y: f64):
    %z = arith.maximumf %x, %zero : f64
    linalg.yield %z : f64
  }
  return
}
"""
HIGHER = """
func.func @f(%a: memref<3x4x5xf64>, %b: memref<5x6xf64>, %c: memref<3x4x6xf64>) {
  linalg.contract indexing_maps = [affine_map<(i, j, k, n) -> (i, j, k)>, affine_map<(i, j, k, n) -> (k, n)>,
                                   affine_map<(i, j, k, n) -> (i, j, n)>]
    ins(%a, %b : memref<3x4x5xf64>, memref<5x6xf64>) outs(%c : memref<3x4x6xf64>)
  return
}
"""
WINDOW = """
func.func @f(%a: memref<11x12xf64>, %b: memref<3x2xf64>, %c: memref<9x11xf64>) {
  linalg.conv_2d ins(%a, %b : memref<11x12xf64>, memref<3x2xf64>) outs(%c : memref<9x11xf64>)
  return
}
"""
SCRIPTS = {
    "tiles": "tile_using_for matmul [8, 8, 4]",
    "not all": "tile_using_for matmul [0, 3]",
    "promoted": "tile_using_for matmul [8, 8, 4]\npromote matmul [0, 1, 2]",
    "filled by tile": "tile_using_for matmul [8, 8, 4]\nfuse_into_containing_op fill",
    "one nest": "tile_using_for generic [4, 6]\nfuse_into_containing_op matmul\nfuse_into_containing_op fill",
    "again": "tile_using_for matmul [8, 8, 0]\ntile_using_for matmul [3, 2, 5]\npromote matmul [1]",
    "numbers": "loops matmul\nloops generic#1 [1]",
    "rows": "loops matmul [0] // a product of a vector and a matrix is left",
    "called": "tile_using_for matmul [8, 8, 4]\nlibrary_call matmul product",
}


def layer(m: str, k: str, n: str) -> str:
    return LAYER.replace("MxK", f"{m}x{k}").replace("KxN", f"{k}x{n}").replace("MxN", f"{m}x{n}")


def steps_of(text: str) -> Source:
    return Source("t.steps", text)


def applied(text: str, script: str) -> mlir.Module:
    module = parse(Source("t.mlir", text))
    check(module)
    found = transformed(module, parse_steps(steps_of(script)))
    check(found)
    assert parse(Source("u.mlir", unparse(found))) == found
    return found


def compared(text: str, module: mlir.Module, shapes: list[tuple[int, ...]]) -> None:
    random = np.random.default_rng(1)
    given: list[Array] = [random.uniform(-1, 1, shape) for shape in shapes]
    expected = [np.copy(each) for each in given]
    interpret(parse(Source("t.mlir", text)), "f", expected)
    found = [np.copy(each) for each in given]
    interpret(module, "f", found)
    for one, other in zip(found, expected, strict=True):
        assert np.max(np.abs(np.asarray(one, float) - np.asarray(other, float))) < 1e-13


def operations(module: mlir.Module) -> Iterator[mlir.Operation]:
    def walk(body: tuple[mlir.Operation, ...]) -> Iterator[mlir.Operation]:
        for each in body:
            yield each
            if isinstance(each, mlir.For):
                yield from walk(each.body)

    for function in module.functions:
        yield from walk(function.body or ())


@pytest.mark.parametrize("sizes", [(20, 9, 20), (9, 5, 10), (24, 8, 16), (17, 1, 9)])
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_numbers_stay(name: str, sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    text = layer(*map(str, sizes))
    compared(text, applied(text, SCRIPTS[name]), [(m, k), (k, n), (m, n), (m, n)])


@pytest.mark.parametrize("name", SCRIPTS)
def test_dynamic_sizes(name: str) -> None:
    text = layer("?", "?", "?")
    compared(text, applied(text, SCRIPTS[name]), [(20, 9), (9, 20), (20, 20), (20, 20)])


@pytest.mark.parametrize("seed", range(6))
def test_tiles_of_any_size(seed: int) -> None:
    random = Random(seed)
    m, k, n = (random.randint(1, 12) for _ in range(3))
    sizes = [random.randint(0, 6) for _ in range(3)]
    text = layer(str(m), str(k), str(n))
    compared(text, applied(text, f"tile_using_for matmul {sizes}"), [(m, k), (k, n), (m, n), (m, n)])


def test_tails() -> None:
    """20 x 20 x 9 by 8, 8 and 4 are 3 x 3 x 3 tiles; the last ones have 4, 4 and 1 iterations."""
    module = applied(layer("20", "9", "20"), SCRIPTS["tiles"])
    text = unparse(module)
    assert text.count("scf.for") == 3
    assert text.count('"arith.minsi"') == 3
    sizes = {(i, j, k): (min(8, 20 - i), min(8, 20 - j), min(4, 9 - k)) for i, j, k in WALK}
    assert len(sizes) == 27
    assert sizes[16, 16, 8] == (4, 4, 1)


WALK = list(product(range(0, 20, 8), range(0, 20, 8), range(0, 9, 4)))


def test_a_fused_nest_makes_no_entry_twice() -> None:
    module = applied(layer("20", "9", "20"), SCRIPTS["one nest"])
    (function,) = module.functions
    found = [each.name for each in operations(module) if isinstance(each, mlir.Structured)]
    assert found == ["fill", "matmul", "generic"]
    assert not any(isinstance(each, mlir.Structured) for each in function.body or ())


def test_a_product_is_loops_over_matrix_products() -> None:
    module = applied(HIGHER, "loops contract [0]")
    assert [each.name for each in operations(module) if isinstance(each, mlir.Structured)] == ["matmul"]
    compared(HIGHER, module, [(3, 4, 5), (5, 6), (3, 4, 6)])


def test_windows_are_cut_with_their_borders() -> None:
    module = applied(WINDOW, "tile_using_for conv_2d [4, 5, 2, 0]\npromote conv_2d [0]")
    compared(WINDOW, module, [(11, 12), (3, 2), (9, 11)])


REFUSED = {
    "tile matmul [8]": "E0844",
    "promote matmul": "E0844",
    "tile_using_for": "E0844",
    "library_call matmul [1]": "E0844",
    "tile_using_for dot [8]": "E0845",
    "tile_using_for matmul#1 [8]": "E0845",
    "tile_using_for matmul [1, 2, 3, 4]": "E0846",
    "promote matmul [3]": "E0846",
    "promote fill [0]": "E0846",
    "loops matmul [3]": "E0846",
    "fuse_into_containing_op fill": "E0846",
    "fuse_into_containing_op generic": "E0846",
    "tile_using_for generic [4]\nfuse_into_containing_op fill": "E0846",
    "tile_using_for matmul [0, 0, 4]\nfuse_into_containing_op fill": "E0846",
}


@pytest.mark.parametrize("script", REFUSED)
def test_what_is_refused(script: str) -> None:
    with pytest.raises(CompileError) as error:
        applied(layer("20", "9", "20"), script)
    assert [each.code for each in error.value.diagnostics] == [REFUSED[script]]
    shown = render_all(error.value.diagnostics)
    assert re.search(rf"t\.steps:{len(script.splitlines())}:1", shown)
    assert ("in the function `f`" in shown) == (REFUSED[script] == "E0846")


def test_a_window_walks_together() -> None:
    with pytest.raises(CompileError, match="tile it"):
        applied(WINDOW, "loops conv_2d [0]")


def test_tensors_are_no_memory() -> None:
    text = LAYER.replace("MxK", "2x3").replace("KxN", "3x4").replace("MxN", "2x4").split("  linalg.generic")[0]
    tensors = (
        text.replace("memref", "tensor")
        .replace("  linalg.fill", "  %e = linalg.fill")
        .replace("outs(%c : tensor<2x4xf64>)", "outs(%c : tensor<2x4xf64>) -> tensor<2x4xf64>")
        .replace("  linalg.matmul", "  %g = linalg.matmul")
    )
    with pytest.raises(CompileError, match="transformations are for memrefs"):
        applied(tensors + "  return\n}\n", "tile_using_for matmul [1]")
