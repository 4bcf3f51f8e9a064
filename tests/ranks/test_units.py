"""Bisection, halos and errors of ranks, with threads in place of processes: no MPI is needed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Barrier, Lock, Thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError
from einsum_front.ranks import Halo, bisect, together
from einsum_front.ranks.communicator import Alone


class Board:
    """What the ranks of a test tell each other."""

    def __init__(self, size: int) -> None:
        self.size, self.barrier, self.lock = size, Barrier(size), Lock()
        self.told: list[Any] = [None] * size
        self.messages: dict[tuple[int, int, int], NDArray[Any]] = {}


@dataclass
class Later:
    act: Callable[[], None]

    def Wait(self) -> None:
        self.act()


@dataclass
class Rank:
    board: Board
    rank: int

    @property
    def size(self) -> int:
        return self.board.size

    def allgather(self, sendobj: Any) -> list[Any]:
        self.board.told[self.rank] = sendobj
        self.board.barrier.wait(20)
        told = list(self.board.told)
        self.board.barrier.wait(20)
        return told

    def alltoall(self, sendobj: Sequence[Any]) -> list[Any]:
        return [objects[self.rank] for objects in self.allgather(sendobj)]

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Later:
        with self.board.lock:
            self.board.messages[self.rank, dest, tag] = buf.copy()
        return Later(lambda: None)

    def Irecv(self, buf: Any, source: int, tag: int = 0) -> Later:
        def receive() -> None:
            self.board.barrier.wait(20)  # all have sent
            buf[...] = self.board.messages.pop((source, self.rank, tag))

        return Later(receive)


def on_ranks(size: int, act: Callable[[Rank], object]) -> list[object]:
    """What `act` returns or raises on each of `size` ranks."""
    board, found = Board(size), [None] * size

    def run(rank: int) -> None:
        try:
            found[rank] = act(Rank(board, rank))  # type: ignore[call-overload] # None or anything
        except Exception as error:
            found[rank] = error  # type: ignore[call-overload] # None or anything

    threads = [Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(found)


@pytest.mark.parametrize("parts", [1, 2, 3, 5, 16])
def test_parts_are_even_and_lie_together(parts: int) -> None:
    centres = np.random.default_rng(1).random((320, 3))
    owner = bisect(centres, parts)
    sizes = np.bincount(owner, minlength=parts)
    assert sizes.max() - sizes.min() <= 2
    spread = [np.ptp(centres[owner == part], axis=0).prod() for part in range(parts)]
    assert sum(spread) <= 1  # boxes of parts do not overlap


def test_more_parts_than_elements_leave_some_empty() -> None:
    owner = bisect(np.arange(6.0).reshape(2, 3), 5)
    assert len(set(owner.tolist())) == 2
    assert bisect(np.zeros((0, 3)), 4).shape == (0,)


def test_an_error_of_one_rank_is_one_of_all() -> None:
    def act(comm: Rank) -> None:
        with together(comm, "compiling"):
            if comm.rank == 1:
                raise KeyError("no device")

    first, second, third = on_ranks(3, act)
    assert isinstance(second, KeyError)
    assert str(first) == str(third)
    assert str(first) == ("error[E0638]: compiling failed on rank 1 of 3\n  = note: rank 1: KeyError: 'no device'")


def test_rows_arrive_behind_those_of_the_rank() -> None:
    def act(comm: Rank) -> NDArray[np.float64]:
        array = np.zeros((5, 2))
        array[:3] = 10 * comm.rank + np.arange(3)[:, None]
        other = 1 - comm.rank
        halo = Halo(comm, array, {other: [2, 0]}, {other: slice(3, 5)})
        assert halo.neighbours == (other,)
        assert halo.bytes_sent == 2 * 2 * 8
        halo.start()
        halo.finish()
        return array[3:, 0]

    first, second = on_ranks(2, act)
    assert np.array_equal(np.asarray(first), [12, 10])
    assert np.array_equal(np.asarray(second), [2, 0])


@pytest.mark.parametrize("rows", [np.arange(3, 5), [3, 4], range(3, 5), (3, 4), slice(3, None), slice(-2, None)])
@pytest.mark.parametrize("sent", [lambda: np.array([2, 0], np.int8), lambda: iter((2, 0)), lambda: slice(2, None, -2)])
def test_rows_in_every_spelling(rows: Any, sent: Callable[[], Any]) -> None:
    """An array of numbers selects a copy in NumPy, and what arrived there was lost."""

    def act(comm: Rank) -> NDArray[np.float64]:
        array = np.zeros((5, 2))
        array[:3] = 10 * comm.rank + np.arange(3)[:, None]
        other: Any = np.int64(1 - comm.rank)
        halo = Halo(comm, array, {other: sent()}, {other: rows})
        halo.start()
        halo.finish()
        return array[3:, 0]

    first, second = on_ranks(2, act)
    assert np.array_equal(np.asarray(first), [12, 10])
    assert np.array_equal(np.asarray(second), [2, 0])


NUMBERS = np.zeros((4, 2))


class OneOfThree(Alone):
    """The first of three ranks, of which the others say nothing."""

    size = 3


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((NUMBERS.tolist(), {}, {}), TypeError, "the array of a halo is an array of NumPy, not a list"),
        ((np.zeros(()), {}, {}), ValueError, "has rows of numbers"),
        ((np.array([None]), {}, {}), ValueError, "has rows of numbers"),
        ((NUMBERS, [[0]], {}), TypeError, "a halo has rows by rank, {3: rows}, not a list"),
        ((NUMBERS, {}, {"1": slice(2)}), TypeError, "by the numbers of ranks, not by '1'"),
        ((NUMBERS, {True: [0]}, {}), TypeError, "not by True"),
        ((NUMBERS, {1: [0.5]}, {}), TypeError, "the rows of rank 1 are a slice or integers, not a list"),
        ((NUMBERS, {1: "012"}, {}), TypeError, "the rows of rank 1 are a slice or integers, not a str"),
        ((NUMBERS, {1: [True, False, True, False]}, {}), TypeError, "not truth values"),
        ((NUMBERS, {}, {1: NUMBERS[:, 0] == 0}), TypeError, "not truth values"),
        ((NUMBERS, {}, {1: [[2, 3]]}), ValueError, r"not in shape \(1, 2\)"),
        ((NUMBERS, {}, {1: 3}), ValueError, r"not in shape \(\)"),
        ((NUMBERS, {}, {1: [3, 2]}), CompileError, "do not lie one behind the other"),
        ((NUMBERS, {}, {1: [3, 4]}), CompileError, "rank 1 fills rows 3 to 4"),
        ((NUMBERS, {}, {1: [2, 3], 2: slice(3, 4)}), CompileError, "ranks 1 and 2 both fill row 3"),
    ],
)
def test_arguments_that_are_something_else(arguments: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Halo(OneOfThree(), *arguments)


def test_a_tag_is_a_number() -> None:
    for tag, error in (("1", TypeError), (True, TypeError), (1.0, TypeError), (-1, ValueError)):
        with pytest.raises(error, match="the tag of a halo is a number"):
            Halo(Alone(), NUMBERS, {}, {}, tag=tag)  # type: ignore[arg-type] # as a user may


def test_lengths_that_differ_are_an_error_on_all_ranks() -> None:
    def act(comm: Rank) -> None:
        other = 1 - comm.rank
        Halo(comm, np.zeros((9, 2)), {other: range(3 + comm.rank)}, {other: slice(6, 9)})

    first, second = on_ranks(2, act)
    assert str(first) == (
        "error[E0639]: rank 1 sends 4 rows of shape (2,) and type float64 to rank 0, "
        "which expects 3 rows of shape (2,) and type float64"
    )
    assert isinstance(second, CompileError)
    assert "E0638" in str(second)


def test_types_and_missing_neighbours_are_errors() -> None:
    def act(comm: Rank) -> None:
        if comm.rank == 0:
            Halo(comm, np.zeros((4, 2)), {1: [0]}, {})
        else:
            Halo(comm, np.zeros((4, 2), np.float32), {}, {0: slice(3, 4)})

    first, second = on_ranks(2, act)
    assert "E0638" in str(first)
    assert "expects 1 rows of shape (2,) and type float32" in str(second)


@pytest.mark.parametrize(
    ("sends", "words"),
    [({0: [0]}, "names rank 0"), ({7: [0]}, "names rank 7")],
)
def test_a_halo_names_other_ranks(sends: dict[int, list[int]], words: str) -> None:
    with pytest.raises(CompileError, match=words):
        Halo(Alone(), np.zeros((4, 2)), sends, {})


def test_rows_that_do_not_exist_are_an_error() -> None:
    first, second = on_ranks(2, lambda comm: Halo(comm, np.zeros((4, 2)), {1 - comm.rank: [4]}, {}))
    assert "row 4 is sent to rank 1" in str(first)
    assert "row 4 is sent to rank 0" in str(second)


@pytest.mark.parametrize(
    ("centres", "parts", "error"),
    [
        (np.ones((4, 2)), 0, ValueError),
        (np.ones((4, 2)), -1, ValueError),
        (np.ones((4, 2)), 2.5, TypeError),
        (np.ones((4, 2)), True, TypeError),
        (np.ones((4, 2)), "2", TypeError),
        (np.ones(4), 2, ValueError),
        (1, 2, ValueError),
        (np.array([[np.nan, 0.0]]), 2, ValueError),
    ],
)
def test_what_cannot_be_bisected(centres: Any, parts: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        bisect(centres, parts)
