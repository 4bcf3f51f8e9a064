"""Memory of a device that a kernel cannot take."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest

from einsum_front.core.diagnostics import render_all
from einsum_front.runtime.arrays import arguments
from einsum_front.runtime.arrays.layout import declared_layout
from einsum_front.runtime.arrays.storage import DeviceArray
from tests.runtime.kernels import DEVICE, DOUBLE, NAME, VOLUME, buffer_of, constant, kernel, tensor, transposed, words

GOOD = {"dt": 1.0, "K": np.zeros((4, 5)), "I": np.zeros((2, 5, 3)), "Q": np.zeros((2, 4, 3))}


def refused(**given: object) -> str:
    return words(kernel(VOLUME), **{**GOOD, **given})


def zeros(*shape: int, dtype: type = np.float64) -> cl_array.Array:
    return cl_array.zeros(DEVICE.queue, shape, dtype)


def test_layout() -> None:
    assert (
        refused(Q=zeros(2, 4, 3))
        == """\
error[E0506]: argument `Q` has strides (12, 3, 1), expected (12, 1, 4)
  = note: strides count elements; an array of a device is used where it lies, NumPy arrays can lie in any way"""
    )


def test_gaps_between_modes_that_are_walked_as_one() -> None:
    """Modes 0 and 1 of the memref; behind them, the elements may have any distance."""
    walked = replace(DOUBLE, parameters=(tensor("A", (None, 3), "r", fused=((0, 1),)), tensor("C", (None, 3), "w")))
    gaps = zeros(2, 3, 6)[:, :, :4].transpose((0, 2, 1))
    assert (
        words(kernel(walked), A=gaps, C=np.zeros((2, 4, 3)))
        == """\
error[E0506]: argument `A` has strides (18, 1, 6), expected (12, 1, 4)
  = note: strides count elements; an array of a device is used where it lies, NumPy arrays can lie in any way
  = note: `twice` walks axes 1 and 2 as one: there must be no gaps between them"""
    )


@pytest.mark.parametrize("place", [lambda *shape: np.zeros(shape), zeros], ids=["host", "device"])
def test_sizes_that_do_not_fit_strides_that_are_declared(place: Callable[..., object]) -> None:
    """The second mode starts at 8 whatever the size of the first is, and the two are walked as one."""
    padded = replace(constant("A", (None, 3)), strides=(1, 8), fused=((0, 1),))
    called = kernel(replace(DOUBLE, parameters=(padded, tensor("C", (None, 3), "w"))))
    assert (
        words(called, A=place(5, 3), C=np.zeros((2, 4, 3)))
        == """\
error[E0505]: argument `A` has shape (5, 3), for which `twice` has strides (1, 8)
  = note: strides count elements: it walks modes as one between which there are gaps"""
    )
    assert (
        words(called, A=place(9, 3), C=np.zeros((2, 4, 3)))
        == """\
error[E0505]: argument `A` has shape (9, 3), for which `twice` has strides (1, 8)
  = note: strides count elements: entries would overlap"""
    )


def test_shape_and_element_type() -> None:
    assert (
        refused(Q=zeros(2, 3, 4, dtype=np.float32))
        == """\
error[E0504]: argument `Q` has element type float32, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it
  = note: the copy of `Q` gets the result

error[E0505]: argument `Q` has shape (2, 3, 4), expected (batch, 4, 3)"""
    )


def test_read_only() -> None:
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_ONLY, 2 * 12 * 8)
    text = "error[E0507]: argument `Q` is read-only, and `volume` writes to it"
    assert refused(Q=memory) == text
    assert refused(Q=cl_array.Array(DEVICE.queue, (2, 4, 3), np.float64, data=memory)) == text


def test_start() -> None:
    """Element 1 of Q starts after 96 bytes; entry 1/2 is nowhere."""
    array = transposed(zeros(3, 3, 4), (0, 2, 1))[1:]
    assert (
        words(kernel(VOLUME, base_alignment=128), **{**GOOD, "Q": array})
        == f"""\
error[E0512]: argument `Q` starts 96 bytes into its memory, where `{NAME}` cannot start a buffer
  = note: there a part of a buffer starts at a multiple of 128 bytes"""
    )
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 2 * 96 + 8)
    between = cl_array.Array(DEVICE.queue, (2, 4, 3), np.float64, data=memory, offset=4, strides=(96, 8, 32))
    assert (
        words(kernel(VOLUME, base_alignment=1), **{**GOOD, "Q": between})
        == f"""\
error[E0512]: argument `Q` starts 4 bytes into its memory, where `{NAME}` cannot start a buffer
  = note: there a part of a buffer starts at a multiple of 8 bytes"""
    )


def test_shared_memory() -> None:
    both = zeros(2, 3, 3)
    square = replace(VOLUME, parameters=(tensor("A", (3, 3), "r"), tensor("C", (3, 3), "w")))
    text = """\
error[E0510]: `A` and `C` share memory, and `volume` writes to `C`
  = note: a kernel reads its inputs while it writes its outputs: one of the two must be a copy"""
    swapped = transposed(both, (0, 2, 1))
    assert words(kernel(square), A=swapped, C=swapped) == text
    assert words(kernel(square), A=swapped, C=buffer_of(both).get_sub_region(0, both.nbytes)) == text


def test_sizes_of_buffers() -> None:
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 100)
    assert (
        refused(K=memory, Q=memory)
        == """\
error[E0505]: argument `K` is a buffer of 100 bytes, expected at least 160

error[E0505]: argument `Q` is a buffer of 100 bytes, expected a multiple of 96"""
    )
    fixed = replace(VOLUME, parameters=(replace(tensor("Q", (), "rw"), shape=(8,)),))
    assert (
        words(kernel(fixed), Q=memory)
        == """\
error[E0505]: argument `Q` is a buffer of 100 bytes, expected 64"""
    )


def test_buffer_without_sizes() -> None:
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 96)
    note = "\n  = note: a pyopencl array has them"
    without = "is an OpenCL buffer, which has no shape and strides, and these are known only at the launch"
    assert words(kernel(DOUBLE), A=memory, C=np.zeros((1, 3, 4))) == f"error[E0503]: argument `A` {without}{note}"


def test_other_places() -> None:
    """Contexts are made up: a second one is more than some drivers survive."""
    other = SimpleNamespace(name="another GPU ")
    here, there = SimpleNamespace(devices=[DEVICE.handle]), SimpleNamespace(devices=[other])
    elsewhere = SimpleNamespace(devices=[DEVICE.handle, other])

    def on_device(name: str, context: SimpleNamespace) -> DeviceArray:
        parameter = constant(name, (2,))
        return DeviceArray(parameter, None, 0, declared_layout(parameter, (2,)), cast("cl.Context", context), None)

    given = [("A", here), ("B", there), ("C", elsewhere), ("D", here), ("E", elsewhere)]
    found = arguments._place_mistakes(DEVICE, [on_device(name, context) for name, context in given])
    assert (
        render_all(found)
        == f"""\
error[E0512]: argument `B` lives on `another GPU`, the kernel is for `{NAME}`

error[E0512]: arguments `A`, `C` and `E` live in different OpenCL contexts"""
    )
