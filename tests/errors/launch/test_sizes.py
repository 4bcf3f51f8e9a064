"""Dynamic sizes: what a call says about arrays that do not fit."""

from dataclasses import replace

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import DEFAULT
from einsum_front.notation.parse import parse
from einsum_front.runtime.device import find_device
from einsum_front.runtime.launch import Kernel

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


def test_a_temporary_without_a_bound() -> None:
    text = parse(Source("t.ein", "size n\ntensor A[n, n]\ntensor B[n]\nkernel f { B[i] = A[i,j]*A[j,k]*A[k,k] }"))
    with pytest.raises(CompileError) as error:
        translate_program(Session(DEFAULT), text)
    assert str(error.value) == (
        "error[E0301]: `%tmp0` is a temporary of shape [n], whose size only the launch can tell\n"
        " --> t.ein:4:12\n"
        "  |\n"
        "4 | kernel f { B[i] = A[i,j]*A[j,k]*A[k,k] }\n"
        "  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ needed here\n"
        "  |\n"
        "  = note: a bound gives temporaries room for the most that `n` can be: in the notation, `size n <= 64`\n"
        "  = note: or a number: `-D n=64` of a size in the notation, `64` instead of `?` in types of linalg"
    )
