"""What becomes of statements when values of constants are known, and what is said about it."""

import numpy as np
import pytest

from einsum_front.core.extent import static
from einsum_front.core.machines import ZEN4
from einsum_front.ir.algebra.known import LARGEST
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.pipeline import SIMPLIFICATIONS, simplify
from einsum_front.ir.plan.explain import explain, explain_as_data
from einsum_front.ir.plan.memory import peak_bytes
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.tensor import Tensor
from tests.ir.plan.test_steps import formulas
from tests.ir.programs import graph_of, plan_of, simplified

DECLARATIONS = """
tensor A[3, 3]
tensor B[3, 3]
tensor D[3, 3]
tensor Q[3, 5]
tensor R[3, 5]
tensor x[3]
tensor C[3, 3, 3]
scalar s
tensor I[3, 3] values<1,0,0, 0,1,0, 0,0,1>
tensor S[3, 5] values<0,0,0, 0,0,0, 1,0,0, 0,1,0, 0,0,1>
tensor P[3, 5] values<1,0,0, 0,0,0, 0,1,0, 0,0,0, 0,0,1>
tensor ones[3] values<1, 1, 1>
tensor half[3] values<1/2, 1/2, 0>
tensor K[3, 3] values<0,2,0, 0,0,1, 0,0,0>
tensor L[3, 3] values<1,0,0, 3,0,0, 0,0,1>
tensor G[3, 3] values<2,4,6, 1,2,3, 3,6,9>
tensor V[6, 3]
tensor W[6, 2] values<1,2,3,1,2,3, 1,2,3,-1,-2,-3>
tensor Y[2, 6] values<1,1, 1,1, 1,1, 1,-1, 1,-1, 1,-1>
"""
"""`S` is one at (l, l+2), `P` at (0, 0), (1, 2) and (2, 4); `G` is a column times a row, and so are
two quarters of `W * Y`."""

I_IS_NONE, S_IS_NONE = "no product with I, which is 1 at [{}]", "no product with S, which is 1 at [{}]"
P_IS_COPIED = "no product with P: 3 runs of entries are copied"

CASES = {
    "an identity is no product": (
        "A[i,j] = I[i,k]*B[k,j]",
        [I_IS_NONE.format("i, i")],
        ["axpby A[i, j] := B[i, j]"],
    ),
    "an identity between two factors": (
        "A[i,j] += B[i,k]*I[k,l]*B[l,j]",
        [I_IS_NONE.format("k, k")],
        ["log A[i, j] := A[i, j] + B[i, k] * B[k, j]"],
    ),
    "an identity takes a diagonal": (
        "x[i] = I[i,j]*A[j,j]",
        [I_IS_NONE.format("i, i")],
        ["broadcast x[i] := A[i, i]"],
    ),
    "the trace of an identity is a number": (
        "A[i,j] = I[k,k]*B[i,j]",
        ["no product with I, which is 1 at [k]"],
        ["axpby A[i, j] := 3 * B[i, j]"],
    ),
    "rows that follow each other are a part": (
        "A[i,l] = Q[i,j]*S[l,j]",
        [S_IS_NONE.format("l, l+2")],
        ["axpby A[i, l] := Q[i, l+2]"],
    ),
    "columns that follow each other are written, the others zero": (
        "Q[i,j] = A[i,l]*S[l,j]",
        [S_IS_NONE.format("l, l+2")],
        ["fill Q[i, j] := 0", "axpby Q[i, j+2] := A[i, j]"],
    ),
    "a product is added to a part": (
        "Q[i,j] += s*A[i,k]*B[k,l]*S[l,j]",
        [S_IS_NONE.format("l, l+2")],
        ["log Q[i, j+2] := Q[i, j+2] + s * A[i, k] * B[k, j]"],
    ),
    "a sum becomes a sum of parts": (
        "Q[i,j] = R[i,j] + 2*(A[i,l] - B[i,l])*S[l,j]",
        [S_IS_NONE.format("l, l+2")],
        [
            "axpby Q[i, j] := R[i, j]",
            "axpby tmp0[i, j] := A[i, j]",
            "axpby tmp0[i, j] := tmp0[i, j] + -1 * B[i, j]",
            "axpby Q[i, j+2] := Q[i, j+2] + 2 * tmp0[i, j]",
        ],
    ),
    "a selection there and back": (
        "x[i] = S[i,j]*S[k,j]*x[k]",
        [S_IS_NONE.format("i, i+2"), "no product with S, which is 1 at [k, k]"],
        [],
    ),
    "ones are a sum": (
        "x[i] = A[i,j]*ones[j]",
        ["no product with ones, which is 1 at [j]"],
        ["sum x[i] := A[i, j]"],
    ),
    "one number is a coefficient": (
        "x[i] = A[i,j]*half[j]",
        ["no product with half, which is 0.5 at [j]"],
        ["sum x[i] := 0.5 * A[i, j]"],
    ),
    "other rows are copied": (
        "A[i,l] = Q[i,j]*P[l,j]",
        [P_IS_COPIED],
        ["axpby A[i, l] := Q[i, l]", "axpby A[i, l+1] := Q[i, l+2]", "axpby A[i, l+2] := Q[i, l+4]"],
    ),
    "other columns are copied": (
        "Q[i,j] += x[i]*x[l]*P[l,j]",
        [P_IS_COPIED],
        [
            "product tmp0[i, l] := x[i] * x[l]",
            "axpby Q[i, j] := Q[i, j] + tmp0[i, j]",
            "axpby Q[i, j+2] := Q[i, j+2] + tmp0[i, j+1]",
            "axpby Q[i, j+4] := Q[i, j+4] + tmp0[i, j+2]",
        ],
    ),
    "columns that are not copied are zero": (
        "Q[i,j] = A[i,l]*P[l,j]",
        [P_IS_COPIED],
        [
            "fill Q[i, j+1] := 0",
            "fill Q[i, j+3] := 0",
            "axpby Q[i, j] := A[i, j]",
            "axpby Q[i, j+2] := A[i, j+1]",
            "axpby Q[i, j+4] := A[i, j+2]",
        ],
    ),
    "rows are not copied for a product that takes as little": (
        "A[i,l] = B[i,k]*B[k,m]*P[m,j]*Q[l,j]",
        [],
        [
            "log tmp0[i, m] := B[i, k] * B[k, m]",
            "log tmp1[l, m] := P[m, j] * Q[l, j]",
            "log A[i, l] := tmp0[i, m] * tmp1[l, m]",
        ],
    ),
    "what no other factor has stays a product": (
        "A[i,j] = ones[i]*x[j]",
        [],
        ["product A[i, j] := ones[i] * x[j]"],
    ),
    "a diagonal stays a product": (
        "A[i,j] = x[i]*I[i,j]",
        [],
        ["product A[i, j] := x[i] * I[i, j]"],
    ),
    "sums and multiples of constants are constants": (
        "A[i,j] = 2*K[i,j] + L[i,j]",
        ["K_L is made of K and L when translating, 5 nonzeros"],
        ["axpby A[i, j] := K_L[i, j]"],
    ),
    "constants next to each other are one where that takes less": (
        "A[i,j] = K[i,k]*L[k,m]*B[m,j]",
        ["K_L is made of K and L when translating, 2 nonzeros"],
        ["fill A[i, j] := 0", "fill A[i+2, j] := 0", "log A[i+1, j] := B[m, j] * K_L[i+1, m]"],
    ),
    "constants around a factor stay": (
        "A[i,j] = K[i,k]*B[k,m]*L[m,j]",
        [],
        [
            "log tmp0[m, i] := K[i+1, k] * B[k, m]",
            "fill A[i, j] := 0",
            "log A[i+1, j] := tmp0[m, i] * L[m, j]",
        ],
    ),
    "a constant of low rank is a column times a row": (
        "A[i,j] = G[i,k]*B[k,j]",
        ["G becomes two other factors when translating, 3 and 3 nonzeros instead of 9"],
        ["log tmp0[j] := B[k, j] * G_right[k]", "product A[i, j] := tmp0[j] * G_left[i]"],
    ),
    "a basis in between in which two constants are sparser": (
        "V[i,j] = W[i,k]*Y[k,l]*V[l,j]",
        [
            "W_Y is made of W and Y when translating, 18 nonzeros",
            "W_Y becomes two other factors when translating, 6 and 6 nonzeros instead of 18",
        ],
        ["log tmp0[j, m] := V[l, j] * W_Y_right[m, l]", "log V[i, j] := tmp0[j, m] * W_Y_left[i, m]"],
    ),
    "a common factor is taken out": (
        "A[i,j] = B[i,k]*A[k,j] - s*B[i,l]*D[l,j]",
        ["B is taken out of a sum"],
        [
            "axpby tmp0[k, j] := A[k, j]",
            "axpby tmp0[k, j] := tmp0[k, j] + (-1 * s) * D[k, j]",
            "log A[i, j] := B[i, k] * tmp0[k, j]",
        ],
    ),
    "a common factor of three terms saves more than sums of entries take": (
        "A[i,j] = B[i,j]*D[i,j] + 2*B[i,j]*D[j,i] - s*B[i,j]*x[j]",
        ["B is taken out of a sum"],
        [
            "axpby tmp0[i, j] := D[i, j]",
            "axpby tmp0[i, j] := tmp0[i, j] + 2 * D[j, i]",
            "broadcast tmp0[i, j] := tmp0[i, j] + (-1 * s) * x[j]",
            "product A[i, j] := B[i, j] * tmp0[i, j]",
        ],
    ),
    "a common factor in another role is none": (
        "A[i,j] = B[i,k]*D[k,j] + B[k,i]*D[j,k]",
        [],
        ["log A[i, j] := B[i, k] * D[k, j]", "log A[i, j] := A[i, j] + B[k, i] * D[j, k]"],
    ),
    "a common factor stays where sums take as long": (
        "A[i,j] = B[i,j]*D[i,j] + B[i,j]*D[j,i]",
        [],
        ["product A[i, j] := B[i, j] * D[i, j]", "product A[i, j] := A[i, j] + B[i, j] * D[j, i]"],
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_rewritings(title: str) -> None:
    statement, texts, steps = CASES[title]
    graph = simplified(graph_of(f"{DECLARATIONS}\nkernel f {{ {statement} }}"))
    assert [rewriting.text for rewriting in graph.rewritings] == texts
    assert formulas(plan(graph, ZEN4)) == steps


def test_the_graph_shows_parts_and_new_constants() -> None:
    text = """
    tensor V[3, 2]
    tensor Q[3, 4]
    tensor S[2, 4] values<0,0, 1,0, 0,1, 0,0>
    tensor K[3, 3] values<0,1,1, 0,0,1, 0,0,0>
    kernel f { Q[i,j] += K[i,k] * K[k,l] * V[l,n] * S[n,j] }
    """
    assert unparse(simplified(graph_of(text))) == (
        "graph f\n"
        "  %0 = leaf V : f64 3x2 batched\n"
        "  %1 = leaf Q : f64 3x4 batched\n"
        "  %2 = leaf S : f64 2x4 constant, 2 nonzeros, values known\n"
        "  %3 = leaf K : f64 3x3 constant, 3 nonzeros, values known\n"
        "  %4 = leaf K_1 : f64 3x3 constant, 1 nonzeros, values known\n"
        "  %5 = contract {lj, il to ij} %0, %4 : i=3 j=2, sum l=3\n"
        "  %6 = embed %5 at [i, j+1] of 3x4 : i=3 j=2\n"
        "  %7 = sum {ij, ij to ij} %1, %6 : i=3 j=4\n"
        "  %8 = Q[i, j] := {ij} %7 : i=3 j=4\n"
    )


def test_the_explanation_says_what_was_rewritten_and_what_that_saves() -> None:
    text = f"{DECLARATIONS}\nkernel f {{ A[i,l] = Q[i,j]*S[l,j] + K[i,k]*L[k,m]*B[m,l] }}"
    texts = ["no product with S, which is 1 at [l, l+2]", "K_L is made of K and L when translating, 2 nonzeros"]
    graph = graph_of(text)
    made = plan_of(text)
    saved = plan(graph, ZEN4).cost.operations - made.cost.operations
    assert saved == 11
    assert f"  rewritten, {saved} operations less\n    {texts[0]}\n    {texts[1]}\n  orders\n" in explain(made)
    data = explain_as_data(made)
    assert (data["rewritten"], data["saved_operations"]) == (texts, saved)


def test_where_nothing_is_known_nothing_is_said() -> None:
    made = plan_of(f"{DECLARATIONS}\nkernel f {{ A[i,j] = B[i,k]*D[k,j] }}")
    assert "rewritten" not in explain(made)
    assert (explain_as_data(made)["rewritten"], explain_as_data(made)["saved_operations"]) == ([], 0)


def test_a_rewriting_that_needs_too_much_memory_is_left() -> None:
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ A[i,j] = D[i,k]*B[k,j] + D[i,k]*B[j,k] }}")
    for limit, rewritten in ((72, True), (71, False)):
        simplified_graph = simplify(graph, lambda _name, _graph: None, ZEN4, limit)
        assert (simplified_graph.rewritings != ()) == rewritten
        assert static(peak_bytes(plan(simplified_graph, ZEN4, limit).buffers)) <= limit


def test_every_pass_is_seen() -> None:
    seen: list[str] = []
    simplify(graph_of(f"{DECLARATIONS}\nkernel f {{ A[i,j] = B[i,j] }}"), lambda name, _graph: seen.append(name), ZEN4)
    assert seen == [*(name for name, _ in SIMPLIFICATIONS), "compute_constants_once"]


def test_values_without_a_name_are_called_what_they_are() -> None:
    graph = simplified(
        graph_of(
            f"""{DECLARATIONS}
            kernel f {{
                A[i,j] = (B[i,k] + 1)*D[k,j] + (B[i,k] + 1)*D[j,k]
                Q[i,j] = A[i,l] * (P[l,j] + S[l,j] - P[l,j])
            }}"""
        )
    )
    texts = [rewriting.text for rewriting in graph.rewritings]
    assert texts == ["no product with a sum, which is 1 at [l, l+2]", "a sum is taken out of a sum"]


# -- constants that are made when translating --------------------------------------------------------------------------


def made_constant(text: str) -> Tensor | None:
    graph = graph_of(text)
    given = {tensor.name for tensor in graph.tensors}
    leaves = [node.tensor for _, node in simplified(graph).nodes if isinstance(node, cg.Leaf)]
    return next((tensor for tensor in leaves if tensor.name not in given), None)


@pytest.mark.parametrize("real", ["f32", "f64"])
def test_constants_are_what_numpy_makes_of_them_in_f64(real: str) -> None:
    """Whoever stores them rounds them, once."""
    text = f"""
    real {real}
    tensor a[2] values<1/3, 1/7>
    tensor M[2, 2] values<1/10, 1/11, 1/12, 1/13>
    tensor x[2]
    kernel f {{ x[i] = M[i,j]*a[j] }}
    """
    m = np.array([[1 / 10, 1 / 12], [1 / 11, 1 / 13]])
    expected = np.einsum("ij,j->i", m, np.array([1 / 3, 1 / 7]))
    made = made_constant(text)
    assert made is not None
    assert made.values == tuple(expected.tolist())


def test_entries_that_cancel_are_zeros() -> None:
    text = """
    tensor a[1, 2] values<1, 1>
    tensor M[2, 3] values<1, -1, 2, 3, 1, 1>
    tensor x[3]
    tensor y[1]
    kernel f { y[i] = a[i,j]*M[j,k]*x[k] }
    """
    made = made_constant(text)
    assert made is not None
    assert made.nonzeros is not None
    assert (made.name, made.values, made.nonzeros.runs()) == ("a_M", (0.0, 5.0, 2.0), ((1, 3),))


def test_equal_products_are_one_constant_and_others_have_other_names() -> None:
    text = """
    tensor K[4, 4] values<0,1,1,2, 0,0,1,2, 0,0,0,3, 0,0,0,0>
    tensor x[4]
    tensor y[4]
    tensor z[4]
    scalar K_1
    kernel f { y[i] = K[i,j]*K[j,k]*x[k]
     x[i] = K[i,j]*K[j,k]*z[k]
     z[i] = K[j,i]*K[k,j]*z[k] * K_1 }
    """
    graph = simplified(graph_of(text))
    assert [tensor.name for tensor in graph.tensors] == ["K", "x", "y", "z", "K_2", "K_3"]


def test_a_constant_that_its_type_cannot_hold_is_not_made() -> None:
    text = """
    real f32
    tensor a[2] values<1e30, 2e30>
    tensor M[2, 2] values<1e30, 0, 0, 3e30>
    tensor x[2]
    kernel f { x[i] = M[i,j]*a[j] }
    """
    assert made_constant(text) is None


@pytest.mark.parametrize(("extent", "is_made"), [(181, True), (182, False)])
def test_large_constants_are_not_made(extent: int, is_made: bool) -> None:
    assert 181**2 <= LARGEST < 182**2
    text = f"""
    tensor a[{extent}] values<{", ".join(str(number + 1) for number in range(extent))}>
    tensor X[{extent}, {extent}]
    kernel f {{ X[i,j] = a[i]*a[j] }}
    """
    assert (made_constant(text) is not None) == is_made
