"""A recipe for a function whose elements are neighbours in memory: they are the lanes of vectors, nothing is turned.

Of each nest of loops around one product:

    sums      the sparse rows of a constant become a table; other sums are unrolled where that is little code
    columns   a target axis that is unrolled: as many sums as there are registers for
    rows      the other target axes are iterations; without a table some of them are unrolled, too, and share factors

What sets a target before stands in the same loop over the rows. Steps that are not legal are left out: loops are right
without them.
"""

from collections.abc import Iterator, Sequence
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.loops.extents import issued
from einsum_front.tl_backend.loops.lanes import SPARSE
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Binding,
    Loop,
    Loops,
    Nodes,
    Product,
    Stage,
    Tensor,
    Update,
    updates,
    walk,
)
from einsum_front.tl_backend.transforms import STEPS, IllegalStepError, applied
from einsum_front.tl_backend.transforms.recipe import Line, Recipe

MOST_UNROLLED = 100
"""Products of unrolled code in an iteration."""

MOST_COLUMNS = 16
"""Columns of sums at most."""

MOST_LITERALS = 4000
"""Non-zeros of a constant that is written out with one column of sums."""

MOST_IN_GROUPS = 8000
"""The same where each group of rows is code by itself: compilers take a second or two."""

MOST_NUMBERS = 2048
"""Different numbers of such a constant: beside the code, they are loaded again and again."""

FEWEST_ROWS = 4
"""Rows of a constant that are a group at least: they share what is loaded."""

SHORT = 256
"""Elements of rows that are taken once for each group of rows: longer rows are in too many pages of memory."""

MANY_REGISTERS = 32
"""Registers from which on the numbers of a group of rows stay in some."""

OFTEN = 3
"""Loads of an entry from which on an operand is copied, so that its rows lie close."""

MOST_STAGED = 24 * 1024
"""Bytes of such copies: they should stay in the first level of a cache."""

AHEAD = 3
"""Multiplications for each row of elements from which on it pays to ask for rows ahead."""

DISTANCE = 4
"""Blocks of elements that are asked for ahead."""

MANY = 64
"""Blocks from which on it pays to ask for rows ahead, where their number is known."""


@dataclass(frozen=True, slots=True)
class _Nest:
    """Loops around one update, the outermost first, and their extents."""

    axes: tuple[str, ...]
    extents: dict[str, int]
    update: Update

    @property
    def target_axes(self) -> tuple[str, ...]:
        """Those that the target has, in the order of its modes."""
        names = [name for each in self.update.target.index for name in each.names]
        return tuple(axis for axis in dict.fromkeys(names) if axis in self.axes)

    @property
    def reduced(self) -> tuple[str, ...]:
        """Those that are summed over."""
        targets = self.target_axes
        return tuple(axis for axis in self.axes if axis not in targets)


class Writer:
    """Loops, and the steps that made them so far."""

    def __init__(self, name: str, loops: Loops, registers: int, last: int = 2**25) -> None:
        self.loops, self._name, self._registers, self._last = loops, name, registers, last
        self._lines: list[Line] = []
        self._elements: int | None = None

    @property
    def recipe(self) -> Recipe:
        """The steps."""
        return Recipe(self._name, tuple(self._lines))

    def step(self, text: str) -> bool:
        """Takes a step if it is legal."""
        name, _, rest = text.partition(" ")
        arguments = STEPS[name].arguments(rest)
        if arguments is None:
            return False
        try:
            self.loops = applied(self.loops, STEPS[name], arguments)
        except IllegalStepError:
            return False
        self._lines.append(Line(text))
        return True

    def write(self, width: int, elements: int | None = None) -> None:
        """All steps: `width` elements are the lanes of a vector, of `elements` if their number is known."""
        batch, self._elements = self.loops.batch, elements
        nests = list(_nests(self.loops.body))
        tables = {nest.update.target.tensor for nest in nests if self._table(nest) is not None}
        summed = {nest.update.target.tensor for nest in nests if nest.reduced} - tables
        for nest in nests:
            if nest.update.target.tensor in summed:  # what sets a sum first is split as the sum is
                self._split(nest)
        nests = list(_nests(self.loops.body))
        if width > 1 and batch is not None:
            self.step(f"interleave {batch.axis} by {width}")
            if self._is_of_rows(nests) and self.step(f"sink {batch.axis}_o"):
                self._streamed()
                return
        before: _Nest | None = None
        for nest in nests:
            is_next = before is not None and before.update.target.tensor == nest.update.target.tensor
            if nest.update.adds:
                self._sums(nest, before if is_next else None)
            before = None if nest.update.adds else nest
        self._memory(width, are_many=elements is None or elements >= MANY * width)

    def _is_of_rows(self, nests: Sequence[_Nest]) -> bool:
        """True if each row of elements is done by itself, and is read or written once: it is best read as it lies."""
        return all(not nest.reduced for nest in nests) and not any(
            each.is_temporary or (each.batch is not None and not each.is_fastest) for each in self.loops.tensors
        )

    def _memory(self, width: int, *, are_many: bool) -> None:
        """Operands that are loaded often are copied, so that their rows lie close; rows are asked for ahead.

        Tensors whose elements lie apart are turned on their way to registers.
        """
        rows = [each for each in self.loops.tensors if each.is_fastest and _loads(self.loops, each)]
        written = {each.target.tensor for each in updates(self.loops.body)}
        apart = [each for each in self.loops.tensors if each.batch is not None and not each.is_fastest]
        for tensor in apart if width > 1 else ():
            if _loads(self.loops, tensor):
                self.step(f"stage {tensor.name}")
        often = [each for each in rows if _loads(self.loops, each) >= OFTEN * each.size and each.name not in written]
        if often and sum(each.size * width * each.element.size for each in often) <= MOST_STAGED:
            self.step(f"stage {', '.join(each.name for each in often)}")
        streamed = self._streamed()
        rows = [each for each in rows if each.name not in streamed]
        if rows and are_many and issued(self.loops) >= AHEAD * sum(each.size for each in rows):
            self.step(f"prefetch {', '.join(each.name for each in rows)} distance {DISTANCE}")

    def _streamed(self) -> frozenset[str]:
        """Results that no cache holds go past all of them: which ones may."""
        results = dict.fromkeys(each.target.tensor for each in updates(self.loops.body))
        return frozenset(name for name in results if self.step(f"stream {name} above {self._last // 2**20}"))

    # -- one nest ------------------------------------------------------------------------------------------------------

    def _sums(self, nest: _Nest, before: _Nest | None) -> None:
        targets, reduced = nest.target_axes, nest.reduced
        table = self._table(nest)
        of_table = frozenset() if table is None else table[1].names - {table[0]}
        columns = self._columns([axis for axis in targets if axis not in of_table], nest)
        if table is not None and columns is None and self._written_out(nest, table, before):
            return
        rows = [axis for axis in reversed(targets) if axis != columns]
        self._join(nest, before, rows, columns)
        width = 1 if columns is None else nest.extents[columns]
        unrolled = [] if columns is None else [columns]
        inside = width * prod(nest.extents[axis] for axis in reduced) * self._share(nest, {*unrolled, *reduced})
        is_little = table is None and inside <= MOST_UNROLLED
        alone = [axis for axis in rows if axis in nest.axes]  # what sets the target stands in the others, too
        order = [*alone, *([] if is_little else reduced), *unrolled, *(reduced if is_little else [])]
        if len(order) > 1:
            self.step(f"reorder {', '.join(order)}")
        for axis in (*unrolled, *(reduced if is_little else ())):
            self.step(f"unroll {axis}")
        if table is not None:
            self.step(f"compress {table[0]} of {table[1].tensor}")
        if rows and not is_little:
            self.step(f"stage {nest.update.target.tensor} at {rows[-1]}")

    def _split(self, nest: _Nest) -> None:
        """A target axis in two, if all are too long for columns: the inner one has a fitting divisor of the points."""
        most = self._most_columns
        if self._table(nest) is not None or any(nest.extents[axis] <= most for axis in nest.target_axes):
            return
        parts = {
            axis: max(size for size in range(1, most + 1) if nest.extents[axis] % size == 0)
            for axis in nest.target_axes
        }
        axis = max(parts, key=lambda axis: parts[axis], default=None)
        if axis is not None and parts[axis] > 1:
            self.step(f"split {axis} by {parts[axis]}")

    def _table(self, nest: _Nest) -> tuple[str, Access] | None:
        """The sum over the rows of a sparse constant, and the entry that tells which."""
        for access in nest.update.accesses[1:]:
            tensor = self.loops.by_name[access.tensor]
            sums = [axis for axis in nest.reduced if access.uses(axis)]
            nonzeros = None if tensor.batch is not None else tensor.known_nonzeros
            is_sparse = nonzeros is not None and len(nonzeros) < SPARSE * tensor.size
            if is_sparse and len(sums) == 1 and len(access.names) <= 2:
                return sums[0], access
        return None

    def _share(self, nest: _Nest, unrolled: set[str]) -> float:
        """The part of the products that stays if these axes are unrolled: known zeros are left out."""
        shares = (
            len(tensor.known_nonzeros) / tensor.size
            for access in nest.update.accesses[1:]
            if (tensor := self.loops.by_name[access.tensor]).known_nonzeros is not None and access.names <= unrolled
        )
        return prod(shares)

    @property
    def _most_columns(self) -> int:
        return min(MOST_COLUMNS, self._registers - 4)  # what sums are made of has registers, too

    def _columns(self, axes: Sequence[str], nest: _Nest) -> str | None:
        """The axis of the columns, of those that fit: that which leaves out the most zeros, then the longest."""
        fitting = [axis for axis in axes if nest.extents[axis] <= self._most_columns]

        def badness(axis: str) -> tuple[float, int]:
            return self._share(nest, {axis, *nest.reduced}), -nest.extents[axis]

        return min(fitting, key=badness, default=None)

    def _written_out(self, nest: _Nest, table: tuple[str, Access], before: _Nest | None) -> bool:
        """All of a small constant as code, where each row has one sum, with what sets the sums before."""
        tensor = self.loops.by_name[table[1].tensor]
        size, numbers = len(tensor.known_nonzeros or ()), len({abs(number) for _, number in tensor.values or ()})
        if tensor.values is None or size > MOST_IN_GROUPS or numbers > MOST_NUMBERS:
            return False
        is_short = self._elements is not None and self._elements <= SHORT
        if is_short and numbers > self._registers * 3 // 4 and before is not None and self._in_groups(nest, before):
            return self.step(f"literals {tensor.name}")
        if size > MOST_LITERALS:
            return False
        done = [self.step(f"unroll {axis}") for axis in nest.axes]
        for axis in () if before is None else before.axes:
            self.step(f"unroll {axis}")
        return all(done) and self.step(f"literals {tensor.name}")

    def _in_groups(self, nest: _Nest, before: _Nest) -> bool:
        """Groups of rows one after the other, if these are all loops: the numbers of a group fit into registers."""
        rows, set_, batch = nest.target_axes, before.target_axes, self.loops.batch
        if len(rows) != 1 or len(set_) != 1 or batch is None or len(list(_nests(self.loops.body))) != 2:
            return False
        if self._registers < MANY_REGISTERS or before.reduced or self.loops.batch not in self.loops.body:
            return False
        row, first = rows[0], set_[0]
        size = max(each for each in range(1, MOST_COLUMNS + 1) if nest.extents[row] % each == 0)
        if not FEWEST_ROWS <= size < nest.extents[row]:
            return False
        steps = (
            f"split {first} by {size}",
            f"split {row} by {size}",
            f"fuse {first}_o, {row}_o",
            f"fuse {first}_i, {row}_i",
            f"unroll {first}_i, {', '.join(nest.reduced)}",
            f"sink {batch.axis}",
            f"unroll {first}_o",
        )
        return all(map(self.step, steps))

    def _join(self, nest: _Nest, before: _Nest | None, rows: list[str], columns: str | None) -> None:
        """What sets the target stands in the loops over the rows."""
        if before is None or len(before.target_axes) != len(nest.target_axes):
            return
        theirs = dict(zip(nest.target_axes, before.target_axes, strict=True))
        order = [*(theirs[axis] for axis in rows), *([] if columns is None else [theirs[columns]])]
        if len(order) > 1:
            self.step(f"reorder {', '.join(order)}")
        mine = [*rows, *(axis for axis in nest.axes if axis not in rows)]
        if len(mine) > 1:
            self.step(f"reorder {', '.join(mine)}")
        for axis in rows:
            if not self.step(f"fuse {theirs[axis]}, {axis}"):
                break
            rows[rows.index(axis)] = theirs[axis]
        if columns is not None:
            self.step(f"unroll {theirs[columns]}")


def _nests(nodes: Nodes) -> Iterator[_Nest]:
    """The nests in the order of the text; loops around several nodes are none of them."""
    for node in nodes:
        chain: list[Loop] = []
        inside = node
        while isinstance(inside, Loop) and len(inside.body) == 1:
            chain.append(inside)
            inside = inside.body[0]
        if isinstance(inside, Update):
            extents = {each.axis: each.extent for each in chain if isinstance(each.extent, int)}
            yield _Nest(tuple(extents), extents, inside)
        elif isinstance(inside, Loop):
            yield from _nests(inside.body)


def unstaged_targets(loops: Loops) -> list[str]:
    """Tensors whose elements lie apart, and which lanes of vectors write to outside of a stage: that has no code."""
    return [
        node.target.tensor
        for node, around in walk(loops.body)
        if isinstance(node, Update)
        and any(isinstance(each, Loop) and each.binding is Binding.VECTOR for each in around)
        if (tensor := loops.by_name[node.target.tensor]).batch is not None and not tensor.is_fastest
        if not any(isinstance(each, Stage) and each.tensor == tensor.name for each in around)
    ]


def _loads(loops: Loops, tensor: Tensor) -> int:
    """How often entries of a tensor are taken from memory or go there: unrolled code takes each once an iteration."""
    total = 0
    for node, around in walk(loops.body):
        for access in node.accesses if isinstance(node, Product) else ():
            if access.tensor == tensor.name:
                loop_extents = (
                    each.extent
                    for each in around
                    if isinstance(each, Loop) and (each.binding is Binding.SEQUENTIAL or access.uses(each.axis))
                    if each.binding is not Binding.VECTOR
                )
                total += prod(extent for extent in loop_extents if isinstance(extent, int))
    return total
