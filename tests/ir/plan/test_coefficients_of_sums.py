"""A coefficient in front of a sum: it stays there where that takes fewer operations, whatever stands around it."""

import numpy as np
import pytest

from einsum_front.core.coefficient import is_sign, is_zero
from einsum_front.core.extent import static
from einsum_front.core.machines import ZEN4
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.tensor import Tensor
from tests.ir.plan.test_steps import formulas
from tests.ir.programs import Arguments, copied, graph_of, plan_of, run_plan, simplified

DECLARATIONS = """
tensor y[4]
tensor A{3}[4, 5]
tensor B[4, 6]
tensor u[1]
tensor x[5]
tensor z[6]
tensor w[4]
tensor C[4, 6]
tensor K[4, 5] constant
tensor L[6, 6]
scalar s
scalar t{2}
"""
EXTENTS = {"y": (4,), "A": (4, 5), "B": (4, 6), "u": (1,), "x": (5,), "z": (6,), "w": (4,), "C": (4, 6), "L": (6, 6)}

CASES = {
    "a number": (
        "y[i] = 0.5 * (A{0}[i,j]*x[j] + A{1}[i,j]*x[j] + B[i,j]*z[j])",
        "0.5 * (A_0 @ x + A_1 @ x + B @ z)",
        36 + 40 + 48 + 4,
    ),
    "a scalar": ("y[i] = s * (A{0}[i,j]*x[j] + B[i,j]*z[j])", "3 * (A_0 @ x + B @ z)", 36 + 44 + 4 + 4),
    "added to the target": ("y[i] += s * (A{0}[i,j]*x[j] + B[i,j]*z[j])", "y + 3 * (A_0 @ x + B @ z)", 36 + 44 + 4 + 8),
    "subtracted": ("y[i] -= s * (A{0}[i,j]*x[j] - B[i,j]*z[j])", "y - 3 * (A_0 @ x - B @ z)", 36 + 44 + 4 + 8),
    "beside other terms": (
        "y[i] = w[i] + s * (A{0}[i,j]*x[j] + B[i,j]*z[j])",
        "w + 3 * (A_0 @ x + B @ z)",
        36 + 44 + 4 + 8,
    ),
    "of what the target was": (
        "y[i] = s * (y[i] + A{0}[i,j]*x[j] - B[i,j]*z[j])",
        "3 * (y + A_0 @ x - B @ z)",
        36 + 4 + 44 + 4 + 4,
    ),
    "in a sum that has another": (
        "y[i] = 0.5 * (w[i] + s * (A{0}[i,j]*x[j] + B[i,j]*z[j]))",
        "0.5 * (w + 3 * (A_0 @ x + B @ z))",
        36 + 44 + 4 + 8 + 4,
    ),
    "two sums": (
        "y[i] = t{0} * (A{0}[i,j]*x[j] + B[i,j]*z[j]) - t{1} * (w[i] + A{1}[i,j]*x[j])",
        "2 * (A_0 @ x + B @ z) - 7 * (w + A_1 @ x)",
        36 + 44 + 4 + 4 + 36 + 4 + 4 + 4,
    ),
    "a sum over members": ("y[i] = s * sum{d in 0:3}(A{d}[i,j]) * x[j]", "3 * (A_0 + A_1 + A_2) @ x", 40 + 36 + 4),
    "of a family": (
        "y[i] = sum{d in 0:2}(t{d} * (A{d}[i,j]*x[j] + B[i,j]*z[j]))",
        "2 * (A_0 @ x + B @ z) + 7 * (A_1 @ x + B @ z)",
        36 + 44 + 4 + 4 + 36 + 4 + 4 + 4,
    ),
    "in a product": (
        "C[i,k] = s * (A{0}[i,j]*x[j] + B[i,j]*z[j]) * z[k]",
        "np.outer(3 * (A_0 @ x + B @ z), z)",
        36 + 44 + 4 + 24 + 24,
    ),
    "of terms that scale for less": (
        "C[i,k] = s * (x[j]*u[0]*A{0}[i,j]*z[k] + w[i]*u[0]*z[k])",
        "3 * np.outer(A_0 @ x * u[0], z) + 3 * np.outer(w * u[0], z)",
        None,
    ),
    "transposed": ("L[i,k] = s * (L[k,i] + L[i,j]*L[k,j])", "3 * (L.T + L @ L.T)", 396 + 36 + 36),
}


@pytest.mark.parametrize("title", CASES)
def test_operations_and_values(title: str) -> None:
    statement, expected, operations = CASES[title]
    made = plan_of(f"{DECLARATIONS}\nkernel f {{ {statement} }}")
    random = np.random.default_rng(5)
    given = {tensor.name: random.random((2, *EXTENTS[tensor.name.partition("_")[0]])) for tensor in arguments_of(made)}
    scalars = {"s": 3.0, "t_0": 2.0, "t_1": 7.0}
    ran: Arguments = {name: np.array(array) for name, array in given.items()}
    run_plan(made, {**ran, **{each.name: scalars[each.name] for each in made.scalars}}, 2)
    for element in range(2):
        value = eval(expected, {"np": np}, {name: array[element] for name, array in given.items()})
        np.testing.assert_allclose(np.asarray(ran[statement[0]])[element], value, rtol=1e-13)
    if operations is not None:
        assert static(made.cost.operations) == operations


def arguments_of(made: Plan) -> list[Tensor]:
    return [buffer.tensor for buffer in made.buffers if not buffer.is_temporary]


def test_it_takes_no_temporary_where_nothing_is_kept() -> None:
    """The coefficient is what the target is multiplied by when the rest comes, or in the end."""
    assert formulas(plan_of(f"{DECLARATIONS}\nkernel f {{ {CASES['beside other terms'][0]} }}")) == [
        "log y[i] := A_0[i, j] * x[j]",
        "log y[i] := y[i] + B[i, j] * z[j]",
        "axpby y[i] := s * y[i] + w[i]",
    ]


def test_terms_that_take_it_for_less_keep_it() -> None:
    made = plan_of(f"{DECLARATIONS}\nkernel f {{ {CASES['of terms that scale for less'][0]} }}")
    assert all(is_sign(step.beta) or is_zero(step.beta) for step in made.steps)


def test_executed_operations_count_it() -> None:
    made = plan_of(f"{DECLARATIONS}\nkernel f {{ {CASES['a number'][0]} }}")
    assert made.cost.executed == made.cost.operations


def test_a_limit_of_memory_takes_it_back_to_the_terms() -> None:
    """Scaled alone, the sum needs a temporary, since the target keeps what it has."""
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ {CASES['added to the target'][0]} }}")
    assert any(buffer.is_temporary for buffer in plan(graph, ZEN4).buffers)
    limited = plan(graph, ZEN4, max_temp=8)
    assert not any(buffer.is_temporary for buffer in limited.buffers)
    assert formulas(limited) == ["log y[i] := y[i] + s * A_0[i, j] * x[j]", "log y[i] := y[i] + s * B[i, j] * z[j]"]


# -- constants take it for nothing -------------------------------------------------------------------------------------

CONSTANTS = """
tensor Y[20, 9]
tensor I[20, 9]
tensor J[20, 9]
tensor K[20, 20] constant
tensor L[20, 20] constant
tensor D[20, 20]
scalar s
"""


def test_constants_of_all_terms_are_scaled_once_per_launch() -> None:
    graph = simplified(graph_of(f"{CONSTANTS}\nkernel f {{ Y[k,p] = s * (K[k,l]*I[l,p] - L[k,l]*J[l,p]) }}"))
    assert [each.text.partition(" of ")[2] for each in graph.rewritings] == [
        "K once per launch, 400 nonzeros",
        "L once per launch, 400 nonzeros",
    ]
    assert plan(graph, ZEN4).cost.operations == 7020 + 7020 + 180


def test_a_term_without_a_constant_keeps_the_sum() -> None:
    made = plan_of(f"{CONSTANTS}\nkernel f {{ Y[k,p] = s * (K[k,l]*I[l,p] - D[k,l]*J[l,p]) }}")
    assert (made.cost.operations, made.prologue) == (7020 + 7020 + 180 + 180, None)


KNOWN = """
tensor y[2]
tensor x[4]
tensor z[4]
tensor w[2]
tensor V[2, 4] values<1,2, 3,4, 5,6, 7,8>
tensor W[2, 4] values<8,7, 6,5, 4,3, 2,1>
scalar s
"""


@pytest.mark.parametrize(
    ("formula", "operations", "made"),
    [
        ("0.5 * V[i,j]*x[j]", 14, ["V_1"]),
        ("0.5 * (V[i,j]*x[j] + W[i,j]*z[j])", 14 + 16, ["V_1", "W_1"]),
        ("0.5 * (V[i,j]*x[j] - 3 * (W[i,j]*z[j] - s * W[i,j]*x[j]))", 14 + 16 + 8, ["V_1", "W_1_1"]),
        ("0.5 * (V[i,j]*x[j] + w[i])", 14 + 2 + 2, []),
        ("0.5 * (V[i,j]*x[j] + s * W[i,j]*z[j])", 14 + 16 + 2 + 2, []),
        ("s * V[i,j]*x[j]", 14 + 2, []),
        ("-1 * V[i,j]*x[j]", 14, []),
    ],
)
def test_known_constants_have_numbers_in_them(formula: str, operations: int, made: list[str]) -> None:
    graph = graph_of(f"{KNOWN}\nkernel f {{ y[i] = {formula} }}")
    simpler = simplified(graph)
    assert [each.name for each in simpler.tensors if each not in graph.tensors] == made
    found = plan(simpler, ZEN4)
    assert found.cost.operations == operations
    random = np.random.default_rng(2)
    given: Arguments = {name: random.random((2, size)) for name, size in (("x", 4), ("z", 4), ("w", 2), ("y", 2))}
    written, ran = copied({**given, "s": 3.0}), copied({**given, "s": 3.0})
    run_plan(plan(graph, ZEN4), {**written, **known(graph)}, 2)
    run_plan(found, {**ran, **known(simpler)}, 2)
    np.testing.assert_allclose(ran["y"], written["y"], rtol=1e-13)


def known(graph: Graph) -> Arguments:
    """The arrays of constants whose values are known."""
    constants = (each for each in graph.tensors if each.values is not None)
    return {each.name: np.array(each.values).reshape((2, 4), order="F") for each in constants}


def test_a_known_constant_that_others_read_stays() -> None:
    text = f"{KNOWN}\nkernel f {{ y[i] = 0.5 * V[i,j]*x[j]\n w[i] = V[i,j]*z[j] }}"
    assert {each.name for each in simplified(graph_of(text)).arguments} >= {"V"}
    assert plan_of(text).cost.operations == 14 + 2 + 14
