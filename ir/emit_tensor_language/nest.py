"""Nests of loops over indices, with and without accumulation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from einsum_front.core.extent import is_at_most
from einsum_front.ir.emit_tensor_language.access import IndexRange, Positions
from einsum_front.tl_backend import Builder, Index, Number


@contextmanager
def loops(builder: Builder, indices: Sequence[str], extents: Mapping[str, IndexRange]) -> Iterator[Positions]:
    """Loops over the indices, the first outermost; an index of extent 1 needs none. Gives the positions inside."""
    with ExitStack() as stack:
        positions: dict[str, Index] = {}
        for index in indices:
            range_ = extents[index]
            if range_.extent == 1:
                positions[index] = 0
            else:
                loop = builder.for_loop(0, range_.index(builder), name=loop_name(index))
                positions[index] = stack.enter_context(loop)
        yield positions


def accumulate(
    builder: Builder,
    indices: Sequence[str],
    extents: Mapping[str, IndexRange],
    beta: Number,
    body: Callable[[Positions, Number], None],
) -> None:
    """Loops over contracted indices: `body(positions, beta)` adds one share to beta times the target.

    β belongs to the first share alone, which therefore stands before the loop; all others have β = 1.
    """
    _accumulate(builder, indices, extents, beta, body, {})


def _accumulate(
    builder: Builder,
    indices: Sequence[str],
    extents: Mapping[str, IndexRange],
    beta: Number,
    body: Callable[[Positions, Number], None],
    fixed: Positions,
) -> None:
    if not indices:
        body(fixed, beta)
        return
    index, inner = indices[0], indices[1:]
    start = 0
    if beta != 1.0 or extents[index].extent == 1:
        _accumulate(builder, inner, extents, beta, body, {**fixed, index: 0})
        start = 1
    if not is_at_most(extents[index].extent, start):
        with builder.for_loop(start, extents[index].index(builder), name=loop_name(index)) as variable:
            _accumulate(builder, inner, extents, 1.0, body, {**fixed, index: variable})


def loop_name(index: str) -> str:
    """A name for the variable of a loop: that of the index, which may have any characters."""
    return "".join(character for character in index if character.isascii() and character.isalnum()) or "i"
