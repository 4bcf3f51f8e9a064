"""Spectral elements on an unstructured mesh: the right order, the same bits, and the operator of NumPy."""

from math import fsum

import numpy as np
import pytest

from examples import laplace_cg
from tests.examples.test_advection_mpi import launched, needs_mpi, ranks, skip_without_ranks
from tests.ranks.test_units import on_ranks


@pytest.mark.parametrize("order", [2, 3])
def test_the_error_falls_with_the_right_power(order: int) -> None:
    """In L², by the order and one, where the mesh is halved."""
    (_, coarse, _), (_, fine, _) = (laplace_cg.solved(order, cells, device="c") for cells in (3, 6))
    assert np.log2(coarse / fine) > order + 0.7
    assert fine < 1e-3


def test_every_run_has_the_same_bits() -> None:
    solutions = [laplace_cg.solved(4, 3, device="c")[0] for _ in range(3)]
    assert all((solution == solutions[0]).all() for solution in solutions)
    others = laplace_cg.solved(4, 3, device="c", is_atomic=True)[0]
    np.testing.assert_allclose(others, solutions[0], rtol=1e-9, atol=1e-12)


def test_two_ranks_have_the_same_bits_as_one() -> None:
    (alone,) = on_ranks(1, lambda comm: laplace_cg.solved(3, 2, device="c", comm=comm))
    for found in on_ranks(2, lambda comm: laplace_cg.solved(3, 2, device="c", comm=comm)):
        assert isinstance(alone, tuple)
        assert isinstance(found, tuple), found
        assert (found[0] == alone[0]).all()
        assert found[1:] == alone[1:]


def test_products_of_vectors_are_exact() -> None:
    """As sums of Python's fractions, up to the rounding at the end; whatever the order."""
    apply = laplace_cg.Laplacian(laplace_cg.mesh_of(2, 2), device="c")
    random = np.random.default_rng(1)
    a, b = random.normal(size=(2, 1000)) * 10.0 ** random.integers(-8, 8, (2, 1000))
    terms = a * b
    order = random.permutation(1000)
    assert apply.dot(a, b) == apply.dot(a[order], b[order]) == pytest.approx(fsum(terms), rel=1e-15)
    assert apply.dot(0 * a, b) == 0


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4, 9])
def test_the_same_bits_on_any_number_of_ranks(count: int) -> None:
    skip_without_ranks()
    options = ("--order", "3", "--cells", "2", "--device", "c")
    done = [launched(*ranks(each, *options, example="laplace_cg")) for each in (1, count)]
    assert [each.returncode for each in done] == [0, 0], done[1].stderr
    alone, found = (each.stdout.split("values ")[1].split()[0] for each in done)
    assert found == alone


def test_the_operator_is_that_of_numpy() -> None:
    mesh = laplace_cg.mesh_of(3, 2)
    apply = laplace_cg.Laplacian(mesh, device="c")
    x, y = (np.random.default_rng(seed).normal(size=mesh.unknowns) for seed in (1, 2))
    values = np.where(mesh.node >= 0, x[mesh.node], 0)
    D = mesh.derive
    slopes = [np.einsum(each, D, values) for each in ("il,eljk->eijk", "jl,eilk->eijk", "kl,eijl->eijk")]
    number = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5}
    fluxes = [sum(mesh.metric[number[min(a, b), max(a, b)]] * slopes[b] for b in range(3)) for a in range(3)]
    back = ("li,eljk->eijk", "lj,eilk->eijk", "lk,eijl->eijk")
    added = sum(np.einsum(each, D, flux) for each, flux in zip(back, fluxes, strict=True))
    wanted = np.zeros(mesh.unknowns)
    np.add.at(wanted, mesh.node[mesh.node >= 0], np.asarray(added)[mesh.node >= 0])
    np.testing.assert_allclose(apply(x), wanted, rtol=1e-12, atol=1e-12)
    assert float(y @ apply(x)) == pytest.approx(float(x @ apply(y)), rel=1e-12)


def test_the_example_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert laplace_cg.main(["--order", "2", "--cells", "2", "--device", "c"]) < 1e-1
    assert "8 hexahedra of order 2, 27 unknowns" in capsys.readouterr().out
