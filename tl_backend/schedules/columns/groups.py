"""What a step needs for each entry of a line: summands with the same code in all lanes.

Where zeros differ from lane to lane, as in a 9 x 9 matrix with three non-zeros in a column, each lane has its own list
of depths: the first summand of all lanes is one, then the second. Lanes with fewer repeat one of theirs, times zero.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, auto

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.columns.steps import Factor, Step, is_constant
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions


class Form(Enum):
    """The order of the multiplications of a step.

    OUTER: for every depth, something is added to all entries of the line. INNER: an entry is complete before the next.
    """

    OUTER = auto()
    INNER = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Summand:
    """A depth in each lane, and the lines that have it; if it `is_padded`, lanes with fewer summands have none."""

    depths: Positions
    lines: Mask
    number: int
    is_padded: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A step with its form and its summands; `counts` has how many each lane has, where that differs."""

    step: Step
    form: Form
    summands: tuple[Summand, ...]
    counts: Positions | None

    @property
    def parts(self) -> int:
        """Nodes that it consists of: depths, or entries of the line."""
        return len(self.summands) if self.is_outer else self.step.lines

    @property
    def is_outer(self) -> bool:
        """True if something is added to all entries of a line for every depth."""
        return self.form is Form.OUTER

    def entry(self, factor: Factor, line: int, summand: Summand) -> Positions:
        """The positions of a factor in all lanes."""
        lanes, (_, own, depth) = self.step.lanes, factor.positions.shape
        lane = np.arange(lanes) if own > 1 else np.zeros(lanes, np.int64)
        return np.asarray(factor.positions[line % factor.positions.shape[0], lane, summand.depths % depth])

    def written(self, line: int) -> bool:
        """True if the entry of a line gets a new value in some lane."""
        return bool(self.step.kept[line].any())


def group_of(step: Step, facts: Facts) -> Group:
    """The summands of a step."""
    form = _form(step, facts)
    used = np.asarray(step.mask.any(axis=0))
    if form is Form.INNER and (used.sum(axis=1).max(initial=0) < used.any(axis=0).sum()):
        return _of_lanes(step, used)
    depths = np.flatnonzero(used.any(axis=0))
    whole = (
        Summand(np.full(step.lanes, k), np.asarray(step.mask[:, :, k].any(axis=1)), n, is_padded=False)
        for n, k in enumerate(depths)
    )
    return Group(step, form, tuple(whole), None)


def _form(step: Step, facts: Facts) -> Form:
    matrices = [each for each in step.factors if is_constant(each.base, facts) and each.has_lines]
    others = [each for each in step.factors if not each.has_lines]
    return Form.OUTER if len(matrices) == 1 and len(others) == 1 and len(step.factors) == 2 else Form.INNER


def _of_lanes(step: Step, used: Mask) -> Group:
    """The n-th summand of each lane has depths of its own."""
    counts = used.sum(axis=1)
    lists = [np.flatnonzero(row) for row in used]
    summands = []
    for number in range(int(counts.max())):
        depths = np.array([each[min(number, each.size - 1)] if each.size else 0 for each in lists], np.int64)
        has_it = counts > number
        lines = (step.mask[:, np.arange(step.lanes), depths] & has_it).any(axis=1)
        summands.append(Summand(depths, lines, number, not has_it.all()))
    return Group(step, Form.INNER, tuple(summands), counts.astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """An entry of all lanes: what a register of each work-item holds."""

    base: str
    positions: Positions
    _bytes: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_bytes", np.ascontiguousarray(self.positions, np.int64).tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.base == other.base and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash((self.base, self._bytes))


Lines = Mapping[str, frozenset[Key]]


def written_keys(group: Group) -> list[Key]:
    """The entries of the target, by line."""
    return [Key(group.step.base, group.step.target[line]) for line in range(group.step.lines) if group.written(line)]


def read_keys(group: Group, number: int) -> set[Key]:
    """The entries of a factor."""
    factor, step = group.step.factors[number], group.step
    found: set[Key] = set()
    for summand in group.summands:
        lines = np.flatnonzero(summand.lines) if factor.has_lines else np.flatnonzero(summand.lines)[:1]
        found.update(Key(factor.base, group.entry(factor, int(line), summand)) for line in lines)
    return found if step.lanes else set()
