"""What an iteration of an unrolled loop loads or stores of an argument, transposed in registers (see `fused`)."""

from collections.abc import Iterator

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.batch_simd.transfer import (
    Rows,
    Runs,
    Transfer,
    load_rows,
    negative_zero,
    store_entry,
    store_rows,
)


@dataclass(frozen=True, slots=True)
class Fusion:
    """The entries of an argument that an iteration has in the vectors of a small array, `size` from `first` on.

    All positions are those of the first iteration; `step` is what they move by in each. It `is_stored` or loaded;
    `beta` times what is in memory is added to what is stored. Nothing is computed for the positions in `idle`.
    """

    base: str
    first: int
    size: int
    step: int
    runs: Runs
    idle: frozenset[int]
    is_stored: bool
    beta: tl.TypedScalar


@dataclass(frozen=True, slots=True)
class FusedTransfer:
    """A fused transposing load or store, and the memory that it reads or writes."""

    fusion: Fusion
    transfer: Transfer

    def declaration(self) -> tree.DeclareArray:
        """The array of an iteration."""
        context = self.transfer.context
        return tree.DeclareArray(context.vector_type, self.transfer.array.name, self.fusion.size, AddressSpace.PRIVATE)

    def loads(self, counter: tree.Name) -> Iterator[tree.Statement]:
        """Fills the array."""
        for start in self.fusion.runs.vectors:
            yield from load_rows(self._rows(start), self._place(start, counter), self.transfer)
        for position in self.fusion.runs.singles:
            yield tree.Assign(self._slot(position), self.transfer.gathered(self._place(position, counter)))

    def clears(self) -> Iterator[tree.Statement]:
        """Gives the entries for which nothing is computed a value that changes no number."""
        for position in sorted(self.fusion.idle):
            yield tree.Assign(self._slot(position), negative_zero(self.transfer.context))

    def stores(self, counter: tree.Name) -> "Stores":
        """Stores of entries as soon as they are computed."""
        return Stores(self, counter)

    def section(self, verb: str, *statements: tree.Statement) -> tree.Section:
        """The statements under a comment."""
        return tree.Section((f"{verb} %{self.fusion.base}",), statements)

    def store_rows(self, start: int, counter: tree.Name) -> Iterator[tree.Statement]:
        """Stores a vector of each element."""
        return store_rows(self._rows(start), self._place(start, counter), self.fusion.beta, self.transfer)

    def store_entry(self, position: int, counter: tree.Name) -> Iterator[tree.Statement]:
        """Stores an entry of each element."""
        return store_entry(self._slot(position), self._place(position, counter), self.fusion.beta, self.transfer)

    def _rows(self, start: int) -> Rows:
        return Rows(tree.Name(self.transfer.array.name), start - self.fusion.first)

    def _slot(self, position: int) -> tree.Place:
        return self.transfer.slot(index.constant(position))

    def _place(self, position: int, counter: tree.Name) -> tree.Expression:
        moved = index.multiply(counter, index.constant(self.fusion.step))
        return index.add(moved, index.constant(position))


class Stores:
    """The vectors and entries of a fused transposing store that still wait for sums."""

    def __init__(self, fused: FusedTransfer, counter: tree.Name) -> None:
        self._fused, self._counter = fused, counter
        width, runs, idle = fused.transfer.context.width, fused.fusion.runs, fused.fusion.idle
        self._vectors = {start: set(range(start, start + width)) - idle for start in runs.vectors}
        self._singles = set(runs.singles)

    def behind(self, position: int) -> Iterator[tree.Statement]:
        """Stores that are possible when the entry at this position is computed."""
        for start, missing in list(self._vectors.items()):
            missing.discard(position)
            if not missing:
                del self._vectors[start]
                statements = self._fused.store_rows(start, self._counter)
                yield self._fused.section("store", *statements)
        if position in self._singles:
            yield self._fused.section("store", tree.Block(tuple(self._fused.store_entry(position, self._counter))))
