"""How temporaries are laid out, and how products become loops around matrix products."""

from math import prod

import pytest

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.copies import rooms
from einsum_front.ir.plan.gemm import LoopsOverGemm, cycles, loops_over_gemm
from einsum_front.ir.plan.layout import KnownCycles, choose_layouts
from einsum_front.ir.plan.plan import Plan, StepKind
from einsum_front.ir.plan.schedule import Schedule
from tests.ir.programs import plan_of

LOOPS = {
    "matrix product": ("tensor A[2,3]\n tensor B[3,4]\n tensor C[2,4]", "C[i,j] = A[i,k]*B[k,j]", "i j k", ""),
    "matrix and vector": ("tensor A[2,3]\n tensor B[3]\n tensor C[2]", "C[i] = A[i,k]*B[k]", "i k", ""),
    "modes that are one mode": (
        "tensor A[2,3,5]\n tensor B[3,5,4]\n tensor C[2,4]",
        "C[i,j] = A[i,k,l]*B[k,l,j]",
        "i j kl",
        "",
    ),
    "modes in another order": (
        "tensor A[2,3,5]\n tensor B[5,3,4]\n tensor C[2,4]",
        "C[i,j] = A[i,k,l]*B[l,k,j]",
        "i j l",
        "k",
    ),
    "an index of all three": (
        "tensor A[6,2,3]\n tensor B[6,3,4]\n tensor C[6,2,4]",
        "C[b,i,j] = A[b,i,k]*B[b,k,j]",
        "i j k",
        "b",
    ),
    "a gap between modes": (
        "tensor A[2,3,5] strided<1,4,12>\n tensor B[5,4]\n tensor C[2,3,4]",
        "C[i,m,j] = A[i,m,k]*B[k,j]",
        "i j k",
        "m",
    ),
}


@pytest.mark.parametrize("title", LOOPS)
def test_loops_over_gemm(title: str) -> None:
    declarations, statement, groups, loops = LOOPS[title]
    made = plan_of(f"{declarations}\nkernel f {{ {statement} }}")
    (step,) = made.steps
    found = loops_over_gemm(step, made.tensors, ZEN4)
    assert tuple("".join(group) for group in (found.m, found.n, found.k) if group) == tuple(groups.split())
    assert "".join(found.loops) == loops


def logs(made: Plan) -> list[LoopsOverGemm]:
    return [loops_over_gemm(step, made.tensors, ZEN4) for step in made.steps if step.kind is StepKind.LOG]


def test_interpolation_fuses_and_loops_where_it_must() -> None:
    """Along the middle mode one loop is left, whatever the layout; along the others none."""
    text = """
    tensor S[4,4,4]
    tensor R[4,4,4]
    tensor X[4,4] constant
    tensor Y[4,4] constant
    tensor Z[4,4] constant
    kernel f { R[ijk] = S[xyz] * X[xi] * Y[yj] * Z[zk] }
    """
    found = logs(plan_of(text))
    assert sorted(len(loops.loops) for loops in found) in ([0, 0, 0], [0, 0, 1])


def test_layouts_are_the_cheapest_of_all() -> None:
    """One temporary of three modes: no order of its modes has a lower price."""
    text = """
    tensor A[4,6,3]
    tensor B[6,5]
    tensor C[5,3,7]
    tensor D[4,7]
    kernel f { D[i,n] = A[i,k,l] * B[k,j] * C[j,l,n] }
    """
    made = plan_of(text)
    temporaries = [buffer.tensor for buffer in made.buffers if buffer.is_temporary]
    assert temporaries
    orders = (
        [(0, 1), (1, 0)]
        if temporaries[0].order == 2
        else [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    )
    prices = [
        sum(
            cycles(step, made.tensors | {temporaries[0].name: temporaries[0].packed(order)}, ZEN4)
            for step in made.steps
        )
        for order in orders
    ]
    assert sum(cycles(step, made.tensors, ZEN4) for step in made.steps) == min(prices)


def test_temporaries_of_many_modes_get_a_layout_that_their_neighbours_suggest() -> None:
    text = """
    tensor A[2,3,2,3,2] row_major
    tensor B[2,4]
    tensor C[4,3,2,3,2] row_major
    tensor D[4]
    kernel f { C[n,b,c,d,e] = (A[a,b,c,d,e] + A[a,b,c,d,e] * A[a,b,c,d,e]) * B[a,n] * D[n] }
    """
    made = plan_of(text)
    (large,) = [buffer.tensor for buffer in made.buffers if buffer.is_temporary and buffer.tensor.order == 5]
    assert prod(large.shape) == large.footprint
    assert all(not loops.loops for loops in logs(made))


def test_tensors_without_temporaries_stay_as_they_are() -> None:
    made = plan_of("tensor A[2,3]\ntensor B[3,2]\nkernel f { A[i,j] = B[j,i] }")
    scheduled = Schedule(made.steps, (), (), {})
    assert (
        choose_layouts([buffer.tensor for buffer in made.buffers], scheduled, rooms((), made.steps), KnownCycles(ZEN4))
        == ()
    )
