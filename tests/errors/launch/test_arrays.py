"""NumPy arrays that a kernel cannot take."""

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.runtime.kernels import DOUBLE, VOLUME, group, kernel, tensor, tensors_of, words

GOOD = {"dt": 1.0, "K": np.zeros((4, 5)), "I": np.zeros((2, 5, 3)), "Q": np.zeros((2, 4, 3))}
GROUPED = replace(VOLUME, parameters=(*VOLUME.parameters[:3], group("Q", (4, 3), "rw")))


def refused(**arguments: object) -> str:
    return words(kernel(VOLUME), **{**GOOD, **arguments})


def test_shape() -> None:
    assert (
        refused(Q=np.zeros((128, 56, 9)))
        == """\
error[E0505]: argument `Q` has shape (128, 56, 9), expected (batch, 4, 3)"""
    )


def test_shape_of_a_constant() -> None:
    assert (
        refused(K=np.zeros(20))
        == """\
error[E0505]: argument `K` has shape (20,), expected (4, 5)"""
    )


def test_a_batch_along_the_wrong_axis_or_where_there_is_none() -> None:
    assert (
        refused(Q=np.zeros((4, 3, 128)), K=np.zeros((128, 4, 5)))
        == """\
error[E0505]: argument `K` has shape (128, 4, 5), expected (4, 5)
  = note: the tensor is one for all elements: it has no axis that counts them

error[E0505]: argument `Q` has shape (4, 3, 128), expected (batch, 4, 3)
  = note: the first axis counts the elements: `numpy.moveaxis(array, -1, 0)` puts the last axis there"""
    )


def test_shape_of_a_batch_of_fixed_size() -> None:
    fixed = replace(VOLUME, parameters=(replace(tensor("Q", (), "rw"), shape=(8,)),))
    assert (
        words(kernel(fixed), Q=np.zeros(7))
        == """\
error[E0505]: argument `Q` has shape (7,), expected (8,)"""
    )


def test_shape_with_run_time_sizes() -> None:
    nameless = replace(DOUBLE, parameters=tuple(replace(each, sizes=()) for each in tensors_of(DOUBLE)))
    flat = np.zeros((2, 6))
    assert (
        words(kernel(DOUBLE), A=flat, C=np.zeros((2, 2, 3)))
        == """\
error[E0505]: argument `A` has shape (2, 6), expected (batch, n, m)
  = note: the first axis counts the elements: `array[numpy.newaxis]` is a batch of one"""
    )
    assert (
        words(kernel(nameless), A=flat, C=np.zeros((2, 2, 3)))
        == """\
error[E0505]: argument `A` has shape (2, 6), expected (batch, ?, ?)
  = note: the first axis counts the elements: `array[numpy.newaxis]` is a batch of one"""
    )


def test_element_type() -> None:
    assert (
        refused(I=np.zeros((2, 5, 3), np.float32))
        == """\
error[E0504]: argument `I` has element type float32, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it"""
    )


def test_what_is_wrong_with_several_arguments_is_said_once() -> None:
    halves = {name: np.asarray(GOOD[name], np.float32) for name in ("K", "I", "Q")}
    assert (
        refused(**halves)
        == """\
error[E0504]: arguments `K`, `I` and `Q` have element type float32, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it
  = note: the copy of `Q` gets the result"""
    )
    assert (
        refused(K=halves["K"], I=halves["I"], Q=GOOD["Q"].astype(int))  # type: ignore[attr-defined] # an array
        == """\
error[E0504]: arguments `K` and `I` have element type float32, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it

error[E0504]: argument `Q` has element type int64, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it
  = note: the copy of `Q` gets the result"""
    )


def test_byte_order() -> None:
    assert (
        refused(I=np.zeros((2, 5, 3), ">f8"))
        == """\
error[E0504]: argument `I` has element type >f8, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it"""
    )


def test_complex_numbers() -> None:
    assert (
        refused(I=np.zeros((2, 5, 3), complex))
        == """\
error[E0504]: argument `I` has element type complex128, expected float64
  = note: the tensor is real: `I[…] complex` declares one of complex numbers"""
    )


def test_several_mistakes() -> None:
    assert (
        refused(Q=np.broadcast_to(np.float32(0), (4, 3)), dt="x")
        == """\
error[E0509]: argument `dt` is of type str, expected a number

error[E0504]: argument `Q` has element type float32, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it
  = note: the copy of `Q` gets the result

error[E0505]: argument `Q` has shape (4, 3), expected (batch, 4, 3)
  = note: the first axis counts the elements: `array[numpy.newaxis]` is a batch of one

error[E0507]: argument `Q` is read-only, and `volume` writes to it"""
    )


def test_no_array() -> None:
    assert (
        refused(K=[[1.0, 2.0]])
        == """\
error[E0503]: argument `K` is of type list, expected a NumPy or pyopencl array of shape (4, 5)
  = note: `numpy.array` makes an array of a list"""
    )


def test_masked_array() -> None:
    assert (
        refused(K=np.ma.masked_array(np.zeros((4, 5))))
        == """\
error[E0503]: argument `K` is of type MaskedArray, expected a NumPy or pyopencl array of shape (4, 5)"""
    )


def test_read_only_output() -> None:
    output = np.zeros((2, 4, 3))
    output.flags.writeable = False
    assert (
        refused(Q=output)
        == """\
error[E0507]: argument `Q` is read-only, and `volume` writes to it"""
    )


def test_group() -> None:
    assert (
        words(kernel(GROUPED), **{**GOOD, "Q": 1.0})
        == """\
error[E0503]: argument `Q` is of type float, expected a NumPy array of shape (batch, 4, 3) or a list of arrays"""
    )


def test_group_in_one_array() -> None:
    assert (
        words(kernel(GROUPED), **{**GOOD, "Q": np.zeros((2, 3, 4))})
        == """\
error[E0505]: argument `Q` has shape (2, 3, 4), expected (batch, 4, 3)"""
    )


def test_member() -> None:
    good, bad = np.zeros((4, 3)), np.zeros((3, 4), np.int64)
    assert (
        words(kernel(GROUPED), **{**GOOD, "Q": [good, bad, bad]})
        == """\
error[E0504]: member 1 of argument `Q` has element type int64, expected float64
  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it
  = note: the copy of `Q` gets the result

error[E0505]: member 1 of argument `Q` has shape (3, 4), expected (4, 3)"""
    )
    assert (
        words(kernel(GROUPED), **{**GOOD, "Q": [1.0]})
        == """\
error[E0503]: member 0 of argument `Q` is of type float, expected a NumPy array of shape (4, 3)"""
    )


def test_shared_memory() -> None:
    square = replace(VOLUME, parameters=(tensor("A", (3, 3), "r"), tensor("C", (3, 3), "w")))
    both = np.zeros((4, 3, 4))
    assert (
        words(kernel(square), A=both[:, :, :3], C=both[:, :, 1:])
        == """\
error[E0510]: `A` and `C` share memory, and `volume` writes to `C`
  = note: a kernel reads its inputs while it writes its outputs: one of the two must be a copy"""
    )


def test_shared_memory_of_outputs() -> None:
    square = replace(VOLUME, parameters=(tensor("A", (3, 3), "w"), tensor("C", (3, 3), "w")))
    both = np.zeros((2, 3, 3))
    assert (
        words(kernel(square), A=both, C=both.transpose(0, 2, 1))
        == """\
error[E0510]: `A` and `C` share memory, and `volume` writes to `A` and `C`
  = note: a kernel reads its inputs while it writes its outputs: one of the two must be a copy"""
    )


def test_shared_memory_of_members() -> None:
    matrix = np.zeros((4, 3))
    assert (
        words(kernel(GROUPED), **{**GOOD, "I": np.zeros((3, 5, 3)), "Q": [matrix, matrix.copy(), matrix]})
        == """\
error[E0510]: member 0 of `Q` and member 2 of `Q` share memory, and `volume` writes to `Q`
  = note: a kernel reads its inputs while it writes its outputs: one of the two must be a copy"""
    )


def test_entries_that_share_memory() -> None:
    windows = sliding_window_view(np.zeros(20), (4, 3)[1], writeable=True)
    stacked = np.lib.stride_tricks.as_strided(windows, (2, 4, 3), (32, 8, 8))
    assert (
        refused(Q=stacked)
        == """\
error[E0510]: entries of argument `Q` share memory, and `volume` writes to them"""
    )


def test_batches() -> None:
    assert (
        refused(I=np.zeros((127, 5, 3)))
        == """\
error[E0508]: arguments differ in the size of the batch: 127 in `I`, 2 in `Q`"""
    )


def test_batch_and_group() -> None:
    good = np.zeros((4, 3))
    assert (
        words(kernel(GROUPED), **{**GOOD, "Q": [good]})
        == """\
error[E0508]: arguments differ in the size of the batch: 2 in `I`, 1 in `Q`"""
    )


def test_number_of_work_groups() -> None:
    assert (
        words(kernel(VOLUME), 3, **GOOD)
        == """\
error[E0511]: `volume` runs one work-group for each element of the batch, 2 in `I` and `Q`, but 3 were asked for"""
    )
    assert (
        words(kernel(VOLUME), -1, **GOOD)
        == """\
error[E0511]: `volume` cannot run -1 work-groups"""
    )


def test_run_time_sizes() -> None:
    assert (
        words(kernel(DOUBLE), A=np.zeros((2, 4, 3)), C=np.zeros((2, 2, 4)))
        == """\
error[E0513]: size `m` has several values: 3 in `A`, 2 in `C`"""
    )
