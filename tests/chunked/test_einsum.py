"""`ef.einsum` on data sets, in chunks, and on arrays of other libraries."""

import sys
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.runtime import find_device
from tests.chunked.kernels import Array, DataSet, arguments, program, words

STRING = "kl,blp->bkp"


def test_data_sets_are_never_read_whole() -> None:
    given = arguments()
    inputs, out = DataSet(given["I"]), DataSet(np.zeros_like(given["Q"]))
    assert ef.einsum(STRING, given["K"], inputs, out=out, memory="30 kB") is out
    np.testing.assert_array_equal(out.array, given["K"] @ given["I"])
    assert max(key.stop - key.start for key in inputs.slices) <= 128


def test_options_alone() -> None:
    given = arguments()
    told: list[int] = []
    found = ef.einsum(STRING, given["K"], given["I"], chunk=500, progress=lambda done, _batch: told.append(done))
    np.testing.assert_array_equal(found, given["K"] @ given["I"])
    assert told == [500, 1000]


def test_without_a_batch() -> None:
    text = words(lambda: ef.einsum("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4)), chunk=1))
    assert text.startswith("error[E0526]: the index string has no batch, so it cannot be computed in chunks\n")


@pytest.mark.parametrize(
    ("options", "start"),
    [
        ({"order": "F"}, "error[E0230]: `order` is not for batches in chunks\n"),
        ({"optimize": ["einsum_path", (0, 1)]}, "error[E0230]: `optimize` is not for batches in chunks\n"),
        ({"dtype": "f4"}, "error[E0504]: operand 0 has element type float64, which is not converted to float32\n"),
        ({"dtype": "f4", "casting": "unsafe"}, "error[E0504]: "),
        ({"casting": "never"}, "error[E0518]: `casting` is 'never'"),
    ],
)
def test_keywords_are_honoured_or_refused(options: dict[str, Any], start: str) -> None:
    given = arguments()
    text = words(lambda: ef.einsum(STRING, given["K"], DataSet(given["I"]), chunk=100, **options))
    assert text.startswith(start)


def test_constants_are_converted_as_casting_allows() -> None:
    given = arguments()
    found = ef.einsum(STRING, given["K"].astype(np.float32), DataSet(given["I"]), chunk=100, dtype="f8", order="C")
    np.testing.assert_array_equal(found, given["K"] @ given["I"])
    text = words(lambda: ef.einsum(STRING, given["K"].astype("f4"), DataSet(given["I"]), chunk=100, casting="no"))
    assert text.startswith("error[E0504]: operand 0 has element type float32, which is not converted to float64\n")


def test_a_result_of_another_shape() -> None:
    given = arguments()
    text = words(lambda: ef.einsum(STRING, given["K"], DataSet(given["I"]), out=np.zeros((1000, 2, 3))))
    assert text.startswith("error[E0505]: ")


class Tensor:
    """An array of a library that speaks DLPack and nothing else."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape, self.dtype = array.shape, array.dtype

    def __dlpack__(self, **how: Any) -> object:
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.array, dtype=dtype)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("tensors")
    vars(module)["from_dlpack"] = lambda array: Tensor(np.asarray(array))
    monkeypatch.setitem(sys.modules, "tensors", module)
    monkeypatch.setattr(Tensor, "__module__", "tensors")


@pytest.mark.usefixtures("library")
def test_the_result_is_of_the_library_of_the_operands() -> None:
    given = arguments()
    found: Any = ef.einsum(STRING, given["K"], Tensor(given["I"]))
    assert isinstance(found, Tensor)
    np.testing.assert_array_equal(found.array, given["K"] @ given["I"])


@pytest.mark.usefixtures("library")
def test_results_go_to_memory_of_another_library() -> None:
    given = arguments()
    out = Tensor(np.zeros_like(given["Q"]))
    assert ef.einsum(STRING, given["K"], given["I"], out=out) is out
    np.testing.assert_array_equal(out.array, given["K"] @ given["I"])
    out.array[...] = 0
    program()["assign"](K=Tensor(given["K"]), I=Tensor(given["I"]), D=out)
    np.testing.assert_array_equal(out.array, given["K"] @ given["I"])
    out.array[...] = 0
    program()["assign"].chunked(chunk=100)(K=Tensor(given["K"]), I=Tensor(given["I"]), D=out)
    np.testing.assert_array_equal(out.array, given["K"] @ given["I"])


def test_what_a_library_keeps_read_only() -> None:
    given = arguments()
    given["Q"].flags.writeable = False
    text = words(lambda: program()["assign"](K=given["K"], I=given["I"], D=Tensor(given["Q"])))
    assert text.startswith("error[E05")


def test_torch_and_jax_without_a_copy() -> None:
    """Nothing is allocated but the result, of 840 kB, and as much for the copy from a GPU."""
    copies = 1 if find_device().facts.shares_host_memory else 2
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
    matrix, elements = np.ones((5, 4)), np.ones((7000, 4, 3))
    tensor = torch.from_numpy(elements)
    found, peak = allocating(lambda: ef.einsum(STRING, matrix, tensor))
    assert isinstance(found, torch.Tensor)
    np.testing.assert_array_equal(found.numpy(), matrix @ elements)
    assert peak < copies * found.numpy().nbytes + 50_000
    with enable_x64(True):
        array = jax.numpy.asarray(elements)
        found, peak = allocating(lambda: ef.einsum(STRING, matrix, array))
        assert isinstance(found, jax.Array)
        assert peak < copies * found.nbytes + 50_000


def allocating(call: Callable[[], Any]) -> tuple[Any, int]:
    """The result of a second call, and the most bytes that it allocates."""
    call()
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
