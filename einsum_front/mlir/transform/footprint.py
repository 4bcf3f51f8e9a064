"""What iterations touch, and who touches it: the two questions that maps answer in both directions.

    footprint(operation, 0, tile)                     the entries of operand 0 that these iterations read
    iterations_touching(operation, 0, part, space)    the iterations that read or write these entries

Operands are counted inputs first, as the maps are.
"""

from collections.abc import Sequence

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.interpret import iteration_space
from einsum_front.mlir.transform.boxes import Box


def space_of(operation: mlir.Structured, shapes: Sequence[tuple[int, ...]]) -> Box:
    """All iterations on operands of these shapes. Raises `CompileError` (E0815) if the shapes do not fit."""
    return Box.of_shape(iteration_space(operation, shapes))


def footprint(operation: mlir.Structured, operand: int, subspace: Box) -> Box:
    """The smallest box with all entries of an operand that these iterations touch.

    Iterations of a product of maps such as `2 * x + r` may leave entries between those that they touch.
    """
    bounds = [_bounds(linear(each), subspace) for each in operation.maps[operand].results]
    if not subspace:
        return Box((0,) * len(bounds), (0,) * len(bounds))
    return Box(tuple(least for least, _ in bounds), tuple(most + 1 for _, most in bounds))


def iterations_touching(operation: mlir.Structured, operand: int, part: Box, space: Box) -> Box:
    """A box with all iterations of `space` that touch an entry of `part`.

    It is the smallest one if each mode is an iterator, or a sum of iterators that no other mode has.
    """
    found, before = space, None
    while found != before and found:
        before = found
        for mode, each in enumerate(operation.maps[operand].results):
            found = _narrowed(found, linear(each), part.starts[mode], part.stops[mode] - 1)
    return found


def _bounds(position: Linear, box: Box) -> tuple[int, int]:
    """The least and the greatest position of iterations of a box."""
    least = most = position.constant
    for dim, factor in position.factors.items():
        ends = factor * box.starts[dim], factor * (box.stops[dim] - 1)
        least, most = least + min(ends), most + max(ends)
    return least, most


def _narrowed(box: Box, position: Linear, least: int, most: int) -> Box:
    """The box with bounds of each iterator between which the position can be reached, given those of all others."""
    if not position.factors and not least <= position.constant <= most:
        return Box(box.starts, box.starts)
    for dim, factor in position.factors.items():
        if not box:
            return box
        others = Linear(position.constant, {each: f for each, f in position.factors.items() if each != dim})
        low, high = _bounds(others, box)
        ends = least - high, most - low
        first, last = ends if factor > 0 else (-ends[1], -ends[0])
        size = abs(factor)
        start, stop = max(box.starts[dim], -(-first // size)), min(box.stops[dim], last // size + 1)
        box = box.cut(dim, start, max(start, stop))
    return box
