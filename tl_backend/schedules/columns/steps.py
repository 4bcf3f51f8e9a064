"""Collective instructions with all loops written out: which entries they read and write, as arrays of positions.

    target[line, lane] := beta target[line, lane] + alpha sum over depth of the product of the factors

A *line* is what one work-item computes of an instruction, and *lanes* are the lines side by side. Positions count the
entries in the memory of one element.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import Enum, auto
from itertools import count

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum, product_of
from einsum_front.tl_backend.schedules.positions.zeros import Numbers, stored_mask, summands
from einsum_front.tl_backend.types import GroupType, ScalarType

MOST_STEPS = 1024
"""Instructions with loops written out: each becomes code of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """A factor: the positions of its entries, lines x lanes x depth, with 1 for an axis that it does not run with."""

    base: str
    positions: Positions

    @property
    def has_lines(self) -> bool:
        """True if it differs from entry to entry of a line."""
        return bool(self.positions.shape[0] > 1)

    def transposed(self) -> "Factor":
        """With lines for lanes."""
        return replace(self, positions=self.positions.transpose(1, 0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One instruction in one iteration of the loops around it, or several of them whose lanes are put side by side.

    `mask` says which summands may differ from zero, lines x lanes x depth, and `kept` which entries get a new value.
    """

    instruction: tl.Collective
    base: str
    target: Positions
    alpha: tl.TypedScalar
    beta: tl.TypedScalar
    factors: tuple[Factor, ...]
    mask: Mask
    kept: Mask

    @property
    def lines(self) -> int:
        """Entries of a line."""
        return int(self.target.shape[0])

    @property
    def lanes(self) -> int:
        """Lines side by side."""
        return int(self.target.shape[1])

    @property
    def depth(self) -> int:
        """Summands of an entry, known zeros included."""
        return int(self.mask.shape[2])

    def transposed(self) -> "Step":
        """With lines for lanes."""
        return replace(
            self,
            target=self.target.T,
            factors=tuple(each.transposed() for each in self.factors),
            mask=self.mask.transpose(1, 0, 2),
            kept=self.kept.T,
        )


def steps_of(function: Function, facts: Facts) -> tuple[Step, ...]:
    """The instructions in order; raises `UnsuitableError` if one is of a kind that this schedule has no code for."""
    unrolled = _Unrolled(facts)
    found = []
    for number, step in zip(count(), unrolled.region(function.body, {}), strict=False):
        if number == MOST_STEPS:
            raise UnsuitableError(f"its loops run more than {MOST_STEPS} instructions")
        found.append(step)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Unrolled:
    """A walk through a function with the numbers that loops count."""

    facts: Facts

    def region(self, region: tl.Region, loops: Mapping[str, int]) -> Iterator[Step]:
        """The steps of a region in one iteration of the loops around it."""
        for instruction in region:
            yield from self._instruction(instruction, loops)

    def _instruction(self, instruction: tl.Instruction, loops: Mapping[str, int]) -> Iterator[Step]:
        match instruction:
            case tl.Collective():
                step = self._step(instruction, loops)
                if step.kept.any():
                    yield step
            case tl.For(variable=variable, body=body):
                for number in self.facts.places.loops[variable.name]:
                    yield from self.region(body, {**loops, variable.name: number})
            case (
                tl.Alloca()
                | tl.Barrier()
                | tl.Expand()
                | tl.Fuse()
                | tl.GroupId()
                | tl.GroupSize()
                | tl.LifetimeStop()
                | tl.Size()
                | tl.Subview()
            ):
                pass
            case tl.Load(type=GroupType()):
                pass
            case tl.ArithBinary(type=ScalarType.INDEX):
                pass
            case _:
                raise UnsuitableError("it computes with single numbers")

    def _step(self, instruction: tl.Collective, loops: Mapping[str, int]) -> Step:
        product, patterns = product_of(instruction, self.facts.places).at_iteration(loops), self.facts.patterns
        (term,) = product.terms
        factors = tuple(Factor(each.base, each.positions(term.shape)) for each in term.factors)
        target, kept = product.target_positions, stored_mask(product, patterns)
        self._check(product, [*factors], target)
        mask = summands(term, patterns) & kept[:, :, None]
        return Step(instruction, product.target.base, target, instruction.alpha, instruction.beta, factors, mask, kept)

    def _check(self, product: ProductSum, factors: list[Factor], target: Positions) -> None:
        base = product.target.base
        if any(factor.base == base and np.isin(factor.positions, target).any() for factor in factors):
            raise UnsuitableError("an instruction reads what it writes")
        if np.unique(target).size < target.size:
            raise UnsuitableError("an instruction writes an entry twice")


def scalars_of(steps: tuple[Step, ...]) -> Iterator[tl.Local]:
    """The coefficients that only the launch knows."""
    for step in steps:
        for scalar in (step.alpha, step.beta):
            if isinstance(scalar.value, tl.Local):
                yield scalar.value


def is_constant(base: str, facts: Facts) -> bool:
    """True if it is an argument that all elements have together."""
    storage = facts.storages[base]
    return storage.is_argument and storage.is_uniform


# -- what a step needs for each entry of a line ------------------------------------------------------------------------
# Summands with the same code in all lanes. Where zeros differ from lane to lane, as in a 9 x 9 matrix with three
# non-zeros in a column, each lane has its own list of depths: the first summand of all lanes is one, then the second.
# Lanes with fewer repeat one of theirs, times zero.


class Form(Enum):
    """The order of the multiplications of a step.

    OUTER: for every depth, something is added to all entries of the line. INNER: an entry is complete before the next.
    CHOSEN: like OUTER for each of several known matrices, of which an integer of the element chooses one.
    """

    OUTER = auto()
    INNER = auto()
    CHOSEN = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Summand:
    """A depth in each lane, and the lines that have it; if it `is_padded`, lanes with fewer summands have none."""

    depths: Positions
    lines: Mask
    number: int
    is_padded: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A step with its form and its summands; `counts` has how many each lane has, where that differs.

    `members` are the numbers of the matrices of which one is chosen, lines x depth.
    """

    step: Step
    form: Form
    summands: tuple[Summand, ...]
    counts: Positions | None
    members: tuple[Numbers, ...] = ()

    @property
    def parts(self) -> int:
        """Nodes that it consists of: depths, or entries of the line; one where a matrix is chosen."""
        return 1 if self.members else len(self.summands) if self.is_outer else self.step.lines

    @property
    def written_out(self) -> int:
        """The multiplications of a lane as the code has them."""
        if self.members:
            return sum(int(np.count_nonzero(each)) for each in self.members)
        return sum(int(each.lines.sum()) for each in self.summands)

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
    return Group(step, form, tuple(whole), None, _members(step, facts) if form is Form.CHOSEN else ())


def _form(step: Step, facts: Facts) -> Form:
    matrices = [each for each in step.factors if each.has_lines and is_read_together(each, facts)]
    others = [each for each in step.factors if not each.has_lines]
    if len(matrices) != 1 or len(others) != 1 or len(step.factors) != 2:
        return Form.INNER
    return Form.CHOSEN if _members(step, facts) else Form.OUTER


def _members(step: Step, facts: Facts) -> tuple[Numbers, ...]:
    """The known matrices of which an integer of the element chooses a factor; none if it is not so."""
    factor = next(each for each in step.factors if each.has_lines)
    if factor.base not in facts.gathers or facts.is_staged(factor.base):
        return ()
    (piece,) = facts.gathers[factor.base]
    sources = [(address.argument, offset) for address, offset in piece.sources if not address.moves]
    is_alone = piece.member is not None and set(piece.signs) == {piece.member} and len(sources) == len(piece.sources)
    if not is_alone or any(name not in facts.members for name, _ in sources):
        return ()
    return tuple(facts.members[name][factor.positions[:, 0, :] + offset] for name, offset in sources)


def is_read_together(factor: Factor, facts: Facts) -> bool:
    """True for a matrix that all elements have, or that all lanes of an element gather."""
    return is_constant(factor.base, facts) or (factor.base in facts.gathers and factor.positions.shape[1] == 1)


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
