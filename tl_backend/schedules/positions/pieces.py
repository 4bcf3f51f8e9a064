"""Where entries of a memory are read that is filled where integers say: from which sources, and when they are 0."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError


class Own:
    """The number of the element in the lane itself."""


OWN = Own()


@dataclass(frozen=True, slots=True)
class Move:
    """`factor` strides of a mode, as often as a number says; `number` is None for a fixed distance."""

    mode: int
    number: "Number | Own | None"
    factor: int


@dataclass(frozen=True, slots=True)
class Address:
    """Memory of an argument after some moves; of a group the memref with the number `member`."""

    argument: str
    moves: tuple[Move, ...]
    member: "Number | Own | None" = None


@dataclass(frozen=True, slots=True)
class Number:
    """An integer in memory, `offset` integers after the address."""

    address: Address
    offset: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Entries that lie side by side in each source: entry i goes to `positions[i]`.

    It is read `i + offset` entries after an address, of those in `sources` the one that `member` says, and is 0 where
    one of the `signs` is negative.
    """

    positions: tuple[int, ...]
    sources: tuple[tuple[Address, int], ...]
    member: Number | None
    signs: tuple[Number, ...]


Gathers = Mapping[str, tuple[Piece, ...]]
"""The pieces of each argument that stands for gathered memory."""


Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on integers: that all are there, or that one is `chosen`; `holds` or does not."""

    numbers: frozenset[Number]
    chosen: int | None
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """A number of a source; without an address it is 0."""

    address: Address | None
    offset: int = 0


_Key = tuple[frozenset[Number], Number | None]


@dataclass(slots=True)
class Entries:
    """What becomes of the entries of a memory: sources by signs and chosen member, and where zeros are."""

    sources: dict[_Key, dict[int, dict[int, tuple[Address, int]]]] = field(default_factory=dict)
    zeros: dict[int, frozenset[Number]] = field(default_factory=dict)
    signs: dict[int, _Key] = field(default_factory=dict)

    def take(self, tests: tuple[Test, ...], positions: Positions, address: Address | None, offsets: Positions) -> None:
        """Entries at these positions are read there if the tests hold."""
        there = [test for test in tests if test.chosen is None]
        choices = [test for test in tests if test.chosen is not None]
        if len(there) != 1:
            raise UnsuitableError("it branches on what differs from element to element")
        numbers = there[0].numbers
        if address is None:
            if there[0].holds or choices:
                raise UnsuitableError("it branches on what differs from element to element")
            self.zeros.update(dict.fromkeys(positions.tolist(), numbers))
            return
        member, choice = _member(choices)
        if not there[0].holds:
            raise UnsuitableError("it branches on what differs from element to element")
        key = numbers, member
        of_member = self.sources.setdefault(key, {}).setdefault(choice, {})
        for position, offset in zip(positions.tolist(), offsets.tolist(), strict=True):
            if self.signs.setdefault(position, key) != key or position in of_member:
                raise UnsuitableError("an entry is filled twice where integers say")
            of_member[position] = address, offset

    def pieces(self) -> tuple[Piece, ...]:
        """The entries in order, those together that lie side by side."""
        if self.zeros.keys() != self.signs.keys() or any(self.signs[at][0] != n for at, n in self.zeros.items()):
            raise UnsuitableError("an entry is filled only for some integers")
        found: list[Piece] = []
        for (numbers, member), members in self.sources.items():
            if any(members.get(number, {}).keys() != members[0].keys() for number in range(len(members))):
                raise UnsuitableError("an entry is filled only for some integers")
            signs = tuple(sorted(numbers, key=repr))
            by_source: dict[tuple[tuple[Address, int], ...], list[tuple[int, int]]] = {}
            for position, (_, first) in members[0].items():
                each = tuple(members[number][position] for number in range(len(members)))
                shifts = tuple((address, offset - first) for address, offset in each)
                by_source.setdefault(shifts, []).append((first, position))
            for shifts, places in by_source.items():
                for start, positions in _side_by_side(sorted(places)):
                    sources = tuple((address, shift + start) for address, shift in shifts)
                    found.append(Piece(positions, sources, member, signs))
        return tuple(sorted(found, key=lambda piece: piece.positions))


def _side_by_side(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Runs of neighbouring offsets: the first, and the positions of all."""
    start = 0
    for stop in range(1, len(places) + 1):
        if stop == len(places) or places[stop][0] != places[stop - 1][0] + 1:
            yield places[start][0], tuple(position for _, position in places[start:stop])
            start = stop


def _member(choices: Sequence[Test]) -> tuple[Number | None, int]:
    """The number that chooses, and the member for which these tests hold: the last one is that for which none does."""
    numbers = {number for test in choices for number in test.numbers}
    if len(numbers) > 1:
        raise UnsuitableError("it branches on what differs from element to element")
    chosen = [test.chosen for test in choices if test.holds]
    others = [test.chosen for test in choices if not test.holds]
    member = chosen[0] if chosen else len(others)
    if len(chosen) > 1 or others != list(range(len(others))) or member is None:
        raise UnsuitableError("it branches on what differs from element to element")
    return next(iter(numbers), None), member


# -- pieces that are alike --------------------------------------------------------------------------------------------


def numbers_of(piece: Piece) -> tuple[Number, ...]:
    """The integers of a piece, each once."""
    found = [*piece.signs, *(() if piece.member is None else (piece.member,))]
    for address, _ in piece.sources:
        found += [move.number for move in address.moves if isinstance(move.number, Number)]
        found += [address.member] if isinstance(address.member, Number) else []
    return tuple(dict.fromkeys(found))


def alike(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces in groups whose members differ by the offsets of their integers and by where they go, all of them."""
    groups: dict[object, list[Piece]] = {}
    for piece in pieces:
        numbers = numbers_of(piece)
        first = piece.positions[0]
        shape = (
            tuple(position - first for position in piece.positions),
            tuple((_renamed(address, numbers), offset) for address, offset in piece.sources),
            None if piece.member is None else numbers.index(piece.member),
            tuple(numbers.index(number) for number in piece.signs),
            tuple(number.address for number in numbers),
        )
        groups.setdefault(shape, []).append(piece)
    return list(groups.values())


def _renamed(address: Address, numbers: Sequence[Number]) -> object:
    """The address with numbers for its integers."""

    def name(number: Number | Own | None) -> object:
        return numbers.index(number) if isinstance(number, Number) else number

    moves = tuple((move.mode, name(move.number), move.factor) for move in address.moves)
    return address.argument, moves, name(address.member)
