"""A limit for temporaries: plans keep it, mean the same, and cost more only where they must."""

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.explain import tree_text
from einsum_front.ir.plan.memory import peak_bytes
from einsum_front.ir.plan.planner import plan
from tests.ir.programs import graph_of, run_plan

CHAIN = """
tensor A[30,7]
tensor B[7,2]
tensor C[2,7]
tensor R[30,7]
kernel f { R[i,l] = A[i,j] * B[j,k] * C[k,l] }
"""
"""(A B) C takes 1410 operations and a temporary of 30 x 2 entries, A (B C) 2877 and one of 7 x 7."""

SUM = """
tensor K[20,4]
tensor I[4,9]
tensor v[9]
tensor A[9,9]
tensor Q[20,9]
kernel f { Q[k,p] = K[k,l] * (I[l,q] + v[q]) * A[q,p] }
"""


def order(max_temp: int | None) -> str:
    """The order of the chain within so many bytes."""
    (decision,) = plan(graph_of(CHAIN), ZEN4, max_temp).decisions
    return tree_text(decision.taken.tree, decision.factors)


@pytest.mark.parametrize("max_temp", [None, 10_000, 480])
def test_a_limit_that_the_cheapest_plan_keeps_changes_nothing(max_temp: int | None) -> None:
    assert order(max_temp) == "(A B) C"


@pytest.mark.parametrize("max_temp", [479, 392])
def test_another_order_is_taken_where_the_cheapest_takes_too_much(max_temp: int) -> None:
    assert order(max_temp) == "A (B C)"
    assert peak_bytes(plan(graph_of(CHAIN), ZEN4, max_temp).buffers) == 392


@pytest.mark.parametrize("max_temp", [None, 400])
def test_a_limit_does_not_change_the_meaning(max_temp: int | None) -> None:
    random = np.random.default_rng(1)
    shapes = {"A": (30, 7), "B": (7, 2), "C": (2, 7), "R": (30, 7)}
    arguments = {name: random.standard_normal((2, *shape)) for name, shape in shapes.items()}
    expected = arguments["A"] @ arguments["B"] @ arguments["C"]
    run_plan(plan(graph_of(CHAIN), ZEN4, max_temp), dict(arguments), 2)
    np.testing.assert_allclose(arguments["R"], expected, rtol=1e-12)


def said(text: str, max_temp: int) -> str:
    with pytest.raises(CompileError) as caught:
        plan(graph_of(text), ZEN4, max_temp)
    return str(caught.value)


def test_the_buffer_that_is_too_much() -> None:
    assert said(SUM, 575) == (
        "error[E0302]: kernel `f` does not fit 575 bytes of temporaries: `tmp1` (f64 9x4 temp, 288 bytes) is too much\n"
        " --> test.ein:7:12\n"
        "  |\n"
        "7 | kernel f { Q[k,p] = K[k,l] * (I[l,q] + v[q]) * A[q,p] }\n"
        "  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `tmp1` is needed here\n"
        "  |\n"
        "  = note: `tmp0` (f64 4x9 temp, 288 bytes) is alive as well\n"
        "  = note: of the orders that were tried this one needs the fewest bytes"
    )


def test_more_may_follow() -> None:
    assert said(SUM, 0).endswith(
        "  = note: steps behind it need 576 bytes at a time\n"
        "  = note: of the orders that were tried this one needs the fewest bytes"
    )


def test_a_kernel_without_temporaries_fits_nothing() -> None:
    made = plan(graph_of("tensor A[3]\ntensor B[3]\nkernel f { A[i] = B[i] }"), ZEN4, 0)
    assert peak_bytes(made.buffers) == 0
