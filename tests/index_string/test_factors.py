"""`alpha` and `beta`: the words of BLAS, for arrays of every kind, whatever computes the contraction."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.runtime import find_device

RANDOM = np.random.default_rng(96)
A, B, C = RANDOM.random((7, 3, 4)), RANDOM.random((7, 4, 5)), RANDOM.random((7, 3, 5))
STRING, PRODUCT = "bij,bjk->bik", A @ B


def arrays_of_the_result() -> list[np.ndarray]:
    """In several layouts."""
    wide = np.repeat(C, 2, axis=2)
    return [C.copy(), C.copy("F"), wide[:, :, ::2], C.transpose(1, 2, 0).copy().transpose(2, 0, 1)[::-1]]


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize("alpha", [1, 0, -1, 2.5, np.float32(0.5), Fraction(1, 4), np.array(3.0)])
@pytest.mark.parametrize("beta", [0, 1, -1.0, np.float64(0.25)])
def test_they_scale(alpha: Any, beta: Any, build: Any) -> None:
    for out in arrays_of_the_result():
        expected = float(alpha) * PRODUCT + float(beta) * out
        assert ef.einsum(STRING, A, B, out=out, alpha=alpha, beta=beta, build=build) is out
        np.testing.assert_allclose(out, expected, atol=1e-13)
    if beta == 0:
        result = ef.einsum(STRING, A, B, alpha=alpha, beta=beta, build=build)
        np.testing.assert_allclose(result, float(alpha) * PRODUCT, atol=1e-13)


@pytest.mark.parametrize("build", ["never", "now"])
def test_what_a_factor_of_0_belongs_to_is_not_read(build: Any) -> None:
    nothing = np.full_like(C, np.nan)
    ef.einsum(STRING, A, B, out=nothing, alpha=2, beta=0, build=build)
    np.testing.assert_allclose(nothing, 2 * PRODUCT)
    out = C.copy()
    ef.einsum(STRING, np.full_like(A, np.nan), B, out=out, alpha=0, beta=2, build=build)
    np.testing.assert_allclose(out, 2 * C)
    out = np.full_like(C, np.inf)
    ef.einsum(STRING, A, B, out=out, alpha=1, beta=-1, build=build)
    assert np.all(out == -np.inf)


@given(
    st.sampled_from(["ij,jk,kl->il", "ij->ji", "ij->", "ii->i", "i,j->ij", "ij,ij->j", "...i,ij->j..."]),
    st.sampled_from(["f4", "f8"]),
    st.sampled_from([None, "f4", "f8"]),
    st.sampled_from([-1, 0.5, 2]),
    st.sampled_from([0, 1, 3]),
)
def test_any_string_and_type(text: str, kind: str, target: str | None, alpha: float, beta: float) -> None:
    terms = text.partition("->")[0].split(",")
    operands = [RANDOM.random((4,) * len(term.replace("...", "x"))).astype(kind) for term in terms]
    plain = np.asarray(np.einsum(text, *operands, optimize=True))
    if target is None:
        result = ef.einsum(text, *operands, alpha=alpha)
        assert result.dtype == kind
        assert type(result) is type(np.einsum(text, *operands, optimize=True) * operands[0].dtype.type(1))
        np.testing.assert_allclose(result, alpha * plain, rtol=1e-5)
        return
    out = RANDOM.random(plain.shape).astype(target)
    expected = alpha * plain + beta * out
    assert ef.einsum(text, *operands, out=out, alpha=alpha, beta=beta, casting="same_kind") is out
    np.testing.assert_allclose(out, expected, rtol=1e-5)


def test_the_result_may_be_an_operand() -> None:
    for text in ("ij->ji", "ij,jk->ik", "ij,ij->ij"):
        X = RANDOM.random((5, 5))
        operands = [X] * (text.count(",") + 1)
        expected = 2 * np.einsum(text, *operands) + 3 * X
        ef.einsum(text, *operands, out=X, alpha=2, beta=3)
        np.testing.assert_allclose(X, expected)
    X = RANDOM.random((5, 5))
    before = X.copy()
    doubled = ef.einsum("ij->ji", X, alpha=2)  # no view: it is computed
    np.testing.assert_array_equal(doubled, 2 * before.T)
    np.testing.assert_array_equal(X, before)


def test_calls_with_other_factors_are_of_one_kind() -> None:
    remembered = __import__("einsum_front.index_string.builds", fromlist=["REMEMBERED"]).REMEMBERED
    remembered.entries.clear()
    out = C.copy()
    for number in range(5):
        ef.einsum(STRING, A, B, out=out, alpha=number / 7, beta=number / 9)
    assert len(remembered.entries) == 1


def test_arrays_of_a_device() -> None:
    array = pytest.importorskip("pyopencl.array")
    queue = find_device().queue
    for kind, alpha, beta in product(("f4", "f8"), (0, 1, 2.5), (0, 1, -2)):
        a, b, c = (array.to_device(queue, each.astype(kind)) for each in (A, B, C))
        assert ef.einsum(STRING, a, b, out=c, alpha=alpha, beta=beta) is c
        np.testing.assert_allclose(c.get(), alpha * PRODUCT + beta * C, rtol=1e-5, atol=1e-6)
        result = ef.einsum(STRING, a, b, alpha=alpha)
        np.testing.assert_allclose(ef.to_host(result), alpha * PRODUCT, rtol=1e-5)
        np.testing.assert_allclose(a.get(), A.astype(kind))
    wide = array.to_device(queue, np.repeat(np.repeat(C, 2, axis=0), 2, axis=2))
    a, b = array.to_device(queue, A), array.to_device(queue, B)
    ef.einsum(STRING, a, b, out=wide[::2, :, ::2], alpha=2, beta=3)
    np.testing.assert_allclose(wide.get()[::2, :, ::2], 2 * PRODUCT + 3 * C)
    np.testing.assert_array_equal(wide.get()[1::2, :, ::2], C)
    nothing = array.to_device(queue, np.full_like(C, np.nan))
    ef.einsum(STRING, a, b, out=nothing, alpha=2)
    np.testing.assert_allclose(nothing.get(), 2 * PRODUCT)
    with pytest.raises(ef.CompileError, match="E0503"):
        ef.einsum(STRING, a, b, out=C.copy(), beta=1)


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    a, b, c = (torch.from_numpy(each.copy()) for each in (A, B, C))
    assert ef.einsum(STRING, a, b, out=c, alpha=2, beta=3) is c
    np.testing.assert_allclose(c.numpy(), 2 * PRODUCT + 3 * C)
    result = ef.einsum(STRING, a, b, alpha=2)
    assert type(result) is torch.Tensor
    np.testing.assert_allclose(result.numpy(), 2 * PRODUCT)
    assert type(ef.einsum("ij->ji", a[0], alpha=2)) is torch.Tensor
    for kind in (np.float32, np.float64):
        for out in (C.astype(np.float32), C.astype(np.float64)):
            tensors = [torch.from_numpy(each.astype(kind)) for each in (A, B)]
            expected = 2 * PRODUCT + 3 * out
            ef.einsum(STRING, *tensors, out=out, alpha=2, beta=3, casting="same_kind")
            np.testing.assert_allclose(out, expected, rtol=1e-5)
    np.testing.assert_array_equal(a.numpy(), A)


def test_arrays_of_jax() -> None:
    jax = pytest.importorskip("jax")
    a, b = jax.numpy.asarray(A), jax.numpy.asarray(B)
    result = ef.einsum(STRING, a, b, alpha=2)
    assert isinstance(result, jax.Array)
    np.testing.assert_allclose(np.asarray(result), 2 * PRODUCT, rtol=1e-5)
    with pytest.raises(ef.CompileError, match="E0507"):
        ef.einsum(STRING, a, b, out=jax.numpy.asarray(C), beta=1)


def test_lazy_arrays() -> None:
    dask = pytest.importorskip("dask.array")
    lazy = ef.einsum(STRING, dask.from_array(A, chunks=(3, 3, 4)), B, alpha=2)
    np.testing.assert_allclose(lazy.compute(), 2 * PRODUCT)


def test_lazy_arrays_of_autoray() -> None:
    autoray = pytest.importorskip("autoray")
    lazy = ef.einsum(STRING, autoray.lazy.array(A), autoray.lazy.array(B), alpha=2)
    np.testing.assert_allclose(lazy.compute(), 2 * PRODUCT)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        (
            {"beta": 1},
            "E0518]: `beta` is 1, and there is no `out` that it could be a factor of\n  = note: `ef.ein",
        ),
        ({"beta": np.nan}, "E0518]: `beta` is nan, and there is no `out`"),
        ({"alpha": "2"}, "E0509]: `alpha` is of type str, expected a number"),
        ({"alpha": 1j}, "E0509]: `alpha` is 1j, which does not fit into float64"),
        ({"alpha": None}, "E0509]: `alpha` is of type NoneType, expected a number"),
        ({"alpha": True}, "E0509]: `alpha` is of type bool, expected a number"),
        ({"alpha": np.ones(2)}, "E0509]: `alpha` is of type ndarray, expected a number"),
        ({"alpha": 10**5000}, "E0509]: `alpha` does not fit into float64"),
        ({"alpha": 1e300, "dtype": "f4", "casting": "same_kind"}, "E0509]: `alpha` is 1e+300, which does not fit into"),
        ({"beta": 1, "out": np.zeros((7, 3, 4))}, "E0505]: `out` has shape (7, 3, 4), the result has (7, 3, 5)"),
        ({"beta": 1, "out": np.zeros((7, 3, 5), "f4")}, "E0504]: `out` has element type float32"),
        ({"beta": 1, "out": np.broadcast_to(0.0, (7, 3, 5))}, "E0507]: `out` is read-only"),
        ({"beta": 1, "out": [0.0]}, "E0503]: `out` is of type list, expected a NumPy array"),
        ({"alpha": 2, "chunk": 3}, "E0230]: `alpha` and `beta` are not for batches in chunks"),
    ],
)
def test_what_they_cannot_be(keywords: dict[str, Any], said: str) -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum(STRING, A, B, **keywords)
    assert said in str(error.value)


def test_lists_are_arrays() -> None:
    for kind in (np.float32, np.float64):
        out = np.ones((1, 1), kind)
        ef.einsum("ij,jk->ik", [[1, 2]], [[3.0], [4.0]], out=out, alpha=2, beta=3, casting="same_kind")
        assert out == 25
    for keywords in ({"alpha": 2}, {"alpha": 2, "out": np.ones(1)}, {"memory_limit": 3}, {"optimize": ("greedy", 3)}):
        words: Any = keywords
        with pytest.raises(ef.CompileError, match=r"E0504.*operand 0 has no shape"):
            ef.einsum("ij,jk->i", [[1.0], [2.0, 3.0]], [[1.0]], **words)


def test_factors_are_numbers_of_the_result() -> None:
    X = np.arange(4).reshape(2, 2)
    np.testing.assert_array_equal(ef.einsum("ij->ji", X, alpha=2), 2 * X.T)
    out = np.ones((2, 2), complex)
    assert ef.einsum("ij->ji", X * 1j, alpha=2j, beta=1j, out=out) is out
    np.testing.assert_array_equal(out, -2 * X.T + 1j)
    assert ef.einsum("ij->", X.astype("u1"), alpha=40.0) == np.uint8(240)
    for kind, alpha in ((int, 0.5), ("i1", 128), (int, np.nan), (bool, 2), (int, 1j), (float, np.complex128(1j))):
        with pytest.raises(TypeError, match=r"E0509.*`alpha` is .*, which does not fit into"):
            ef.einsum("ij->ji", X.astype(kind), alpha=alpha)
