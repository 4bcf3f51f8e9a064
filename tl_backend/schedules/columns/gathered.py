"""What elements read where integers say, to local memory: the work-items of an element load its integers and copy.

    long place = next[4 * element + 2];
    global const double *from = I + place * 180;
    for (int turn = 0; turn < 20; ++turn)                unrolled, so that loads are on their way together
        memory[...] = place < 0 ? 0 : from[lane + 9 * turn];

A pointer of a group is loaded only where the integer is there. Pieces that are alike, such as the nodes of an element,
are one loop, in which each entry has integers of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Group, Value
from einsum_front.tl_backend.opencl.scalar import convert, number
from einsum_front.tl_backend.schedules.columns.addresses import Addresses, formula
from einsum_front.tl_backend.schedules.columns.memory import Layout
from einsum_front.tl_backend.schedules.columns.transfer import less, written_out
from einsum_front.tl_backend.schedules.lowering.gathered import Source, source_of
from einsum_front.tl_backend.schedules.positions.pieces import Piece, alike, numbers_of


@dataclass(frozen=True, slots=True)
class Gathering:
    """The element of a work-item, the arguments as the kernel gets them, and where local memory of all begins.

    `types` are that of numbers in the arguments, and that in local memory.
    """

    element: tree.Expression
    parameters: Mapping[str, Value]
    memory: tree.Name
    together: int
    types: tuple[Scalar, Scalar]
    names: Names
    addresses: Addresses


def gathered_in(pieces: Sequence[Piece], layout: Layout, gathering: Gathering) -> Iterator[tree.Statement]:
    """Copies all entries of the pieces to their places."""
    for group in alike(pieces):
        yield tree.Block(tuple(_copied(group, layout, gathering)))


def _copied(group: Sequence[Piece], layout: Layout, gathering: Gathering) -> Iterator[tree.Statement]:
    """The entries of pieces that are alike, dealt to the work-items of the element in turns."""
    addresses, names = gathering.addresses, gathering.names
    lanes, size = addresses.lanes, len(group[0].positions)
    places = np.concatenate([layout.places(np.asarray(piece.positions)) for piece in group])
    start: tree.Expression = index.constant(layout.start * gathering.together)
    if addresses.place is not None:
        start = index.add(start, index.multiply(index.constant(layout.size), addresses.place))
    source: Source | None = None
    if len(group) == 1:
        source = _source(group, index.ZERO, gathering, names)
        yield from source.integers
        if not isinstance(gathering.parameters[group[0].sources[0][0].argument], Group):
            origin = tree.Name(names.fresh("from"))
            yield tree.Declare(source.pointer, origin.text, source.start)
            source = replace(source, start=origin)

    def turned(turn: tree.Expression, stop: int | None = None) -> tree.Statements:
        entry = tree.Name(names.fresh("x"))
        declared = tree.Declare(
            Scalar.I32, entry.text, index.add(addresses.lane, index.multiply(index.constant(lanes), turn))
        )
        own = source
        inside: tree.Expression = entry
        body: list[tree.Statement] = [declared]
        if own is None:
            piece = tree.Name(names.fresh("piece"))
            body.append(tree.Declare(Scalar.I32, piece.text, index.divide(entry, index.constant(size))))
            own = _source(group, piece, gathering, names)
            body += own.integers
            inside = index.remainder(entry, index.constant(size))
        stored, computed = gathering.types
        value = convert(tree.Subscript(own.start, inside), stored, computed)
        target = tree.Subscript(gathering.memory, index.add(start, formula(places, entry, addresses)))
        body.append(tree.Assign(target, tree.Conditional(own.is_missing, number(0.0, computed), value)))
        return tuple(body) if stop is None else (tree.If(less(addresses.lane, stop), tuple(body)),)

    turns, rest = divmod(places.size, lanes)
    yield from written_out(turned, turns, names)
    if rest:
        yield from turned(index.constant(turns), rest)


def _source(group: Sequence[Piece], piece: tree.Expression, gathering: Gathering, names: Names) -> Source:
    """Where one of the pieces is read, by its number."""
    lists = zip(*map(numbers_of, group), strict=True)
    offsets = {same[0]: formula(np.array([each.offset for each in same]), piece, gathering.addresses) for same in lists}
    return source_of(group[0], offsets, gathering.element, gathering.parameters, names)
