"""Rewritings keep the meaning: sums of products of few tensors, so that factors are shared, and of known constants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.extent import static_shape
from einsum_front.core.machines import ZEN4
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.plan.planner import plan
from tests.einsum_front.strategies import arguments_for
from tests.ir.programs import copied, graph_of, program_of, run_plan, simplified

DECLARATIONS = """
tensor A[3, 3]
tensor B[3, 3]
tensor C[3, 3]
tensor D[3, 3] nonzeros [(0,0), (2,0), (1,2)]
tensor x[3]
scalar s
tensor I[3, 3] values<1,0,0, 0,1,0, 0,0,1>
tensor S[3, 3] values<0,1,0, 0,0,1, 0,0,0>
tensor N[3, 3] values<0,-2,0, -2,0,0, 0,0,-2>
tensor E[3, 3] values<0,0,0, 0,3,0, 0,0,0>
tensor K[3, 3] values<0,2,0, 0.5,0,1, 0,0,-3>
tensor L[3, 3] values<1,0,0, 3,0,0, 0,0,1>
tensor G[3, 3] values<2,4,6, 1,2,3, 3,6,9>
tensor H[3, 3] values<1,2,3, 2,4,6.5, 0,0,1>
tensor w[3] values<1, 1, 0>
tensor J[3, 3, 3] values<1,0,0, 0,1,0, 0,0,1, 1,0,0, 0,1,0, 0,0,1, 0,0,0, 0,0,0, 0,0,0>
"""
ORDERS = dict.fromkeys("ABDISNEKLGH", 2) | {"x": 1, "w": 1, "J": 3}
LETTERS = "ijklm"


@st.composite
def products(draw: st.DrawFn) -> str:
    """Up to four factors; a sum in parentheses may be one of them."""
    factors = [draw(accesses()) for _ in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):
        factors.append(f"({draw(accesses())} {draw(st.sampled_from('+-'))} {draw(accesses())})")
    coefficient = draw(st.sampled_from(("", "2*", "s*", "-0.5*")))
    return coefficient + "*".join(factors)


@st.composite
def accesses(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(sorted(ORDERS)))
    letters = [draw(st.sampled_from(LETTERS)) for _ in range(ORDERS[name])]
    return f"{name}[{','.join(letters)}{',' if len(letters) == 1 else ''}]"


@st.composite
def statements(draw: st.DrawFn) -> str:
    terms = draw(st.lists(products(), min_size=1, max_size=4))
    repeated = draw(st.sampled_from(("", " + A[i,k]*B[k,j] - s*A[i,k]*C[k,j]", " + B[i,j]*A[j,i] + B[i,j]*A[i,j]")))
    return f"C[i,j] {draw(st.sampled_from(('=', '+=')))} A[i,j] + {' + '.join(terms)}{repeated}"


@pytest.mark.generated
@given(statements(), st.integers(0, 2**16))
def test_rewritings_keep_the_meaning(statement: str, seed: int) -> None:
    text = f"{DECLARATIONS}\nkernel f {{ {statement} }}"
    program, graph = program_of(text), graph_of(text)
    given = {name: np.nan_to_num(value) for name, value in arguments_for(program, 2, seed).items()}
    names = {tensor.name for tensor in graph.arguments} | {scalar.name for scalar in graph.scalars}
    expected = copied({name: value for name, value in given.items() if name in names})
    simpler = simplified(graph)
    results = copied(expected), copied(expected)
    interpret(graph, expected)
    interpret(simpler, results[0])
    made = {
        tensor.name: known(tensor.values, static_shape(tensor.shape))
        for tensor in simpler.tensors
        if tensor.values is not None
    }
    run_plan(plan(simpler, ZEN4), {**made, **results[1]}, 2)
    for result in results:
        np.testing.assert_allclose(result["C"], expected["C"], rtol=1e-9, atol=1e-9)


def known(values: tuple[float, ...], shape: tuple[int, ...]) -> np.ndarray:
    return np.reshape(values, shape, order="F")
