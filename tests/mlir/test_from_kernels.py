"""Kernels as linalg mean what the kernel means: the graph on tensors, the YATeTo language in loops over memrefs."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.extent import static_shape
from einsum_front.core.storage import Storage
from einsum_front.driver import Session, plan_program
from einsum_front.driver.targets import DEFAULT
from einsum_front.ir import Graph, Planned, emit_yateto, plan_graph
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.ir.tensor import Tensor
from einsum_front.mlir import from_graph, from_yateto
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.parse import parse
from einsum_front.mlir.to_graph import graphs
from einsum_front.mlir.to_loops import kernel_of as kernel_of_function
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import check
from einsum_front.notation.parse import parse as parse_notation
from einsum_front.options import Options
from examples.ader_dg import matrices
from tests.einsum_front.strategies import programs
from tests.profiles import share

ADER_DG = Path(__file__).parents[2] / "examples" / "ader_dg"
PROGRAMS = int(os.environ.get("MLIR_PROGRAMS", "12"))
Array = Any
BATCH = 3
NUMPY = {"f32": "float32", "f64": "float64"}

KERNELS = {
    "volume": "Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p]",
    "assigned": "Q[k,p] = K[k,l] * I[l,p]",
    "transposed": "S[p,k] = Q[k,p] - 2 * I[k,p]",
    "part": "Q[k=1:3,p] = 2 * I[k=2:4,p] + A[p,1]",
    "column": "Q[k,1] += I[k,q] * A[q,q]",
    "outer": "Q[k,p] = K[k,1] * A[p,0]",
    "everywhere": "Q[k,p] = dt",
    "scalar": "Q[k,p] = dt**2 / 3 * I[k,p]",
    "fourth": "R[a,b,c] = T[a,b,d] * A[d,c]",
    "looped": "R[a,b,c] += T[a,d,c] * K[d,b]",
    "sums": "Q[k,p] = I[k,p] + K[k,l] * I[l,p] + Q[k,p]",
    "two": "Q[k,p] = K[k,l] * I[l,p]\n  I[k,p] = Q[k,p] * 2",
    "summed": "S[p,k] = T[p,k,d] * dt",
    "broadcast": "R[a,b,c] = A[a,c] * K[b,0]",
}
DECLARATIONS = """
tensor Q[4, 3]
tensor I[4, 3]
tensor S[3, 4]
tensor T[3, 4, 3]
tensor R[3, 4, 3]
tensor K[4, 4] constant
tensor A[3, 3]
scalar dt
"""


def planned(text: str, folder: Path = Path()) -> Iterator[Planned]:
    return plan_program(Session(DEFAULT, Options()), parse_notation(Source("t.ein", text)), folder)


def kernel_of(body: str, real: str) -> Planned:
    (found,) = planned(f"real {real}\n{DECLARATIONS}\nkernel f {{ {body} }}")
    return found


def read_back(module: mlir.Module) -> mlir.Module:
    check(module)
    read = parse(Source("t.mlir", unparse(module)))
    assert read == module
    return read


def arrays_of(graph: Graph, seed: int = 0) -> dict[str, Array]:
    """Random arguments; entries that are declared zero are zero."""
    random = np.random.default_rng(seed)
    found: dict[str, Array] = {}
    for tensor in graph.arguments:
        if tensor.values is None:
            batched = tensor.storage in (Storage.BATCHED, Storage.GROUPED)
            shape = (*((BATCH,) if batched else ()), *static_shape(tensor.shape))
            found[tensor.name] = random.uniform(-1, 1, shape).astype(NUMPY[tensor.element_type.value])
    return found | {scalar.name: random.uniform(0.5, 1) for scalar in graph.scalars}


def lying(tensor: Tensor, array: Array) -> Array:
    """The array as linalg has it: the batch, then the modes from the slowest to the fastest."""
    own = array.ndim - len(tensor.shape)
    order = (*range(own), *(axis + own for axis in reversed(tensor.modes_by_stride)))
    return array.transpose(order)


def tolerance(graph: Graph) -> float:
    (first, *_) = graph.tensors
    return 1e-12 if first.element_type.value == "f64" else 2e-5


def compare(graph: Graph, expected: dict[str, Array], found: dict[str, Array]) -> None:
    tensors = {tensor.name: tensor for tensor in graph.arguments}
    for name in graph.assigned:
        wanted = lying(tensors[name], expected[name])
        scale = max(1.0, float(np.max(np.abs(wanted), initial=0)))
        assert found[name].shape == wanted.shape
        assert np.max(np.abs(found[name] - wanted), initial=0) <= tolerance(graph) * scale, name


def run_on_tensors(kernel: Planned) -> None:
    graph = kernel.graph
    if graph.prologue is not None:
        pytest.skip("what the prologue computes is an argument")
    module = read_back(from_graph.module_of(graph))
    given = arrays_of(graph)
    expected = {name: np.copy(each) for name, each in given.items()}
    interpret_graph(graph, expected)
    tensors = {tensor.name: tensor for tensor in graph.arguments}
    function = module.functions[-1]
    arguments = [
        lying(tensors[a.name], given[a.name]) if a.name in tensors else given[a.name] for a in function.arguments
    ]
    results = interpret(module, graph.name, arguments)
    compare(graph, expected, dict(zip(graph.assigned, results, strict=True)))


def run_on_memrefs(kernel: Planned) -> None:
    graph = kernel.graph
    module = read_back(from_yateto.module_of(emit_yateto(kernel.plan)))
    given = arrays_of(graph)
    expected = {name: np.copy(each) for name, each in given.items()}
    interpret_graph(graph, expected)
    tensors = {tensor.name: tensor for tensor in graph.arguments}
    arguments: dict[str, Array] = {}
    for argument in module.functions[-1].arguments:
        if argument.name in tensors:
            tensor = tensors[argument.name]
            values = given.get(argument.name)
            if values is None:
                values = np.reshape(np.asarray(tensor.values), static_shape(tensor.shape), order="F")
            arguments[argument.name] = np.ascontiguousarray(
                lying(tensor, np.asarray(values, NUMPY[tensor.element_type.value]))
            )
        else:
            arguments[argument.name] = given[argument.name]
    interpret(module, graph.name, list(arguments.values()))
    compare(graph, expected, arguments)


@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("name", KERNELS)
def test_the_graph_on_tensors(name: str, real: str) -> None:
    run_on_tensors(kernel_of(KERNELS[name], real))


@pytest.mark.parametrize("real", ["f32", "f64"])
@pytest.mark.parametrize("name", KERNELS)
def test_loops_over_memrefs(name: str, real: str) -> None:
    run_on_memrefs(kernel_of(KERNELS[name], real))


def operations(function: mlir.Function) -> list[str]:
    def walk(body: tuple[mlir.Operation, ...]) -> Iterator[str]:
        for each in body:
            if isinstance(each, mlir.Structured):
                yield each.name
            elif isinstance(each, mlir.For):
                yield "for"
                yield from walk(each.body)

    return list(walk(function.body or ()))


def test_products_have_names() -> None:
    module = from_graph.module_of(kernel_of("Q[k,p] = K[k,l] * I[l,p]", "f64").graph)
    assert operations(module.functions[0]) == ["fill", "contract"]
    batched = "real f64\ntensor A[4, 4]\ntensor B[4, 4]\ntensor C[4, 4]\nkernel f { C[m,n] = A[m,k] * B[k,n] }"
    (kernel,) = planned(batched)
    assert operations(from_graph.module_of(kernel.graph).functions[0]) == ["fill", "batch_matmul"]


def test_loop_over_gemm_is_a_loop_over_matmul() -> None:
    kernel = kernel_of(KERNELS["volume"], "f64")
    found = operations(from_yateto.module_of(emit_yateto(kernel.plan)).functions[0])
    assert found[0] == "for"
    assert "matmul" in found


SAME_PLAN = ("volume", "derivative", "local_flux", "fused")
"""Texts of `examples/ader_dg` whose kernels are read back in every run; `MLIR_PROGRAMS` of 500 takes all."""
OTHERS = {"computeImposedStateM", "computeImposedStateP"}
"""Kernels of several statements, in which zeros that one leaves behind are found in another order."""


@pytest.mark.parametrize("text", SAME_PLAN if PROGRAMS < 500 else sorted(each.stem for each in ADER_DG.glob("*.ein")))
def test_what_is_read_back_takes_as_many_operations(text: str) -> None:
    matrices.write(3)
    source = Source(f"{text}.ein", (ADER_DG / f"{text}.ein").read_text(encoding="utf-8"))
    options = Options(defines={"O": 3} if "param O" in source.text else {})
    for kernel in plan_program(Session(DEFAULT, options), parse_notation(source), ADER_DG):
        (graph,) = graphs(read_back(from_graph.module_of(kernel.written)))
        plan = plan_graph(graph, machine=DEFAULT.machine).plan
        if graph.name not in OTHERS:
            assert plan.cost.executed == kernel.plan.cost.executed, graph.name


COMPLEX = """
tensor A[4, 5] c128
tensor B[5, 3] complex constant
tensor C[4, 3] c128
tensor x[4]
kernel f { C[i,j] += A[i,k] * B[k,j] + x[i] * C[i,j] }
"""


def test_complex_tensors_are_so_when_read_back() -> None:
    """As in every level below the notation, parts are a last mode there; callers have complex numbers."""
    (kernel,) = planned(COMPLEX)
    module = read_back(from_graph.module_of(kernel.written))
    (graph,) = graphs(module)
    assert [each.name for each in graph.arguments if each.is_complex] == ["A", "B", "C"]
    assert plan_graph(graph, machine=DEFAULT.machine).plan.cost.executed == kernel.plan.cost.executed


PRODUCT = """
#a = affine_map<(b, i, j, k) -> (b, i, k)>
#b = affine_map<(b, i, j, k) -> (b, k, j)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
!c = tensor<?x4x3xcomplex<f64>>
func.func @f(%A: tensor<?x4x5xcomplex<f64>>, %B: tensor<?x5x3xcomplex<f64>>, %C: !c) -> !c {
  %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%A, %B : tensor<?x4x5xcomplex<f64>>, tensor<?x5x3xcomplex<f64>>) outs(%C : !c) -> !c
  return %r : !c
}
"""


def test_complex_functions_get_the_plan_of_the_notation() -> None:
    (graph,) = graphs(parse(Source("t.mlir", PRODUCT)))
    notation = "tensor A[4, 5] c128 row_major tensor B[5, 3] c128 row_major tensor C[4, 3] c128 row_major"
    (kernel,) = planned(f"{notation} tensor R[4, 3] c128 row_major kernel f {{ R[ij] = C[ij] + A[ik] * B[kj] }}")
    made = plan_graph(graph, machine=DEFAULT.machine).plan
    assert made.cost.executed == kernel.plan.cost.executed
    assert sorted(type(each).__name__ for each in made.steps) == sorted(type(e).__name__ for e in kernel.plan.steps)


@pytest.mark.generated
@settings(share(0.5))
@given(st.one_of(programs(), programs(computed=("i8", "i16", "i32", "i64")), programs(types=("c64", "c128"))))
def test_what_is_written_is_read_back(text: str) -> None:
    (kernel,) = planned(text)
    written = ""
    with suppress(CompileError):  # what linalg has no form for
        written = unparse(from_graph.module_of(kernel.written))
    if written:
        module = parse(Source("t.mlir", written))
        check(module)
        for function in module.functions:
            kernel_of_function(module, function)


def test_groups_of_pointers_are_refused() -> None:
    (kernel,) = planned("real f64\ntensor A[3] grouped\nkernel f { A[i] = 2 * A[i] }")
    with pytest.raises(CompileError, match="E0842"):
        from_yateto.module_of(emit_yateto(kernel.plan))
