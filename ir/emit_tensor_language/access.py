"""Operands by index names: which modes a loop fixes, which modes can be seen as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ir.emit_tensor_language.writer import ZERO, Memref, Writer
from tl_backend.instructions import IndexOperand, Local, Position, Slice

Positions = Mapping[str, IndexOperand]
WHOLE = Slice(ZERO, None)


@dataclass(frozen=True, slots=True)
class Access:
    """A memref of which every mode is walked by an index or stands at a position.

    An index that stands several times walks a diagonal.
    """

    memref: Memref
    modes: tuple[str | IndexOperand, ...]

    @property
    def indices(self) -> tuple[str, ...]:
        """The indices that walk a mode, in the order of the modes."""
        return tuple(mode for mode in self.modes if isinstance(mode, str))

    @property
    def diagonals(self) -> tuple[str, ...]:
        """The indices that stand several times."""
        return tuple(index for index in dict.fromkeys(self.indices) if self.indices.count(index) > 1)

    def extent(self, index: str) -> int:
        """The size of the mode of an index."""
        size = self.memref.type.shape[self.modes.index(index)]
        return -1 if size is None else size

    def stride(self, index: str) -> int:
        """The stride of the mode of an index."""
        stride = self.memref.type.strides[self.modes.index(index)]
        return -1 if stride is None else stride

    def at(self, positions: Positions) -> "Access":
        """The access with the indices of `positions` at their positions."""
        modes = tuple(positions.get(mode, mode) if isinstance(mode, str) else mode for mode in self.modes)
        return replace(self, modes=modes)

    def view(self, writer: Writer) -> Memref:
        """The memref of the modes that are walked."""
        if all(isinstance(mode, str) for mode in self.modes):
            return self.memref
        slices = tuple(WHOLE if isinstance(mode, str) else Position(mode) for mode in self.modes)
        return writer.subview(self.memref, slices)

    def entry(self, writer: Writer) -> Local:
        """The entry of an access without indices."""
        return writer.entry(self.memref, self.entry_position)

    @property
    def entry_position(self) -> tuple[IndexOperand, ...]:
        """The position of an access without indices."""
        return tuple(mode for mode in self.modes if not isinstance(mode, str))


def extents_of(accesses: Sequence[Access]) -> dict[str, int]:
    """The extent of every index, in the order of their first use."""
    return {index: access.extent(index) for access in accesses for index in access.indices}


def fuse(writer: Writer, access: Access, group: tuple[str, ...]) -> Access:
    """The access with the neighbouring indices of `group` as one mode, walked by the first of them."""
    if group[0] not in access.indices:
        return access
    view = access.view(writer)
    first = access.indices.index(group[0])
    last = first + len(group) - 1
    return Access(writer.fuse(view, first, last), (*access.indices[: first + 1], *access.indices[last + 1 :]))


def collapse(writer: Writer, accesses: Sequence[Access]) -> list[Access]:
    """The same accesses with as few modes as possible: indices that are neighbours wherever they occur become one.

    B[i,j,k] := A[i,j,k]     packed                  ->  B[i] := A[i]
    C[i,j,k] := A[i,j] b[k]  A and C packed          ->  C[i,k] := A[i] b[k]
    """
    collapsed = list(accesses)
    for chain in _chains(accesses):
        collapsed = [fuse(writer, access, chain) for access in collapsed]
    return collapsed


def _chains(accesses: Sequence[Access]) -> list[tuple[str, ...]]:
    """The longest runs of indices that can be one."""
    indices = list(extents_of(accesses))
    successor = {x: y for x in indices for y in indices if x != y and _are_one(accesses, x, y)}
    starts = [index for index in indices if index in successor and index not in successor.values()]
    return [_follow(start, successor) for start in starts]


def _follow(start: str, successor: Mapping[str, str]) -> tuple[str, ...]:
    chain = [start]
    while chain[-1] in successor:
        chain.append(successor[chain[-1]])
    return tuple(chain)


def _are_one(accesses: Sequence[Access], x: str, y: str) -> bool:
    """Whether y follows x in every operand that has either, with strides that let `fuse` make them one mode."""
    users = [access for access in accesses if x in access.indices or y in access.indices]
    return all(_follows(access, x, y) for access in users)


def _follows(access: Access, x: str, y: str) -> bool:
    if access.indices.count(x) != 1 or access.indices.count(y) != 1:
        return False
    neighbours = access.indices.index(y) == access.indices.index(x) + 1
    return neighbours and access.stride(x) * access.extent(x) == access.stride(y)
