"""A product as a table of rows: for each row the summands that may differ from zero, for a block of columns at once.

    for every row:  for every summand of the row:  for every column of the block:
        sum[column] += value of the summand * entry of the summand, moved by the column

The *value* differs from row to row, not from column to column, and the *entry* the other way round: a value that was
loaded once serves all columns. Either may be missing. Rows and columns may be those of the target or the reverse. Rows
with about the same summands are a group: an entry that was loaded once serves all of them.
"""

from collections.abc import Iterable

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import RowTables
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.access import Terms
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """The values, or the entries: their base in each term of the product, and their position in each summand.

    Positions lack the loops' share, `moving` in each term. Values have one for each row of a group: summands x height.
    """

    bases: tuple[str, ...]
    moving: tuple[Terms, ...]
    positions: Positions


@dataclass(frozen=True, slots=True, eq=False)
class RowTable:
    """Groups of rows that have `columns` columns with the same summands; positions move by a step between columns.

    `targets` are the positions of the first column of the rows, groups x height. `starts` are the numbers of the
    groups' first summands and, at the end, that of all summands; `terms` says of which term of the product each summand
    is, `holds` (summands x height) which rows have it: the values of the others are 0. The sums of a block of rows and
    columns, a value for each row and an entry share `registers`. `times` are those of the machine.
    """

    targets: Positions
    starts: Positions
    terms: Positions
    holds: Mask
    values: Operand | None
    entries: Operand | None
    columns: int
    target_step: int
    entry_step: int
    registers: int
    times: RowTables

    @property
    def groups(self) -> int:
        """How many groups of rows there are."""
        return len(self.targets)

    @property
    def height(self) -> int:
        """The rows of a group."""
        return int(self.targets.shape[1])

    @property
    def count(self) -> int:
        """The number of summands of a column, one for all rows of a group."""
        return self.terms.size

    @property
    def blocks(self) -> tuple[range, ...]:
        """The columns in blocks whose sums stay in registers for all rows of a group."""
        return blocks_of(self.columns, self.height, self.registers, self.times)

    def bases(self, operand: Operand) -> set[str]:
        """The bases of the values, or of the entries, of all summands."""
        return {operand.bases[term] for term in set(self.terms.ravel().tolist())}

    def cycles(self, facts: Facts) -> float:
        """About how long it takes."""
        is_spread = self.entries is not None and facts.is_uniform(self.entries.bases[0])
        return cycles(self.groups, self.count, self.height, self.blocks, self.times, is_spread)


def blocks_of(columns: int, height: int, registers: int, times: RowTables) -> tuple[range, ...]:
    """Columns in blocks, as even as they can be, whose sums stay in registers for so many rows."""
    fitting = (c for c in range(1, times.columns + 1) if height * c + min(height, c) < registers)
    count = -(-columns // max(fitting, default=1))
    width = -(-columns // count)
    return tuple(range(start, min(start + width, columns)) for start in range(0, columns, width))


def cycles(
    groups: int, count: int, height: int, blocks: Iterable[range], times: RowTables, is_spread: bool = False
) -> float:
    """About how long so many groups with so many summands take: two vectors are multiplied or loaded in a cycle.

    An entry that is a scalar is spread over a vector: that takes as long as another load.
    """
    total = 0.0
    for width in map(len, blocks):
        loads = height + width * (2 if is_spread else 1) + 1
        total += groups * times.loop + count * max(height * width, loads) / 2
    return total
