"""What `--emit tpp` writes is read again as `check` reads it, and computes what the kernel does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.numbers import EPSILONS
from einsum_front.core.storage import ElementType, Storage
from einsum_front.driver import Session, translate_program, translate_text
from einsum_front.driver.mlir_texts import primitives_text
from einsum_front.driver.stages import GraphStages, Stages
from einsum_front.driver.targets import DEFAULT
from einsum_front.ir import Graph
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.scalars import DTYPES, stored
from einsum_front.mlir.tpp.unparse import unparse
from einsum_front.notation.parse import parse as parse_notation
from einsum_front.options import Level, Options
from tests.einsum_front.function_programs import FunctionProgram, function_programs
from tests.mlir.test_from_kernels import lying
from tests.mlir.tpp.operations import CASES, Case, text_of
from tests.mlir.tpp.test_generated import drawn
from tests.profiles import share

EXAMPLES = Path(__file__).parents[3] / "examples"
SIZED = {"points.ein": {"points": 35, "kept": 10}}
"""Sizes of examples that have some: a text of primitives has none for memory of its own."""

STATEMENTS = {
    "largest of rows": "y[i] = max{j}(A[ij])",
    "largest of columns": "z[j] = max{i}(A[ij])",
    "largest of all": "y[i] = A[ij] / max{j,k}(A[jk])",
    "smallest of rows": "y[i] = min{j}(A[ij])",
    "smallest of columns": "z[j] = 2 * min{i}(A[ij]) + z[j]",
    "smallest of what is computed": "y[i] = min{j}(exp(A[ij]) - z[j]) / 2",
    "largest over two tensors": "C[ij] = max{k}(A[ik] + B[kj])",
    "largest of a vector": "y[i] = y[i] / max{k}(y[k])",
    "numbers of scalars": "A[ij] = A[ij] / (eps * y[i])",
    "numbers of several scalars": "A[ij] = (eps - dt) * A[ij] / dt + eps**2 * dt",
    "one column": "D[ij] = y[i] * 1[j]",
    "sum of one column": "y[i] = D[ij]",
    "largest of one column": "y[i] = max{j}(D[ij])",
    "modes of one position": "E[k,p] = X[l,k=1:2,s] * W[k=1:2,s,p=0:1]",
    "largest along one position": "E[i,j] = max{k}(M[i,k] + W[k=0:2,j,0])",
    "in place": "A[i,j=1:4] = max{k}(A[i,k=0:3]) * 1[j]",
}

TEXTS = {
    "REDUCE_COL": "tpp.reduce_add ins(%a) outs(%c) : (memref<4x6xELEMENT>, memref<4x1xELEMENT>)",
    "REDUCE_ROW": "tpp.reduce_max ins(%a) outs(%r) : (memref<4x6xELEMENT>, memref<1x6xELEMENT>)",
    "a column of a matrix": """
      %0 = memref.subview %a [0, 0] [4, 1] [1, 1] : memref<4x6xELEMENT> to memref<4x1xELEMENT, strided<[6, 1]>>
      %1 = memref.subview %a [0, 1] [4, 3] [1, 1]
        : memref<4x6xELEMENT> to memref<4x3xELEMENT, strided<[6, 1], offset: 1>>
      tpp.reduce_max ins(%1) outs(%0)
      tpp.broadcast ins(%0) outs(%1)""",
    "scalars": """
      %0 = arith.mulf %s, %s : ELEMENT
      %1 = arith.negf %0 : ELEMENT
      tpp.broadcast ins(%1) outs(%b)""",
}
Array = Any


def check(stages: Sequence[Stages]) -> mlir.Module:
    """The kernels as primitives, read by what `check` reads texts with."""
    text = primitives_text(stages)
    assert text is not None
    source = Source("f.tpp", text)
    translate_text(Session(DEFAULT, Options()), source, Level.TPP)
    module = parse(source)
    assert unparse(module) == text
    return module


def agree(stages: Sequence[Stages]) -> None:
    """Both are run on the same numbers, by their interpreters."""
    module = check(stages)
    for each in stages:
        assert isinstance(each, GraphStages)
        graph = each.planned.written
        expected = arrays_of(graph)
        arrays = {
            tensor.name: np.array(lying(tensor, expected[tensor.name]))[() if is_for_all(graph, tensor.name) else 0]
            for tensor in graph.arguments
        }
        arrays |= {scalar.name: expected[scalar.name] for scalar in graph.scalars}
        interpret_graph(graph, expected)
        for function in module.functions:
            if function.name in (graph.name, *prologues(graph.name)):
                run(module, function, arrays)
        for tensor in graph.arguments:
            if tensor.name in graph.assigned:
                wanted = np.asarray(lying(tensor, expected[tensor.name])[0], float)
                tolerance = {ElementType.BF16: EPSILONS["bf16"], ElementType.F32: 2e-5, ElementType.F64: 1e-11}
                close = tolerance[tensor.memory or tensor.element_type] * max(1.0, float(abs(wanted).max(initial=0.0)))
                assert float(abs(arrays[tensor.name] - wanted).max(initial=0.0)) <= close, tensor.name


def run(module: mlir.Module, function: mlir.Function, arrays: dict[str, Array]) -> None:
    """Changes arrays, which are made for what a prologue writes."""
    for argument in function.arguments:
        if argument.name not in arrays:
            assert isinstance(argument.type, mlir.MemrefType)
            arrays[argument.name] = np.zeros([size or 1 for size in argument.type.shape])
        arrays[argument.name] = np.array(arrays[argument.name], DTYPES[argument.element])
    interpret(module, function.name, [arrays[each.name] for each in function.arguments])


def prologues(name: str) -> tuple[str, ...]:
    return f"{name}_prologue", f"{name}_widened"


def is_for_all(graph: Graph, name: str) -> bool:
    return any(each.name == name and each.storage is Storage.CONSTANT for each in graph.arguments)


def arrays_of(graph: Graph) -> dict[str, Array]:
    """Numbers that no division and no logarithm makes infinite, for one element."""
    random, found = np.random.default_rng(2), dict[str, Array]()
    for tensor in graph.arguments:
        shape = [size for size in tensor.shape if isinstance(size, int)]
        entries = random.uniform(0.5, 1, (*(() if is_for_all(graph, tensor.name) else (1,)), *shape))
        found[tensor.name] = entries.astype(np.float64 if tensor.element_type is ElementType.F64 else np.float32)
        if tensor.memory is ElementType.BF16:
            found[tensor.name] = stored(found[tensor.name], mlir.ScalarType.BF16)
    return found | {scalar.name: random.uniform(0.5, 1) for scalar in graph.scalars}


def of_notation(source: Source, folder: Path = Path(), **defines: int) -> tuple[Stages, ...]:
    return translate_program(Session(DEFAULT, Options(defines=defines)), parse_notation(source), folder)


def of_primitives(source: Source) -> tuple[Stages, ...]:
    return translate_text(Session(DEFAULT, Options()), source, Level.TPP)


@pytest.mark.parametrize(
    "path", sorted([*EXAMPLES.glob("*.ein"), *(EXAMPLES / "functions").glob("*.ein")]), ids=lambda path: path.stem
)
def test_examples_of_the_notation(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    agree(of_notation(source, path.parent, **SIZED.get(path.name, {})))


@pytest.mark.parametrize("path", sorted((EXAMPLES / "tpp").glob("*.tpp")), ids=lambda path: path.stem)
def test_examples_of_primitives(path: Path) -> None:
    agree(of_primitives(Source(path.name, path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    text = (
        "tensor A[4,4] tensor B[4,4] tensor C[4,4] tensor D[4,1] tensor y[4] tensor z[4] scalar eps scalar dt "
        "tensor E[1,1] tensor M[1,2] tensor X[1,4,1] tensor W[4,1,3] "
        f"kernel f {{ {STATEMENTS[name]} }}"
    )
    agree(of_notation(Source("f.ein", text)))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str, element: str) -> None:
    arguments = {"a": "4x6x", "b": "4x6x", "c": "4x1x", "r": "1x6x"}
    listed = ", ".join(f"%{each}: memref<{shape}ELEMENT>" for each, shape in arguments.items() if each in TEXTS[name])
    text = f"func.func @f(%s: ELEMENT, {listed}) {{\n{TEXTS[name]}\n  return\n}}\n"
    agree(of_primitives(Source("f.tpp", text.replace("ELEMENT", element))))


VNNI = """
func.func @f(%a: memref<6x8xbf16>, %b: memref<8x5xbf16> {einsum_front.constant}, %c: memref<6x5xbf16>,
             %d: memref<6x5xf32>) {
  %p = memref.alloc() : memref<4x5x2xbf16>
  tpp.pack_vnni ins(%b) outs(%p) : (memref<8x5xbf16>, memref<4x5x2xbf16>)
  tpp.matmul ins(%a, %p) outs(%c) : (memref<6x8xbf16>, memref<4x5x2xbf16>, memref<6x5xbf16>)
  tpp.matmul ins(%a, %p) outs(%d) : (memref<6x8xbf16>, memref<4x5x2xbf16>, memref<6x5xf32>)
  return
}
"""


def test_numbers_of_bf16() -> None:
    agree(of_primitives(Source("f.tpp", VNNI)))


@pytest.mark.parametrize("kind", ["memref", "tensor"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_primitive(case: Case, kind: str) -> None:
    agree(of_primitives(Source("f.tpp", text_of(case, kind, "f64"))))


@pytest.mark.parametrize("element", ["f64", "bf16"])
@pytest.mark.parametrize("seed", range(12))
def test_programs_of_primitives(seed: int, element: str) -> None:
    agree(of_primitives(Source("f.tpp", drawn(seed, element).text)))


@pytest.mark.generated
@share(0.2)
@given(function_programs())
def test_programs_of_the_notation(program: FunctionProgram) -> None:
    check(of_notation(Source("f.ein", program.text)))


def test_what_has_no_text_is_refused_with_a_way_out() -> None:
    path = EXAMPLES / "points.ein"
    stages = of_notation(Source(path.name, path.read_text(encoding="utf-8")))
    with pytest.raises(CompileError) as error:
        primitives_text([each for each in stages if each.name == "projected"])
    assert render_all(error.value.diagnostics) == "\n".join(
        [
            "error[E0842]: a text of primitives cannot say what `projected` does",
            "  --> points.ein:19:8",
            "   |",
            "19 | kernel projected {",
            "   |        ^^^^^^^^^",
            "   |",
            "   = note: read again, `%0` is not known when compiling",
            "   = note: `-D` gives a size a number when compiling",
            "   = note: `--emit linalg-loops` writes the plan as loops over linalg",
        ]
    )
