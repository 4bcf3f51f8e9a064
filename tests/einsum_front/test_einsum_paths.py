"""What other libraries say by `optimize`: names, paths in their form, and objects that look for one."""

from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.index_string.keywords import NAMES

RANDOM = np.random.default_rng(34)
STRING = "ab,bc,cd,de->ae"
OPERANDS = [RANDOM.random((4, 4)) for _ in range(4)]
EXPECTED = np.linalg.multi_dot(OPERANDS)


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
    with pytest.raises(ef.CompileError, match="E0230"):
        ef.einsum_path(STRING, *OPERANDS, optimize=search)


def test_objects_of_opt_einsum() -> None:
    paths = pytest.importorskip("opt_einsum")
    for optimizer in (paths.RandomGreedy(max_repeats=4), paths.DynamicProgramming(), paths.BranchBound()):
        np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=optimizer), EXPECTED)
    path, _ = paths.contract_path(STRING, *OPERANDS)
    np.testing.assert_allclose(ef.einsum(STRING, *OPERANDS, optimize=path), EXPECTED)
