"""Entries that are read where integers of each element say: a pointer for each lane, then transposed as all others.

    long place = next[4 * lane0 + 2];
    global const double *I_0 = place < 0 ? zeros : I + place * 180;

A negative number points to zeros, so that no lane is an exception. Pieces that are alike, such as the faces of an
element or its nodes, are a loop.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Group, Value, View
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, no_prefetch, number_at
from einsum_front.tl_backend.schedules.batch_simd.transfer import Transfer, load, loaded_runs
from einsum_front.tl_backend.schedules.lowering.context import element_address
from einsum_front.tl_backend.schedules.positions.pieces import Address, Number, Own, Piece


@dataclass(frozen=True, slots=True)
class Gathering:
    """The arguments as the kernel gets them, and the elements in the lanes."""

    parameters: Mapping[str, Value]
    lanes: Sequence[tree.Expression]
    context: LaneContext

    def pointers(
        self, piece: Piece, names: Sequence[tree.Name], numbers: Mapping[Number, tree.Expression]
    ) -> Iterator[tree.Statement]:
        """Where the piece begins for the element in each lane; `numbers` are the offsets of the integers."""
        size = len(piece.positions)
        for lane, name in zip(self.lanes, names, strict=True):
            values: dict[Number, tree.Expression] = {}
            for number, offset in numbers.items():
                place = tree.Name(self.context.names.fresh("place"))
                yield tree.Declare(Scalar.I64, place.text, self._number(number, offset, lane))
                values[number] = place
            pointer = self._pointer(piece.sources[0][0])
            places = [
                tree.Cast(pointer, self._address(address, index.constant(offset), lane, values))
                for address, offset in piece.sources
            ]
            chosen: tree.Expression = places[-1]
            for member, address in reversed(list(enumerate(places[:-1]))):
                assert piece.member is not None  # several sources have a number that chooses
                is_member = tree.Binary(tree.BinaryOperator.EQUAL, values[piece.member], index.constant(member))
                chosen = tree.Conditional(is_member, address, chosen)
            sign = reduce(_either, (values[number] for number in piece.signs))
            is_missing = tree.Binary(tree.BinaryOperator.LESS, sign, index.ZERO)
            zeros = tree.Cast(pointer, self._zeros(size))
            yield tree.Declare(pointer, name.text, tree.Conditional(is_missing, zeros, chosen))

    def _zeros(self, size: int) -> tree.Name:
        """A table of at least as many zeros."""
        table = self.context.table_of_values("zeros", (0.0,) * size)
        assert table is not None  # there is room for all of them on a processor
        return table

    def _pointer(self, address: Address) -> Pointer:
        value = self.parameters[address.argument]
        assert isinstance(value, View | Group)  # scalars have no entries
        return replace(value.pointer, space=AddressSpace.GLOBAL, is_const=True, is_restrict=False)

    def _number(self, number: Number, offset: tree.Expression, lane: tree.Expression) -> tree.Expression:
        return tree.Cast(Scalar.I64, tree.Subscript(self._address(number.address, index.ZERO, lane, {}), offset))

    def _address(
        self, address: Address, offset: tree.Expression, lane: tree.Expression, values: Mapping[Number, tree.Expression]
    ) -> tree.Expression:
        """The memory of the argument after all moves."""
        value = self.parameters[address.argument]
        assert isinstance(value, View | Group)  # scalars have no entries
        if isinstance(value, Group):
            base = element_address(value, None, _moving(address.member, lane, values))
        else:
            base = value.base
        for move in address.moves:
            steps = index.multiply(index.constant(move.factor), value.strides[move.mode])
            base = index.add(base, index.multiply(_moving(move.number, lane, values), steps))
        return index.add(base, offset)


def _moving(
    number: Number | Own | None, lane: tree.Expression, values: Mapping[Number, tree.Expression]
) -> tree.Expression:
    match number:
        case None:
            return index.ONE
        case Own():
            return lane
        case Number():
            return values[number]


def _either(one: tree.Expression, other: tree.Expression) -> tree.Expression:
    """Negative if one of both is."""
    return tree.Binary(tree.BinaryOperator.BIT_OR, one, other)


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


def load_pieces(pieces: Sequence[Piece], needed: Mask, transfer: Transfer, gathering: Gathering) -> tree.Statements:
    """Loads and transposes all entries that are needed, where the pieces do not lie as the memory does."""
    statements: list[tree.Statement] = []
    for group in alike([piece for piece in pieces if needed[list(piece.positions)].any()]):
        inside = gathering.context.inner()
        counter = tree.Name(inside.names.fresh("piece")) if len(group) > 1 else None
        body = tuple(_load_group(group, needed, counter, transfer, replace(gathering, context=inside)))
        if counter is None:
            statements.append(tree.Block(body))
            continue
        stop, over = index.constant(len(group)), f"pieces of {transfer.array.name}"
        statements.append(tree.For(Scalar.I32, counter.text, index.ZERO, stop, index.ONE, body, over=over))
    return tuple(statements)


def _load_group(
    group: Sequence[Piece], needed: Mask, counter: tree.Name | None, transfer: Transfer, gathering: Gathering
) -> Iterator[tree.Statement]:
    first, context = group[0], gathering.context
    number: tree.Expression = index.ZERO if counter is None else counter
    lists = zip(*(numbers_of(piece) for piece in group), strict=True)
    offsets = {same[0]: number_at(number, [each.offset for each in same], "numbers", context) for same in lists}
    yield from gathering.pointers(first, transfer.pointers, offsets)
    origin = number_at(number, [piece.positions[0] for piece in group], "origins", context)
    slots = tuple(position - first.positions[0] for position in first.positions)
    wanted = np.logical_or.reduce([needed[list(piece.positions)] for piece in group])
    runs = loaded_runs(wanted, range(wanted.size), context.width)
    yield from load(runs, replace(transfer, slots=slots, origin=origin, context=context), no_prefetch)
