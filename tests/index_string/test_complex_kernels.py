"""Kernels on complex numbers: real programs over their parts."""

from itertools import product
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.index_string.builds import BUILDS, REMEMBERED
from einsum_front.index_string.numpy_calls import NumpyCall
from einsum_front.runtime import find_device
from tests.index_string.layouts import arranged
from tests.profiles import share

RANDOM = np.random.default_rng(118)

STRINGS = [
    "bij,bjk->bik",
    "bij,bjk->bki",
    "bij,jk->bik",
    "ij,bjk->bik",
    "bi,bi->b",
    "b,bi->bi",
    "bii,bi->bi",
    "bij->bi",
    "bij,bj,bk->bik",
    "bijk,bkl,bj->bil",
    "b...j,bjk->b...k",
]


def numbers(shape: Any, kind: str) -> Any:
    """Small integers, whose products are exact."""
    found = RANDOM.integers(-3, 4, shape)
    return (found + 1j * RANDOM.integers(-3, 4, shape) if kind in "FD" else found).astype(kind)


def operands_of(string: str, kinds: str, sizes: dict[str, int]) -> list[Any]:
    terms = string.replace("...", "xy").partition("->")[0].split(",")
    return [numbers([sizes[name] for name in term], kind) for term, kind in zip(terms, kinds, strict=True)]


def calls_of(string: str) -> list[NumpyCall]:
    """What is remembered of calls of a string."""
    return [each for looks, each in REMEMBERED.entries.items() if looks[0] == string and isinstance(each, NumpyCall)]


@pytest.mark.parametrize("string", ["bij,bjk->bik", "bij,jk->bik", "bi,bi->b", "bij->bi"])
def test_arrays_of_a_device(string: str) -> None:
    """Complex beside real ones, in and out of C order; calls like one before run the kernel that it found."""
    queue = cl.CommandQueue(find_device("PoCL").context)
    sizes = {"b": 7, "i": 3, "j": 4, "k": 5}
    for real, other in (("d", "D"), ("f", "F")):
        for kinds in product((real, other), repeat=string.count(",") + 1):
            if other not in kinds:
                continue
            operands = operands_of(string, "".join(kinds), sizes)
            expected = np.einsum(string, *operands)
            there = [cl_array.to_device(queue, each) for each in operands]
            wide = cl_array.to_device(queue, np.repeat(operands[0], 2, axis=-1))
            for arrays in (there, there, [wide[..., ::2], *there[1:]]):
                found = ef.einsum(string, *arrays)
                assert found.dtype == expected.dtype
                np.testing.assert_array_equal(found.get(), expected)
            np.testing.assert_array_equal(ef.einsum(string, *there, alpha=-2.0).get(), -2 * expected)


def test_arrays_of_a_device_without_a_kernel() -> None:
    queue = cl.CommandQueue(find_device("PoCL").context)
    matrix = cl_array.to_device(queue, np.ones((3, 3), complex))
    batch = cl_array.to_device(queue, np.ones((2, 3, 3), complex))
    notes = (
        "  = note: complex kernels are for batches (`bik,bkj->bij`), with 2 complex operands at most\n"
        "  = note: arrays of NumPy are computed in any case"
    )
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("ij,jk->ik", matrix, matrix)
    why = "no index leads all operands that have it, and the arrays are complex128 on a device"
    assert str(error.value) == f"error[E0504]: {why}\n{notes}"
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("bij,bjk,bkl->bil", batch, batch, batch)
    why = "3 operands are complex, and the arrays are complex128 on a device"
    assert str(error.value) == f"error[E0504]: {why}\n{notes}"
    with pytest.raises(ef.CompileError, match="`alpha` is 1j, which does not fit into float64"):
        ef.einsum("bij,bjk->bik", batch, batch, alpha=1j)


@pytest.mark.parametrize("string", STRINGS)
def test_every_mixture_of_real_and_complex(string: str) -> None:
    sizes = {"b": 7, "i": 3, "j": 4, "k": 5, "l": 2, "x": 2, "y": 3}
    count = string.count(",") + 1
    for real, other in (("d", "D"), ("f", "F")):
        for kinds in product((real, other), repeat=count):
            if other in kinds:
                operands = operands_of(string, "".join(kinds), sizes)
                expected = np.einsum(string, *operands)
                for out in (None, np.empty_like(expected)):
                    result = ef.einsum(string, *operands, out=out, build="now")
                    assert result.dtype == other
                    np.testing.assert_array_equal(result, expected)
                    assert (ef.einsum(string, *operands, out=out, build="now") == expected).all()
                if kinds.count(other) <= 2:
                    assert max(calls_of(string), key=lambda each: each.used).kernel is not None


def test_what_has_no_batch_is_computed_by_blas() -> None:
    A, B = numbers((9, 4), "D"), numbers((4, 5), "D")
    for _ in range(2):
        np.testing.assert_array_equal(ef.einsum("ik,kj->ij", A, B, build="now"), A @ B)
    assert [call.kernel for call in calls_of("ik,kj->ij")] == [None]


def test_three_complex_operands_are_multiplied_in_pairs() -> None:
    A, B, C = (numbers((6, 3, 3), "D") for _ in range(3))
    for _ in range(2):
        np.testing.assert_array_equal(ef.einsum("bij,bjk,bkl->bil", A, B, C, build="now"), A @ B @ C)


@pytest.mark.parametrize("order", ["C", "F", "K"])
def test_results_lie_as_those_of_numpy(order: Any) -> None:
    A, B = numbers((6, 3, 4), "D"), numbers((6, 4, 5), "D")
    for each in (A, np.asfortranarray(A), A[::-1]):
        for _ in range(2):
            result = ef.einsum("bij,bjk->bik", each, B, order=order, build="now")
            expected = np.einsum("bij,bjk->bik", each, B, order=order)
            np.testing.assert_array_equal(result, expected)
            assert result.strides == expected.strides


def test_long_batches_run_on_the_driver() -> None:
    A, B = numbers((4000, 12, 12), "D"), numbers((4000, 12, 12), "D")
    keywords: list[dict[str, Any]] = [{"build": "now"}, {"device": "c"}]
    for words in keywords:
        for _ in range(2):
            np.testing.assert_array_equal(ef.einsum("bij,bjk->bik", A, B, **words), A @ B)
        assert all(call.kernel is not None for call in calls_of("bij,bjk->bik") if call.plan.multiplications > 10**6)


def test_a_device_by_name_has_to_be_there() -> None:
    A = numbers((5, 2, 2), "D")
    with pytest.raises(ef.CompileError, match="E0602"):
        ef.einsum("bij,bjk->bik", A, A, device="nowhere")


def test_kernels_are_built_in_the_background_and_tried() -> None:
    A, B = numbers((300, 4, 4), "D"), numbers((300, 4, 4), "D")
    ef.einsum("nij,njk->nik", A, B, build="auto")
    (call,) = calls_of("nij,njk->nik")
    assert call.saving > 0
    call.left = 1.0
    ef.einsum("nij,njk->nik", A, B, build="auto")
    BUILDS.wait()
    assert call.trial is not None
    while call.trial is not None:
        np.testing.assert_array_equal(ef.einsum("nij,njk->nik", A, B, build="auto"), A @ B)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """A string with a batch, real and complex operands, layouts of all kinds."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    extents = {letter: draw(st.integers(1, 5)) for letter in "abcd"}
    terms, operands = [], []
    for _ in range(draw(st.integers(1, 3))):
        term = "n" + "".join(draw(st.lists(st.sampled_from("abcd"), max_size=3)))
        kind = draw(st.sampled_from("DDdFf"))
        layout = draw(st.sampled_from(("C", "F", "permuted", "sliced", "reversed", "unaligned")))
        operands.append(arranged(random, numbers([2 * {"n": 3, **extents}[name] for name in term], kind), layout))
        terms.append(term)
    found = sorted(set("".join(terms)) - {"n"})
    output = draw(st.permutations(draw(st.lists(st.sampled_from(found), unique=True)) if found else []))
    return f"{','.join(terms)}->n{''.join(output)}", operands


@pytest.mark.generated
@share(0.1)
@given(calls())
def test_results_are_those_of_numpy(call: tuple[str, list[Any]]) -> None:
    string, operands = call
    expected = np.einsum(string, *operands)
    for _ in range(2):
        result = ef.einsum(string, *operands, build="now")
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)
