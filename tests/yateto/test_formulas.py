"""What formulas mean, against NumPy, and which of them YATeTo takes."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.extent import static_shape
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse_file
from einsum_front.yateto import Generator, Scalar, Tensor, useArchitectureIdentifiedBy
from einsum_front.yateto.ast.node import Add, Assign, ScalarMultiplication
from einsum_front.yateto.ast.transformer import DeduceIndices, EquivalentSparsityPattern
from einsum_front.yateto.util import tensor_collection_from_constant_expression, tensor_from_constant_expression

Arrays = dict[str, NDArray[np.float64]]
A, B, D = Tensor("A", (4, 5)), Tensor("B", (5, 6)), Tensor("D", (4, 6))
C, S, R = Tensor("C", (4, 6)), Tensor("S", (4, 4)), Tensor("R", (4, 5, 6))
x, y, t = Tensor("x", (5,)), Tensor("y", (4,)), Tensor("t", ())
alpha = Scalar("alpha")


def result(statements: Assign | list[Assign], folder: Path, **arrays: NDArray[np.float64]) -> Arrays:
    """Every tensor after a kernel of these statements, computed by the interpreter of the notation for a batch of 1."""
    generator = Generator(useArchitectureIdentifiedBy("dhsw"))
    generator.add("kernel", statements)
    generator.generate(str(folder))
    program = check(parse_file(folder / "kernel.ein"), directory=folder)
    batch = {t.name: np.zeros((1, *static_shape(t.shape))) for t in program.tensors} | {
        n: a[None] for n, a in arrays.items()
    }
    given: dict[str, NDArray[np.float64] | float] = {**batch, **{scalar.name: 3.0 for scalar in program.scalars}}
    interpret(program.kernels[0], program, given)
    return {name: array[0] for name, array in batch.items()}


def random(*tensors: Tensor) -> Arrays:
    generator = np.random.default_rng(7)
    return {tensor.name(): generator.random(tensor.shape()) for tensor in tensors}


FORMULAS = {
    "product": (C["ij"] <= A["ik"] * B["kj"], "ik,kj->ij", "AB", 1.0),
    "three": (C["ij"] <= A["ik"] * x["k"] * B["kj"], "ik,k,kj->ij", "AxB", 1.0),
    "scaled": (C["ij"] <= 2.0 * A["ik"] * B["kj"], "ik,kj->ij", "AB", 2.0),
    "scaled inside": (C["ij"] <= A["ik"] * (alpha * B["kj"]), "ik,kj->ij", "AB", 3.0),
    "transposed": (D["ij"] <= R["ikj"] * x["k"], "ikj,k->ij", "Rx", 1.0),
    "negative": (C["ij"] <= -(A["ik"] * B["kj"]), "ik,kj->ij", "AB", -1.0),
    "to a scalar": (t[""] <= A["ik"] * A["ik"], "ik,ik->", "AA", 1.0),
    "entry by entry": (C["ij"] <= C["ij"] * D["ij"], "ij,ij->ij", "CD", 1.0),
    "divided": (C["ij"] <= A["ik"] / 4 * B["kj"], "ik,kj->ij", "AB", 0.25),
    "divided by a scalar": (C["ij"] <= A["ik"] * (B["kj"] / alpha), "ik,kj->ij", "AB", 1 / 3),
    "scaled and divided": (C["ij"] <= alpha * A["ik"] * B["kj"] / 2 / np.float64(4), "ik,kj->ij", "AB", 3 / 8),
    "divided and scaled": (C["ij"] <= alpha * (A["ik"] / 2) * B["kj"], "ik,kj->ij", "AB", 1.5),
    "two quotients": (C["ij"] <= (A["ik"] / 2) * (B["kj"] / alpha), "ik,kj->ij", "AB", 1 / 6),
    "sum divided": (C["ij"] <= (C["ij"] + C["ij"]) / 8, "ij->ij", "C", 0.25),
    "repeated": (C["ij"] <= y["i"] * t[""], "i,,j->ij", "yt1", 1.0),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_products(name: str, tmp_path: Path) -> None:
    statement, subscripts, operands, factor = FORMULAS[name]
    arrays = random(A, B, C, D, R, x, y, t)
    expected = factor * np.einsum(subscripts, *({**arrays, "1": np.ones(6)}[operand] for operand in operands))
    used = {n: a.copy() for n, a in arrays.items() if n in {e for e in operands if e != "1"}}
    found = result(statement, tmp_path, **used)[statement.target.name()]
    assert np.allclose(found, expected, rtol=1e-13)


def test_sums_of_different_indices(tmp_path: Path) -> None:
    arrays = random(A, B, x, y, D)
    inside = result(C["ij"] <= A["ik"] * (B["kj"] + x["k"] + -2.0 * (y["i"] * D["ij"])), tmp_path, **arrays)["C"]
    a, b, vector, left, d = (arrays[name] for name in "ABxyD")
    expected = np.einsum("ik,ikj->ij", a, b[None] + vector[None, :, None] - 2 * (left[:, None] * d)[:, None, :])
    assert np.allclose(inside, expected, rtol=1e-13)


def test_slices_on_both_sides_and_of_products(tmp_path: Path) -> None:
    arrays = random(A, B, C, D)
    part = (A["ik"] * B["kj"]).subslice("i", 1, 3).subslice("k", 2, 5).subslice("k", 1, 3)
    written = result(C["ij"].subslice("i", 0, 2) <= part + D["ij"].subslice("i", 2, 4), tmp_path, **arrays)
    product = arrays["A"][1:3, 3:5] @ arrays["B"][3:5]
    assert np.allclose(written["C"][2:], arrays["C"][2:], rtol=0)
    assert np.allclose(written["C"][:2], product + arrays["D"][2:4], rtol=1e-13)


def test_statements_run_in_order(tmp_path: Path) -> None:
    arrays = random(A, B)
    two = result([C["ij"] <= A["ik"] * B["kj"], C["ij"] <= C["ij"] + C["ij"]], tmp_path, **arrays)["C"]
    assert np.allclose(two, 2 * arrays["A"] @ arrays["B"], rtol=1e-13)


def test_a_part_that_is_used_twice_means_the_same_both_times(tmp_path: Path) -> None:
    arrays = random(A, B, x)
    part = A["ik"] * B["kj"]
    longer = x["k"] * part
    assert len(part) == 2
    twice = result(C["ij"] <= longer + part, tmp_path, **arrays)["C"]
    expected = np.einsum("k,ik,kj->ij", arrays["x"], arrays["A"], arrays["B"]) + arrays["A"] @ arrays["B"]
    assert np.allclose(twice, expected, rtol=1e-13)


def test_sums_that_start_empty_or_in_python(tmp_path: Path) -> None:
    arrays = random(A, S)
    empty = Add()
    empty += A["ik"] * A["jk"]
    assert np.allclose(result(S["ij"] <= empty, tmp_path, **random(A))["S"], arrays["A"] @ arrays["A"].T, rtol=1e-13)
    terms = sum([S["ij"], S["ji"]], start=S["ij"])
    found = result(Tensor("Z", (4, 4))["ij"] <= terms, tmp_path, S=arrays["S"])["Z"]
    assert np.allclose(found, 2 * arrays["S"] + arrays["S"].T, rtol=1e-13)


def test_numpy_numbers_are_factors() -> None:
    for scaled, factor in ((np.float64(2) * A["ij"], 2.0), (A["ij"] * np.int64(3), 3.0)):
        assert isinstance(scaled, ScalarMultiplication)
        assert scaled.scalar() == factor


def test_indices_and_pattern_of_a_formula() -> None:
    K = Tensor("K", (4, 4), np.tri(4, k=-1, dtype=bool))
    dQ = Tensor("dQ", (4, 2), np.ones((4, 2), bool))
    derivative = DeduceIndices(Tensor("Q", (4, 2))["kp"].indices).visit(K["kl"] * dQ["lp"])
    assert str(derivative.indices) == "kp"
    pattern = EquivalentSparsityPattern().visit(derivative).eqspp()
    assert pattern is not None
    assert pattern.as_ndarray().tolist() == [[0, 0], [1, 1], [1, 1], [1, 1]]
    again = EquivalentSparsityPattern().visit(DeduceIndices("pk").visit(K["kl"] * Tensor("d", (4, 2), pattern)["lp"]))
    of_again = again.eqspp()
    assert of_again is not None
    assert of_again.as_ndarray().T.tolist() == [[0, 0], [0, 0], [1, 1], [1, 1]]


def test_constant_expressions_have_more_digits_than_a_double() -> None:
    third: dict[tuple[int, ...], str] = {(0, 0): "0.33333333333333333333"}
    K, M = Tensor("K", (1, 2), third), Tensor("M", (2, 1), {(0, 0): "3", (1, 0): "1"})
    one = tensor_from_constant_expression("one", K["ij"] * M["jk"], "ik")
    values = one.values()
    assert values is not None
    assert np.longdouble(values[0, 0]) == np.longdouble("0.33333333333333333333") * 3
    both = tensor_collection_from_constant_expression("G", lambda i, j: K["ij"] * M["jk"], [(0, 1), (2, 0)], "ki")
    assert both.G[2, 0].shape() == (1, 1)
    assert tensor_from_constant_expression("T", M["ij"] * K["jk"]).shape() == (2, 2)
