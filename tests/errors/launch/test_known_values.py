"""Arguments whose values are known when compiling, given with others."""

from dataclasses import replace

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from einsum_front.runtime.artifact import Artifact
from tests.runtime.kernels import DEVICE, VOLUME, constant, kernel, words

NUMBERS = tuple(number / 8 for number in range(20))
KNOWN = replace(
    VOLUME, parameters=(VOLUME.parameters[0], constant("K", (4, 5), values=NUMBERS), *VOLUME.parameters[2:])
)
GOOD = {"dt": 1.0, "I": np.zeros((2, 5, 3)), "Q": np.zeros((2, 4, 3))}


def refused(artifact: Artifact = KNOWN, **given: object) -> str:
    return words(kernel(artifact), **{**GOOD, **given})


def other() -> np.ndarray:
    array = np.reshape(NUMBERS, (4, 5), order="F").copy()
    array[1, 2] = 0.5
    array[3, 4] = np.nan
    return array


EXPECTED = """\
error[E0515]: argument `K` is 0.5 at (1, 2), but was 1.125 when the kernel was compiled
  = note: 2 of 20 entries differ
  = help: leave `K` out: its values are known"""


def test_array() -> None:
    assert refused(K=other()) == EXPECTED


def test_device_array_and_buffer() -> None:
    array = cl_array.to_device(DEVICE.queue, other().T.copy()).T
    assert refused(K=array) == EXPECTED
    assert refused(K=array.base_data) == EXPECTED


def test_part_of_a_buffer() -> None:
    entries = max(DEVICE.facts.base_alignment // 8, 1)
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, (entries + 20) * 8)
    whole = cl_array.Array(DEVICE.queue, (entries + 20,), np.float64, data=memory)
    whole.set(np.concatenate([np.full(entries, -1.0), other().ravel(order="F")]))
    assert refused(K=whole[entries:].reshape(5, 4).T) == EXPECTED


def test_values_are_compared_in_the_element_type() -> None:
    parameter = replace(constant("K", (4, 5), values=(0.1,) * 20), type="f32")
    artifact = replace(VOLUME, parameters=(VOLUME.parameters[0], parameter, *VOLUME.parameters[2:]))
    array = np.full((4, 5), 0.1, np.float32)
    array[0, 0] = np.nextafter(array[0, 0], np.float32(1))
    assert (
        refused(artifact, K=array)
        == """\
error[E0515]: argument `K` is 0.10000001 at (0, 0), but was 0.1 when the kernel was compiled
  = note: 1 of 20 entries differ
  = help: leave `K` out: its values are known"""
    )


def test_a_scalar_has_no_place() -> None:
    artifact = replace(VOLUME, parameters=(constant("K", (), values=(2.0,)), *VOLUME.parameters[2:]))
    assert (
        words(kernel(artifact), K=np.array(3.0), I=GOOD["I"], Q=GOOD["Q"])
        == """\
error[E0515]: argument `K` is 3.0, but was 2.0 when the kernel was compiled
  = note: 1 of 1 entries differ
  = help: leave `K` out: its values are known"""
    )


def test_other_mistakes_come_first() -> None:
    assert (
        refused(K=np.zeros((4, 6)))
        == """\
error[E0505]: argument `K` has shape (4, 6), expected (4, 5)"""
    )


def test_what_may_be_missing_is_not_taken_for_a_slip() -> None:
    assert (
        refused(k=other())
        == """\
error[E0502]: `volume` has no argument `k`
  = note: it has `dt`, `K`, `I` and `Q`"""
    )
