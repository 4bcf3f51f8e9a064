"""The language: what is printed is read back, what is built is right, and what it means."""

import re
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.named import make
from einsum_front.mlir.named_tables import CONTRACTIONS, CONVOLUTIONS
from einsum_front.mlir.parse import parse
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import verify
from tests.mlir.programs import Array, function
from tests.profiles import share

SEEDS = st.integers(0, 2**32)

PRETTY = """
#map = affine_map<(d0, d1, d2) -> (d2, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#loc1 = loc("ik,kj->ij"("a.ein":4:1))
module @things attributes {torch.debug_module_name = "m"} {
  func.func private @declared(memref<5x4xf64, strided<[8, 1], offset: ?>>)
  func.func @f(%arg0: tensor<5x4xf64>, %arg1: tensor<5x6xf64> loc("x.py":1:2),
               %arg2: tensor<4x6xf64>) -> tensor<6xf64> {
    %cst = arith.constant 0xFFF0000000000000 : f64
    %c:2 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map2],
                           iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%arg0, %arg1 : tensor<5x4xf64>, tensor<5x6xf64>)
        outs(%arg2, %arg2 : tensor<4x6xf64>, tensor<4x6xf64>) {
    ^bb0(%in: f64, %in_0: f64, %out: f64, %out_1: f64):
      %p = arith.mulf %in, %in_0 fastmath<contract> : f64
      %s = arith.addf %out, %p : f64
      %l = arith.cmpf ugt, %p, %out_1 : f64
      %m = arith.select %l, %p, %out_1 : f64
      linalg.yield %s, %m : f64, f64
    } -> (tensor<4x6xf64>, tensor<4x6xf64>) loc(#loc1)
    %e = tensor.empty() : tensor<6xf64>
    %start = linalg.fill ins(%cst : f64) outs(%e : tensor<6xf64>) -> tensor<6xf64>
    %r = linalg.reduce { arith.maximumf } ins(%c#0 : tensor<4x6xf64>) outs(%start : tensor<6xf64>) dimensions = [0]
    %x = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%r : tensor<6xf64>)
        outs(%e : tensor<6xf64>) -> tensor<6xf64>
    return %x : tensor<6xf64>
  } loc("here")
}
"""


def read(text: str) -> mlir.Module:
    module = parse(Source("t.mlir", text))
    assert list(verify(module)) == []
    return module


def run(text: str, *arguments: Array) -> tuple[Array, ...]:
    module = read(text)
    return interpret(module, module.functions[-1].name, arguments)


@given(SEEDS)
def test_what_is_printed_is_read_back(seed: int) -> None:
    module = function(Random(seed))
    assert list(verify(module)) == []
    assert parse(Source("again.mlir", unparse(module))) == module


test_what_is_printed_is_read_back = share(0.5)(test_what_is_printed_is_read_back)


def test_forms_of_printers_are_read_and_written_in_the_generic_form() -> None:
    module = read(PRETTY)
    assert read(unparse(module)) == module
    assert module.name == "things"
    assert module.functions[1].location == "here"
    assert 'loc("ik,kj->ij")' in unparse(module)


def test_the_meaning_of_what_printers_write() -> None:
    generator = np.random.default_rng(0)
    a, b, c = (generator.random(shape) for shape in ((5, 4), (5, 6), (4, 6)))
    (found,) = run(PRETTY, a, b, c)
    assert np.allclose(found, np.exp((c + a.T @ b).max(axis=0)))


def operands(name: str, element: mlir.ScalarType = mlir.ScalarType.F64) -> list[mlir.Value]:
    """Operands of a named operation, extents by the letters of its table."""
    dims, spec = {**CONTRACTIONS, **CONVOLUTIONS}[name]
    sizes = {letter: number + 2 for number, letter in enumerate(dims)}
    found = []
    for number, part in enumerate(spec.replace("->", ",").split(",")):
        words = part.split() if name in CONVOLUTIONS else list(part)
        shape = (sum(sizes[letter] for letter in word.split(":")) - word.count(":") for word in words)
        found.append(mlir.Value(f"a{number}", mlir.TensorType(tuple(shape), element)))
    return found


@pytest.mark.parametrize("name", CONTRACTIONS)
def test_a_named_contraction_is_its_index_string(name: str) -> None:
    given_ = operands(name)
    result = mlir.Value("r", given_[2].type)
    operation = make(name, given_[:2], given_[2:], (result,))
    module = mlir.Module((mlir.Function("f", tuple(given_), (result.type,), (operation, mlir.Return((result,)))),))
    assert read(unparse(module)) == module
    generator = np.random.default_rng(1)
    a, b, c = (generator.random([size or 1 for size in shape_of(each)]) for each in given_)
    (found,) = interpret(module, "f", (a, b, c))
    assert np.allclose(found, c + np.einsum(CONTRACTIONS[name][1], a, b))


def shape_of(value: mlir.Value) -> tuple[int | None, ...]:
    assert isinstance(value.type, mlir.TensorType)
    return value.type.shape


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_a_named_convolution_reads_back(name: str) -> None:
    given_ = operands(name)
    result = mlir.Value("r", given_[2].type)
    operation = make(name, given_[:2], given_[2:], (result,))
    module = mlir.Module((mlir.Function("f", tuple(given_), (result.type,), (operation, mlir.Return((result,)))),))
    assert read(unparse(module)) == module
    assert "memoized_indexing_maps" in unparse(module)


def test_views_of_memory_share_it() -> None:
    text = """
    func.func @f(%m: memref<4x6xf64>) {
      %half = arith.constant 0.5 : f64
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c2 {
        %s = memref.subview %m[%i, 1] [1, 3] [1, 2] : memref<4x6xf64> to memref<3xf64, strided<[2], offset: ?>>
        linalg.fill ins(%half : f64) outs(%s : memref<3xf64, strided<[2], offset: ?>>)
      }
      %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xf64> to memref<6x4xf64, strided<[1, 6]>>
      %u = memref.subview %t[0, 3] [1, 1] [1, 1] : memref<6x4xf64, strided<[1, 6]>>
          to memref<1x1xf64, strided<[1, 6], offset: 18>>
      linalg.fill ins(%half : f64) outs(%u : memref<1x1xf64, strided<[1, 6], offset: 18>>)
      return
    }
    """
    memory = np.zeros((4, 6))
    assert run(text, memory) == ()
    expected = np.zeros((4, 6))
    expected[::2, 1::2] = expected[3, 0] = 0.5
    assert np.array_equal(memory, expected)


OPEN_SIZES = """
func.func @f(%a: tensor<?x4xf64>, %b: tensor<?x3xf64>) -> tensor<?x4xf64> {
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf64> into tensor<?xf64>
  %w = tensor.expand_shape %v [[0, 1]] : tensor<?xf64> into tensor<?x4xf64>
  return %w : tensor<?x4xf64>
}
"""


def test_expansions_of_older_printers_find_their_open_size() -> None:
    a = np.arange(12.0).reshape(3, 4)
    (found,) = run(OPEN_SIZES, a, np.zeros((1, 3)))
    np.testing.assert_array_equal(found, a)
    other = OPEN_SIZES.replace("%a [[0, 1]] : tensor<?x4", "%b [[0, 1]] : tensor<?x3")
    with pytest.raises(CompileError, match="is made one of shape"):
        run(other, a, np.zeros((3, 3)))


def test_comparisons_of_nan() -> None:
    nan = np.array([np.nan, 1.0])
    for predicate, result in {"oeq": [0, 1], "ueq": [1, 1], "une": [1, 0], "ord": [0, 1], "uno": [1, 0]}.items():
        text = f"""
        func.func @f(%a: tensor<2xf64>) -> tensor<2xf64> {{
          %one = arith.constant 1.0 : f64
          %zero = arith.constant 0.0 : f64
          %m = linalg.map ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) (%x: f64, %y: f64) {{
            %c = arith.cmpf {predicate}, %x, %one : f64
            %r = arith.select %c, %one, %zero : f64
            linalg.yield %r : f64
          }}
          return %m : tensor<2xf64>
        }}"""
        assert run(text, nan)[0].tolist() == result, predicate


def test_the_grammar_above_the_nodes_names_every_type() -> None:
    assert all(f'"{each.value}"' in re.sub(r"\s+", " ", mlir.__doc__ or "") for each in mlir.ScalarType)
