"""Where an element reads what integers say: its integers are loaded, and one of the sources is chosen by them.

long place = next[4 * element + 2], member = side[4 * element + 2];
global const double *from = member == 0 ? R_0 : member == 1 ? R_1 : R_2;          one of a family
global const double *from = I + place * 180;                                      another element
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Group, Value, View
from einsum_front.tl_backend.schedules.lowering.context import element_address
from einsum_front.tl_backend.schedules.positions.pieces import Address, Number, Own, Piece


@dataclass(frozen=True, slots=True)
class Source:
    """Where a piece begins: after `integers` are declared, at `start`, unless it `is_missing`."""

    integers: Sequence[tree.Statement]
    pointer: Pointer
    start: tree.Expression
    is_missing: tree.Expression


def source_of(
    piece: Piece,
    offsets: Mapping[Number, tree.Expression],
    element: tree.Expression,
    parameters: Mapping[str, Value],
    names: Names,
) -> Source:
    """Where an element reads a piece; `offsets` are those of its integers."""
    declared, values = [], dict[Number, tree.Expression]()
    for number, offset in offsets.items():
        place = names.fresh("place")
        declared.append(tree.Declare(Scalar.I64, place, integer(number, offset, element, parameters)))
        values[number] = tree.Name(place)
    value = parameters[piece.sources[0][0].argument]
    assert isinstance(value, View | Group)  # scalars have no entries
    pointer = replace(value.pointer, space=AddressSpace.GLOBAL, is_const=True, is_restrict=False)
    places = [
        tree.Cast(pointer, _address(address, index.constant(offset), element, values, parameters))
        for address, offset in piece.sources
    ]
    chosen: tree.Expression = places[-1]
    for member, address in reversed(list(enumerate(places[:-1]))):
        assert piece.member is not None  # several sources have a number that chooses
        is_member = tree.Binary(tree.BinaryOperator.EQUAL, values[piece.member], index.constant(member))
        chosen = tree.Conditional(is_member, address, chosen)
    sign = reduce(_either, (values[number] for number in piece.signs))
    return Source(declared, pointer, chosen, tree.Binary(tree.BinaryOperator.LESS, sign, index.ZERO))


def integer(
    number: Number, offset: tree.Expression, element: tree.Expression, parameters: Mapping[str, Value]
) -> tree.Expression:
    """An integer of an element, as a place."""
    memory = _address(number.address, index.ZERO, element, {}, parameters)
    return tree.Cast(Scalar.I64, tree.Subscript(memory, offset))


def _address(
    address: Address,
    offset: tree.Expression,
    element: tree.Expression,
    values: Mapping[Number, tree.Expression],
    parameters: Mapping[str, Value],
) -> tree.Expression:
    """The memory of the argument after all moves."""
    value = parameters[address.argument]
    assert isinstance(value, View | Group)  # scalars have no entries
    if isinstance(value, Group):
        base = element_address(value, None, _moving(address.member, element, values))
    else:
        base = value.base
    for move in address.moves:
        steps = index.multiply(index.constant(move.factor), value.strides[move.mode])
        base = index.add(base, index.multiply(_moving(move.number, element, values), steps))
    return index.add(base, offset)


def _moving(
    number: Number | Own | None, element: tree.Expression, values: Mapping[Number, tree.Expression]
) -> tree.Expression:
    match number:
        case None:
            return index.ONE
        case Own():
            return element
        case Number():
            return values[number]


def _either(one: tree.Expression, other: tree.Expression) -> tree.Expression:
    """Negative if one of both is."""
    return tree.Binary(tree.BinaryOperator.BIT_OR, one, other)
