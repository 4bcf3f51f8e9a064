"""Plans as primitives: what is written is read again, and computes what the kernel does."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.driver.mlir_texts import primitives_text
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.tpp.recognise import recognised
from einsum_front.mlir.tpp.unparse import unparse
from einsum_front.mlir.verify import check
from tests.mlir.tpp.operations import Array

EXAMPLES = Path(__file__).parents[3] / "examples"

PROGRAMS = {
    "chain": ("Q[k,p] += K[k,l] * I[l,q] * A[q,p]", "zero matmul matmul", ""),
    "layer": ("Q[k,p] = relu(K[k,l] * I[l,p] + b[k])", "zero broadcast fused_brgemm", "relu add"),
    "gelu": ("Q[k,p] = gelu(K[k,l] * I[l,p])", "zero fused_brgemm", "gelu "),
    "scaled": ("Q[k,p] = 0.5 * I[k,p] + sigmoid(I[k,p])", None, ""),
    "parts": ("Q[k,p] = tanh(I[k,p]) / (1.0 + exp(I[k,p]))", None, ""),
    "transposed": ("Q[k,p] = I[p,k]", "transpose", ""),
    "vector": ("v[k] = K[k,l] * x[l]", "zero matmul", ""),
    "rows": ("v[k] = I[k,p]", None, ""),
    "columns": ("v[p] = I[k,p]", None, ""),
    "maximum": ("v[k] = max{p}(I[k,p])", "reduce_max", ""),
    "minimum": ("v[p] = min{k}(I[k,p])", "negate reduce_max negate", ""),
    "slices": ("Q[k,p] = X[l,k,s] * Y[l,s,p]", None, ""),
}


def program(statement: str) -> str:
    declared = {
        "Q": "Q[4, 4]",
        "K": "K[4, 4] constant",
        "I": "I[4, 4]",
        "A": "A[4, 4]",
        "b": "b[4] constant",
        "v": "v[4]",
        "x": "x[4]",
        "X": "X[4, 4, 3]",
        "Y": "Y[4, 3, 4]",
    }
    used = [text for name, text in declared.items() if f"{name}[" in statement]
    return "\n".join([*(f"tensor {text}" for text in used), f"kernel f {{ {statement} }}", ""])


def made(path: Path) -> tuple[ef.CompiledKernel, mlir.Module]:
    (kernel,) = ef.compile(ef.parse(path)).values()
    text = primitives_text([kernel.translation])
    assert text is not None
    assert unparse(parse(Source("f.tpp", text))) == text
    module = parse(Source("f.tpp", text))
    check(module)
    return kernel, module


def agree(kernel: ef.CompiledKernel, module: mlir.Module) -> None:
    """Both run on the same numbers: modes of an element are in memory the other way round."""
    *_, function = module.functions
    numbers = np.random.default_rng(5)
    given: dict[str, Array] = {}
    for each in function.arguments:
        assert isinstance(each.type, mlir.MemrefType)
        shape = [size or 1 for size in each.type.shape]
        given[each.name] = numbers.uniform(-1, 1, shape)
    taken = {name: np.asfortranarray(each.T) for name, each in given.items()}
    batched = {name: each if name in function.constants else np.stack([each, each]) for name, each in taken.items()}
    kernel(**batched)
    interpret(module, function.name, [given[each.name] for each in function.arguments])
    for name, found in batched.items():
        if name not in function.constants:
            np.testing.assert_allclose(found[0], given[name].T, 1e-12, 1e-12)


def primitives(function: mlir.Function) -> list[mlir.Primitive]:
    return [each for each in function.body or () if isinstance(each, mlir.Primitive)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tmp_path: Path) -> None:
    statement, names, words = PROGRAMS[name]
    path = tmp_path / "f.ein"
    path.write_text(program(statement), encoding="utf-8")
    kernel, module = made(path)
    (function,) = module.functions
    found = primitives(function)
    if names is not None:
        assert " ".join(each.name for each in found) == names
    if words:
        assert f"{found[-1].unary} {found[-1].binary}" == words
    assert not any(isinstance(each, mlir.Structured) for each in function.body or ())
    agree(kernel, module)


def test_the_perceptron_comes_back_as_fused_products(tmp_path: Path) -> None:
    _, module = made(EXAMPLES / "tpp" / "perceptron.tpp")
    (function,) = module.functions
    fused = [each for each in primitives(function) if each.name == "fused_brgemm"]
    assert [(each.unary, each.binary) for each in fused] == [("relu", "add")] * 2
    assert function.constants == ("w1", "b1", "w2", "b2")


LOOP = """
    func.func @f(%a: memref<3x4x5xf64>, %b: memref<4x3x5xf64>, %c: memref<4x5xf64>, %d: memref<4x5xf64>) {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %2 = arith.constant 3 : index
      scf.for %k = %0 to %2 step %1 {
        %x = memref.subview %a[%k, 0, 0] [1, 4, 4] [1, 1, 1]
            : memref<3x4x5xf64> to memref<4x4xf64, strided<[5, 1], offset: ?>>
        %y = memref.subview %b[0, %k, 0] [4, 1, 5] [1, 1, 1]
            : memref<4x3x5xf64> to memref<4x5xf64, strided<[15, 1], offset: ?>>
        linalg.matmul
            ins(%x, %y : memref<4x4xf64, strided<[5, 1], offset: ?>>, memref<4x5xf64, strided<[15, 1], offset: ?>>)
            outs(%c : memref<4x5xf64>)
      }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                      iterator_types = ["parallel", "parallel"]} ins(%d : memref<4x5xf64>) outs(%c : memref<4x5xf64>) {
      ^bb0(%in: f64, %out: f64):
        %s = arith.addf %out, %in : f64
        %e = math.exp %s : f64
        linalg.yield %e : f64
      }
      return
    }
"""


def test_a_loop_over_products_is_one_sum_of_them() -> None:
    module = parse(Source("f.mlir", LOOP))
    found = recognised(module)
    check(found)
    (function,) = found.functions
    (product,) = primitives(function)
    assert (product.name, product.unary, product.binary) == ("fused_brgemm", "exp", "add")
    numbers = np.random.default_rng(0)
    one = [numbers.uniform(-1, 1, shape) for shape in ((3, 4, 5), (4, 3, 5), (4, 5), (4, 5))]
    other = [each.copy() for each in one]
    interpret(module, "f", one)
    interpret(found, "f", other)
    np.testing.assert_allclose(one[2], other[2], 1e-13)


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("step %1", "step %2"),
        ("to %2 step", "to %0 step"),
        ("[1, 4, 4] [1, 1, 1]\n            : memref<3x4x5", "[1, 4, 4] [1, 1, 2]\n            : memref<3x4x7"),
    ],
)
def test_other_loops_over_products_stay_loops(plain: str, other: str) -> None:
    """Steps of the loop and of its views are not those of a sum of products; a loop that never runs adds nothing."""
    text = LOOP.replace(plain, other)
    if "x7xf64" in text:
        text = text.replace("%a: memref<3x4x5", "%a: memref<3x4x7").replace("strided<[5, 1]", "strided<[7, 2]")
    module = parse(Source("f.mlir", text))
    found = recognised(module)
    check(found)
    (function,) = found.functions
    assert any(isinstance(each, mlir.For) for each in function.body or ())


def test_the_command_line_writes_primitives(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(EXAMPLES / "tpp" / "perceptron.tpp"), "--emit", "tpp"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("func.func @perceptron(")
    assert "tpp.fused_brgemm [unary = relu, binary = add]" in text
