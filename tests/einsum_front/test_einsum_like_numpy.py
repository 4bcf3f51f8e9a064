"""Arguments that `numpy.einsum` takes besides arrays and a string, and arrays that are no plain ones."""

import tracemalloc
from importlib import import_module
from typing import Any, Literal, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.ir import pipeline
from einsum_front.ir.plan.planner import plan

RANDOM = np.random.default_rng(8)


# -- size 1, and arrays that repeat ------------------------------------------------------------------------------------


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[np.ndarray]]:
    """A string of up to three operands whose indices have their extent, length 1, or a stride of 0."""
    extents = {letter: draw(st.integers(1, 3)) for letter in "abcd"}
    terms, operands = [], []
    for _ in range(draw(st.integers(1, 3))):
        term = "".join(draw(st.lists(st.sampled_from("abcd"), max_size=3)))
        kinds = {letter: draw(st.sampled_from(("whole", "whole", "one", "repeated"))) for letter in term}
        shape = [1 if kinds[letter] == "one" else extents[letter] for letter in term]
        array = RANDOM.random(
            [1 if kinds[letter] == "repeated" else size for letter, size in zip(term, shape, strict=True)]
        )
        operands.append(np.broadcast_to(array, shape))
        terms.append(term)
    found = sorted(set("".join(terms)))
    output = draw(st.permutations(draw(st.lists(st.sampled_from(found), unique=True)) if found else []))
    return f"{','.join(terms)}->{''.join(output)}", operands


@given(calls())
def test_length_1_and_repeats_are_those_of_numpy(call: tuple[str, list[np.ndarray]]) -> None:
    subscripts, operands = call
    expected = np.einsum(subscripts, *operands)
    result = ef.einsum(subscripts, *operands)
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize("shapes", [[(1, 4), (4,)], [(4,), (1, 4)], [(4, 1)]])
def test_a_diagonal_has_one_size(shapes: list[tuple[int, ...]]) -> None:
    subscripts = ",".join("ii" if len(shape) == 2 else "i" for shape in shapes) + "->i"
    operands = [np.ones(shape) for shape in shapes]
    with pytest.raises(ValueError, match="for collapsing index"):
        np.einsum(subscripts, *operands)
    with pytest.raises(ValueError, match="index `i` has size"):
        ef.einsum(subscripts, *operands)


@pytest.mark.parametrize(
    ("subscripts", "views", "expected"),
    [
        ("i->", [np.broadcast_to(0.25, 200_000_000)], 50_000_000),
        (
            "ij,i->j",
            [np.broadcast_to(np.arange(7.0), (20_000_000, 7)), np.broadcast_to(2, 20_000_000)],
            np.arange(7) * 40_000_000,
        ),
        (
            "ij,jk->k",  # numpy.einsum adds up to 2^28 in f32 and stays there
            [np.broadcast_to(np.float32(3), (30_000_000, 4)), np.ones((4, 5), np.float32)],
            np.full(5, 360_000_000),
        ),
    ],
)
def test_what_repeats_is_not_copied_out(subscripts: str, views: list[np.ndarray], expected: Any) -> None:
    tracemalloc.start()
    result = ef.einsum(subscripts, *views)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**25 < max(view.nbytes for view in views)
    np.testing.assert_allclose(result, expected, rtol=1e-7)


def test_a_result_that_repeats_is_an_array_of_its_own() -> None:
    out = np.zeros((3, 4))
    for result in (
        ef.einsum("i,j->ij", [1.0, 2, 3], np.broadcast_to(2.0, 4)),
        ef.einsum("i,j->ij", [1.0, 2, 3], np.broadcast_to(2.0, 4), out=out),
    ):
        result[0, 0] = 7
        np.testing.assert_array_equal(result, [[7, 2, 2, 2], [4] * 4, [6] * 4])
    assert result is out


# -- keywords ----------------------------------------------------------------------------------------------------------


def test_defaults_may_be_said() -> None:
    A, B = RANDOM.random((3, 4)), RANDOM.random((4, 5))
    result = ef.einsum("ik,kj->ij", A, B, out=None, dtype=None, order="K", casting="safe", optimize=False)
    np.testing.assert_allclose(result, A @ B, rtol=1e-13)


@pytest.mark.parametrize("order", [None, "C", "F", "A", "k"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_the_order_in_memory(order: str | None, layout: Literal["C", "F"]) -> None:
    A, B = np.array(RANDOM.random((3, 4)), order=layout), np.array(RANDOM.random((4, 5)), order=layout)
    result = ef.einsum("ik,kj->ij", A, B, order=order)
    np.testing.assert_allclose(result, A @ B, rtol=1e-13)
    assert result.strides == np.einsum("ik,kj->ij", A, B, order=cast("Any", order or "K")).strides


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("dtype", [None, np.float32, float, "f4", "i8", complex, "F"])
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("kinds", [("f4", "f4"), ("f4", "f8"), ("i4", "f4"), ("i8", "i8"), ("f4", "F"), ("e", "?")])
@pytest.mark.parametrize("out", [None, "f4", "f8", "i8", "D"])
def test_conversions_are_those_that_numpy_does(
    dtype: Any, casting: Any, kinds: tuple[str, str], out: str | None
) -> None:
    """But NumPy reads `out` before it is written."""
    if out is not None and dtype is not None and not np.can_cast(np.dtype(out), dtype, casting):
        return
    operands = [np.arange(12).reshape(shape).astype(kind) for shape, kind in zip(((3, 4), (4, 3)), kinds, strict=True)]
    targets = [None if out is None else np.zeros((3, 3), out) for _ in range(2)]
    try:
        expected: Any = np.einsum("ik,kj->ij", *operands, dtype=dtype, casting=casting, out=targets[0])
    except TypeError as error:
        expected = error
    if isinstance(expected, TypeError):
        with pytest.raises(TypeError, match="E0504"):
            ef.einsum("ik,kj->ij", *operands, dtype=dtype, casting=casting, out=targets[1])
        return
    result = ef.einsum("ik,kj->ij", *operands, dtype=dtype, casting=casting, out=targets[1])
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=1e-6)


PATHS = [
    ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 6)]),
    ("ij,jk,kl,lm->mi", [(3, 4), (4, 5), (5, 6), (6, 2)]),
    ("bij,bjk,kl->bil", [(3, 4, 5), (3, 5, 2), (2, 3)]),
    ("...ij,jk,k...->...i", [(2, 3, 4), (4, 5), (5, 1)]),
    ("iij,jk,ik,k->j", [(3, 3, 4), (4, 5), (1, 5), (5,)]),
]


@pytest.mark.parametrize(("subscripts", "shapes"), PATHS)
def test_any_path_is_followed(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [RANDOM.random(shape) for shape in shapes]
    expected = np.einsum(subscripts, *operands)
    ours, _ = ef.einsum_path(subscripts, *operands)
    everything = tuple(range(len(operands)))
    last_first = [(left - 1, left - 2) for left in range(len(operands), 1, -1)]
    for path in (
        ours,
        ["einsum_path", everything],
        ["einsum_path", *last_first],
        ("einsum_path", [1], [0, 1], *last_first[1:]),
    ):
        result = ef.einsum(subscripts, *operands, optimize=path)
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_the_steps_of_a_path_are_computed_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("einsum_front.index_string.contract")
    strings, contract = [], module.contract

    def watched(known: Any, *others: object) -> None:
        strings.append(known.string.kernel.origin[0].source.text)
        contract(known, *others)

    for each in (module, import_module("einsum_front.index_string.contract")):
        monkeypatch.setattr(each, "contract", watched)
    import_module("einsum_front.index_string.builds").REMEMBERED.entries.clear()
    operands = [RANDOM.random(shape) for shape in ((3, 4), (4, 5), (5, 6))]
    path, _ = ef.einsum_path("ij,jk,kl->il", *operands)
    ef.einsum("ij,jk,kl->il", *operands, optimize=path)
    assert strings == ["ij,jk,kl->il"]
    other = (1, 2) if path[1] == (0, 1) else (0, 1)
    strings.clear()
    ef.einsum("ij,jk,kl->il", *operands, optimize=["einsum_path", other, (0, 1)])
    assert len(strings) == 3
    assert ef.einsum_path("ij,jk,kl->il", *operands, optimize=path)[0] == path


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ik,kj->ij", [(11, 13), (13, 12)]),
        ("ij,jk,kl->il", [(7, 11), (11, 13), (13, 3)]),
        ("bik,kj->bij", [(3, 11, 7), (7, 13)]),
    ],
)
def test_a_string_is_planned_once(
    subscripts: str, shapes: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = []

    def counted(*arguments: Any) -> Any:
        planned.append(arguments)
        return plan(*arguments)

    monkeypatch.setattr(pipeline, "make_plan", counted)
    for _ in range(3):
        ef.einsum(subscripts, *(RANDOM.random(shape) for shape in shapes))
    assert len(planned) == 1


# -- arrays that NumPy cannot read -------------------------------------------------------------------------------------


def refusing(module: str, error: Exception) -> object:
    """An array as another library has it, which says why NumPy cannot read it."""

    def read(_self: object, *_arguments: object, **_keywords: object) -> None:
        raise error

    return type("Tensor", (), {"__module__": module, "__array__": read})()


@pytest.mark.parametrize(
    ("module", "error", "words"),
    [
        (
            "torch",
            RuntimeError("Can't call numpy() on Tensor that requires grad."),
            ["says: Can't call", "A.detach().cpu()"],
        ),
        (
            "torch",
            TypeError("can't convert cuda:0 device type tensor to numpy.\nUse"),
            ["says: can't convert", "A.detach().cpu()"],
        ),
        (
            "jaxlib._jax",
            RuntimeError("Array has been deleted with shape=float32[3]."),
            ["been deleted", "jax.device_get(A)"],
        ),
        ("elsewhere", ValueError(""), []),
    ],
)
def test_an_array_that_refuses_to_be_read(module: str, error: Exception, words: list[str]) -> None:
    with pytest.raises(TypeError) as caught:
        ef.einsum("i,i->", np.ones(3), refusing(module, error))
    said = str(caught.value)
    package = module.partition(".")[0]
    assert said.startswith(f"error[E0503]: operand 1, of type {package}.Tensor, cannot be read as an array of NumPy")
    assert all(word in said for word in words)
    assert isinstance(caught.value, ef.CompileError)


def test_what_torch_refuses() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.ones(3, dtype=torch.float64)
    assert ef.einsum("i,i->", tensor, tensor) == 3
    for each in (torch.ones(3, requires_grad=True), torch.ones(3).to_sparse()):
        with pytest.raises(ef.CompileError, match=r"E0503.*torch\.Tensor, cannot be read"):
            ef.einsum("i,i->", np.ones(3), each)


def test_what_jax_refuses() -> None:
    jax = pytest.importorskip("jax")
    array = jax.numpy.ones(3)
    assert ef.einsum("i,i->", array, array) == 3
    array.delete()
    with pytest.raises(ef.CompileError, match=r"E0503.*cannot be read"):
        ef.einsum("i,i->", np.ones(3), array)


@pytest.mark.parametrize(
    "subscripts",
    [
        ",ij,jk->ik",
        "ij,,jk->ik",
        ",ij,,jk->ik",
        "aa,ij,jk->ik",
        "ab,ab,ij,jk->ik",
        "a,ij,jk->ik",
        "ij,jk,kl,->",
        "ii,jj,kl,lm->km",
    ],
)
@pytest.mark.parametrize("path", [True, "one after the other"])
def test_factors_that_become_numbers(subscripts: str, path: bool | str) -> None:
    terms = subscripts.partition("->")[0].split(",")
    operands = [np.float64(2) if not term else RANDOM.random((300,) * len(term)) for term in terms]
    optimize = path if path is True else ["einsum_path", *((0, 1) for _ in terms[1:])]
    found = ef.einsum(subscripts, *operands, optimize=optimize)
    np.testing.assert_allclose(found, np.einsum(subscripts, *operands, optimize=True), rtol=1e-9)
