"""Definitions keep their meaning: as text, as linalg, as contraction graph."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.mlir.interpret import interpret as interpret_linalg
from einsum_front.mlir.parse import parse as parse_linalg
from einsum_front.mlir.unparse import unparse as unparse_linalg
from einsum_front.mlir.verify import verify as verify_linalg
from einsum_front.tc.declared import module_of
from einsum_front.tc.interpret import interpret
from einsum_front.tc.nodes import Definition, Program
from einsum_front.tc.parse import parse
from einsum_front.tc.structure import value_of
from einsum_front.tc.to_graph import graph_of
from einsum_front.tc.unparse import unparse
from einsum_front.tc.verify import verify
from tests.tc.strategies import Case, cases, programs

TYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
TOLERANCES = {"f32": 4e-5, "f64": 1e-13}
"""Some 4^5 summands of size e at most, a rounding each, in any order."""


def arrays(definition: Definition, sizes: dict[str, int], seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    shapes = {each.name: tuple(value_of(extent, sizes) for extent in each.shape) for each in definition.tensors}
    types = {each.name: TYPES[each.type] for each in definition.tensors}
    return {name: random.uniform(-1, 1, shape).astype(types[name]) for name, shape in shapes.items()}


@given(programs())
def test_text_is_read_back(program: Program) -> None:
    assert parse(Source("t.tc", unparse(program))) == program


@given(programs())
def test_what_is_generated_keeps_the_rules(program: Program) -> None:
    assert list(verify(program)) == []


@given(cases(), st.integers(0, 99))
def test_linalg_means_the_same(case: Case, seed: int) -> None:
    given_arrays = arrays(case.definition, case.sizes, seed)
    module = module_of(Program((case.definition,)), case.sizes)
    assert list(verify_linalg(module)) == []
    module = parse_linalg(Source("t.mlir", unparse_linalg(module)))
    (found,) = interpret_linalg(module, "foo", [given_arrays[each.name] for each in case.definition.tensors])
    expected = interpret(case.definition, given_arrays)["C"]
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    assert np.max(np.abs(found - expected), initial=0) <= TOLERANCES[case.definition.inputs[0].type] * scale


@given(cases(), st.integers(0, 99))
def test_the_graph_means_the_same(case: Case, seed: int) -> None:
    given_arrays = arrays(case.definition, case.sizes, seed)
    try:
        graph = graph_of(case.definition, case.sizes)
    except CompileError as error:
        if any(each.code != "E0841" for each in error.diagnostics):
            raise
        return
    batched = {name: each[np.newaxis].copy() for name, each in given_arrays.items()}
    interpret_graph(graph, batched)
    (found,) = batched["C"]
    expected = interpret(case.definition, given_arrays)["C"]
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    assert np.max(np.abs(found - expected), initial=0) <= TOLERANCES[case.definition.inputs[0].type] * scale


def test_batched_matrix_product() -> None:
    head = "def f(A: f64(B, M, K), X: f64(K, N)) -> (C: f64(B, M, N))"
    body = "C(b, m, n) = std_addf<k>(std_mulf(A(b, m, k), X(k, n)));"
    (definition,) = parse(Source("t.tc", f"{head} {{ {body} }}")).definitions
    random = np.random.default_rng(0)
    a, x, c = random.random((2, 3, 4)), random.random((4, 5)), random.random((2, 3, 5))
    found = interpret(definition, {"A": a, "X": x, "C": c})["C"]
    np.testing.assert_allclose(found, c + a @ x, rtol=1e-14)
