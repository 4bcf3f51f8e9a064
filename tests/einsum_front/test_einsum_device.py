"""`ef.einsum` on arrays of a device: the result is one as well, for any strides, and says what it cannot take."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest
from numpy.typing import NDArray
from pyopencl.tools import ImmediateAllocator, MemoryPool

import einsum_front as ef
from einsum_front.index_string.builds import REMEMBERED
from einsum_front.runtime.devices.device import find_device
from tests.runtime.kernels import buffer_of, transposed

DEVICE = find_device()
QUEUE = DEVICE.queue
RANDOM = np.random.default_rng(6)
A, B = RANDOM.random((7, 3, 4)), RANDOM.random((4, 5))


def upload(array: NDArray[Any], queue: cl.CommandQueue = QUEUE) -> cl_array.Array:
    return cl_array.to_device(queue, np.array(array, order="C"))


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bik,kj->bij", [(7, 3, 4), (4, 5)]),
        ("bik,kj->ijb", [(7, 3, 4), (4, 5)]),
        ("ik,kj", [(3, 4), (4, 5)]),
        ("ij,ij->", [(3, 4)] * 2),
        ("ii->i", [(4, 4)]),
        (",i->i", [(), (3,)]),
        ("...i,...i->...", [(2, 1, 3), (4, 3)]),
        ("eijk,ai,bj,ck->eabc", [(6, 4, 4, 4), *[(5, 4)] * 3]),
        ("pqrs,pi,qj,rk,sl->ijkl", [(24,) * 4, (24, 17), (24, 16), (24, 15), (24, 14)]),
        ("...ij,...jk,...kl->...il", [(2, 1, 150, 200), (1, 3, 200, 200), (2, 3, 200, 300)]),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gives_what_numpy_gives(subscripts: str, shapes: list[tuple[int, ...]], dtype: type[np.floating]) -> None:
    operands = [RANDOM.integers(-3, 4, shape).astype(dtype) for shape in shapes]
    expected = np.einsum(subscripts, *operands, optimize=True)
    arrays = [upload(operand) for operand in operands]
    for _ in range(2):  # the second time everything is compiled
        result = ef.einsum(subscripts, *arrays)
        assert isinstance(result, cl_array.Array)
        assert (result.dtype, result.shape, result.queue) == (expected.dtype, expected.shape, QUEUE)
        np.testing.assert_array_equal(result.get(), expected)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "transposed": lambda array: array.transpose((0, 2, 1)),
    "other batch": lambda array: array.transpose((1, 0, 2)),
    "every other": lambda array: array[::2, :, 1::2],
    "backwards": lambda array: array[::-1, ::-1],
    "part": lambda array: array[1:, 1:],
    "one of each": lambda array: array[:, 1],
}


@pytest.mark.parametrize("view", VIEWS)
def test_takes_any_strides(view: str) -> None:
    cut = VIEWS[view]
    left, right = RANDOM.random((6, 4, 4)), RANDOM.random((4, 4))
    array, subscripts = cut(left), "...k,...k->..."
    result = ef.einsum(subscripts, cut(upload(left)), cut(upload(left)))
    np.testing.assert_allclose(result.get(), np.einsum(subscripts, array, array), rtol=1e-13)
    square = RANDOM.random((4, 4))
    result = ef.einsum("ik,kj->ij", upload(right).T, upload(square)[::-1].T)
    np.testing.assert_allclose(result.get(), right.T @ square[::-1].T, rtol=1e-13)


OUTS: dict[str, Callable[[], cl_array.Array]] = {
    "C order": lambda: cl_array.zeros(QUEUE, (7, 3, 5), np.float64),
    "another order": lambda: transposed(cl_array.zeros(QUEUE, (5, 7, 3), np.float64), (1, 2, 0)),
    "gaps": lambda: cl_array.zeros(QUEUE, (8, 3, 10), np.float64)[1:, :, ::2],
    "backwards": lambda: cl_array.zeros(QUEUE, (7, 3, 5), np.float64)[::-1],
}


@pytest.mark.parametrize("kind", OUTS)
def test_the_result_goes_to_out(kind: str) -> None:
    out = OUTS[kind]()
    forwards = out[::-1] if kind == "backwards" else out
    order = slice(None, None, -1 if kind == "backwards" else 1)
    assert ef.einsum("bik,kj->bij", upload(A), upload(B), out=out) is out
    np.testing.assert_allclose(ef.to_host(forwards)[order], A @ B, rtol=1e-13)
    assert ef.einsum("bik,kj->bij", upload(A[:, :, :0]), upload(B[:0]), out=out) is out
    np.testing.assert_array_equal(ef.to_host(forwards), 0)


def test_out_may_be_an_operand() -> None:
    square = B[:, :4]
    whole = upload(np.concatenate([square, square]))
    array = whole[:4]
    assert ef.einsum("ik,kj->ij", array, array, out=array) is array
    np.testing.assert_allclose(whole.get(), np.concatenate([square @ square, square]), rtol=1e-13)
    part = cl_array.Array(QUEUE, (4, 4), np.float64, data=buffer_of(whole).get_sub_region(0, 128))
    want = ef.to_host(array) @ whole[2:6].get()
    ef.einsum("ik,kj->ij", array, whole[2:6], out=part)
    np.testing.assert_allclose(ef.to_host(array), want, rtol=1e-13)


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bik,kj->bij", [(0, 3, 4), (4, 5)]),
        ("b->", [(0,)]),
        ("ik,kj->ij", [(3, 0), (0, 5)]),
        ("...i->...", [(2, 0, 3)]),
    ],
)
def test_empty_arrays_are_arrays(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [np.ones(shape) for shape in shapes]
    result = ef.einsum(subscripts, *map(upload, operands))
    np.testing.assert_array_equal(result.get(), np.einsum(subscripts, *operands))


def test_queues() -> None:
    """The result is in a queue of the operands, ours if they have none; what still fills operands is waited for."""
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    other, disordered = cl.CommandQueue(DEVICE.context), cl.CommandQueue(DEVICE.context, DEVICE.handle, properties)
    left = RANDOM.random((200, 200))
    for first, second in ((other, QUEUE), (disordered, other), (QUEUE, disordered)):
        arrays = cl_array.to_device(first, left + 1, async_=True), upload(left, second).T
        result = ef.einsum("ik,kj->ij", *arrays)
        assert result.queue == first
        np.testing.assert_allclose(result.get(), (left + 1) @ left.T, rtol=1e-12)
    lonely = upload(B).with_queue(None)
    assert ef.einsum("ij->", lonely).queue == QUEUE
    assert ef.einsum("ij,ij->", lonely, upload(B, other)).queue == other


def test_memory_comes_from_where_that_of_the_operands_comes() -> None:
    pool = MemoryPool(ImmediateAllocator(QUEUE))
    arrays = [cl_array.to_device(QUEUE, array, allocator=pool) for array in (A, B)]
    result = ef.einsum("bik,kj->bij", *arrays)
    assert result.allocator is pool
    np.testing.assert_allclose(result.get(), A @ B, rtol=1e-13)


def test_one_kernel_serves_every_batch_and_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    ef.einsum("bik,kj->bij", upload(A[:2]), upload(B))
    monkeypatch.setattr(import_module("einsum_front.index_string.make"), "make_way", None)
    for batch in (1, 3, 7):
        result = ef.einsum("bik,kj->bij", upload(A)[:batch], upload(B.T).T)
        np.testing.assert_allclose(result.get(), A[:batch] @ B, rtol=1e-13)


def test_the_device_may_be_named() -> None:
    result = ef.einsum("ij->", upload(B), device=str(DEVICE.facts.number))
    np.testing.assert_allclose(result.get(), B.sum(), rtol=1e-13)
    with pytest.raises(ef.CompileError, match="E0602"):
        ef.einsum("ij->", upload(B), device="abacus")


def test_the_path_takes_shapes_from_anywhere() -> None:
    operands = [RANDOM.random(shape) for shape in ((3, 4), (4, 5), (5,))]
    assert ef.einsum_path("ij,jk,k", *map(upload, operands)) == ef.einsum_path("ij,jk,k", *operands)


# -- what it cannot take -----------------------------------------------------------------------------------------------

BOTH_WAYS = (
    "  = note: `pyopencl.array.to_device(queue, array)` copies an array to a device, `ef.to_host` copies it back"
)


def refused(*operands: object, out: object = None) -> str:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("bik,kj->bij", *operands, out=out)
    return str(error.value)


@pytest.mark.parametrize(
    ("operands", "words"),
    [
        ((0, B), "operand 0 is an array of a device, and operand 1 is of type ndarray"),
        ((A.tolist(), 1), "operand 1 is an array of a device, and operand 0 is of type list"),
    ],
)
def test_operands_in_two_places(operands: tuple[Any, Any], words: str) -> None:
    arrays = (upload(A), upload(B))
    given = [arrays[operand] if isinstance(operand, int) else operand for operand in operands]
    note = "  = note: all operands are on one device, or none is"
    assert refused(*given) == f"error[E0503]: {words}\n{note}\n{BOTH_WAYS}"


def test_element_types() -> None:
    assert refused(upload(A), upload(B.astype(np.float32))) == (
        "error[E0504]: operand 1 has element type float32, but operand 0 has float64\n"
        "  = note: arrays of a device are not converted on the way: `.astype(numpy.float64)` does it"
    )
    assert refused(upload(A), upload(B.astype(np.int32))) == (
        "error[E0504]: operand 1 has element type int32, and kernels compute in float32 or float64\n"
        "  = note: other numbers are computed without a schedule, `tune=`, chunks and arrays of a GPU"
    )


def test_places_of_entries() -> None:
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 7 * 96 + 8)
    between = cl_array.Array(QUEUE, (7, 3, 4), np.float64, data=memory, offset=4)
    assert refused(between, upload(B)) == (
        "error[E0506]: entries of operand 0 do not start at multiples of 8 bytes\n"
        "  = note: a view of an array of another element type can be like that: a copy of its entries is not"
    )


def test_out() -> None:
    arrays = upload(A), upload(B)
    assert refused(*arrays, out=np.empty((7, 3, 5))) == (
        f"error[E0503]: `out` is of type ndarray, expected an array of the device of the operands\n{BOTH_WAYS}"
    )
    assert refused(*arrays, out=cl_array.zeros(QUEUE, (7, 5, 3), np.float32)) == (
        "error[E0504]: `out` has element type float32, the result has float64\n\n"
        "error[E0505]: `out` has shape (7, 5, 3), the result has (7, 3, 5)"
    )
    memory = cl.Buffer(DEVICE.context, cl.mem_flags.READ_ONLY, 7 * 15 * 8)
    read_only = cl_array.Array(QUEUE, (7, 3, 5), np.float64, data=memory)
    assert refused(*arrays, out=read_only) == "error[E0507]: `out` is read-only"
    same = cl_array.Array(QUEUE, (7, 3, 5), np.float64, data=upload(B).base_data, strides=(0, 40, 8))
    assert refused(*arrays, out=same) == (
        "error[E0510]: entries of `out` share memory, and the result is written to them"
    )
    assert refused(A, B, out=read_only) == "error[E0503]: `out` is of type Array, expected a NumPy array"


def test_the_string_is_checked_as_ever() -> None:
    text = refused(upload(A), upload(B.T))
    assert text.startswith("error[E0227]: index `k` has size 5 in operand 1 but 4 in operand 0\n --> <einsum>:1:5")


def test_calls_with_out_like_one_before() -> None:
    """They run the kernel that was found, into any array that looks the same and that the kernel can write to."""
    square = np.random.default_rng(3).random((6, 4, 4))
    operand = upload(square)
    before = len(REMEMBERED.entries)
    for _ in range(2):
        out = upload(np.zeros((6, 4, 4)))
        assert ef.einsum("bij,bjk->bik", operand, operand, out=out) is out
        np.testing.assert_allclose(out.get(), square @ square, rtol=1e-14)
        own = upload(square)
        assert ef.einsum("bij,bjk->bik", own, own, out=own) is own
        np.testing.assert_allclose(own.get(), square @ square, rtol=1e-14)
    assert len(REMEMBERED.entries) == before + 1
    with pytest.raises(ef.CompileError, match="E0505"):
        ef.einsum("bij,bjk->bik", operand, operand, out=upload(np.zeros((6, 4, 5))))
    gone = upload(np.zeros((6, 4, 4)))
    buffer_of(gone).release()
    small = cl_array.Array(QUEUE, (6, 4, 4), np.float64, data=cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 64))
    for out in (gone, small):
        with pytest.raises(ef.CompileError, match="E0519"):
            ef.einsum("bij,bjk->bik", operand, operand, out=out)
