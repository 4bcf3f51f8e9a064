"""The harness around LIBXSMM: products with and without a sum, copies, temporaries and updates."""

import numpy as np
import pytest

from benchmarks.arguments import Arguments, random
from benchmarks.case import Case, FileSource, WorkingSet
from benchmarks.chain import Chain, Matrix, Product, Update
from benchmarks.ours import translate
from benchmarks.peers.libxsmm import prepare, why_missing
from benchmarks.sets.chains import FILE

N, BATCH = 8, 7

pytestmark = pytest.mark.skipif(why_missing() is not None, reason=f"LIBXSMM is not installed: {why_missing()}")


def arguments_of(real: str) -> Arguments:
    """Those of `Y = K X L`."""
    kernel = translate(FileSource(FILE, "three", {"N": N}), real, "auto").kernel
    return random(kernel, BATCH, is_single=False)


def run(chain: Chain, arguments: Arguments, threads: int) -> np.ndarray:
    case = Case("", FileSource(FILE, "three", {}), "f64", WorkingSet.CACHE, (), chain=lambda _arrays: chain)
    runner = prepare(case, arguments, threads)
    assert runner is not None
    assert runner.run() > 0
    return runner.outputs()["Y"]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(("real", "tolerance"), [("f64", 1e-13), ("f32", 1e-5)])
def test_products_through_a_temporary(real: str, tolerance: float, threads: int) -> None:
    arguments = arguments_of(real)
    k, x, l_, y = (Matrix(name, N) for name in ("K", "X", "L", "Y"))
    t = Matrix("T", 16)
    chain = Chain((Product(k, x, t, N, N, N), Product(t, l_, y, N, N, N)), {"T": 16 * N})
    expected = arguments.array("K") @ arguments.array("X") @ arguments.array("L")
    np.testing.assert_allclose(run(chain, arguments, threads), expected, rtol=0, atol=tolerance * N * N)


def test_a_sum_of_boxes() -> None:
    arguments = arguments_of("f64")
    first = Product(Matrix("K", N), Matrix("X", N), Matrix("Y", N), N, N, N)
    corner = Matrix("Y", N, offset=2 + 3 * N)
    second = Product(Matrix("X", N, offset=1), Matrix("L", N, offset=4 * N), corner, 5, 2, 6, beta=1)
    k, x, l_ = (arguments.array(name) for name in ("K", "X", "L"))
    expected = k @ x
    expected[:, 2:7, 3:5] += x[:, 1:6, :6] @ l_[:6, 4:6]
    np.testing.assert_allclose(run(Chain((first, second)), arguments, 2), expected, rtol=0, atol=1e-12)


def test_copies_of_a_product() -> None:
    arguments = arguments_of("f64")
    columns = Matrix("X", N, distance=2 * N), Matrix("Y", N, distance=2 * N)
    chain = Chain((Product(Matrix("K", N), *columns, N, 2, N, times=N // 2),))
    expected = arguments.array("K") @ arguments.array("X")
    np.testing.assert_allclose(run(chain, arguments, 2), expected, rtol=0, atol=1e-12)


def test_updates() -> None:
    arguments = arguments_of("f64")
    values = {**arguments.values, "half": 0.5, "two": 2.0}
    arguments = Arguments(arguments.kernel, values, arguments.batched, arguments.outputs, BATCH, is_single=False)
    x, y = Matrix("X", N), Matrix("Y", N)
    chain = Chain((Update("half", x, y, N, N), Update("two", x, y, N - 2, N, beta=1)))
    expected = 0.5 * arguments.array("X")
    expected[:, : N - 2] += 2 * arguments.array("X")[:, : N - 2]
    np.testing.assert_allclose(run(chain, arguments, 2), expected, rtol=0, atol=1e-15)


def test_a_constant_of_the_chain() -> None:
    arguments = arguments_of("f64")
    transposed = np.asfortranarray(arguments.array("K").T)
    chain = Chain((Product(Matrix("KT", N), Matrix("X", N), Matrix("Y", N), N, N, N),), constants={"KT": transposed})
    expected = arguments.array("K").T @ arguments.array("X")
    np.testing.assert_allclose(run(chain, arguments, 2), expected, rtol=0, atol=1e-12)


def test_later_runs_sweep_over_the_batch_more_than_once() -> None:
    arguments = arguments_of("f64")
    product = Product(Matrix("K", N), Matrix("X", N), Matrix("Y", N), N, N, N, beta=1)
    case = Case("", FileSource(FILE, "three", {}), "f64", WorkingSet.CACHE, (), chain=lambda _arrays: Chain((product,)))
    runner = prepare(case, arguments, 1)
    assert runner is not None
    runner.run()
    once = runner.outputs()["Y"] - arguments.array("Y")
    runner.run()
    more = runner.outputs()["Y"] - arguments.array("Y")
    sweeps = more[0, 0, 0] / once[0, 0, 0]
    assert sweeps == pytest.approx(round(sweeps))
    assert sweeps > 2


def test_large_products_are_not_for_it() -> None:
    arguments = arguments_of("f64")
    large = Product(Matrix("K", 2000), Matrix("X", 2000), Matrix("Y", 2000), 2000, 2000, 2000)
    case = Case("", FileSource(FILE, "three", {}), "f64", WorkingSet.CACHE, (), chain=lambda _arrays: Chain((large,)))
    assert prepare(case, arguments, 1) is None
