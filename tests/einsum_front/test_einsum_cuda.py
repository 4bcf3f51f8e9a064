"""`ef.einsum` on arrays in the memory of CUDA: CuPy's where there is a GPU, and an emulation of it elsewhere."""

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.index_string import contract
from einsum_front.index_string.ways import find_way
from tests import emulated_cuda
from tests.chunked.kernels import words

RANDOM = np.random.default_rng(7)


def real_cupy() -> ModuleType | None:
    try:
        import cupy  # noqa: PLC0415

        return cupy if cupy.cuda.runtime.getDeviceCount() else None
    except Exception:  # no CuPy, no driver, no GPU
        return None


REAL = real_cupy()


@pytest.fixture(params=["emulated", "real"])
def cupy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    for known in (contract.known_string, find_way):
        known.cache_clear()  # kernels of the emulation run no arrays of CuPy's
    if request.param == "real":
        return REAL or pytest.skip("there is no CuPy with a GPU")
    if not emulated_cuda.is_possible():
        pytest.skip("there is no g++ with barriers")
    monkeypatch.setitem(sys.modules, "cupy", emulated_cuda.CUPY)
    return emulated_cuda.CUPY


def on_host(array: Any) -> Any:
    return array.get() if hasattr(array, "get") else np.asarray(array)


@pytest.mark.parametrize(
    ("subscripts", "shapes", "kind"),
    [
        ("bik,kj->bij", [(11, 3, 5), (5, 7)], np.float32),
        ("ij,jk->ik", [(6, 5), (5, 4)], np.float64),
        ("i,i->", [(90,), (90,)], np.float64),
        ("eijk,ai,bj,ck->eabc", [(3, 4, 4, 4), (5, 4), (5, 4), (5, 4)], np.float32),
        ("bij,ik,kl->bjl", [(5, 6, 4), (6, 5), (5, 3)], np.float64),
        ("bij->bji", [(4, 3, 2)], np.float64),
    ],
)
def test_gives_what_numpy_gives(cupy: Any, subscripts: str, shapes: list[tuple[int, ...]], kind: Any) -> None:
    operands = [RANDOM.random(shape).astype(kind) for shape in shapes]
    found = ef.einsum(subscripts, *map(cupy.asarray, operands))
    assert isinstance(found, cupy.ndarray)
    want = np.einsum(subscripts, *operands)
    np.testing.assert_allclose(on_host(found), want, rtol=1e-5 if kind is np.float32 else 1e-12)


def test_factors_and_a_limit(cupy: Any) -> None:
    matrices = [RANDOM.random((6, 6)) for _ in range(3)]
    there, expected = [*map(cupy.asarray, matrices)], np.linalg.multi_dot(matrices)
    for limit in (None, 36, 20):
        out = cupy.asarray(np.ones((6, 6)))
        assert ef.einsum("ij,jk,kl->il", *there, out=out, alpha=2, beta=3, memory_limit=limit) is out
        np.testing.assert_allclose(on_host(out), 2 * expected + 3)
        found = ef.einsum("ij,jk,kl->il", *there, alpha=-1, memory_limit=limit)
        np.testing.assert_allclose(on_host(found), -expected)
    out = cupy.asarray(np.full((6, 6), np.nan))
    ef.einsum("ij,jk->ik", *there[:2], out=out, alpha=2)
    np.testing.assert_allclose(on_host(out), 2 * matrices[0] @ matrices[1])
    with pytest.raises(CompileError, match="E0505"):
        ef.einsum("ij,jk->ik", *there[:2], out=cupy.asarray(np.ones((6, 5))), beta=1)


def test_other_orders_empty_batches_and_out(cupy: Any) -> None:
    left, right = RANDOM.random((6, 4, 4)), RANDOM.random((4, 4))
    turned = cupy.asarray(left).transpose(0, 2, 1)
    np.testing.assert_allclose(
        on_host(ef.einsum("bik,kj->bij", turned, cupy.asarray(right))), left.transpose(0, 2, 1) @ right
    )
    nothing = ef.einsum("bik,kj->bij", cupy.asarray(left)[:0], cupy.asarray(right))
    assert nothing.shape == (0, 4, 4)
    out = cupy.empty((6, 4, 4), np.float64)
    assert ef.einsum("bik,kj->bij", cupy.asarray(left), cupy.asarray(right), out=out) is out
    np.testing.assert_allclose(on_host(out), left @ right)
    same = cupy.asarray(left.copy())
    assert ef.einsum("bik,kj->bij", same, cupy.asarray(right), out=same) is same
    np.testing.assert_allclose(on_host(same), left @ right)


@pytest.mark.parametrize(
    ("given", "start"),
    [
        (
            {"operand": np.ones((4, 4))},
            "error[E0503]: operand 1 is of type ndarray, and others are in the memory of CUDA",
        ),
        ({"kind": np.float32}, "error[E0504]: operand 1 has element type float32, but operand 0 has float64"),
        ({"kind": np.int64}, "error[E0504]: operand 1 has element type int64, and kernels compute in"),
        ({"order": "F"}, "error[E0230]: "),
        ({"chunk": 3}, "error[E0230]: `chunk` is not for arrays in the memory of CUDA"),
        ({"device": "cpu"}, "error[E0230]: `device` is not for arrays in the memory of CUDA"),
        ({"shape": (5, 4)}, "error[E0227]: "),
    ],
)
def test_what_cannot_be(cupy: Any, given: dict[str, Any], start: str) -> None:
    given = dict(given)  # the parameters are those of another test, too
    right = cupy.asarray(np.ones(given.pop("shape", (4, 4)), given.pop("kind", np.float64)))
    operands = cupy.asarray(np.ones((6, 4, 4))), given.pop("operand", right)
    assert words(lambda: ef.einsum("bik,kj->bij", *operands, **given)).startswith(start)


def test_without_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    operand = np.ones((2, 2)).view(emulated_cuda.Array)
    with pytest.raises(CompileError, match="CuPy is not installed"):
        ef.einsum("ij,jk->ik", operand, operand)
