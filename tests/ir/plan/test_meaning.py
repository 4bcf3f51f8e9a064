"""A plan, run by the interpreter of the YATeTo language, computes what its graph says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.machines import ZEN4
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.plan.emit_yateto import emit
from einsum_front.ir.plan.explain import explain
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.tensor import pattern_of
from einsum_front.ir.yateto.unparse import unparse
from tests.einsum_front.strategies import arguments_for, programs
from tests.ir.programs import Arguments, copied, graph_of, program_of, run_plan, simplified, with_zeros


def assert_same_meaning(text: str, seed: int, batch: int = 2) -> Plan:
    program = program_of(text)
    graph = elaborate(program.kernels[0], program)
    arguments = with_zeros(graph, arguments_for(program, batch, seed))
    expected, actual = copied(arguments), copied(arguments)
    interpret(graph, expected)
    simpler = simplified(graph)
    known = {t.name: np.reshape(t.values, t.shape, order="F") for t in simpler.tensors if t.values is not None}
    made = plan(simpler, ZEN4)
    run_plan(made, {**known, **actual}, batch)  # constants that were multiplied while translating have new names
    tolerance = 2e-3 if "real f32" in text else 1e-9
    for tensor in graph.arguments:
        ours, theirs = (np.where(pattern_of(tensor).array(), values[tensor.name], 0) for values in (actual, expected))
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=tensor.name)
    return made


@pytest.mark.generated
@given(programs(), st.integers(0, 2**16))
def test_planning_keeps_the_meaning(text: str, seed: int) -> None:
    assert_same_meaning(text, seed)


@pytest.mark.generated
@given(programs())
def test_a_plan_depends_on_its_graph_alone(text: str) -> None:
    first, second = plan(graph_of(text), ZEN4), plan(graph_of(text), ZEN4)
    assert explain(first) == explain(second)
    assert unparse(emit([first])) == unparse(emit([second]))


def test_multiples_of_constants_whose_values_are_known() -> None:
    text = """real f32
tensor T0{3}[1, 1, 1]
tensor T1[1] constant values<1>
kernel f {
    T0{0}[a,0,b] = 2
    T0{0}[a,0,0] = -2 * T1[a]
}"""
    assert_same_meaning(text, 0)


DECLARATIONS = """
tensor A[4, 4]
tensor B[4, 4]
tensor C[4, 4]
tensor S[4, 4] nonzeros [(0,0), (1,0), (2,2), (3,1)]
tensor L[4, 4] nonzeros [(1,0), (2,0), (2,1), (3,0), (3,1), (3,2)]
tensor D[3, 3, 3]
tensor v[4]
tensor w[3]
tensor t[]
scalar s
temp   T[4, 4]
temp   U[4, 4]
"""

STATEMENTS = {
    "transposed in place": "A[i,j] = A[j,i]",
    "product with itself": "A[i,j] += A[i,k] * A[k,j]",
    "entry by entry in place": "A[i,j] = A[i,j] * B[i,j]",
    "entry by entry in place, twice": "A[i,j] = A[i,j] * B[i,j] + A[i,j] * C[i,j]",
    "scaled in place": "A[i,j] = 2 * A[i,j]",
    "several times itself": "A[i,j] = 2*A[i,j] - s*A[i,j] + B[i,j]*3",
    "a part from another part": "A[i=0:2, j] = A[i=1:3, j] + B[i=0:2, j]",
    "a part from a part beside it": "A[i=0:2, j] = A[i=2:4, j] * 2",
    "a row from a column": "A[1, j] = A[j, 1]",
    "onto the diagonal": "A[i,i] = v[i] + s",
    "rows of the diagonal": "A[i,j] = S[i,0] * A[j,j]",
    "product onto the diagonal": "A[i,i] -= B[i,k] * C[k,i]",
    "number onto the diagonal": "A[i,i] = 1",
    "diagonal of three modes": "D[i,i,i] = w[i] * D[i,i,0]",
    "from the diagonal of three modes": "w[i] = D[i,i,i] + D[0,0,i]",
    "trace": "t[] = A[i,i]",
    "trace of a product": "t[] = A[i,j] * B[j,i]",
    "sum over everything": "t[] += A[i,j]",
    "broadcast of a product": "D[i,j,k] = A[i=0:3,l] * B[l,j=0:3] + w[k]",
    "outer product": "A[i,j] = v[i] * v[j]",
    "sum inside a product": "A[i,j] = B[i,k] * (C[k,j] - A[k,j] + v[k])",
    "sum of which a part matters": "A[i,j] = L[i,k] * (2 - v[k] + B[k,j])",
    "sums inside sums": "A[i,j] = s * (B[i,j] + 2 * (C[i,j] - v[j]))",
    "zeros vanish": "A[i,j] = S[i,k] * L[k,l] * S[l,j]",
    "zeros on the left": "S[i,j] = 2 * S[i,j]\n L[i,j] += L[i,j]",
    "part of the target is zero": "A[i,j] = L[i,j] + S[i,k]*L[k,j]",
    "only zero": "A[i,j] = 0",
    "zeros over a part": "A[i=1:3, j] = 0 \n A[0, 0] = s",
    "temporary in parts": "T[i=0:2, j=0:2] = A[i=0:2, j=0:2] \n T[i=2:4, j=2:4] = B[i=0:2, j=0:2] \n"
    " T[i=0:2, j=2:4] = 0 \n T[i=2:4, j=0:2] = 0 \n C[i,j] = T[i,k] * A[k,j]",
    "temporary that is overwritten": "T[i,j] = A[i,j] \n B[i,j] = T[j,i] \n T[i,j] = B[i,k]*T[k,j] \n C[i,j] = T[i,j]",
    "temporary that grows": "T[i,j] = A[i,j] \n T[i,j] += B[i,k]*A[k,j] \n T[i,j] -= T[j,i] \n C[i,j] = T[i,j]",
    "temporary of which a part matters": "T[i,j] = A[i,k]*B[k,j] \n v[i] = T[i,1]",
    "temporary with entries that meet zeros only": "T[0,j] = A[0,j] \n T[1,j] = A[1,j] \n T[2,j] = A[2,j] \n"
    " T[3,0] = A[3,0] \n T[3,1] = B[0,0] \n T[3,2] = 1 \n T[3,3] = A[0,3] \n v[i] = T[i,j] * S[i,j]",
    "temporary with zeros": "T[i,j] = S[i,k] * L[k,j] \n U[i,j] = T[i,j] + L[i,j] \n C[i,j] = U[i,k] * B[k,j]",
    "statements in a row": "A[i,j] = B[i,k]*C[k,j] \n B[i,j] = A[i,k]*C[k,j] \n C[i,j] += A[i,j] - B[j,i]",
    "overwritten before it is read": "A[i,j] = B[i,j] \n A[i,j] = C[i,j]",
    "powers and quotients": "A[i,j] = s**3/2 * B[i,j] - s**-2 * C[i,j] + s**0",
}


@pytest.mark.parametrize("title", STATEMENTS)
def test_statements(title: str) -> None:
    assert_same_meaning(f"{DECLARATIONS}\nkernel f {{\n {STATEMENTS[title]}\n}}", seed=1)


@pytest.mark.parametrize("batch", [0, 1, 5])
def test_any_batch(batch: int) -> None:
    assert_same_meaning("tensor A[3, 3]\ntensor B[3, 3] constant\nkernel f { A[i,j] += B[i,k] * A[k,j] }", 1, batch)


def test_layouts_of_arguments_are_kept() -> None:
    text = """
    tensor A[3, 4, 2] row_major
    tensor B[4, 2, 5] strided<12, 5, 64>
    tensor C[3, 5] grouped row_major
    kernel f { C[i,n] = A[i,k,l] * B[k,l,n] }
    """
    assert_same_meaning(text, seed=3)


def test_arguments_that_do_not_matter_stay_as_they_are() -> None:
    graph = graph_of("tensor A[3]\ntensor B[3]\nkernel f { A[i] = B[i] }")
    arguments: Arguments = {"A": np.zeros((1, 3)), "B": np.arange(3.0).reshape(1, 3)}
    run_plan(plan(graph, ZEN4), arguments, 1)
    np.testing.assert_array_equal(arguments["B"], [[0, 1, 2]])
    np.testing.assert_array_equal(arguments["A"], [[0, 1, 2]])
