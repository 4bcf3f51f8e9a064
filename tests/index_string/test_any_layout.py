"""`ef.einsum` gives what `numpy.einsum` gives for operands as they lie: entries, type, and layout of the result."""

from itertools import pairwise, permutations
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.index_string.keywords import Build
from tests.index_string.layouts import Call, calls, tolerance
from tests.profiles import share


def check(call: Call, build: Build, **keywords: Any) -> None:
    """The same call twice: the second is remembered."""
    subscripts, operands = call
    expected = np.einsum(subscripts, *operands, order=keywords.get("order", "K"))
    for _ in range(2):
        found = ef.einsum(subscripts, *operands, build=build, **keywords)
        assert type(found) is type(expected)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        assert (np.abs(found - expected) <= tolerance(subscripts, operands, expected.dtype)).all()
        if "optimize" in keywords:
            continue
        if expected.base is None:  # else it is a view of the operand
            assert steps(found) == steps(expected)
        elif build != "now" and isinstance(operands[0], np.ndarray):
            assert np.may_share_memory(found, expected)


def steps(array: Any) -> list[int]:
    """The strides of modes that have more than one entry."""
    return [step for step, size in zip(array.strides, array.shape, strict=True) if size > 1]


@pytest.mark.generated
@given(calls())
@share(3, of_long=20)
def test_without_a_kernel(call: Call) -> None:
    check(call, "never")


@pytest.mark.generated
@given(calls())
@share(0.3)
def test_a_path_is_followed(call: Call) -> None:
    """Twice: the second is remembered by its path."""
    last_first: list[tuple[int, ...]] = [(left - 2, left - 1) for left in range(len(call[1]), 1, -1)]
    check(call, "never", optimize=["einsum_path", *(last_first or [(0,)])])


@pytest.mark.generated
@given(calls(), st.sampled_from("CFAKcfak"))
@share(1)
def test_the_order_of_the_result(call: Call, order: str) -> None:
    check(call, "never", order=order)


@pytest.mark.generated
@given(calls(), st.sampled_from("CFKs"))
@share(1)
def test_results_go_to_out(call: Call, layout: str) -> None:
    subscripts, operands = call
    expected = np.asarray(np.einsum(subscripts, *operands))
    for build in ("never", "auto"):
        if layout == "s":
            whole = np.full([2 * size for size in expected.shape], 7.0, expected.dtype)
            key: Any = (*(slice(None, None, 2),) * expected.ndim, ...)
            out = whole[key]
        else:
            out = np.full_like(expected, 7, order=cast("Any", layout))
        assert ef.einsum(subscripts, *operands, out=out, build=build) is out
        assert (np.abs(out - expected) <= tolerance(subscripts, operands, expected.dtype)).all()


@pytest.mark.generated
@given(calls())
@share(0.05, of_long=0.05)
def test_with_a_kernel(call: Call) -> None:
    check(call, "now")


@pytest.mark.parametrize("build", ["never", "auto", "now"])
@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij,ij->ij", "ij,ji->j"])
def test_out_may_be_an_operand(subscripts: str, build: Build) -> None:
    random = np.random.default_rng(3)
    A, B = random.random((2, 4, 4))
    expected = np.einsum(subscripts, A, B)
    out = A if expected.ndim == 2 else A[1]
    for target in (out, out.T):
        a = A.copy()
        mine = a if expected.ndim == 2 else a[1]
        if target is not out:
            mine = mine.T
        assert ef.einsum(subscripts, a, B, out=mine, build=build) is mine
        np.testing.assert_allclose(mine, expected, rtol=1e-13)


@pytest.mark.parametrize("kinds", [("f4", "f8"), ("f8", "i4"), ("f4", "f4"), (">f8", "f4"), ("i8", "f4"), ("?", "f8")])
def test_types_are_those_of_numpy(kinds: tuple[str, str]) -> None:
    A, B = (np.arange(6).reshape(shape).astype(kind) for shape, kind in zip(((2, 3), (3, 2)), kinds, strict=True))
    expected = np.einsum("ij,jk->ik", A, B)
    found = ef.einsum("ij,jk->ik", A, B, build="never")
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected)


def test_a_string_of_many_small_operands_and_of_many_indices() -> None:
    matrices = np.random.default_rng(1).random((40, 2, 2))
    letters = [chr(code) for code in (*range(97, 123), *range(65, 91))][:41]
    chain = ",".join(one + other for one, other in pairwise(letters))
    expected = np.linalg.multi_dot(list(matrices))
    found = ef.einsum(f"{chain}->{letters[0]}{letters[-1]}", *matrices, build="never")
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)


# -- arrays of other libraries -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij,jk->", "ij,ij->ij", "ii->i", "ij->ji"])
def test_tensors_of_torch(subscripts: str) -> None:
    torch: Any = pytest.importorskip("torch")
    turns: tuple[Any, ...] = (lambda tensor: tensor, lambda tensor: tensor.T, lambda tensor: tensor[:, 1:4][1:4])
    for turn in turns:
        given = [turn(torch.rand(5, 5, dtype=torch.float64)) for _ in range(2 if "," in subscripts else 1)]
        expected = torch.einsum(subscripts, *given)
        for _ in range(2):
            found = ef.einsum(subscripts, *given, build="never")
            assert type(found) is torch.Tensor
            assert torch.allclose(found, expected, rtol=1e-13)
    if len(given) == 1:
        found[0] = 7
        assert torch.einsum(subscripts, *given)[0].flatten()[0] == 7


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_tensors_of_torch_that_are_more_than_their_entries() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.rand(4, 4)
    ef.einsum("ij,jk->ik", tensor, tensor, build="never")
    for each in (tensor.clone().requires_grad_(), tensor.to_sparse(), torch.rand(4, 4, dtype=torch.complex64).conj()):
        with pytest.raises(ef.CompileError):
            ef.einsum("ij,jk->ik", tensor, each, build="never")
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(tensor, torch.ones(4, 4))
        with pytest.raises(ef.CompileError, match="tangent"):
            ef.einsum("ij,jk->ik", dual, tensor, build="never")
    released = torch.rand(4, 4)
    released.untyped_storage().resize_(0)
    with pytest.raises(ef.CompileError, match="storage"):
        ef.einsum("ij,jk->ik", released, tensor, build="never")
    with pytest.raises(ef.CompileError, match=r"torch\.func"):
        torch.func.vmap(lambda row: ef.einsum("j,jk->k", row, tensor, build="never"))(tensor)


def test_arrays_of_jax() -> None:
    jax = pytest.importorskip("jax")
    one, other = jax.numpy.ones((3, 4)), jax.numpy.ones((4, 5))
    for _ in range(2):
        found = ef.einsum("ij,jk->ik", one, other, build="never")
        assert isinstance(found, jax.Array)
        assert (found == 4).all()
        assert isinstance(ef.einsum("ij->ji", one, build="never"), jax.Array)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (40, 30)])
def test_results_whose_fastest_mode_is_short(kind: Any, size: int, rows: int, columns: int) -> None:
    """They are copied mode by mode, from products and from kernels."""
    random = np.random.default_rng(size)
    left, right = (
        np.ascontiguousarray(random.random((size, 7, each, 5)).astype(kind).swapaxes(0, -1)).swapaxes(0, -1)
        for each in (rows, columns)
    )
    expected = np.einsum("bhqd,bhkd->bhqk", left, right)
    for build in ("never", "now"):
        found = ef.einsum("bhqd,bhkd->bhqk", left, right, build=build)
        np.testing.assert_allclose(found, expected, rtol=32 * np.finfo(kind).eps)
        assert (found.dtype, found.strides) == (expected.dtype, expected.strides)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(100, 12, 12), (2, 3, 4), (12, 12, 100), (3, 5000, 2), (2, 2, 5000)])
@pytest.mark.parametrize("text", ["abc->a", "abc->c", "abc->ab", "abc->bc", "abc->b", "abc->", "abc->ba", "aac->a"])
def test_sums_of_one_operand_in_every_order(text: str, shape: tuple[int, ...], kind: Any) -> None:
    """Rows and columns without gaps are added up by products with ones, all others by NumPy's loops."""
    size = tuple(shape[:1] * 2 + shape[2:]) if text.startswith("aa") else shape
    whole = np.random.default_rng(3).random(size).astype(kind) - kind(0.25)
    for order in permutations(range(3)):
        array = np.ascontiguousarray(whole.transpose(order)).transpose(np.argsort(order))
        for each in (array, array[:, ::-1], array[..., ::2]):
            if text.startswith("aa") and each.shape[0] != each.shape[1]:
                continue
            expected = np.einsum(text, each.astype(np.float64))
            found = ef.einsum(text, each, build="never")
            bound = each.size * np.finfo(kind).eps
            np.testing.assert_allclose(found, expected, rtol=bound, atol=bound)
            assert found.dtype == kind
            if isinstance(found, np.ndarray):
                assert found.strides == np.einsum(text, each).strides
    special = whole.copy()
    special.flat[:3] = np.nan, np.inf, -0.0
    np.testing.assert_array_equal(np.isfinite(ef.einsum(text, special)), np.isfinite(np.einsum(text, special)))
