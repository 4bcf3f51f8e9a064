"""Nests of loops over indices, with and without accumulation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from ir.emit_tensor_language.access import Positions
from ir.emit_tensor_language.writer import ONE, ZERO, Writer
from tl_backend.instructions import IndexOperand, Operand


@contextmanager
def loops(writer: Writer, indices: Sequence[str], extents: Mapping[str, int]) -> Iterator[Positions]:
    """Loops over the indices, the first outermost; an index of extent 1 needs none. Gives the positions inside."""
    with ExitStack() as stack:
        positions: dict[str, IndexOperand] = {}
        for index in indices:
            if extents[index] == 1:
                positions[index] = ZERO
            else:
                positions[index] = stack.enter_context(writer.loop(writer.fresh(index), 0, extents[index]))
        yield positions


def accumulate(
    writer: Writer,
    indices: Sequence[str],
    extents: Mapping[str, int],
    beta: Operand,
    body: Callable[[Positions, Operand], None],
) -> None:
    """Loops over contracted indices: `body(positions, beta)` adds one share to beta times the target.

    β belongs to the first share alone, which therefore stands before the loop; all others have β = 1.
    """
    _accumulate(writer, indices, extents, beta, body, {})


def _accumulate(
    writer: Writer,
    indices: Sequence[str],
    extents: Mapping[str, int],
    beta: Operand,
    body: Callable[[Positions, Operand], None],
    fixed: Positions,
) -> None:
    if not indices:
        body(fixed, beta)
        return
    index, inner = indices[0], indices[1:]
    start = 0
    if beta != ONE or extents[index] == 1:
        _accumulate(writer, inner, extents, beta, body, {**fixed, index: ZERO})
        start = 1
    if start < extents[index]:
        with writer.loop(writer.fresh(index), start, extents[index]) as variable:
            _accumulate(writer, inner, extents, ONE, body, {**fixed, index: variable})
