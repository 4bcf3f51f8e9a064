"""Calls of `ef.compile`'s kernels that NumPy computes until there is a kernel: where sizes are open, or as is said."""

import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front import by_numpy
from einsum_front.by_numpy import ByNumpy
from einsum_front.core.diagnostics import Source
from einsum_front.driver import tune
from einsum_front.index_string.builds import BUILDS, WORTH_BUILDING, Builds
from einsum_front.index_string.keywords import Build
from einsum_front.options import Level
from einsum_front.parsed import Program
from einsum_front.runtime import failure
from einsum_front.tl_backend.schedules.tuning import read_tuning

OPEN = "size n\ntensor Q[n,9]\ntensor K[n,n] constant\nkernel volume { Q[k,p] += K[k,l] * Q[l,p] }\n"
FIXED = OPEN.replace("size n", "param n = 5")
RANDOM = np.random.default_rng(4)


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    monkeypatch.delenv("EINSUM_FRONT_BUILD", raising=False)
    yield
    BUILDS.wait()


def compiled(text: str, **keywords: Any) -> ef.CompiledKernel:
    (kernel,) = ef.compile(ef.parse(text), **keywords).values()
    return kernel


@cache
def of_open_sizes(build: Build) -> ef.CompiledKernel:
    """The kernel `OPEN`, which tests only call."""
    return compiled(OPEN, build=build)


def compiled_below(text: str) -> ef.CompiledKernel:
    source = Source("volume.tl", text)
    (kernel,) = ef.compile(Program(source, Level.TL, Path(), None), build="auto").values()
    return kernel


def beside(kernel: ef.CompiledKernel) -> ByNumpy:
    assert kernel._by_numpy is not None
    return kernel._by_numpy


def step(kernel: ef.CompiledKernel, size: int = 5, elements: int = 7, order: str = "C") -> None:
    Q, K = np.array(RANDOM.random((elements, size, 9)), order=order), RANDOM.random((size, size))  # type: ignore[call-overload]
    expected = Q + np.einsum("kl,elp->ekp", K, Q)
    kernel(Q=Q, K=K)
    np.testing.assert_allclose(Q, expected, rtol=1e-13)


def ask(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is asked for from now on, and is built as ever."""
    asked: list[object] = []

    def watched(self: Builds, user: Any) -> None:
        asked.append(user)
        given(self, user)

    given = Builds.ask
    monkeypatch.setattr(Builds, "ask", watched)
    return asked


# -- when --------------------------------------------------------------------------------------------------------------


def test_open_sizes_wait_for_no_kernel_and_get_one_for_each_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask(monkeypatch)
    kernel = compiled(OPEN)
    for number in range(3):
        step(kernel, size=3 + number)
    (kind,) = beside(kernel)._kinds.values()
    assert 0 < kind.left < WORTH_BUILDING
    assert not asked
    kind.left = 1
    step(kernel)
    BUILDS.wait()
    assert asked == [kind]
    assert kind.is_there
    monkeypatch.setattr(by_numpy, "interpret", None)  # so that the kernel is called
    for size in (5, 4, 5):
        step(kernel, size)
    monkeypatch.undo()
    step(kernel, order="F")
    assert len(beside(kernel)._kinds) == 2
    assert asked == [kind]


def test_it_is_said_by_the_keyword_and_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled(FIXED)._by_numpy is None
    assert compiled(OPEN, build="now")._by_numpy is None
    asked = ask(monkeypatch)
    for text in (OPEN, FIXED):
        kernel = compiled(text, build="never")
        monkeypatch.setattr(by_numpy, "WORTH_WAITING", 0)
        step(kernel)
        step(kernel)
        monkeypatch.undo()
        asked = ask(monkeypatch)
        assert not asked
        assert beside(compiled(text, build="auto"))._builds
    monkeypatch.setenv("EINSUM_FRONT_BUILD", "now")
    assert compiled(OPEN)._by_numpy is None
    assert beside(compiled(OPEN, build="auto"))._builds
    monkeypatch.setenv("EINSUM_FRONT_BUILD", "never")
    assert not beside(compiled(FIXED))._builds
    monkeypatch.setenv("EINSUM_FRONT_BUILD", "auto")
    assert compiled(FIXED)._by_numpy is None
    with pytest.raises(ef.CompileError, match="`build` is 'soon', expected one of 'auto', 'now', 'never'"):
        compiled(OPEN, build="soon")


@pytest.mark.parametrize("keywords", [{"schedule": "work_group"}, {"tune": True}])
def test_who_names_a_schedule_wants_the_kernel(keywords: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "candidates", lambda *_: tuple(map(read_tuning, ("work_group", "batch_simd"))))
    assert compiled(OPEN, **keywords)._by_numpy is None
    with pytest.raises(ef.CompileError, match=r"E0230.*`build=.never.` computes with NumPy"):
        compiled(OPEN, build="never", **keywords)


def test_who_names_a_device_wants_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled(OPEN, device="cpu")._by_numpy is None
    with pytest.raises(ef.CompileError, match="E0230"):
        compiled(OPEN, device="cpu", build="never")
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "cpu")
    assert compiled(OPEN)._by_numpy is None


def test_a_kernel_below_the_graph_waits() -> None:
    text = str(compiled(OPEN).tensor_language)
    kernel = compiled_below(text)
    assert kernel._by_numpy is None
    step(kernel, order="F")


@pytest.mark.parametrize("limit", ["WORTH_WAITING", "MOST_BYTES"])
def test_a_long_call_waits_for_its_kernel(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_numpy, limit, 0)
    monkeypatch.setattr(by_numpy, "interpret", None)
    step(compiled(OPEN))


def test_what_prepare_has_built_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = compiled(OPEN)
    kernel.prepare(Q=np.zeros((2, 3, 9)), K=np.zeros((3, 3))).run()
    monkeypatch.setattr(by_numpy, "interpret", None)
    step(kernel)


def test_pickles_keep_it() -> None:
    for build in ("auto", "never"):
        again = pickle.loads(pickle.dumps(compiled(OPEN, build=build)))
        assert beside(again)._builds is (build == "auto")
        step(again)
    assert pickle.loads(pickle.dumps(compiled(OPEN, build="now")))._by_numpy is None


def test_calls_go_on_where_nothing_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_given: object) -> None:
        raise failure("E0615", "a kernel was built, and cannot be loaded")

    kernel = compiled(OPEN)
    monkeypatch.setattr(type(kernel._specialisations), "for_build", failing)
    step(kernel)
    (kind,) = beside(kernel)._kinds.values()
    kind.left = 1
    for _ in range(3):
        step(kernel)
        BUILDS.wait()
    assert not kind.is_there


# -- what --------------------------------------------------------------------------------------------------------------

KERNELS = {
    "a chain": "Y[i,q] = A[i,j] * X[j,k] * B[k,q]",
    "a sum": "Y[i,q] -= 0.5 * A[i,j] * X[j,q] - s * X[i,q]",
    "functions": "Y[i,q] = max(0, A[i,j] * X[j,q]) + exp(-X[i,q])",
    "two statements": "Y[i,q] = A[i,j] * X[j,q]\nX[i,q] += Y[i,k] * B[k,q]",
    "once": "Y[i,q] += A[i,j] * A[j,k] * X[k,q]",
    "diagonals": "Y[i,q] = A[i,i] * X[i,q]",
}
MIXED = ("a sum", "functions", "diagonals")
"""Kernels that `make test` tries in other types and layouts, too."""

DECLARED = "size n\ntensor Y[n,9]\ntensor X[n,9]\ntensor A[n,n] constant\ntensor B[9,9] constant\nscalar s\n"


def arguments(size: int, elements: int, kind: Any, layout: str) -> dict[str, Any]:
    given: dict[str, Any] = {
        "Y": RANDOM.random((elements, size, 9)),
        "X": RANDOM.random((elements, size, 9)),
        "A": RANDOM.random((size, size)),
        "B": RANDOM.random((9, 9)),
    }
    given = {name: array.astype(kind) for name, array in given.items()}
    if layout == "F":
        given = {name: np.asfortranarray(array) for name, array in given.items()}
    elif layout == "gaps":
        given = {name: np.repeat(array, 2, axis=-1)[..., ::2] for name, array in given.items()}
    return {**given, "s": 0.75}


@pytest.mark.parametrize(
    ("name", "real", "layout"),
    [
        pytest.param(name, real, layout, marks=() if is_quick else pytest.mark.slow)
        for name in KERNELS
        for real in ("f64", "f32")
        for layout in ("C", "F", "gaps")
        for is_quick in [(real, layout) == ("f64", "C") or (name in MIXED and (real == "f32") == (layout == "C"))]
    ],
)
def test_numbers_are_those_of_the_kernel(name: str, real: str, layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"real {real}\n{DECLARED}kernel k {{ {KERNELS[name]} }}\n"
    kernel, without = compiled(text, build="now"), compiled(text, build="never")
    kind = np.float32 if real == "f32" else np.float64
    for size, elements in ((4, 5), (3, 0), (1, 3)):
        given = arguments(size, elements, kind, layout)
        given = {each.name: given[each.name] for each in kernel.artifact.arguments}
        theirs = {each: array.copy("K") if isinstance(array, np.ndarray) else array for each, array in given.items()}
        kernel(**given)
        monkeypatch.setattr(by_numpy, "AT_ONCE", 700)  # an element or two
        without(**theirs)
        for each, array in given.items():
            epsilon = float(np.finfo(kind).eps)
            np.testing.assert_allclose(theirs[each], array, rtol=200 * epsilon, atol=50 * epsilon)


MISTAKES: dict[str, dict[str, Any]] = {
    "missing": {"Q": np.ones((2, 3, 9))},
    "unknown": {"Q": np.ones((2, 3, 9)), "K": np.ones((3, 3)), "L": 1.0},
    "sizes": {"Q": np.ones((2, 3, 9)), "K": np.ones((4, 4))},
    "type": {"Q": np.ones((2, 3, 9), np.float32), "K": np.ones((3, 3))},
    "list": {"Q": [[1.0]], "K": np.ones((3, 3))},
    "read-only": {"Q": np.broadcast_to(1.0, (2, 3, 9)), "K": np.ones((3, 3))},
}


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("build", ["auto", "never"])
def test_mistakes_are_told_as_by_the_kernel(name: str, build: Build) -> None:
    with pytest.raises(ef.CompileError) as expected:
        of_open_sizes("now")(**MISTAKES[name])
    with pytest.raises(ef.CompileError) as found:
        of_open_sizes(build)(**MISTAKES[name])
    assert str(found.value) == str(expected.value)
    with pytest.raises(ef.CompileError, match="E0502"):
        of_open_sizes(build)(3, 4)


def test_the_number_of_elements_may_be_said() -> None:
    kernel, A, B = (
        compiled("size n\ntensor A[n]\ntensor B[n]\nkernel k { B[i] = 2 * A[i] }"),
        np.ones((2, 3)),
        np.zeros((2, 3)),
    )
    kernel(2, A=A, B=B)
    np.testing.assert_array_equal(B, 2 * A)
    with pytest.raises(ef.CompileError, match="E0511"):
        kernel(3, A=A, B=B)


def test_never_and_what_only_a_kernel_takes() -> None:
    text = "size n\ntensor A[n] grouped\ntensor B[n]\nkernel k { B[i] = 2 * A[i] }"
    given = {"A": [np.ones(3), np.ones(3)], "B": np.zeros((2, 3))}
    with pytest.raises(ef.CompileError, match="E0230"):
        compiled(text, build="never")(**given)
    compiled(text)(**given)
    np.testing.assert_array_equal(given["B"], np.full((2, 3), 2.0))
