"""`ef.tensordot` and `ef.transpose`, and libraries that ask for `einsum_front` by its name: with and without these."""

import copy
import pickle
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyopencl.array as cl_array
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.chunked.stores import is_data_set, is_sliceable
from einsum_front.runtime.devices.device import find_device

RANDOM = np.random.default_rng(34)
A, B = RANDOM.random((3, 4, 5)), RANDOM.random((4, 5, 6))

# -- tensordot ---------------------------------------------------------------------------------------------------------

pytestmark = pytest.mark.usefixtures("no_device_by_name")


@st.composite
def pairs(draw: st.DrawFn) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Two arrays in any order of memory, and modes that fit, some of them counted from the end."""
    common = draw(st.lists(st.integers(1, 4), max_size=3))
    sides = [draw(st.lists(st.integers(1, 4), max_size=2)) for _ in range(2)]
    arrays, axes = [], []
    for number, side in enumerate(sides):
        places = draw(st.permutations(range(len(common) + len(side))))
        shape = [0] * len(places)
        for place, size in zip(places, (*common, *side), strict=True):
            shape[place] = size
        array = np.random.default_rng(number).random(shape)
        arrays.append(np.asfortranarray(array) if draw(st.booleans()) else array)
        axes.append([place - len(places) * draw(st.booleans()) for place in places[: len(common)]])
    return arrays[0], arrays[1], axes


@pytest.mark.generated
@given(pairs())
def test_tensordot_of_modes(pair: tuple[NDArray[Any], NDArray[Any], Any]) -> None:
    a, b, axes = pair
    expected = np.tensordot(a, b, axes)
    found = ef.tensordot(a, b, axes=axes)
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("axes", [0, 1, 2, np.int64(2), np.array(2), -1, (1, 1), (2, -1), [[1], (2,)], ((), ())])
def test_axes_as_numpy_reads_them(axes: Any) -> None:
    a, b = RANDOM.random((2, 4, 4)), RANDOM.random((4, 4, 4))
    np.testing.assert_allclose(ef.tensordot(a, b, axes), np.tensordot(a, b, axes), rtol=1e-13)


def test_two_modes_are_the_default() -> None:
    np.testing.assert_allclose(ef.tensordot(A, B), np.tensordot(A, B), rtol=1e-13)
    np.testing.assert_allclose(ef.tensordot(A.tolist(), B), np.tensordot(A, B), rtol=1e-13)
    found = ef.tensordot(A[0], A[0])
    assert np.ndim(found) == 0
    assert float(found) == pytest.approx(float((A[0] ** 2).sum()))


@pytest.mark.parametrize(
    ("axes", "kinds", "text"),
    [
        (1, ValueError, r"E0505.*mode 2 of operand 0 has size 5, and mode 0 of operand 1 has 4"),
        (4, (ValueError, IndexError), r"E0529.*`axes` is 4, and an operand has 3 modes"),
        (([0, 3], [0, 1]), (ValueError, IndexError), r"E0529.*`axes\[0\]` has 3, and the array has 3 modes"),
        (([1], [-4]), (ValueError, IndexError), r"E0529.*`axes\[1\]` has -4"),
        (([1, 2], [0]), ValueError, r"E0528.*2 modes of operand 0 and 1 mode of operand 1"),
        (([1, 1], [0, 0]), ValueError, r"E0528.*has a mode twice"),
        (([1, -2], [0, 1]), ValueError, r"E0528.*has a mode twice"),
        ((0, 1, 2), ValueError, r"E0528.*has length 3"),
        (1.5, TypeError, r"E0530.*`axes` is 1.5"),
        ("ab", TypeError, r"E0530"),
        (None, TypeError, r"E0530"),
        (([1.0], [0]), TypeError, r"E0530.*`axes\[0\]` is \(1.0,\)"),
    ],
)
def test_axes_that_do_not_fit(axes: Any, kinds: Any, text: str) -> None:
    with pytest.raises(ef.CompileError, match=text) as caught:
        ef.tensordot(A, B, axes)
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        assert isinstance(caught.value, kind)


def test_any_numbers() -> None:
    for kind in (complex, np.int8, bool, np.float16, object):
        first, second = (A * 9).astype(kind), (B * 9).astype(kind)
        found, expected = ef.tensordot(first, second), np.tensordot(first, second)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.astype(complex), expected.astype(complex), rtol=1e-2)


def test_what_is_no_array_is_refused_as_by_einsum() -> None:
    with pytest.raises(TypeError, match=r"E0504.*operand 0 has no shape"):
        ef.tensordot([[1.0], [2.0, 3.0]], B)
    with pytest.raises(ValueError, match="E0505"):
        ef.tensordot(np.ones((2, 1)), np.ones((3, 2)), 1)  # length 1 is not stretched


# -- transpose ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axes", [None, *permutations(range(3)), [-1, 0, 1], np.array([1, 2, 0])])
@pytest.mark.parametrize("kind", [float, complex, "int8", object])
def test_transpose_is_a_view(axes: Any, kind: Any) -> None:
    array = A.astype(kind)
    found, expected = ef.transpose(array, axes), np.transpose(array, axes)
    assert found.shape == expected.shape
    assert found.strides == expected.strides
    assert found.base is array


def test_transpose_of_numbers_and_lists() -> None:
    assert ef.transpose(2.0).shape == ()
    assert ef.transpose([[1, 2, 3]]).shape == (3, 1)
    assert ef.transpose([1, 2], 0).shape == (2,)


@pytest.mark.parametrize(
    ("axes", "kinds", "text"),
    [
        ((0, 1), ValueError, r"E0528.*2 modes, and the array has 3"),
        ((0, 1, 1), ValueError, r"E0528.*twice"),
        ((0, 1, 3), (ValueError, IndexError), r"E0529.*`axes` has 3"),
        (("a", "b", "c"), TypeError, r"E0530"),
    ],
)
def test_orders_that_are_none(axes: Any, kinds: Any, text: str) -> None:
    with pytest.raises(ef.CompileError, match=text) as caught:
        ef.transpose(A, axes)
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        assert isinstance(caught.value, kind)
        with pytest.raises(kind):
            np.transpose(A, axes)


def test_arrays_of_a_device() -> None:
    queue = find_device().queue
    a, b = (cl_array.to_device(queue, each) for each in (A, B))
    found = ef.transpose(ef.tensordot(a, b, ((1, 2), (0, 1))), (1, 0))
    assert isinstance(found, cl_array.Array)
    np.testing.assert_allclose(ef.to_host(found), np.tensordot(A, B).T, rtol=1e-12)


def test_tensors_of_torch() -> None:
    torch = pytest.importorskip("torch")
    a, b = torch.from_numpy(A), torch.from_numpy(B)
    found = ef.transpose(ef.tensordot(a, b), (1, 0))
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), np.tensordot(A, B).T, rtol=1e-12)


def test_what_transposes_by_another_word() -> None:
    tensor = SimpleNamespace(shape=(2, 3, 4), permute=lambda order: ("permuted", order))
    assert ef.transpose(tensor, (-1, 0, 1)) == ("permuted", (2, 0, 1))


# -- dispatch by name --------------------------------------------------------------------------------------------------


def contract_pairwise(backend: str, string: str, *arrays: Any) -> Any:
    """A network as opt_einsum contracts it: functions of the module of that name, from left to right."""
    module = import_module(backend)
    tensordot, transpose, einsum = (getattr(module, name) for name in ("tensordot", "transpose", "einsum"))
    terms, output = string.split("->")
    left, *others = zip(terms.split(","), arrays, strict=True)
    for number, (term, array) in enumerate(others):
        kept = {*output, *(name for later, _ in others[number + 1 :] for name in later)}
        common = [name for name in left[0] if name in term]
        result = "".join(name for name in dict.fromkeys(left[0] + term) if name in kept)
        if common and not kept & set(common):
            axes = tuple(zip(*sorted((left[0].find(n), term.find(n)) for n in common), strict=True))
            made = tensordot(left[1], array, axes=axes)
            found = "".join(name for name in left[0] + term if name not in common)
            made = transpose(made, axes=tuple(map(found.index, result)))
        else:
            made = einsum(f"{left[0]},{term}->{result}", left[1], array)
        left = result, made
    return transpose(left[1], tuple(map(left[0].index, output)))


@pytest.mark.parametrize("string", ["ab,bc,cd->da", "abc,bcd,dea->e", "ab,ab,bc->ca", "a,b,ab->", "xab,xbc,xcd->dxa"])
@pytest.mark.parametrize("upload", [np.asarray, lambda array: cl_array.to_device(find_device().queue, array)])
def test_a_module_that_is_asked_by_name(string: str, upload: Callable[[NDArray[Any]], Any]) -> None:
    sizes = dict(zip("abcdex", range(2, 8), strict=True))
    arrays = [RANDOM.random([sizes[name] for name in term]) for term in string.partition("->")[0].split(",")]
    found = contract_pairwise("einsum_front", string, *map(upload, arrays))
    found = ef.to_host(found) if isinstance(found, cl_array.Array) else found
    np.testing.assert_allclose(found, np.einsum(string, *arrays), rtol=1e-12)


STRINGS = [
    "ab,bc->ca", "abc,bcd,dea", "abc,def->fedcba", "abc,bcd,df->fa", "ijk,ikj", "i,j->ij", "ijk,k->ij", "aab,bc->ac",
]  # fmt: skip


@pytest.mark.parametrize("string", STRINGS)
def test_opt_einsum(string: str) -> None:
    opt_einsum = pytest.importorskip("opt_einsum")
    sizes = dict(zip("abcdefijk", (2, 3, 4, 5, 2, 3, 4, 4, 4), strict=True))
    arrays = [RANDOM.random([sizes[name] for name in term]) for term in string.partition("->")[0].split(",")]
    expected = np.einsum(string, *arrays)
    np.testing.assert_allclose(opt_einsum.contract(string, *arrays, backend="einsum_front"), expected, rtol=1e-12)
    out = np.empty_like(expected)
    assert opt_einsum.contract(string, *arrays, backend="einsum_front", out=out) is out
    np.testing.assert_allclose(out, expected, rtol=1e-12)
    expression = opt_einsum.contract_expression(string, *[array.shape for array in arrays])
    np.testing.assert_allclose(expression(*arrays, backend="einsum_front"), expected, rtol=1e-12)


def test_cotengra() -> None:
    cotengra = pytest.importorskip("cotengra")
    string, arrays = "ab,bc,cd,de,ea->", [RANDOM.random((4, 4)) for _ in range(5)]
    expected = np.einsum(string, *arrays)
    tree = cotengra.einsum_tree(string, *[array.shape for array in arrays])
    ours = ef.einsum, ef.tensordot
    np.testing.assert_allclose(tree.contract(arrays, implementation=ours), expected, rtol=1e-12)
    np.testing.assert_allclose(tree.contract(arrays, backend="einsum_front"), expected, rtol=1e-12)
    np.testing.assert_allclose(tree.contract(arrays, implementation=ours, autojit=True), expected, rtol=1e-12)


# -- lazy arrays -------------------------------------------------------------------------------------------------------


class Lazy:
    """As autoray's: the `dtype` is a lazy array in turn, and operations make nodes."""

    __module__ = "autoray.lazy.core"
    backend = "numpy"

    def __init__(self, shape: tuple[int, ...], node: Any = None) -> None:
        self.shape, self.node = shape, node

    @property
    def dtype(self) -> "Lazy":
        return Lazy(())

    def __getitem__(self, key: object) -> "Lazy":
        return Lazy(self.shape[1:])

    def to(self, fn: Any, args: Any, kwargs: Any, shape: tuple[int, ...], deps: Sequence["Lazy"]) -> "Lazy":
        assert all(isinstance(each, Lazy) for each in deps)
        made = Lazy(shape, lambda: fn(*[each.compute() if isinstance(each, Lazy) else each for each in args], **kwargs))
        made.backend = self.backend
        return made

    def compute(self) -> Any:
        return self.node()


class Raising:
    """An object that is asked what it does not like to be asked."""

    shape = (3,)

    @property
    def dtype(self) -> object:
        raise NotImplementedError

    def __getitem__(self, key: object) -> object:
        return self


@pytest.mark.parametrize("value", [Lazy((2, 3)), Raising(), 1.0, None, "text", object()])
def test_what_has_no_element_type_of_numpy_is_not_sliced(value: object) -> None:
    assert not is_sliceable(value)
    assert not is_data_set(value)
    kernel = ef.compile(ef.parse("tensor Q[3]\nkernel twice { Q[i] = 2 * Q[i] }\n"), device="c")["twice"]
    with pytest.raises(ef.CompileError, match=r"E050[13]"):
        kernel(Q=value)


def test_a_contraction_of_lazy_arrays_is_one() -> None:
    lazy = Lazy(A.shape, lambda: A)
    found = ef.einsum("abc,bcd->da", lazy, B, order="C", build="never")
    assert isinstance(found, Lazy)
    assert found.shape == (6, 3)
    np.testing.assert_allclose(found.compute(), np.einsum("abc,bcd->da", A, B), rtol=1e-12)
    variable = Lazy(B.shape)
    variable.backend = "autoray.numpy"
    assert ef.tensordot(lazy, variable).backend == "autoray.numpy"
    assert ef.tensordot(lazy, B).shape == (3, 6)
    with pytest.raises(ef.CompileError, match=r"E0227.*has size"):
        ef.einsum("abc,bcd->da", lazy, B[1:])
    with pytest.raises(ef.CompileError, match=r"E0230.*`out` is not for lazy arrays"):
        ef.einsum("abc,bcd->da", lazy, B, out=np.empty((6, 3)))


def test_lazy_arrays_of_autoray() -> None:
    autoray = pytest.importorskip("autoray")
    lazy = autoray.lazy.array(A)
    assert not is_sliceable(lazy)
    found = ef.transpose(ef.tensordot(lazy, B), (1, 0))
    np.testing.assert_allclose(found.compute(), np.tensordot(A, B).T, rtol=1e-12)
    for name in ("einsum", "tensordot", "transpose"):
        assert autoray.get_lib_fn("einsum_front", name) is getattr(ef, name)


# -- errors that a caller changes --------------------------------------------------------------------------------------


def test_what_a_caller_says_of_an_error_is_shown() -> None:
    """opt_einsum puts what it was evaluating in the place of the arguments of an error."""
    with pytest.raises(ValueError, match="E0528") as caught:
        ef.transpose(A, (0, 1))
    caught.value.args = ("while evaluating an expression",)
    assert str(caught.value).startswith("while evaluating an expression\nerror[E0528]")
    for same in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert "E0528" in str(same)
        assert type(same) is type(caught.value)
