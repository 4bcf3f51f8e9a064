"""Which arrays are selections, and what they select."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.ir.algebra.product import Link, Selection, runs_of, selection_of

E = np.eye(4)

SELECTIONS = {
    "identity": (E, Selection(1.0, (Link((0, 1), (0, 0), 4),))),
    "rows in a range": (3 * E[1:3], Selection(3.0, (Link((0, 1), (0, 1), 2),))),
    "columns in a range": (-E[:, 2:], Selection(-1.0, (Link((0, 1), (2, 0), 2),))),
    "ones in a range": (np.array([0, 0.5, 0.5, 0]), Selection(0.5, (Link((0,), (1,), 2),))),
    "one entry": (np.array([[0, 0], [0, 2.0]]), Selection(2.0, (Link((0,), (1,), 1), Link((1,), (1,), 1)))),
    "a number": (np.array(7.0), Selection(7.0, ())),
    "ones": (np.ones((2, 3)), Selection(1.0, (Link((0,), (0,), 2), Link((1,), (0,), 3)))),
    "identities side by side": (
        np.broadcast_to(np.eye(2)[:, np.newaxis], (2, 3, 2)),
        Selection(1.0, (Link((0, 2), (0, 0), 2), Link((1,), (0,), 3))),
    ),
    "three modes in step": (
        np.einsum("ij,jk->ijk", np.eye(3), np.eye(3)),
        Selection(1.0, (Link((0, 1, 2), (0, 0, 0), 3),)),
    ),
}


@pytest.mark.parametrize("title", SELECTIONS)
def test_selections(title: str) -> None:
    array, expected = SELECTIONS[title]
    assert selection_of(array) == expected


OTHERS = {
    "zero": np.zeros((2, 2)),
    "two numbers": np.diag([1.0, 2.0]),
    "a permutation": E[[1, 0, 2, 3]],
    "rows at a distance": E[[0, 2]],
    "an entry too many": E + np.eye(4, k=3),
    "an entry missing": np.array([[1.0, 1.0], [1.0, 0.0]]),
}


@pytest.mark.parametrize("title", OTHERS)
def test_no_selections(title: str) -> None:
    assert selection_of(OTHERS[title]) is None


@given(st.permutations(range(5)), st.integers(1, 5), st.sampled_from([1.0, -1.0, 0.25]))
def test_runs_add_up_to_the_matrix(places: list[int], rows: int, value: float) -> None:
    matrix = value * np.eye(5)[places[:rows]]
    runs = runs_of(matrix)
    assert runs is not None
    total = np.zeros_like(matrix)
    for run in runs:
        (link,) = run.links
        for step in range(link.extent):
            total[link.starts[0] + step, link.starts[1] + step] += run.value
    np.testing.assert_array_equal(total, matrix)
    breaks = sum(after != before + 1 for before, after in pairwise(places[:rows]))
    assert len(runs) == breaks + 1


@pytest.mark.parametrize("matrix", [np.ones((2, 1)), np.ones((1, 2)), np.zeros((2, 2)), np.eye(2) + 1, np.ones(3)])
def test_matrices_that_copy_no_rows(matrix: np.ndarray) -> None:
    assert runs_of(matrix) is None
