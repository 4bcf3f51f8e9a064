"""Kernels take arrays as they lie, unless the text says how they lie; then copies are told."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
import pyopencl.array as cl_array
import pytest
from numpy.typing import NDArray

import einsum_front as ef
import einsum_front.compiling
import einsum_front.layouts
from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import Extent
from einsum_front.driver import Lying, NotationStages, Session, with_layouts
from einsum_front.runtime.devices.device import find_device
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.unparse import unparse
from tests.copies import Copies, counted

Array = NDArray[np.float64]
Layout = Callable[[Array], Array]
RANDOM = np.random.default_rng(3)
IN_PLACE = pytest.mark.skipif(not find_device().facts.shares_host_memory, reason="needs a device that uses host memory")

VOLUME = """
tensor Q[20, 9] LAYOUT
tensor I[20, 9]
tensor A[9, 9]
tensor K[20, 20] constant
kernel volume { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
"""
CUBE = "tensor X[3, 4, 5]\ntensor Y[4, 3]\nkernel sums { Y[ji] = X[ijk] }"
BATCH = 64
PART = 128
"""Elements of a part that is copied at once: a multiple of those that a work-group runs."""
"""Elements, so that Q has more bytes than are not worth a word."""


@pytest.fixture
def copies() -> Iterator[Copies]:
    with counted() as found:
        yield found


@pytest.fixture
def translations(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, tuple[Extent, ...]]]:
    """The strides that kernels are translated for, in the order in which it happens."""
    seen = []

    def recorded(session: Session, stages: NotationStages, layouts: Mapping[str, Lying]) -> NotationStages:
        seen.append({name: each.strides for name, each in layouts.items()})
        return with_layouts(session, stages, layouts)

    monkeypatch.setattr(einsum_front.compiling, "with_layouts", recorded)
    return seen


def volume(layout: str = "") -> ef.CompiledKernel:
    return ef.compile(ef.parse(VOLUME.replace("LAYOUT", layout)))["volume"]


def matrices(batch: int = BATCH) -> dict[str, Array]:
    shapes = {"Q": (batch, 20, 9), "I": (batch, 20, 9), "A": (batch, 9, 9), "K": (20, 20)}
    return {name: RANDOM.random(shape) for name, shape in shapes.items()}


def updated(given: dict[str, Array]) -> Array:
    return np.array(given["Q"] + given["K"] @ given["I"] @ given["A"])


def column_major(array: Array) -> Array:
    return array.swapaxes(-1, -2).copy().swapaxes(-1, -2)


def padded(array: Array) -> Array:
    """Rows with room behind them."""
    room = np.zeros((*array.shape[:-1], 2 * array.shape[-1]))
    room[..., : array.shape[-1]] = array
    return room[..., : array.shape[-1]]


def spaced(array: Array) -> Array:
    """Room behind each element: no declaration says that."""
    return np.concatenate([array, array], axis=1)[:, : array.shape[1]]


LAYOUTS: dict[str, Layout] = {
    "C": np.ascontiguousarray,
    "column-major": column_major,
    "padded": padded,
    "batch fastest": np.asfortranarray,
    "batch inside": lambda array: np.moveaxis(np.moveaxis(array, 0, 1).copy(), 1, 0),
    "batch fastest, room behind": lambda array: np.concatenate([array, array]).copy(order="F")[: len(array)],
}
OTHERS: dict[str, Layout] = {
    "spaced": spaced,
    "backwards": lambda array: array[:, ::-1].copy()[:, ::-1],
    "every other": lambda array: np.repeat(array, 2, axis=0)[::2],
}


@IN_PLACE
@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_are_used_where_they_lie(layout: str, copies: Copies) -> None:
    given = {name: LAYOUTS[layout](array) for name, array in matrices().items()}
    expected = updated(given)
    volume()(**given)
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
    assert copies.names == []


@pytest.mark.parametrize("layout", OTHERS)
def test_what_no_declaration_says_is_copied_and_told_once(layout: str) -> None:
    kernel, given = volume(), matrices()
    given["Q"] = OTHERS[layout](given["Q"])
    for _ in range(2):
        expected = updated(given)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            kernel(**given)
        np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
        assert [each.category for each in told] == ([ef.CopyWarning] if _ == 0 else [])
        for each in told:
            assert each.filename == __file__
            assert str(each.message).endswith("; `numpy.ascontiguousarray` makes an array that is used in place")
    kernel(**given | {"Q": np.ascontiguousarray(given["Q"])})  # so it does: warnings are errors in the tests


@pytest.mark.parametrize(
    ("declared", "array", "word"),
    [
        ("row_major", column_major, "column_major"),
        ("column_major", np.ascontiguousarray, "row_major"),
        ("strided<1, 32>", np.ascontiguousarray, "row_major"),
        ("row_major", padded, "strided<18, 1>"),
    ],
)
def test_a_declared_layout_is_a_promise(declared: str, array, word: str, translations: list[object]) -> None:  # type: ignore[no-untyped-def] # any function of arrays
    kernel, given = volume(declared), {name: column_major(each) for name, each in matrices().items()}
    given["Q"] = array(given["Q"])
    expected = updated(given)
    with pytest.warns(ef.CopyWarning) as told:
        kernel(**given)
    kernel.prepare(**given)  # is not told once more
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
    assert len(told) == 1
    assert f"; declare it `{word}`, or without a layout: then the kernel takes it as it lies" in str(told[0].message)
    assert translations == []
    volume(word)(**given)
    volume()(**given)


def test_the_words_of_a_copy() -> None:
    given = matrices() | {"Q": column_major(matrices()["Q"])}
    with pytest.warns(ef.CopyWarning) as told:
        volume("row_major")(**given)
    assert [str(each.message) for each in told] == [
        "`volume` copies argument `Q` in every call: the array has strides (180, 1, 20), and the kernel takes"
        " (180, 9, 1), counted in entries; declare it `column_major`, or without a layout: then the kernel takes it as"
        " it lies"
    ]


def test_texts_of_lower_levels_have_one_layout(tmp_path: Path) -> None:
    path = tmp_path / "volume.yir"
    path.write_text(volume().yateto or "", encoding="utf-8")
    kernel, given = ef.compile(ef.parse(path))["volume"], matrices()
    expected = updated(given)
    with pytest.warns(ef.CopyWarning, match="`empty` of the kernel makes arrays that are used in place") as told:
        kernel(**given)
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
    assert len(told) == 1  # of Q and I; A and K are soon copied
    assert "copies arguments `Q` and `I` in every call" in str(told[0].message)
    assert told[0].filename == __file__
    laid = {name: kernel.empty(name, len(array)) for name, array in given.items() if name != "K"}
    for name, array in laid.items():
        array[...] = given[name]
    kernel(**laid, K=given["K"])


@IN_PLACE
def test_each_order_of_modes_has_a_kernel_and_each_class_one(translations: list[object], copies: Copies) -> None:
    kernel = ef.compile(ef.parse(CUBE))["sums"]
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)) * 2:
        for batch in (1, 2, 7):
            X = RANDOM.random((batch, *(np.array((3, 4, 5))[list(order)])))
            X = X.transpose(0, *(1 + np.argsort(order)))
            Y = np.empty((batch, 4, 3))
            kernel(X=X, Y=Y)
            np.testing.assert_allclose(Y, X.sum(axis=3).swapaxes(1, 2), rtol=1e-14)
    assert copies.names == []
    assert len(translations) == 6  # Y is in C order each time
    assert {"Y": (3, 1)} in translations  # X in the default layout


def test_modes_of_size_1_and_vectors_are_in_one_layout(translations: list[object]) -> None:
    kernel = ef.compile(ef.parse("tensor x[5] tensor m[1, 5, 1] tensor t[] kernel f { m[0,i,0] = x[i] * t[] }"))["f"]
    x, t = np.ones((4, 5)), np.ones(4)
    orders: tuple[Literal["C", "F"], ...] = ("C", "F")
    for order in orders:
        kernel(x=x, t=t, m=np.empty((4, 5, 1, 1), order=order).transpose(0, 3, 1, 2)[:, :1])
        kernel(x=x, t=t, m=np.moveaxis(np.empty((4, 1, 1, 5)), 3, 2))
    assert translations == [{"m": (1, 1, 1)}]  # in F order elements are neighbours


def test_sizes_that_only_the_launch_knows(translations: list[object]) -> None:
    text = "size n <= 9\ntensor X[n, 4]\ntensor Y[4, 2*n]\nkernel f { Y[k,i=0:4] = X[i=0:4,k] }"
    kernel = ef.compile(ef.parse("size n <= 9\ntensor X[n, 4]\ntensor Y[4, n]\nkernel f { Y[ki] = 2 * X[ik] }"))["f"]
    assert text
    for order in "CF":
        for n in (1, 3, 9):
            X = np.array(RANDOM.random((5, n, 4)) if order == "C" else column_major(RANDOM.random((5, n, 4))))
            Y = np.empty((5, 4, n))
            kernel(X=X, Y=Y)
            np.testing.assert_array_equal(Y, 2 * X.swapaxes(1, 2))
    assert 1 <= len(translations) <= 4


@IN_PLACE
def test_groups_take_the_layout_of_their_first_member(translations: list[object], copies: Copies) -> None:
    kernel = ef.compile(ef.parse("tensor P[6, 5] grouped\nkernel f { P[ij] = 2 * P[ij] }"))["f"]
    members = [np.array(RANDOM.random((6, 5)), order="F" if number == 2 else "C") for number in range(4)]
    expected = [2 * member for member in members]
    kernel(P=members)
    np.testing.assert_array_equal(members, expected)
    assert (translations, copies.names) == ([{"P": (5, 1)}], ["P"])
    together = RANDOM.random((4, 6, 5))[::2]
    doubled = 2 * together
    kernel(P=together)
    np.testing.assert_array_equal(together, doubled)
    assert (len(translations), len(copies.names)) == (1, 1)


def test_arrays_of_a_device_in_c_order() -> None:
    kernel, given = volume(), matrices()
    there = {name: cl_array.to_device(kernel.device.queue, array) for name, array in given.items()}
    kernel(**there)
    np.testing.assert_allclose(there["Q"].get(), updated(given), rtol=1e-12)
    launch = kernel.prepare(**there)
    expected = updated(given | {"Q": there["Q"].get()})
    launch.run()
    launch.finish()
    np.testing.assert_allclose(there["Q"].get(), expected, rtol=1e-12)
    with pytest.raises(ef.CompileError, match=r"argument `Q` has strides \(180, 9, 1\), expected \(180, 1, 20\)"):
        volume("column_major")(**there)


def test_what_is_made_for_a_kernel_has_the_default_layout(translations: list[object]) -> None:
    kernel, given = volume(), matrices()
    kernel(**given)
    assert kernel.empty("Q", 2).strides == (1440, 8, 160)
    there = {name: kernel.to_device(name, array) for name, array in given.items()}
    assert there["Q"].strides == (1440, 8, 160)
    kernel(**there)
    assert len(translations) == 1  # that of the arrays of NumPy


def test_the_texts_are_those_of_the_default_layout_and_others_are_asked_for() -> None:
    kernel, given = volume(), matrices()
    before = kernel.opencl, kernel.plan
    kernel(**given)
    assert (kernel.opencl, kernel.plan) == before
    special, declared = kernel.specialised(**given), ef.compile(ef.parse(VOLUME.replace("LAYOUT", "row_major")))
    assert special.specialised(**{name: column_major(a) for name, a in given.items()}).opencl == special.opencl
    texts = [text for text in ("Q", "I", "A", "K") if f";! modes %{text} 1 0" in special.tensor_language]
    assert texts == ["Q", "I", "A", "K"]
    assert ";! modes %Q 1 0" in declared["volume"].tensor_language
    assert {each.agrees for each in special.verify()} == {True}
    expected = updated(given)
    special(**given)
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)


@IN_PLACE
def test_edited_code_has_the_layout_of_its_text() -> None:
    kernel, given = volume(), matrices()
    with pytest.warns(ef.CopyWarning, match="`empty` of the kernel"):
        kernel.with_opencl(kernel.opencl)(**given)
    special = kernel.specialised(**given)
    special.with_opencl(special.opencl)(**given)


def test_mistakes_are_those_of_any_call(translations: list[object]) -> None:
    given = matrices()
    wrong: dict[str, object] = {
        "E0501": {name: each for name, each in given.items() if name != "I"},
        "E0502": given | {"J": 1},
        "E0503": given | {"Q": [1, 2]},
        "E0504": given | {"Q": column_major(given["Q"]).astype(np.float32)},
        "E0505": given | {"Q": given["Q"].swapaxes(1, 2)},
    }
    kernel = volume()
    kernel(**given)
    for code, arguments in wrong.items():
        with pytest.raises(ef.CompileError, match=code):
            kernel(**arguments)  # type: ignore[arg-type] # a dictionary of arguments each
    assert {"Q": (9, 1), "I": (9, 1), "A": (9, 1), "K": (20, 1)} in translations


def test_threads_that_come_first_together_make_one_kernel(translations: list[object]) -> None:
    kernel = volume()
    given = [matrices() for _ in range(8)]
    expected = [updated(each) for each in given]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: kernel(**each), given))
    for each, result in zip(given, expected, strict=True):
        np.testing.assert_allclose(each["Q"], result, rtol=1e-12)
    assert len(translations) == 1


def test_not_more_kernels_are_kept_than_some(translations: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(einsum_front.layouts, "MOST_KERNELS", 2)
    monkeypatch.setattr(einsum_front.layouts, "MOST_CALLS", 3)
    kernel = ef.compile(ef.parse(CUBE))["sums"]
    X = RANDOM.random((2, 3, 4, 5))
    arrays = [X, np.asfortranarray(X[0])[None], X.transpose(0, 1, 3, 2).copy().transpose(0, 1, 3, 2)]
    for _ in range(2):
        for each in arrays:
            Y = np.empty((len(each), 4, 3))
            kernel(X=each, Y=Y)
            np.testing.assert_allclose(Y, each.sum(axis=3).swapaxes(1, 2), rtol=1e-14)
    assert len(translations) == 6


def test_forms_are_chosen_for_each_layout() -> None:
    for schedule in ("batch_simd", "work_group"):
        kernel = ef.compile(ef.parse(VOLUME.replace("LAYOUT", "")), schedule=schedule)["volume"]
        given = matrices()
        assert (
            f"schedule: {schedule}" in kernel.specialised(**given).opencl
            or schedule in kernel.specialised(**given).opencl
        )
        expected = updated(given)
        kernel(**given)
        np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)


@pytest.mark.parametrize("schedule", ["batch_simd", "work_group"])
def test_a_schedule_that_takes_no_elements_among_modes_has_copies(schedule: str, copies: Copies) -> None:
    kernel = ef.compile(ef.parse(VOLUME.replace("LAYOUT", "")), schedule=schedule)["volume"]
    given = matrices() | {"Q": np.moveaxis(RANDOM.random((20, 9, BATCH)), -1, 0)}
    expected = updated(given)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        kernel(**given)
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
    assert len(told) == (schedule != "work_group")
    assert not find_device().facts.shares_host_memory or copies.names == ["Q"] * len(told)


@pytest.fixture
def mapped(tmp_path: Path) -> dict[str, Array]:
    """Matrices as files, more than work-groups of any target run at once: what is read cannot be written."""
    files = {}
    for name, array in matrices(8 * PART).items():
        np.save(tmp_path / f"{name}.npy", array)
        files[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r+" if name == "Q" else "r")
    return files


@IN_PLACE
def test_mapped_files_are_used_in_place(mapped: dict[str, Array], copies: Copies) -> None:
    expected = updated(mapped)
    volume()(**mapped)
    np.testing.assert_allclose(mapped["Q"], expected, rtol=1e-12)
    assert copies.names == []


@IN_PLACE
def test_mapped_files_in_no_layout_are_copied_part_by_part(
    mapped: dict[str, Array], copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("einsum_front.runtime.launches.launch.COPIED_BYTES", PART * 20 * 9 * 8)
    given = mapped | {name: mapped[name][::-1] for name in ("Q", "I", "A")}
    expected = updated(given)
    with pytest.warns(ef.CopyWarning):
        volume()(**given)
    np.testing.assert_allclose(given["Q"], expected, rtol=1e-12)
    assert len(copies.nbytes) > 3
    assert max(copies.nbytes) <= PART * 20 * 9 * 8


def test_the_command_line_keeps_the_default_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "volume.ein"
    path.write_text(VOLUME.replace("LAYOUT", ""), encoding="utf-8")
    assert main(["run", str(path), "--batch", "100", "--verify", "--dump-to", str(tmp_path)]) == 0
    assert "agree" in capsys.readouterr().out
    dumped = (tmp_path / "volume.tl").read_text(encoding="utf-8")
    assert unparse(parse(Source("volume.tl", dumped))) == volume().tensor_language


def test_index_strings_tell_of_no_copies() -> None:
    A, B = RANDOM.random((20, 30, 1000)).T, RANDOM.random((30, 20)).T
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", A, B), A @ B, rtol=1e-12)
