"""What other libraries say by `optimize`: names, paths in their form, and objects that look for one."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.index_string.keywords import NAMES

RANDOM = np.random.default_rng(34)
STRING = "ab,bc,cd,de->ae"
OPERANDS = [RANDOM.random((4, 4)) for _ in range(4)]
EXPECTED = np.linalg.multi_dot(OPERANDS)

pytestmark = pytest.mark.usefixtures("no_device_by_name")


@pytest.mark.parametrize("optimize", [*NAMES, ("random-greedy", 10**6), False, None])
def test_names(optimize: Any) -> None:
    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=optimize), EXPECTED)


@pytest.mark.parametrize(
    "path",
    [
        [(0, 1), (0, 1), (0, 1)],
        ((3, 2), (2, 1), (1, 0)),  # unsorted, as random searches give them
        [[1, 0], [2, 0], [0, 1]],
        [(0, 1, 2, 3)],
        [(np.int64(2), np.int64(3)), (0, 1, 2)],
        ["einsum_path", (3, 2), (1, 2), (1, 0)],
        np.array([(3, 2), (1, 2), (1, 0)]),
    ],
)
@pytest.mark.parametrize("build", ["never", "now"])
def test_paths(path: Any, build: Any) -> None:
    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=path, build=build), EXPECTED)


def test_an_object_that_looks_for_a_path() -> None:
    asked: list[tuple[object, ...]] = []

    def search(inputs: Any, output: Any, sizes: Any, memory_limit: Any = None) -> list[tuple[int, ...]]:
        asked.append((inputs, output, sizes, memory_limit))
        return [(2, 3), (1, 2), (0, 1)]

    for _ in range(2):
        np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=search), EXPECTED)
    terms = [frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("de")]
    assert asked[0] == (terms, frozenset("ae"), dict.fromkeys("abcde", 4), None)
    with pytest.raises(ef.CompileError, match=r"E0518.*leaves 2 operands"):
        ef.einsum(STRING, *OPERANDS, optimize=lambda *_: [(0, 1), (0, 1)])
    with pytest.raises(ef.CompileError, match="E0227"):
        ef.einsum("ab,bc", *OPERANDS, optimize=search)
    assert ef.einsum_path(STRING, *OPERANDS, optimize=search)[0] == ["einsum_path", (2, 3), (1, 2), (0, 1)]


def test_objects_of_opt_einsum() -> None:
    paths = pytest.importorskip("opt_einsum")
    for optimizer in (paths.RandomGreedy(max_repeats=4), paths.DynamicProgramming(), paths.BranchBound()):
        np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=optimizer), EXPECTED)
    path, _ = paths.contract_path(STRING, *OPERANDS)
    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=path), EXPECTED)


def test_a_limit_beside_a_name() -> None:
    for limit in (10**6, 1e6, 3):
        np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=("greedy", limit)), EXPECTED)
    with pytest.raises(ValueError, match=r"E0518.*`optimize` has 'much' beside a name"):
        ef.einsum(STRING, *OPERANDS, optimize=("greedy", "much"))
    with pytest.raises(ValueError, match=r"E0518.*`memory_limit` is 0"):
        ef.einsum(STRING, *OPERANDS, optimize=("greedy", 0))
    np.testing.assert_allclose(ef.einsum("ab->b", OPERANDS[0], optimize=[]), OPERANDS[0].sum(0))


def test_a_search_knows_the_limit_and_is_asked_only_where_there_is_an_order() -> None:
    limits: list[Any] = []

    def search(inputs: Any, _output: Any, _sizes: Any, memory_limit: Any = None) -> list[tuple[int, ...]]:
        limits.append(memory_limit)
        return [(0, 1)] * (len(inputs) - 1)

    for limit, known in ((None, None), (-1, None), (50, 50), ("max_input", 16), (7, 7)):
        result = ef.einsum(STRING, *OPERANDS, optimize=search, memory_limit=limit)
        np.testing.assert_allclose(result, EXPECTED)
        assert limits.pop() == known
    ef.einsum("ab,bc", *OPERANDS[:2], optimize=search)
    assert not limits


def test_objects_that_have_a_path() -> None:
    path, info = ef.einsum_path(STRING, *OPERANDS, optimize=[(2, 3), (1, 2), (0, 1)])
    tree = SimpleNamespace(get_path=lambda: ((2, 3), (1, 2), (0, 1)))
    optimize: Any
    for optimize in (info, tree, SimpleNamespace(path=[(2, 3), (1, 2), (0, 1)])):
        np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=optimize), EXPECTED)
        assert ef.einsum_path(STRING, *OPERANDS, optimize=optimize)[0] == path
    for optimize, words in (
        (SimpleNamespace(path=[(2, 3), (1, 2), (0, 2)]), "step 2 of the path"),
        (SimpleNamespace(), "`optimize` is of type SimpleNamespace"),
        (lambda *_: None, "`optimize` has found None, expected a path"),
    ):
        with pytest.raises(ValueError, match=f"E0518.*{words}"):
            ef.einsum(STRING, *OPERANDS, optimize=optimize)


def test_a_search_that_knows_no_limit() -> None:
    def search(inputs: Any, output: Any, sizes: Any) -> list[tuple[int, ...]]:
        return [(0, 1)] * (len(inputs) - 1)

    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=search), EXPECTED)


def test_names_that_are_registered_with_opt_einsum(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def search(inputs: Any, *others: Any) -> list[tuple[int, ...]]:
        asked.append(others)
        return [(0, 1)] * (len(inputs) - 1)

    def get_path_fn(name: str) -> Any:
        return {"hyper-256": search}[name]

    paths = ModuleType("opt_einsum.paths")
    paths.get_path_fn = get_path_fn  # type: ignore[attr-defined] # as the library has it
    monkeypatch.setitem(sys.modules, "opt_einsum.paths", paths)
    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize="hyper-256"), EXPECTED)
    assert len(asked) == 1
    with pytest.raises(ValueError, match=r"E0518.*`optimize` is 'hyper-257', which is no name of a search"):
        ef.einsum(STRING, *OPERANDS, optimize="hyper-257")


def test_shapes_in_the_place_of_arrays() -> None:
    note = "\n  = note: with `shapes=True`, shapes stand in the place of arrays"
    with pytest.raises(ValueError, match=r"E0227.*operand 0 has 1 mode, but its term has 3 indices") as error:
        ef.einsum_path("bik,kj->bij", (100, 4, 5), (5, 3))
    assert str(error.value).endswith(note)
    with pytest.raises(ValueError, match="E0227") as error:
        ef.einsum_path("bik,kj->bij", np.zeros((4, 5)), (5, 3))
    assert note not in str(error.value)


@pytest.mark.parametrize("use_blas", [True, False])
@pytest.mark.parametrize("backend", ["auto", None, "einsum_front", "numpy"])
def test_what_has_no_meaning_here(use_blas: bool, backend: str | None) -> None:
    result = ef.einsum(STRING, *OPERANDS, use_blas=use_blas, backend=backend)
    np.testing.assert_allclose(result, EXPECTED)
    np.testing.assert_allclose(ef.einsum("i,->i", [1.0, 2.0], 3, backend=backend), [3, 6])


@pytest.mark.parametrize("backend", ["torch", "jax", "cupy", 3])
def test_a_backend_that_is_not_that_of_the_operands(backend: Any) -> None:
    with pytest.raises(ValueError, match=r"E0518.*`backend` is"):
        ef.einsum(STRING, *OPERANDS, backend=backend)


def test_a_backend_of_tensors() -> None:
    torch = pytest.importorskip("torch")
    tensors = [torch.from_numpy(each) for each in OPERANDS]
    np.testing.assert_allclose(ef.einsum(STRING, *tensors, backend="torch").numpy(), EXPECTED)
    np.testing.assert_allclose(ef.einsum(STRING, *tensors[:2], *OPERANDS[2:], backend="torch").numpy(), EXPECTED)
    with pytest.raises(ValueError, match=r"E0518.*`backend` is 'numpy', and the operands are of torch"):
        ef.einsum(STRING, *tensors, backend="numpy")
