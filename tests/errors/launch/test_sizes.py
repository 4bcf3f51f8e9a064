"""Dynamic sizes: what a call says about arrays that do not fit."""

from dataclasses import replace

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.launches.launch import Kernel

TEXT = """
size n >= 2 <= 8
tensor X[n, 3]
tensor Y[2*n + 1]
tensor Z[n] constant
kernel f { for j in 0:3 { X[i,(j)] = Z[i] } Y[k] = 1 }
"""


@pytest.fixture(scope="module")
def fill() -> CompiledKernel:
    return ef.compile(ef.parse(TEXT), cache=False)["f"]


def words(kernel: CompiledKernel, **arrays: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    with pytest.raises(CompileError) as error:
        kernel(**arrays)
    return str(error.value)


def test_arrays_that_disagree(fill: CompiledKernel) -> None:
    said = words(fill, X=np.zeros((2, 5, 3)), Y=np.zeros((2, 11)), Z=np.zeros(4))
    assert said == "error[E0513]: size `n` has several values: 5 in `X`, 4 in `Z`"


def test_an_array_that_disagrees_with_a_polynomial(fill: CompiledKernel) -> None:
    said = words(fill, X=np.zeros((2, 5, 3)), Y=np.zeros((2, 10)), Z=np.zeros(5))
    assert said == "error[E0513]: size `2*n+1` is 10 in `Y`, but `n` is 5 in `X`"


def test_a_size_out_of_its_limits(fill: CompiledKernel) -> None:
    assert words(fill, X=np.zeros((2, 9, 3)), Y=np.zeros((2, 19)), Z=np.zeros(9)) == (
        "error[E0517]: size `n` is 9 in `X`, but at most 8\n"
        "  = note: the kernel has memory for no more: compile it with a larger bound"
    )
    assert words(fill, X=np.zeros((2, 1, 3)), Y=np.zeros((2, 3)), Z=np.zeros(1)) == (
        "error[E0517]: size `n` is 1 in `X`, but at least 2"
    )


def test_sizes_that_fit(fill: CompiledKernel) -> None:
    x, y = np.zeros((2, 8, 3)), np.zeros((2, 17))
    fill(X=x, Y=y, Z=np.arange(8.0))
    assert (x == np.arange(8.0)[:, None]).all()
    assert (y == 1).all()


def test_a_batch_of_none_shows_its_sizes(fill: CompiledKernel) -> None:
    fill(X=np.zeros((0, 4, 3)), Y=np.zeros((0, 9)), Z=np.zeros(4))


def test_large_batches_are_split_though_a_constant_has_an_open_size(fill: CompiledKernel) -> None:
    device = find_device()
    facts = replace(device.facts, max_allocation=4 * 8 * 3 * 8)
    launch = Kernel(fill.artifact, replace(device, facts=facts))
    x, y = np.zeros((9, 8, 3)), np.zeros((9, 17))
    launch(X=x, Y=y, Z=np.arange(8.0))
    assert (x == np.arange(8.0)[:, None]).all()
    assert (y == 1).all()


MANY = """
size n
size m
tensor a[n]
tensor b[m]
tensor c[n]
temp t[n, m]
kernel f { t[ij] = exp(a[i] * b[j]) c[i] = t[ij] * b[j] }
"""


def test_temporaries_that_are_too_large() -> None:
    """Their sizes are those of the launch, so what they take is seen there."""
    kernel = ef.compile(ef.parse(MANY), device="c", cache=False)["f"]
    with pytest.raises(CompileError) as error:
        kernel(a=np.zeros((1, 10**7)), b=np.zeros((1, 10**8)), c=np.zeros((1, 10**7)))
    assert str(error.value) == (
        "error[E0516]: this machine has no memory for the temporaries of `f`, 8000000000000063 bytes for a work-group"
    )
