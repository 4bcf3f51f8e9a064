"""Entries that are read where integers of each element say: a pointer for each lane, then transposed as all others.

    long place = next[4 * lane0 + 2];
    global const double *I_0 = place < 0 ? zeros : I + place * 180;

A negative number points to zeros, so that no lane is an exception. Pieces that are alike, such as the faces of an
element or its nodes, are a loop.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Value
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, no_prefetch, number_at
from einsum_front.tl_backend.schedules.batch_simd.transfer import Transfer, load, loaded_runs
from einsum_front.tl_backend.schedules.lowering.gathered import source_of
from einsum_front.tl_backend.schedules.positions.pieces import Number, Piece, alike, numbers_of


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
        for lane, name in zip(self.lanes, names, strict=True):
            source = source_of(piece, numbers, lane, self.parameters, self.context.names)
            yield from source.integers
            zeros = tree.Cast(source.pointer, self._zeros(len(piece.positions) * size_of(source.pointer.target)))
            yield tree.Declare(source.pointer, name.text, tree.Conditional(source.is_missing, zeros, source.start))

    def _zeros(self, size: int) -> tree.Name:
        """A table of so many bytes, which are zeros of any type."""
        table = self.context.table_of_values("zeros", (0.0,) * -(-size // self.context.scalar_type.size))
        assert table is not None  # there is room for all of them on a processor
        return table


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
