"""`memory_limit`: no array between two products has more entries, by another order or by slices of indices."""

from importlib import import_module
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.index_string.numpy_plan import NumpyPlan
from einsum_front.index_string.order import largest_between, limited, path_of_terms
from einsum_front.index_string.program import read_terms
from einsum_front.runtime.devices import room

RANDOM = np.random.default_rng(97)
CASES: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij,jk,kl->il", [(6, 7), (7, 8), (8, 5)]),
    ("ab,cd,ef->acdf", [(4, 5), (6, 3), (2, 9)]),
    ("abc,cde,efa->bdf", [(4, 3, 5), (5, 2, 3), (3, 2, 4)]),
    ("abc,cde,efa->", [(4, 3, 5), (5, 2, 3), (3, 2, 4)]),
    ("...abc,...cde,efa->...", [(2, 4, 3, 5), (1, 5, 2, 3), (3, 2, 4)]),
    ("aab,bcc,cda->d", [(4, 4, 3), (3, 5, 5), (5, 2, 4)]),
    ("ij,jk,kl,lm->mi", [(3, 4), (4, 5), (5, 6), (6, 2)]),
    ("...ij,jk,k...->...i", [(2, 3, 4), (4, 5), (5, 1)]),
    ("iij,jk,ik,k->j", [(3, 3, 4), (4, 5), (1, 5), (5,)]),
]


def sizes_of(text: str, shapes: Any) -> tuple[list[tuple[str, ...]], tuple[str, ...], dict[str, int]]:
    terms, output, extents = read_terms(text, tuple(shapes))
    return list(terms), output, extents


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize("limit", [1, 7, 20, 10**6, "max_input", -1, None])
@pytest.mark.parametrize(("text", "shapes"), CASES)
def test_the_result_is_the_same(text: str, shapes: list[tuple[int, ...]], limit: Any, build: Any) -> None:
    if build == "now" and (limit != 7 or "..." in text):
        return  # each kind of slices is built
    operands = [RANDOM.random(shape) for shape in shapes]
    expected = np.einsum(text, *operands)
    result = ef.einsum(text, *operands, memory_limit=limit, build=build)
    np.testing.assert_allclose(result, expected, rtol=1e-11)
    assert result.strides == expected.strides
    out = np.ones_like(expected, order="F")
    ef.einsum(text, *operands, memory_limit=limit, out=out, alpha=2, beta=3, build=build)
    np.testing.assert_allclose(out, 2 * expected + 3, rtol=1e-11)


@given(st.sampled_from(CASES), st.integers(1, 60), st.booleans())
def test_nothing_on_the_way_is_larger(case: tuple[str, list[tuple[int, ...]]], limit: int, follows: bool) -> None:
    terms, output, extents = sizes_of(*case)
    path = path_of_terms(terms, output, extents) if follows else None
    found = limited(terms, output, extents, limit, path)
    assert path is None or found.path == path
    sizes = {**extents, **dict(found.cut)}
    assert largest_between(terms, output, sizes, found.path) <= limit
    assert all(size < extents[name] for name, size in found.cut)
    if largest_between(terms, output, extents, path_of_terms(terms, output, extents)) <= limit:
        assert not found.cut


def test_another_order_comes_before_slices() -> None:
    terms, output, extents = sizes_of("ij,jk,kl->il", [(50, 2), (2, 60), (60, 3)])
    assert limited(terms, output, extents, 10, None).cut == ()
    assert limited(terms, output, extents, 10, ((0, 1), (0, 1))).cut != ()
    assert limited(terms, output, extents, 1500, ((0, 1), (0, 1))).cut in ((("i", 25),), (("k", 30),))


def test_arrays_that_numpy_makes_are_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[NumpyPlan] = []
    module: Any = import_module("einsum_front.index_string.numpy_calls")
    plan = module.plan_on_numpy

    def planning(*given: Any) -> NumpyPlan:
        planned.append(plan(*given))
        return planned[-1]

    monkeypatch.setattr(module, "plan_on_numpy", planning)
    operands = [RANDOM.random(shape) for shape in ((40, 41), (41, 42), (42, 43))]
    result = ef.einsum("ij,jk,kl->il", *operands, memory_limit=200, build="never")
    np.testing.assert_allclose(result, np.linalg.multi_dot(operands), rtol=1e-11)
    assert max(each.peak for each in planned) <= 8 * (200 + result.size)


@pytest.mark.parametrize("out_too", [False, True])
def test_the_result_may_be_an_operand(out_too: bool) -> None:
    operands = [RANDOM.random((5, 5)) for _ in range(3)]
    expected = np.linalg.multi_dot(operands)
    out = operands[1] if out_too else np.zeros((5, 5))
    assert ef.einsum("ij,jk,kl->il", *operands, out=out, memory_limit=3) is out
    np.testing.assert_allclose(out, expected)


def test_arrays_of_a_device() -> None:
    array = pytest.importorskip("pyopencl.array")
    queue = import_module("einsum_front.runtime").find_device().queue
    matrices = [RANDOM.random((6, 6)) for _ in range(3)]
    there = [array.to_device(queue, each) for each in matrices]
    for limit in (36, 20, 5):
        result = ef.einsum("ij,jk,kl->il", *there, memory_limit=limit)
        np.testing.assert_allclose(ef.to_host(result), np.linalg.multi_dot(matrices))
        trace = ef.einsum("ij,jk,ki->", *there, memory_limit=limit)
        np.testing.assert_allclose(ef.to_host(trace), np.trace(np.linalg.multi_dot(matrices)))
        out = array.to_device(queue, np.ones((6, 6)))
        assert ef.einsum("ij,jk,kl->il", *there, memory_limit=limit, out=out, alpha=2, beta=3) is out
        np.testing.assert_allclose(out.get(), 2 * np.linalg.multi_dot(matrices) + 3)


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    matrices = [torch.from_numpy(RANDOM.random((6, 6))) for _ in range(3)]
    result = ef.einsum("ij,jk,kl->il", *matrices, memory_limit=5)
    assert type(result) is torch.Tensor
    np.testing.assert_allclose(result.numpy(), torch.linalg.multi_dot(matrices).numpy())


@pytest.mark.parametrize("limit", ["much", 0, -2, 0.5, True, [3], np.nan])
def test_what_is_no_limit(limit: Any) -> None:
    with pytest.raises(ValueError, match=r"E0518.*`memory_limit` is"):
        ef.einsum("ij,jk,kl->il", *[np.ones((2, 2))] * 3, memory_limit=limit)


def test_what_has_no_limit() -> None:
    operands = [np.ones((4, 2, 2))] * 2 + [np.ones((2, 2))]
    with pytest.raises(TypeError, match=r"E0230.*`memory_limit` is not for batches in chunks"):
        ef.einsum("bij,bjk,kl->bil", *operands, memory_limit=2, chunk=2)
    dask = pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match=r"E0230.*`memory_limit` is not for lazy arrays"):
        ef.einsum("bij,bjk,kl->bil", *map(dask.from_array, operands), memory_limit=2)


# -- no memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize("free", [2**20, None])
def test_memory_that_is_not_there(build: Any, free: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes that the system would promise, and such that no system has."""
    monkeypatch.setattr(room, "free_memory", lambda: free)
    many = 2**14 if free else 2**31
    A, B = np.broadcast_to(1.0, (many, 1)), np.broadcast_to(1.0, (many, 1))
    for text in ("ix,jx->ij", "ix,jx->ji"):
        with pytest.raises(ef.CompileError, match="E0516") as error:
            ef.einsum(text, A, B, build=build)
        assert isinstance(error.value, MemoryError)


def test_what_is_between_two_products_has_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "free_memory", lambda: 2**20)
    many = 2**13
    operands = [RANDOM.random((many, 2)), RANDOM.random((2, many)), RANDOM.random((many, 2))]
    path = [(0, 1), (0, 1)]
    with pytest.raises(ef.CompileError, match=r"E0516.*\n.*`memory_limit=N` computes in slices"):
        ef.einsum("ij,jk,kl->il", *operands, optimize=path, build="never")
    with pytest.raises(ef.CompileError, match=r"E0516.*\n.*`memory_limit=`"):
        ef.einsum("ij,jk,kl->il", *operands, optimize=path, build="now")
    result = ef.einsum("ij,jk,kl->il", *operands, optimize=path, memory_limit=2**16, build="never")
    np.testing.assert_allclose(result, operands[0] @ (operands[1] @ operands[2]), rtol=1e-11)
    assert prod(result.shape) == many * 2


def test_numpy_has_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise MemoryError("Unable to allocate 8.00 GiB")

    remembered = import_module("einsum_front.index_string.builds").REMEMBERED
    A, B = RANDOM.random((3, 4)), RANDOM.random((4, 6))
    ef.einsum("ij,jk->ik", A, B, build="never")
    for entry in remembered.entries.values():
        monkeypatch.setattr(type(entry), "run", fails)
    with pytest.raises(ef.CompileError, match=r"E0516.*\n.*Unable to allocate 8.00 GiB\n.*`memory_limit=N`"):
        ef.einsum("ij,jk->ik", A, B, build="never")
