"""Graphs from the door for front ends: what they mean, and every mistake that a front end can make."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front import ir
from einsum_front.core.diagnostics import CompileError, Source, Span, render_all
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.contraction.unparse import unparse
from einsum_front.ir.contraction.verify import verify

EXTENTS = {"i": 3, "j": 2, "k": 4}


def volume() -> ir.GraphBuilder:
    builder = ir.GraphBuilder("volume")
    builder.tensor("Q", (4, 3))
    builder.tensor("I", (4, 3))
    builder.tensor("K", (4, 4), Storage.CONSTANT)
    return builder


def test_a_graph_says_what_was_built() -> None:
    builder = volume()
    builder.scalar("dt")
    product = builder.product([builder.read("K", "kl"), builder.read("I", "lp")], over="l")
    builder.assign("Q", "kp", builder.sum([builder.read("Q", "kp"), builder.scaled(ir.ScalarUse("dt"), product)]))
    assert unparse(builder.graph()) == (
        "graph volume\n"
        "  %0 = leaf Q : f64 4x3 batched\n"
        "  %1 = leaf I : f64 4x3 batched\n"
        "  %2 = leaf K : f64 4x4 constant\n"
        "  %3 = contract {kl, lp to kp} %2, %1 : k=4 p=3, sum l=4\n"
        "  %4 = scale dt, %3 : k=4 p=3\n"
        "  %5 = sum {kp, kp to kp} %0, %4 : k=4 p=3\n"
        "  %6 = Q[k, p] := {kp} %5 : k=4 p=3\n"
    )


def test_a_product_of_products_is_one_node_whose_sums_stay_apart() -> None:
    builder = volume()
    inner = builder.product([builder.read("K", "kl"), builder.read("I", "lp")], over="l")
    outer = builder.product([builder.read("K", "lk"), inner], over="k")
    builder.assign("Q", "lp", outer)
    assert "contract {lk, k l1, l1 p to lp} %2, %2, %1 : l=4 p=3, sum k=4 l1=4" in unparse(builder.graph())


def test_an_evaluated_product_is_a_factor_by_itself() -> None:
    builder = volume()
    inner = builder.evaluated(builder.product([builder.read("K", "kl"), builder.read("I", "lp")], over="l"))
    builder.assign("Q", "mp", builder.product([builder.read("K", "mk"), inner], over="k"))
    contractions = [line for line in unparse(builder.graph()).splitlines() if "contract" in line]
    assert len(contractions) == 2


def test_extents_may_be_sizes_of_the_launch() -> None:
    builder = ir.GraphBuilder("scaled")
    n = builder.size("n", least=2, most=64)
    builder.tensor("x", (2 * n, 3))
    builder.tensor("y", (2 * n,))
    builder.assign("y", "i", builder.product([builder.read("x", "ij")], over="j"))
    graph = builder.graph()
    assert not verify(graph)
    assert "leaf x : f64 [2*n]x3 batched" in unparse(graph)
    kernel = ef.compile(graph)["scaled"]
    x, y = np.random.default_rng(0).random((5, 8, 3)), np.empty((5, 8))
    kernel(x=x, y=y)
    np.testing.assert_allclose(y, x.sum(axis=2), rtol=1e-14)


@st.composite
def terms(draw: st.DrawFn) -> list[tuple[str, ...]]:
    indices = st.lists(st.sampled_from(sorted(EXTENTS)), unique=True, max_size=3).map(tuple)
    return draw(st.lists(indices, min_size=1, max_size=3))


@given(terms(), terms(), st.data())
def test_sums_of_products_mean_what_numpy_says(one: list[str], other: list[str], data: st.DataObject) -> None:
    builder = ir.GraphBuilder("any")
    arrays: dict[str, np.ndarray] = {}
    random = np.random.default_rng(len(one) + 7 * len(other))
    for number, indices in enumerate((*one, *other)):
        shape = tuple(EXTENTS[name] for name in indices)
        builder.tensor(f"T{number}", shape)
        arrays[f"T{number}"] = random.random((2, *shape))
    kept = data.draw(st.sets(st.sampled_from(sorted(EXTENTS))))
    target = "".join(sorted(kept & {name for indices in (*one, *other) for name in indices}))
    builder.tensor("R", tuple(EXTENTS[name] for name in target))
    arrays["R"] = np.full((2, *(EXTENTS[name] for name in target)), np.nan)
    expected = np.zeros(arrays["R"].shape)
    added, number = [], 0
    for factors in (one, other):
        reads = [builder.read(f"T{number + place}", each) for place, each in enumerate(factors)]
        present = sorted({name for each in factors for name in each})
        over = [name for name in present if name not in target]
        added.append(builder.product(reads, over))
        free = "".join(name for name in present if name in target)
        text = ",".join("b" + "".join(each) for each in factors) + "->b" + free
        value = np.einsum(text, *(arrays[f"T{number + place}"] for place in range(len(factors))))
        expected += np.einsum(f"b{free},b{target}->b{target}", value, np.ones(expected.shape))
        number += len(factors)
    builder.assign("R", target, builder.sum(added))
    graph = builder.graph()
    assert not verify(graph)
    interpret(graph, arrays)
    np.testing.assert_allclose(arrays["R"], expected, rtol=1e-13)


def twice(builder: ir.GraphBuilder) -> None:
    builder.tensor("Q", (2,))


def no_name(builder: ir.GraphBuilder) -> None:
    builder.scalar("2dt")


def nothing(builder: ir.GraphBuilder) -> None:
    builder.tensor("N", (4, 0))


def strides(builder: ir.GraphBuilder) -> None:
    builder.tensor("N", (4, 3), strides=(1,))


def no_parts(builder: ir.GraphBuilder) -> None:
    builder.tensor("N", (4, 2), strides=(1, 4), is_complex=True)


def entries(builder: ir.GraphBuilder) -> None:
    builder.tensor("N", (4, 3), Storage.CONSTANT, values=(1.0,))


def too_late(builder: ir.GraphBuilder) -> None:
    builder.read("Q", "kp")
    builder.tensor("N", (4,))


def no_range(builder: ir.GraphBuilder) -> None:
    builder.size("n", least=5, most=4)


def two_extents(builder: ir.GraphBuilder) -> None:
    builder.product([builder.read("Q", "kp"), builder.read("K", "pk")])


def unknown(builder: ir.GraphBuilder) -> None:
    builder.read("P", "kp")


def order(builder: ir.GraphBuilder) -> None:
    builder.read("Q", "kpq")


def outside(builder: ir.GraphBuilder) -> None:
    builder.read("Q", ("k", 3))


def window(builder: ir.GraphBuilder) -> None:
    builder.read("Q", (ir.Window("k", 2, 3), "p"))


def scalar(builder: ir.GraphBuilder) -> None:
    builder.scaled(ir.ScalarUse("dt"), builder.read("Q", "kp"))


def no_factor(builder: ir.GraphBuilder) -> None:
    builder.product([builder.read("Q", "kp")], over="l")


def not_assigned(builder: ir.GraphBuilder) -> None:
    builder.assign("Q", ("k", 0), builder.read("I", "kp"))


def constant(builder: ir.GraphBuilder) -> None:
    builder.assign("K", "kl", builder.read("K", "lk"))


def for_nothing(builder: ir.GraphBuilder) -> None:
    builder.evaluated(builder.product([builder.read("K", "kl"), builder.read("I", "lp")], over="l"))
    builder.graph()


MISTAKES: list[tuple[Callable[[ir.GraphBuilder], None], str]] = [
    (twice, "error[E0150]: `Q` is declared twice"),
    (no_name, "error[E0150]: '2dt' is no name of a scalar: a letter, then letters, digits and `_`"),
    (nothing, "error[E0150]: an extent of `N` is 0, expected one position at least"),
    (strides, "error[E0150]: `N` has 2 modes and 1 strides"),
    (entries, "error[E0150]: `N` has 12 entries and 1 values"),
    (no_parts, "error[E0150]: `N` is complex, and its last mode has not both parts side by side"),
    (too_late, "error[E0150]: tensor `N` is declared after the first value"),
    (no_range, "error[E0150]: size `n` is from 5 to 4, which is no range of extents"),
    (two_extents, "error[E0151]: index `p` has 4 positions here, but 3 there"),
    (unknown, "error[E0152]: there is no tensor `P`"),
    (order, "error[E0152]: `Q` has 2 modes, and 3 positions are given"),
    (outside, "error[E0152]: mode 1 of `Q` has 3 positions, and `3` leaves it"),
    (window, "error[E0152]: mode 0 of `Q` has 4 positions, and `k=2:5` leaves it"),
    (scalar, "error[E0152]: there is no scalar `dt`"),
    (no_factor, "error[E0153]: the sum is over index `l`, which no factor has"),
    (not_assigned, "error[E0153]: the value has index `p`, which `Q` is not assigned along"),
    (constant, "error[E0154]: `K` is a constant, which no kernel writes"),
    (for_nothing, "error[E0154]: `volume` computes a value that it does not use"),
]


@pytest.mark.parametrize(("mistake", "words"), MISTAKES, ids=[mistake.__name__ for mistake, _ in MISTAKES])
def test_every_mistake_is_said(mistake: Callable[[ir.GraphBuilder], None], words: str) -> None:
    with pytest.raises(CompileError) as error:
        mistake(volume())
    assert render_all(error.value.diagnostics).splitlines()[0] == words


def test_a_mistake_is_shown_where_the_front_end_says() -> None:
    source = Source("kernel.txt", "Q(k, p, q)")
    with pytest.raises(CompileError) as error:
        volume().read("Q", "kpq", (Span(source, 0, 10),))
    assert "kernel.txt:1:1" in render_all(error.value.diagnostics)


def test_a_front_end_has_complex_arrays() -> None:
    builder = ir.GraphBuilder("doubled")
    for name in ("A", "B"):
        builder.tensor(name, (3, 2), strides=(2, 1), is_complex=True)
    builder.assign("B", "iz", builder.scaled(ir.Number(2.0), builder.read("A", "iz")))
    A = np.random.default_rng(0).uniform(-1, 1, (5, 6)).view(complex)
    B = np.zeros_like(A)
    ef.compile(builder.graph(), device="c")["doubled"](A=A, B=B)
    assert np.array_equal(B, 2 * A)


def nodal(*, is_atomic: bool = False) -> ir.GraphBuilder:
    builder = ir.GraphBuilder("nodal")
    nodes = builder.size("nodes")
    builder.tensor("y", (nodes,), Storage.CONSTANT)
    builder.tensor("node", (4,), memory=ElementType.I32)
    builder.tensor("u", (4,))
    at = [ir.Entry("node", "i")]
    builder.scatter("y", at, builder.scaled(ir.Number(2.0), builder.read("u", "i")), is_atomic=is_atomic)
    return builder


@pytest.mark.parametrize("is_atomic", [False, True])
def test_what_is_added_where_integers_say_comes_behind_all_statements(is_atomic: bool) -> None:
    graph = nodal(is_atomic=is_atomic).graph()
    order = "in any order" if is_atomic else "in the order of the elements"
    assert unparse(graph).endswith(f"  scatter y[node[i]] += y_parts[i], {order}\n")
    assert not verify(graph)
    node = np.array([[0, 1, 1, -1], [2, 0, 0, 4]], np.int32)
    given_: dict[str, NDArray[Any]] = {"y": np.zeros(5), "node": node, "u": np.arange(8.0).reshape(2, 4)}
    wanted = np.zeros(5)
    np.add.at(wanted, node[node >= 0], 2 * given_["u"][node >= 0])
    interpret(graph, given_)
    assert (given_["y"] == wanted).all()
    given_["y"][...] = 0
    ef.compile(graph, "c")["nodal"](**given_)
    np.testing.assert_allclose(given_["y"], wanted)


def test_what_is_added_to_is_for_nothing_else() -> None:
    builder = nodal()
    builder.assign("u", "i", builder.gather(["y"], [ir.Entry("node", "i")]))
    with pytest.raises(CompileError, match="E0247"):
        builder.graph()


def test_places_are_those_of_integers() -> None:
    builder = nodal()
    for positions, target, code in (("i", "u", "E0154"), ([ir.Entry("u", "i")], "y", "E0150")):
        with pytest.raises(CompileError, match=code):
            builder.scatter(target, positions, builder.read("u", "i"))
    with pytest.raises(CompileError, match="which `y` is not added to along"):
        builder.scatter("y", [ir.Entry("node", "i")], builder.read("u", "j"))
