"""Plans with dynamic extents: counts as polynomials, orders by hints, memory by bounds."""

import pytest
from hypothesis import assume, given

from einsum_front.core.binding import bound
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import static_shape
from einsum_front.core.machines import ZEN4
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.plan.explain import explain, explain_as_data
from einsum_front.ir.plan.memory import peak_bytes
from einsum_front.ir.plan.planner import plan
from tests.ir.programs import graph_of, plan_of, simplified
from tests.meaning.opened import EXTENTS, is_valid, opened_programs, with_open_extent
from tests.profiles import share

CHAIN = """
size n {n}
size m {m}
tensor A[n, 9]
tensor B[9, 9] constant
tensor C[9, m]
tensor D[n, m]
kernel f {{ D[i,j] = A[i,k] * B[k,l] * C[l,j] }}
"""


def orders(n: str, m: str) -> list[str]:
    text = explain(plan_of(CHAIN.format(n=n, m=m)))
    return [line.strip() for line in text.split("  orders\n")[1].splitlines()]


def test_counts_are_polynomials() -> None:
    assert orders("<= 8", "<= 8") == [
        "A * B * C: (A B) C, 17*m*n + 153*n operations, 17*m*n + 153*n on boxes, 2 matrix products, "
        "9*n entries of temporaries",
        "rejected: A (B C), 17*m*n + 153*m operations, 17*m*n + 153*m on boxes, 2 matrix products, "
        "9*m entries of temporaries: as good; found later",
        "rejected: (A C) B, 242*m*n operations, 242*m*n on boxes, 2 matrix products, "
        "81*m*n entries of temporaries: 225*m*n - 153*n more operations, whatever the sizes are",
    ]


@pytest.mark.parametrize(
    ("n", "m", "taken"), [("~ 5", "~ 6", "(A B) C"), ("~ 6", "~ 5", "A (B C)"), ("<= 64", "", "(A B) C")]
)
def test_hints_decide(n: str, m: str, taken: str) -> None:
    first, second, _ = orders(n, m)
    assert first.startswith(f"A * B * C: {taken}, ")
    assert " more operations for " in second


def test_an_order_that_is_better_for_all_sizes_does_not_depend_on_hints() -> None:
    """A vector in front of a matrix product is never worse: 2*n*n for each factor, not n**3."""
    text = "size n {} tensor A[n,n] tensor B[n,n] tensor x[n] tensor y[n] kernel f {{ y[i] = A[ij]*B[jk]*x[k] }}"
    for hint in ("~ 1", "~ 2", "~ 1000"):
        made = plan_of(text.format(hint))
        taken, *rejected = made.decisions[0].ranking.orders
        assert str(taken.operations) == "4*n**2 - 2*n"
        assert all("whatever" in line for line in explain(made).splitlines() if "rejected: (A B)" in line)
        assert rejected


def test_diagonals_are_counted() -> None:
    text = (
        "size n <= 9 tensor A[n,n] temp T[n,n] tensor B[n,n] kernel f { T[i,j] = 0 T[i,i] = 1 B[i,j] = T[i,j]*A[i,j] }"
    )
    made = plan_of(text)
    assert str(made.cost.operations) == "n"
    assert "k" not in str(made.cost.executed)


def test_temporaries_have_room_for_the_largest_extents() -> None:
    made = plan_of(CHAIN.format(n="<= 20 ~ 3", m="~ 1000"))
    (temporary,) = [buffer for buffer in made.buffers if buffer.is_temporary]
    assert [str(size) for size in temporary.tensor.shape] == ["n", "9"]
    assert sorted(static_shape(temporary.tensor.strides)) in ([1, 9], [1, 20])
    assert peak_bytes(made.buffers) == 20 * 9 * 8


def test_a_limit_for_temporaries_counts_that_room() -> None:
    graph = graph_of(CHAIN.format(n="<= 20 ~ 3", m="~ 1000"))
    assert plan(graph, ZEN4, 1440).cost == plan(graph, ZEN4).cost
    with pytest.raises(CompileError, match=r"E0302.*`tmp0` \(f64 \[n\]x9 temp, 1440 bytes\)"):
        plan(graph, ZEN4, 1439)


def test_without_a_bound_the_plan_says_how_much_that_is() -> None:
    made = plan_of(CHAIN.format(n="", m="~ 2000"))
    assert str(peak_bytes(made.buffers)) == "72*n"


def test_numbers_for_programs() -> None:
    found = explain_as_data(plan_of(CHAIN.format(n="<= 8", m=">= 2")))
    assert found["sizes"] == {"n": {"least": 1, "most": 8, "hint": 8}, "m": {"least": 2, "most": None, "hint": 1000}}
    assert found["operations"] == {"nonzero": "17*m*n + 153*n", "executed": "17*m*n + 153*n"}
    assert found["temporary_bytes"] == 576


def test_graphs_show_polynomials() -> None:
    text = unparse(graph_of("size n tensor X[n, 2*n + 1] tensor Y[2*n + 1] kernel f { Y[j] += X[i,j] }"))
    assert "leaf X : f64 [n]x[2*n + 1] batched" in text
    assert ": j=2*n + 1, sum i=n" in text


@pytest.mark.generated
@share(0.5)
@given(opened_programs())
def test_plans_cost_what_plans_for_numbers_do(texts: tuple[str, str]) -> None:
    """If hints and bounds are the numbers of the text, all decisions are the same, and so are all counts.

    But for what is computed once per launch: constants whose extents are open stay with the elements.
    """
    text, _ = texts
    opened = text
    sizes: dict[str, int] = {}
    for extent in EXTENTS:
        changed = with_open_extent(opened, extent, 0, extent)
        if changed != opened and is_valid(changed):
            opened, sizes = changed, {**sizes, "abcd"[extent - 2] * 2: extent}
    graph, open_graph = simplified(graph_of(text)), simplified(graph_of(opened))
    assume(graph.prologue is None or not sizes)
    known, made = plan(graph, ZEN4), plan(open_graph, ZEN4)
    assert bound(made.cost, sizes) == known.cost
    assert (len(made.steps), bound(made.saved, sizes)) == (len(known.steps), known.saved)
