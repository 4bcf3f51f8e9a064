"""Kinds of calls that are remembered: many, and the oldest go first."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.index_string import front
from einsum_front.index_string.builds import MOST, LeastRecentlyUsed


class Entry:
    """Remembered calls that do nothing."""

    used = 0

    def run(self, _operands: Any, _out: Any) -> Any:
        return NotImplemented


def test_the_oldest_are_forgotten_and_never_all() -> None:
    kinds = LeastRecentlyUsed(80)
    for number in range(80):
        kinds.keep((number,), Entry())
    assert kinds.find((0,)) is not None
    assert kinds.find((40,)) is not None
    kinds.keep((80,), Entry())
    assert sorted(number for (number,) in kinds.entries) == [0, *range(11, 81)]  # type: ignore[type-var] # numbers
    for number in range(81, 1000):
        kinds.find((0,))
        kinds.keep((number,), Entry())
        assert 70 <= len(kinds.entries) <= 80
    assert kinds.find((0,)) is not None


def test_ten_thousand_kinds_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST >= 10_000
    store = LeastRecentlyUsed()
    for module in (front, __import__("einsum_front.index_string.numpy_calls", fromlist=["REMEMBERED"])):
        monkeypatch.setattr(module, "REMEMBERED", store)
    vectors = [np.ones(length) for length in range(1, 101)]
    for first in vectors:
        for second in vectors:
            ef.einsum("i,j->", first, second, build="never")
    assert len(store.entries) == 10_000
    before = list(store.entries.values())
    assert ef.einsum("i,j->", vectors[0], vectors[0], build="never") == 1
    assert list(store.entries.values()) == before


def test_threads_may_keep_and_find() -> None:
    kinds = LeastRecentlyUsed(64)

    def work(start: int) -> None:
        for number in range(start, start + 500):
            kinds.keep((number,), Entry())
            kinds.find((number - 3,))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(0, 4000, 500)))
    assert 0 < len(kinds.entries) <= 64 + 4


@pytest.mark.parametrize("string", ["i,j->ij", "ij,jk->ik", "bij,bjk->bik"])
@pytest.mark.parametrize("extent", [1, 2])
def test_again_on_a_device_of_opencl(string: str, extent: int) -> None:
    """Arrays of one entry lie in every order of their axes at once."""
    operands = [np.full((extent,) * len(word), 2.0) for word in string.split("->", maxsplit=1)[0].split(",")]
    for _ in range(3):
        result = ef.einsum(string, *operands, device=0)
        np.testing.assert_array_equal(result, np.einsum(string, *operands))
