"""What is computed once per launch, and that it changes no result."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.machines import ZEN4
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.algebra.once import compute_constants_once
from einsum_front.ir.algebra.price import cost_of_element
from einsum_front.ir.algebra.rewrite import same_for_all
from einsum_front.ir.algebra.separate import Separation, product_of
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.pipeline import simplify
from einsum_front.ir.plan.explain import explain, explain_as_data
from einsum_front.ir.plan.planner import plan
from tests.einsum_front.strategies import arguments_for
from tests.ir.algebra.test_meaning import LETTERS
from tests.ir.plan.test_steps import formulas
from tests.ir.programs import assert_valid, copied, graph_of, plan_of, program_of, run_plan, simplified

DECLARATIONS = """
tensor Q[12, 9]
tensor I[12, 9]
tensor R[12, 9]
tensor A[9, 9]
tensor x[12]
tensor y[12]
temp T[12, 12]
temp t[12]
tensor K[12, 12] constant
tensor L[12, 12] constant
tensor S[12, 12] constant nonzeros [(0,1), (1,2), (2,3), (5,5), (6,6)]
tensor u[12] constant
tensor v[12] constant
tensor V[12, 12] constant
scalar dt
"""


QUICK = replace(ZEN4, launch=replace(ZEN4.launch, kernel=0))
"""Starts of kernels take no time: those here are too small for a launch of their own."""

FREE = replace(ZEN4, launch=replace(ZEN4.launch, kernel=-(2.0**80), constant=0, elements=2**40))
"""What is done once costs nothing, and having something like that is worth something."""


def separated(statements: str) -> Graph:
    return simplified(graph_of(f"{DECLARATIONS}\nkernel f {{ {statements} }}"), QUICK)


CASES = {
    "a product of constants": (
        "Q[k,p] += K[k,l]*L[l,m]*I[m,p]",
        ["log K_L[0, 1] := K[0, l] * L[l, 1]"],
        ["log Q[k, p] := Q[k, p] + I[m, p] * K_L[k, m]"],
    ),
    "whatever stands between them": (
        "Q[k,p] += K[k,l]*I[m,q]*L[l,m]*A[q,p]",
        ["log K_L[0, 1] := K[0, l] * L[l, 1]"],
        ["log tmp0[m, p] := I[m, q] * A[q, p]", "log Q[k, p] := Q[k, p] + tmp0[m, p] * K_L[k, m]"],
    ),
    "three of them, in the best order": (
        "y[k] = K[k,l]*L[l,m]*u[m]*x[k]",
        ["log tmp0[l] := L[l, m] * u[m]", "log K_L_u[0] := K[0, l] * tmp0[l]"],
        ["product y[k] := x[k] * K_L_u[k]"],
    ),
    "a sum and multiples": (
        "Q[k,p] += (K[k,l] + 2*L[k,l] - dt*S[k,l])*I[l,p]",
        [
            "axpby K_L_S[0, 1] := K[0, 1]",
            "axpby K_L_S[0, 1] := K_L_S[0, 1] + 2 * L[0, 1]",
            "axpby K_L_S[0, 1+1] := K_L_S[0, 1+1] + (-1 * dt) * S[0, 1+1]",
        ],
        ["log Q[k, p] := Q[k, p] + K_L_S[k, l] * I[l, p]"],
    ),
    "a sum that is taken out of products": (
        "Q[k,p] += K[k,l]*I[l,p] - 2*L[k,l]*I[l,p]",
        ["axpby K_L[0, 1] := K[0, 1]", "axpby K_L[0, 1] := K_L[0, 1] + -2 * L[0, 1]"],
        ["log Q[k, p] := Q[k, p] + I[l, p] * K_L[k, l]"],
    ),
    "a common factor that is taken out because sums of constants are free": (
        "y[k] = x[k]*u[k] - dt*x[k]*v[k]",
        ["axpby u_v[0] := u[0]", "axpby u_v[0] := u_v[0] + (-1 * dt) * v[0]"],
        ["product y[k] := x[k] * u_v[k]"],
    ),
    "a common factor of products of constants": (
        "Q[k,p] += K[k,l]*L[l,m]*I[m,p] + dt*V[k,l]*K[l,m]*I[m,p]",
        [
            "log K_L_V[0, 1] := K[0, l] * L[l, 1]",
            "log K_L_V[0, 1] := K_L_V[0, 1] + dt * V[0, l] * K[l, 1]",
        ],
        ["log Q[k, p] := Q[k, p] + I[m, p] * K_L_V[k, m]"],
    ),
    "the coefficient of a product with a constant": (
        "Q[k,p] += 2*dt*K[k,l]*I[l,q]*A[q,p]",
        ["axpby K_1[0, 1] := (2 * dt) * K[0, 1]"],
        ["log tmp0[l, p] := I[l, q] * A[q, p]", "log Q[k, p] := Q[k, p] + tmp0[l, p] * K_1[k, l]"],
    ),
    "the coefficient of a product of constants": (
        "Q[k,p] += dt*K[k,l]*L[l,m]*I[m,p]",
        ["log K_L[0, 1] := dt * K[0, l] * L[l, 1]"],
        ["log Q[k, p] := Q[k, p] + I[m, p] * K_L[k, m]"],
    ),
    "terms of a sum": (
        "y[k] = x[k] + dt*u[k] + 3*v[k]",
        ["axpby u_v[0] := dt * u[0]", "axpby u_v[0] := u_v[0] + 3 * v[0]"],
        ["axpby y[k] := x[k]", "axpby y[k] := y[k] + u_v[k]"],
    ),
    "a sum over an index that nothing else has": (
        "y[k] = K[k,l]*x[k]",
        ["sum K_1[0] := K[0, l]"],
        ["product y[k] := x[k] * K_1[k]"],
    ),
    "a temporary tensor, and what is made of it": (
        "T[k,l] = K[k,m]*L[m,l]\n t[k] = T[k,l]*u[l]\n y[k] = t[k]*x[k]",
        ["log T[k, l] := K[k, m] * L[m, l]", "log t[k] := T[k, l] * u[l]", "axpby K_L_u[0] := t[0]"],
        ["product y[k] := K_L_u[k] * x[k]"],
    ),
    "a temporary tensor part by part": (
        "T[k,l] = 0\n T[k=0:6,l] += K[k=0:6,l]*u[l]\n T[k=6:12,l] = L[k=6:12,l]*v[l]\n y[k] = T[k,l]*x[l]",
        None,
        ["log y[k] := K_L_u_v[k, l] * x[l]"],
    ),
    "a temporary tensor of which a part differs stays": (
        "T[k,l] = K[k,m]*L[m,l]\n T[k=0:1,l] += I[k=0:1,p]*Q[l,p]\n y[k] = T[k,l]*x[l]",
        ["log K_L[0, 1] := K[0, m] * L[m, 1]"],
        None,
    ),
    "the same value in two statements": (
        "Q[k,p] += K[k,l]*L[l,m]*I[m,p]\n R[k,p] = K[k,l]*L[l,m]*Q[m,p]",
        ["log K_L[0, 1] := K[0, l] * L[l, 1]"],
        ["log Q[k, p] := Q[k, p] + I[m, p] * K_L[k, m]", "log R[k, p] := Q[m, p] * K_L[k, m]"],
    ),
    "a part of a constant": (
        "y[k=0:6] = K[k=0:6,l=0:6]*L[l=0:6,m]*x[m]",
        ["log K_L[0, 1] := K[0, l] * L[l, 1]"],
        ["log y[k] := x[m] * K_L[k, m]"],
    ),
    "no product of vectors: it has more entries than they have": (
        "Q[k,p] += u[k]*v[l]*I[l,p]",
        None,
        ["log tmp0[p] := v[l] * I[l, p]", "product Q[k, p] := Q[k, p] + u[k] * tmp0[p]"],
    ),
    "no product where there is one constant": (
        "Q[k,p] += K[k,l]*I[l,q]*A[q,p]",
        None,
        ["log tmp0[q, k] := K[k, l] * I[l, q]", "log Q[k, p] := Q[k, p] + tmp0[q, k] * A[q, p]"],
    ),
    "numbers are no constants of their own": ("y[k] = dt", None, ["fill y[k] := dt"]),
    "a declared constant is one already": ("Q[k,p] = I[k,p]\n y[k] = u[k]", None, None),
}


@pytest.mark.parametrize("title", CASES)
def test_what_is_computed_once(title: str) -> None:
    statements, before, steps = CASES[title]
    made = plan(separated(statements), QUICK)
    if before is not None:
        assert made.prologue is not None
        assert formulas(made.prologue) == before
    if steps is not None:
        assert formulas(made) == steps
    if title.startswith("no ") or title.endswith("already"):
        assert made.prologue is None


def test_the_graph_shows_both() -> None:
    assert unparse(separated("y[k] = S[k,l]*L[l,m]*x[m]")).startswith(
        "graph f_prologue\n"
        "  %0 = leaf L : f64 12x12 constant\n"
        "  %1 = leaf S : f64 12x12 constant, 5 nonzeros\n"
        "  %2 = contract {kl, lm to km} %1, %0 : k=12 m=12, sum l=12\n"
        "  %3 = leaf L_S : f64 12x12 constant, 60 nonzeros\n"
        "  %4 = L_S[0, 1] := {01} %2 : 0=12 1=12\n"
        "\n"
        "graph f\n"
    )


def test_zeros_are_those_of_the_value() -> None:
    made = plan(separated("y[k] = S[k,l]*S[l,m]*x[m]"), QUICK)
    patterns = {buffer.tensor.name: buffer.tensor.nonzeros for buffer in made.buffers}
    expected = np.zeros((12, 12), bool)
    for k, m in ((0, 2), (1, 3), (5, 5), (6, 6)):
        expected[k, m] = True
    assert patterns["S_1"] == Pattern.of_array(expected)
    assert made.cost.operations == 4


def test_the_explanation_names_it_and_counts_it_apart() -> None:
    text = f"{DECLARATIONS}\nkernel f {{ Q[k,p] += K[k,l]*L[l,m]*I[m,p] }}"
    made, before = plan_of(text), plan(graph_of(text), QUICK)
    words = "K_L is made of K and L once per launch, 144 nonzeros"
    assert f"    {words}\n" in explain(made)
    assert "\nonce per launch\nplan f_prologue: 3312 operations on nonzeros" in explain(made)
    data = explain_as_data(made)
    assert data["rewritten"] == [words]
    assert data["saved_operations"] == before.cost.operations - made.cost.operations == 12 * 9 * 23
    assert isinstance(data["prologue"], dict)
    assert (data["prologue"]["name"], data["prologue"]["operations"]) == (
        "f_prologue",
        {"nonzero": 3312, "executed": 3312},
    )
    assert explain_as_data(before)["prologue"] is None


def test_temporaries_of_the_prologue_are_memory_of_the_launch() -> None:
    """A work-group has little memory of its own; the names are none of the kernel."""
    text = f"tensor tmp0[3]\n{DECLARATIONS}\nkernel f {{ y[k] = K[k,l]*L[l,m]*u[m]*x[k] + tmp0[0] }}"
    made = plan_of(text)
    assert made.prologue is not None
    names = [buffer.tensor.name for buffer in made.prologue.buffers if not buffer.is_temporary]
    assert names == ["K", "L", "u", "K_L_u", "tmp0_1"]


@pytest.mark.parametrize(("limit", "has_prologue"), [(864, True), (863, False)])
def test_a_limit_for_temporaries_holds(limit: int, has_prologue: bool) -> None:
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ Q[k,p] = K[k,l]*L[l,m]*I[m,q]*A[q,p] }}")
    made = simplify(graph, lambda _name, _graph: None, QUICK, limit)
    assert (made.prologue is not None) == has_prologue


def test_the_name_is_a_new_one() -> None:
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ y[k] = K[k,l]*L[l,m]*x[m] }}")
    made = compute_constants_once(graph, QUICK, ["f", "f_prologue"])
    assert made.prologue is not None
    assert made.prologue.name == "f_prologue_1"


def test_a_start_must_pay() -> None:
    text = f"{DECLARATIONS}\nkernel f {{ y[k] = K[k,l]*L[l,m]*x[m] }}"
    graph = graph_of(text)
    assert compute_constants_once(graph, QUICK).prologue is not None
    slow = replace(ZEN4.launch, kernel=10_000 * ZEN4.launch.elements)
    assert compute_constants_once(graph, replace(ZEN4, launch=slow)) is graph


def test_a_temporary_tensor_is_the_same_for_all_if_all_of_it_is() -> None:
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ t[k] = u[k]\n t[k=0:2] = x[k=0:2]\n y[k] = t[k] + K[k,k] }}")
    same = {graph.describe(key) for key in same_for_all(graph)}
    assert same == {"u", "K"}


def test_the_price_of_what_reads_a_temporary_has_all_of_it() -> None:
    """T is assigned whole, so nothing that is copied to be priced is the version before."""
    graph = graph_of("""
        scalar s
        tensor Q[5, 4]
        tensor K[5, 4] constant values<2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0>
        tensor M[5, 5] constant
        temp T[5, 4]
        temp W[4, 4]
        kernel f {
            T[i,j] = s * M[i,j=1:5]
            W[i,j] = s * T[3,i] * K[j=0:4,k] * T[2,k]
            Q[i=0:4,j] += W[i,j]
        }""")
    assert_valid(simplify(graph, lambda _name, _graph: None, QUICK))


# -- meaning -----------------------------------------------------------------------------------------------------------

SMALL = """
tensor A[3, 3]
tensor x[3]
tensor C[3, 3]
tensor y[3]
temp T[3, 3]
temp t[3]
scalar s
tensor K[3, 3] constant
tensor L[3, 3] constant nonzeros [(0,0), (2,0), (1,2)]
tensor D[3, 3] constant row_major
tensor W[3, 3] values<1,0,0, 3,0,0, 0,0,1>
tensor u[3] constant
"""
ORDERS = {"A": 2, "K": 2, "L": 2, "D": 2, "W": 2, "x": 1, "u": 1}
SAME = {"K": 2, "L": 2, "D": 2, "W": 2, "u": 1}


@st.composite
def accesses(draw: st.DrawFn, names: dict[str, int]) -> str:
    name = draw(st.sampled_from(sorted(names)))
    letters = [draw(st.sampled_from(LETTERS)) for _ in range(names[name])]
    return f"{name}[{','.join(letters)}{',' if len(letters) == 1 else ''}]"


@st.composite
def products(draw: st.DrawFn, names: dict[str, int]) -> str:
    factors = [draw(accesses(names)) for _ in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):
        terms = f"{draw(accesses(names))} {draw(st.sampled_from('+-'))} s*{draw(accesses(names))}"
        factors.insert(draw(st.integers(0, len(factors))), f"({terms})")
    return draw(st.sampled_from(("", "2*", "s*", "-0.5*"))) + "*".join(factors)


@st.composite
def kernels(draw: st.DrawFn) -> str:
    """Temporary tensors of constants, of anything, or of both; then results; perhaps both again."""
    parts = [part for _ in range(draw(st.integers(1, 2))) for part in (draw(temporaries()), draw(sums()))]
    return "\n ".join(["T[i,j] = K[i,j]", "t[i] = 2*u[i]", *chain(*parts)])


@st.composite
def temporaries(draw: st.DrawFn) -> list[str]:
    lines = []
    for target in draw(st.lists(st.sampled_from(("T[i,j]", "t[i]", "T[i=0:2,j]", "T[i,i]")), max_size=3)):
        names = draw(st.sampled_from((SAME, SAME, ORDERS)))
        first = "u[i]" if target == "t[i]" else target.replace("T", "K")
        others = draw(st.lists(products(names), max_size=2)) if target in ("T[i,j]", "t[i]") else []
        lines.append(f"{target} {draw(st.sampled_from(('=', '+=')))} {' + '.join(['s*' + first, *others])}")
    return lines


@st.composite
def sums(draw: st.DrawFn) -> list[str]:
    lines, names = [], {**ORDERS, "T": 2, "t": 1}
    for target in draw(st.lists(st.sampled_from(("C[i,j]", "y[i]", "A[i,j]")), min_size=1, max_size=3)):
        terms = ["u[i]" if target == "y[i]" else "D[i,j]", *draw(st.lists(products(names), min_size=1, max_size=3))]
        lines.append(f"{target} {draw(st.sampled_from(('=', '+=')))} {' + '.join(terms)}")
    return lines


@pytest.mark.generated
@given(kernels(), st.booleans(), st.integers(0, 2**16))
def test_it_changes_no_result(statements: str, is_free: bool, seed: int) -> None:
    """Also if everything that is batch-invariant is computed once, whatever it costs."""
    text = f"{SMALL}\nkernel f {{ {statements} }}"
    program, graph = program_of(text), graph_of(text)
    given_ = {name: np.nan_to_num(value) for name, value in arguments_for(program, 2, seed).items()}
    names = {tensor.name for tensor in graph.arguments} | {scalar.name for scalar in graph.scalars}
    expected = copied({name: value for name, value in given_.items() if name in names})
    made = everything_once(graph) if is_free else simplified(graph)
    assert_valid(made)
    results = copied(expected), copied(expected)
    interpret(graph, expected)
    interpret(made, results[0])
    known = {t.name: np.reshape(t.values, t.shape, order="F") for t in made.tensors if t.values is not None}
    run_plan(plan(made, QUICK), {**known, **results[1]}, 2)
    for result in results:
        for name in result.keys() & {"C", "y", "A"}:
            np.testing.assert_allclose(result[name], expected[name], rtol=1e-9, atol=1e-9)


def everything_once(graph: Graph) -> Graph:
    return compute_constants_once(graph, FREE)


@pytest.mark.generated
@given(kernels())
def test_an_element_is_never_dearer(statements: str) -> None:
    graph = graph_of(f"{SMALL}\nkernel f {{ {statements} }}")
    made = compute_constants_once(graph, QUICK)
    assert made is graph or cost_of_element(made, QUICK) < cost_of_element(graph, QUICK)


# -- the order of products ---------------------------------------------------------------------------------------------

MODES = {"K": 2, "L": 2, "S": 2, "u": 1, "v": 1, "x": 1, "y": 1}


@pytest.mark.generated
@given(st.data())
def test_the_order_knows_what_is_free(data: st.DataObject) -> None:
    """No way to multiply some of the constants beforehand is better for an element than the one that is taken.

    What the launch does once may be a little more: the order counts that as free.
    """
    names = data.draw(st.lists(st.sampled_from(sorted(MODES)), min_size=2, max_size=4))
    factors = [f"{n}[{','.join(data.draw(st.sampled_from('abcd')) for _ in range(MODES[n]))},]" for n in names]
    graph = graph_of(f"{DECLARATIONS}\nkernel f {{ Q[a,p] = I[a,p]*{'*'.join(factors)} }}")
    same = same_for_all(graph)
    products = [(key, node) for key, node in graph.nodes if isinstance(node, cg.Contraction) and key not in same]
    made = compute_constants_once(graph, QUICK)
    element = cost_of_element(replace(made, prologue=None), QUICK)
    for key, node in products:
        assert element <= min(cost_of_element(each, QUICK) for each in ways(graph, key, node, same))


def test_a_product_that_saves_nothing_is_not_made_beforehand() -> None:
    """The rows of S are summed for each element anyway: x[b] goes with them."""
    graph = separated("Q[a,p] = I[a,p]*S[b,c]*u[a]*u[a]*x[b]")
    assert graph.prologue is not None
    assert [node.tensor.name for _, node in graph.prologue.nodes if isinstance(node, cg.Leaf)] == ["u", "u_1"]


def ways(graph: Graph, key: int, node: cg.Contraction, same: frozenset[int]) -> Iterator[Graph]:
    """The graph with every choice of disjoint groups of constants that are multiplied beforehand, none included."""
    constants = [number for number, operand in enumerate(graph.operands(key)) if operand in same]
    for partition in partitions(constants):
        groups = tuple(product_of(node, tuple(block)) for block in partition if len(block) > 1)
        yield Separation(graph, frozenset(), {key: groups}).graph("beforehand") if groups else graph


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, *others = items
    for partition in partitions(others):
        yield [[first], *partition]
        for number, block in enumerate(partition):
            yield [*partition[:number], [first, *block], *partition[number + 1 :]]
