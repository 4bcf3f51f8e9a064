"""Functions of linalg as contraction graphs and kernels: what they compute, the batch, sizes, and what is refused."""

import math
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given

import einsum_front as ef
from einsum_front import ir
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.ir.contraction.unparse import unparse as unparse_graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.named import make
from einsum_front.mlir.named_tables import BINARY, CONTRACTIONS, CONVOLUTIONS, UNARY
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.mlir.verify import check
from tests.mlir.programs import arrays, element_of, function
from tests.mlir.running import distance, run_graph
from tests.mlir.test_language import SEEDS, operands

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "linalg").glob("*.mlir"))


def graph_of(text: str, batch: str | None = None) -> ir.Graph:
    module = parse(Source("t.mlir", text))
    check(module)
    (graph,) = graphs(module, batch=batch)
    return graph


@given(SEEDS)
def test_the_graph_computes_what_the_function_says(seed: int) -> None:
    module = function(Random(seed))
    given_ = arrays(module, seed)
    expected = interpret(module, "f", [each.copy() for each in given_])
    tolerance = 1e-12 if element_of(module) is mlir.ScalarType.F64 else 1e-5
    for batch in (None, "none"):
        (graph,) = graphs(module, batch=batch)
        assert distance(run_graph(graph, module.functions[0], given_, expected), expected) <= tolerance


@pytest.mark.parametrize("name", [*CONTRACTIONS, *CONVOLUTIONS])
def test_the_graph_of_a_named_operation(name: str) -> None:
    given_ = operands(name)
    result = mlir.Value("r", given_[2].type)
    operation = make(name, given_[:2], given_[2:], (result,))
    module = mlir.Module((mlir.Function("f", tuple(given_), (result.type,), (operation, mlir.Return((result,)))),))
    generator = np.random.default_rng(1)
    shapes = [each.type.shape for each in given_ if isinstance(each.type, mlir.TensorType)]
    values = [generator.random([size or 1 for size in shape]) for shape in shapes]
    expected = interpret(module, "f", [each.copy() for each in values])
    (graph,) = graphs(module)
    assert distance(run_graph(graph, module.functions[0], values, expected), expected) <= 1e-12


STRIDED = """
func.func @f(%x: tensor<1x9x9x2xf64>, %w: tensor<3x3x2x4xf64>) -> tensor<1x3x3x4xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x3x3x4xf64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<1x3x3x4xf64>) -> tensor<1x3x3x4xf64>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x2xf64>, tensor<3x3x2x4xf64>) outs(%s : tensor<1x3x3x4xf64>) -> tensor<1x3x3x4xf64>
  return %y : tensor<1x3x3x4xf64>
}"""


def test_a_convolution_with_strides() -> None:
    module = parse(Source("t.mlir", STRIDED))
    check(module)
    given_ = [np.random.default_rng(0).random(shape) for shape in ((1, 9, 9, 2), (3, 3, 2, 4))]
    expected = interpret(module, "f", given_)
    (graph,) = graphs(module, batch="none")
    assert distance(run_graph(graph, module.functions[0], given_, expected), expected) <= 1e-12


CHAIN = """
func.func @f(%a: tensor<?x8x8xf64>, %b: tensor<8x8xf64>, %v: tensor<?x8xf64>) -> tensor<?x8xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x8x8xf64>
  %e = tensor.empty(%n) : tensor<?x8x8xf64>
  %s = linalg.fill ins(%zero : f64) outs(%e : tensor<?x8x8xf64>) -> tensor<?x8x8xf64>
  %m = linalg.contract indexing_maps = [affine_map<(n, i, j, k) -> (n, i, k)>, affine_map<(n, i, j, k) -> (k, j)>,
      affine_map<(n, i, j, k) -> (n, i, j)>] ins(%a, %b : tensor<?x8x8xf64>, tensor<8x8xf64>)
      outs(%s : tensor<?x8x8xf64>) -> tensor<?x8x8xf64>
  %e1 = tensor.empty(%n) : tensor<?x8xf64>
  %s1 = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?x8xf64>) -> tensor<?x8xf64>
  %r = linalg.batch_matvec ins(%m, %v : tensor<?x8x8xf64>, tensor<?x8xf64>)
      outs(%s1 : tensor<?x8xf64>) -> tensor<?x8xf64>
  return %r : tensor<?x8xf64>
}"""


def test_a_chain_of_products_is_one_contraction_of_the_batch() -> None:
    text = unparse_graph(graph_of(CHAIN, "0"))
    assert text.count("contract") == 1
    assert "constant" in text
    assert "sum n" not in text


@pytest.mark.parametrize(
    ("batch", "shapes"),
    [(None, {"a": 3, "b": 2, "v": 2}), ("0", {"a": 2, "b": 2, "v": 1}), ("none", {"a": 3, "b": 2, "v": 2})],
)
def test_the_batch_is_taken_or_asked_for(batch: str | None, shapes: dict[str, int]) -> None:
    graph = graph_of(CHAIN, batch)
    assert {each.name: each.order for each in graph.arguments if each.name in shapes} == shapes


def test_a_size_that_is_not_known_is_one_of_the_kernel() -> None:
    assert "nxnx8" not in unparse_graph(graph_of(CHAIN, "none"))
    assert "nx8x8" in unparse_graph(graph_of(CHAIN, "none")).replace("[", "").replace("]", "")


def test_a_mode_that_is_no_batch_says_why() -> None:
    with pytest.raises(CompileError, match=r"E0827.* it is mode 0 and mode 1 of `%a`"):
        graph_of(SUMMED, "0")


SUMMED = """
func.func @f(%a: tensor<4x4xf64>, %c: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.matvec ins(%a, %c : tensor<4x4xf64>, tensor<4xf64>) outs(%c : tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}"""


def test_a_result_without_the_batch_of_another_has_no_batch() -> None:
    text = """
    func.func @f(%a: tensor<4x3xf64>, %b: tensor<2xf64>) -> (tensor<4x3xf64>, tensor<2xf64>) {
      return %a, %b : tensor<4x3xf64>, tensor<2xf64>
    }"""
    assert [each.order for each in graph_of(text).arguments] == [2, 1, 2, 1]


def test_index_strings_of_torch_lose_their_reshapes() -> None:
    """What torch-mlir makes of `bik,kj->bij`: two modes are put together, multiplied and taken apart again."""
    text = """
    func.func @f(%x: tensor<3x4x5xf64>, %w: tensor<5x6xf64>) -> tensor<3x4x6xf64> {
      %zero = arith.constant 0.0 : f64
      %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x4x5xf64> into tensor<12x5xf64>
      %e = tensor.empty() : tensor<12x6xf64>
      %s = linalg.fill ins(%zero : f64) outs(%e : tensor<12x6xf64>) -> tensor<12x6xf64>
      %m = linalg.matmul ins(%c, %w : tensor<12x5xf64>, tensor<5x6xf64>) outs(%s : tensor<12x6xf64>) -> tensor<12x6xf64>
      %r = tensor.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 6] : tensor<12x6xf64> into tensor<3x4x6xf64>
      return %r : tensor<3x4x6xf64>
    }"""
    shown = unparse_graph(graph_of(text))
    assert shown.count("contract") == 1
    assert "4x5 batched" in shown
    assert "5x6 constant" in shown


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_run_at_all_levels(path: Path) -> None:
    for kernel in ef.compile(ef.parse(path)).values():
        assert all(comparison.agrees for comparison in kernel.verify())


def test_a_kernel_of_a_text_computes_the_text() -> None:
    layer = ef.compile(ef.parse(EXAMPLES[0]))["layer"]
    generator = np.random.default_rng(0)
    x, w, b = (generator.uniform(-1, 1, s).astype("float32") for s in ((7, 12, 20), (20, 16), (16,)))
    result = np.zeros((7, 12, 16), "float32")
    layer(x=x, w=w, b=b, result=result)
    assert np.allclose(result, np.maximum(x @ w + b, 0), rtol=1e-5, atol=1e-5)


OF_NUMPY: dict[str, Callable[..., np.ndarray]] = {
    "abs": np.abs,
    "add": np.add,
    "ceil": np.ceil,
    "div": np.divide,
    "erf": np.vectorize(math.erf),
    "exp": np.exp,
    "floor": np.floor,
    "log": np.log,
    "max": np.maximum,
    "min": np.minimum,
    "mul": np.multiply,
    "negf": np.negative,
    "powf": np.power,
    "reciprocal": lambda x: 1 / x,
    "round": lambda x: np.trunc(x + 0.5),  # of positive numbers
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt,
    "square": lambda x: x * x,
    "sub": np.subtract,
    "tanh": np.tanh,
}


def test_elementwise_operations_compute_what_their_names_say(tmp_path: Path) -> None:
    names = sorted(UNARY.keys() | (BINARY.keys() - {"max_signed", "min_signed"}))
    types = ", ".join(["tensor<7xf64>"] * len(names))
    lines = [
        f"func.func @f(%x: tensor<7xf64>, %y: tensor<7xf64>) -> ({types}) {{",
        "  %e = tensor.empty() : tensor<7xf64>",
    ]
    for name in names:
        given_ = "%x, %y : tensor<7xf64>, tensor<7xf64>" if name in BINARY else "%x : tensor<7xf64>"
        lines.append(f"  %{name} = linalg.{name} ins({given_}) outs(%e : tensor<7xf64>) -> tensor<7xf64>")
    lines += [f"  return {', '.join(f'%{name}' for name in names)} : {types}", "}", ""]
    (tmp_path / "f.mlir").write_text("\n".join(lines), encoding="utf-8")
    kernel = ef.compile(ef.parse(tmp_path / "f.mlir"), batch_dim="none")["f"]
    x, y = np.random.default_rng(0).uniform(0.6, 3.4, (2, 1, 7))
    results = {f"result{number}": np.zeros((1, 7)) for number in range(len(names))}
    kernel(x=x, y=y, **results)
    for name, found in zip(names, results.values(), strict=True):
        expected = OF_NUMPY[name](x, y) if name in BINARY else OF_NUMPY[name](x)
        np.testing.assert_allclose(found, expected, rtol=1e-13, err_msg=name)


@pytest.mark.parametrize(("word", "expected"), [("sitofp", -1.0), ("uitofp", 1.0)])
def test_the_bit_of_a_condition_is_a_sign_where_it_is_signed(word: str, expected: float) -> None:
    text = f"""#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<2xf64>, %o: tensor<2xf64>) -> tensor<2xf64> {{
  %z = arith.constant 0.0 : f64
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%x : tensor<2xf64>) outs(%o : tensor<2xf64>) {{
  ^bb0(%a: f64, %b: f64):
    %c = arith.cmpf ogt, %a, %z : f64
    %d = arith.{word} %c : i1 to f64
    linalg.yield %d : f64
  }} -> tensor<2xf64>
  return %r : tensor<2xf64>
}}
"""
    x, o = np.array([2.0, -2.0]), np.zeros(2)
    module = parse(Source("t.mlir", text))
    (said,) = interpret(module, "f", [x, o])
    np.testing.assert_array_equal(said, [expected, 0.0])
    (computed,) = run_graph(graph_of(text, "none"), module.functions[0], [x, o], [said])
    np.testing.assert_array_equal(computed, said)
