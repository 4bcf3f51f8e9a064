"""Rows of arrays that ranks exchange by non-blocking messages."""

from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.words import kind_of
from einsum_front.ranks.communicator import Communicator, Request, together


class Halo:
    """The rows of an array that other ranks need, and those of others that lie behind its own.

    halo = Halo(comm, array, sends={3: rows}, receives={3: slice(100, 120)})
    halo.start()   # copies the rows to send, starts all messages, returns
    ...            # what needs no row of another rank
    halo.finish()  # the rows of others are in `array`

    `array` has a row along its first axis and lies in C order; `sends` has for each other rank the numbers of the rows
    that it needs, `receives` the contiguous rows of `array` that it fills, as a slice
    or as their numbers. A rank without rows has empty mappings. All
    ranks of `comm` make their `Halo`s in the same order: whether the ranks agree is checked then (E0639 on the rank
    that is told something else, E0638 on all others).
    """

    def __init__(
        self,
        comm: Communicator,
        array: NDArray[Any],
        sends: Mapping[int, ArrayLike],
        receives: Mapping[int, slice | ArrayLike],
        *,
        tag: int = 0,
    ) -> None:
        self._comm = comm
        self._tag = tag
        self._array = array
        self._requests: list[Request] = []
        with together(comm, "reading a halo"):
            _check_types(array, tag)
            sent, filled, count = _by_rank(sends), _by_rank(receives), len(array)
            self._rows = {rank: found for rank, rows in sent.items() if (found := _numbers(rows, rank, count)).size}
            places = {rank: run for rank, rows in filled.items() if (run := _run(rows, rank, count)).stop}
            self._places = {rank: array[run] for rank, run in places.items()}
            self._check_own({*sent, *filled}, places)
            self._packed = {
                rank: np.empty((len(rows), *array.shape[1:]), array.dtype) for rank, rows in self._rows.items()
            }
        offers = [_offer(self._packed.get(rank)) for rank in range(comm.size)]
        told = comm.alltoall(offers)
        with together(comm, "agreeing on a halo"):
            self._check_offers(told)

    @property
    def bytes_sent(self) -> int:
        """Bytes of all messages that this rank sends in one exchange."""
        return sum(each.nbytes for each in self._packed.values())

    @property
    def neighbours(self) -> tuple[int, ...]:
        """The ranks that this one sends to."""
        return tuple(self._packed)

    def start(self) -> None:
        """Copy the rows to send and start all messages. The array may be read, and not written, until `finish`."""
        if self._requests:
            raise _disagreement("a halo is started again before it is finished")
        for rank, place in self._places.items():
            self._requests.append(self._comm.Irecv(place, rank, self._tag))
        for rank, packed in self._packed.items():
            np.take(self._array, self._rows[rank], axis=0, out=packed, mode="clip")  # rows were checked
            self._requests.append(self._comm.Isend(packed, rank, self._tag))

    def finish(self) -> None:
        """Wait until the rows of others are in the array, and what was sent is gone."""
        for request in self._requests:
            request.Wait()
        self._requests.clear()

    def _check_own(self, ranks: Set[int], places: Mapping[int, slice]) -> None:
        comm, rows = self._comm, len(self._array)
        for rank in sorted(ranks):
            if not 0 <= rank < comm.size or rank == comm.rank:
                raise _disagreement(f"a halo of rank {comm.rank} names rank {rank}", f"others are 0 to {comm.size - 1}")
        in_order = sorted(places.items(), key=lambda each: each[1].start)
        for (rank, run), (other, following) in pairwise(in_order):
            if following.start < run.stop:
                raise _disagreement(f"ranks {rank} and {other} both fill row {following.start}")
        for rank, numbers in self._rows.items():
            if numbers.min() < 0 or numbers.max() >= rows:
                found = int(numbers[(numbers < 0) | (numbers >= rows)][0])
                raise _disagreement(f"row {found} is sent to rank {rank}", f"the array has {rows} rows")
        if not self._array.flags.c_contiguous:
            raise _disagreement("the array of a halo is not in C order", "messages are written into its rows")

    def _check_offers(self, told: list[tuple[tuple[int, ...], str] | None]) -> None:
        for rank, offer in enumerate(told):
            expected = _offer(self._places.get(rank))
            if offer != expected:
                here = self._comm.rank
                message = f"rank {rank} sends {_described(offer)} to rank {here}, which expects {_described(expected)}"
                raise _disagreement(message)


def _check_types(array: object, tag: object) -> None:
    """An array itself is asked for: what messages write into a copy of a list is lost."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"the array of a halo is an array of NumPy, not {kind_of(array)}")
    if array.ndim == 0 or array.dtype.hasobject:
        raise ValueError("the array of a halo has rows of numbers, not Python's objects or a single number")
    if isinstance(tag, bool) or not isinstance(tag, int | np.integer):
        raise TypeError(f"the tag of a halo is a number, not {kind_of(tag)}")
    if tag < 0:
        raise ValueError(f"the tag of a halo is a number from 0 on, not {tag}")


def _by_rank(rows: object) -> dict[int, object]:
    """Rows by the number of their rank."""
    if not isinstance(rows, Mapping):
        raise TypeError(f"a halo has rows by rank, {{3: rows}}, not {kind_of(rows)}")
    for rank in rows:
        if isinstance(rank, bool) or not isinstance(rank, int | np.integer):
            raise TypeError(f"a halo has rows by the numbers of ranks, not by {rank!r}")
    return {int(rank): numbers for rank, numbers in rows.items()}


def _numbers(rows: object, rank: int, count: int) -> NDArray[np.intp]:
    """The numbers of rows, of a slice of `count` rows or a sequence of integers; nothing is rounded."""
    if isinstance(rows, slice):
        return np.arange(count)[rows]
    try:
        found = np.asarray(list(rows) if isinstance(rows, Iterator | range | Set) else rows)
    except (TypeError, ValueError):  # rows of unlike lengths
        found = np.asarray(None)
    if found.ndim == 1 and not found.size:
        return np.empty(0, np.intp)
    if found.dtype.kind not in "iu":
        kind = "truth values" if found.dtype.kind == "b" else kind_of(rows)
        raise TypeError(f"the rows of rank {rank} are a slice or integers, not {kind}")
    if found.ndim != 1:
        raise ValueError(f"the rows of rank {rank} are integers in a row, not in shape {found.shape}")
    return found.astype(np.intp)


def _run(rows: object, rank: int, count: int) -> slice:
    """The rows as a slice, which is a part of the array's memory: by an array of numbers it would be a copy."""
    numbers = _numbers(rows, rank, count)
    if not numbers.size:
        return slice(0, 0)
    first, last = int(numbers[0]), int(numbers[-1]) + 1
    if not np.array_equal(numbers, np.arange(first, first + numbers.size)):
        raise _disagreement(f"the rows that rank {rank} fills do not lie one behind the other")
    if first < 0 or last > count:
        raise _disagreement(f"rank {rank} fills rows {first} to {last - 1}", f"the array has {count} rows")
    return slice(first, last)


def _offer(array: NDArray[Any] | None) -> tuple[tuple[int, ...], str] | None:
    return None if array is None else (array.shape, array.dtype.str)


def _described(offer: tuple[tuple[int, ...], str] | None) -> str:
    if offer is None:
        return "nothing"
    (rows, *shape), kind = offer
    return f"{rows} rows of shape {tuple(shape)} and type {np.dtype(kind).name}"


def _disagreement(message: str, *notes: str) -> CompileError:
    return CompileError([Diagnostic("E0639", message, notes=notes)])
