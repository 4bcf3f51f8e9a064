"""Products into the same target become one, so that its entries are summed up in registers and stored once.

    T0 := I S0;  Q += K0 T0;  T1 := I S1;  Q += K1 T1        ->        T0 := I S0;  T1 := I S1;  Q += K0 T0 + K1 T1

An earlier product moves down to a later one that adds to the same target. Nothing between them may touch the target or
write what the earlier one reads, and the later one may not read the target: that is not there yet.

The steps of a region: its products, those into one target joined, and what is left of its other instructions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.schedules.positions.places import Places
from einsum_front.tl_backend.schedules.positions.product import ProductSum, StridedFactor, Term, product_of
from einsum_front.tl_backend.semantics import Axis, reads, writes
from einsum_front.tl_backend.traverse import regions
from einsum_front.tl_backend.types import GroupType


@dataclass(frozen=True, slots=True)
class Step:
    """A product, or another instruction, with the bases of the memory that it reads and writes."""

    action: ProductSum | tl.Instruction
    reads: frozenset[str]
    writes: frozenset[str]

    @property
    def touches(self) -> frozenset[str]:
        """All memory that it uses."""
        return self.reads | self.writes


Users = Mapping[str, tuple[int, ...]]
"""The numbers of the steps that touch each base, in order."""


def users_of(steps: Iterable[Step]) -> Users:
    """The users of every base: looked up, since a walk over thousands of steps for each of them takes too long."""
    users: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        for base in step.touches:
            users.setdefault(base, []).append(number)
    return {base: tuple(numbers) for base, numbers in users.items()}


def step_of(product: ProductSum) -> Step:
    """The step that a product is; a target that is only added to is not read from elsewhere."""
    return Step(product, product.read, frozenset({product.target.base}))


def merge(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps with fewer products."""
    merged = _Merged()
    for step in steps:
        merged.take(step)
    return merged.steps


class _Merged:
    """The steps so far, under numbers that grow; a base knows the last one that touches it, and the last that writes.

    So the partner of a step is found without a look at all steps before it, of which there may be thousands.
    """

    def __init__(self) -> None:
        self._steps: dict[int, Step] = {}
        self._count = 0
        self._last_touch: dict[str, int] = {}
        self._last_write: dict[str, int] = {}
        """By base; what was written last stands last."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them, in order."""
        return tuple(self._steps.values())

    def take(self, step: Step) -> None:
        """Append a step, or what becomes of it and of a product before it that it can be joined with."""
        found = self._partner(step)
        if found is not None:
            number, product = found
            earlier = self._steps.pop(number)
            step = Step(product, earlier.reads | step.reads, step.writes)
        self._steps[self._count] = step
        self._last_touch |= dict.fromkeys(step.touches, self._count)
        for base in step.writes:
            self._last_write.pop(base, None)
            self._last_write[base] = self._count
        self._count += 1

    def _partner(self, step: Step) -> tuple[int, ProductSum] | None:
        """The product before the step that it can be joined with, and what becomes of both."""
        if not isinstance(step.action, ProductSum) or not step.action.beta.is_number(1) or step.reads & step.writes:
            return None
        number = self._last_touch.get(step.action.target.base)
        if number is None:
            return None
        earlier = self._steps[number]
        if (
            not isinstance(earlier.action, ProductSum)
            or earlier.reads & step.writes
            or self._is_written(earlier, number)
        ):
            return None
        joined = join(earlier.action, step.action)
        return None if joined is None else (number, joined)

    def _is_written(self, earlier: Step, number: int) -> bool:
        """True if a step behind the one with this number writes what that one reads."""
        behind = takewhile(lambda entry: entry[1] > number, reversed(self._last_write.items()))
        return any(base in earlier.reads for base, _ in behind)


def join(first: ProductSum, second: ProductSum) -> ProductSum | None:
    """One product for both, the second of which adds to the target; None if their targets do not fit."""
    first, second = _split(first, second), _split(second, first)
    shift = _shift(first.target, second.target)
    if shift is None or first.element is not second.element:
        return None
    rows, columns = (_hull(*ranges) for ranges in zip(_box(first, (0, 0)), _box(second, shift), strict=True))
    covers = (len(rows), len(columns)) == (first.rows, first.columns)
    if not (covers or first.beta.is_number(1)) or not _is_injective(first.target, len(rows), len(columns)):
        return None
    moved = (-rows.start, -columns.start)
    terms = *_moved(first.terms, moved), *_moved(second.terms, (shift[0] + moved[0], shift[1] + moved[1]))
    back = rows.start * (first.target.strides[Axis.M] or 0) + columns.start * (first.target.strides[Axis.N] or 0)
    target = replace(first.target, offset=replace(first.target.offset, constant=first.target.offset.constant + back))
    instructions = (*first.instructions, *second.instructions)
    return ProductSum(target, len(rows), len(columns), first.beta, terms, instructions)


def _box(product: ProductSum, start: tuple[int, int]) -> tuple[range, range]:
    return range(start[0], start[0] + product.rows), range(start[1], start[1] + product.columns)


def _hull(one: range, other: range) -> range:
    return range(min(one.start, other.start), max(one.stop, other.stop))


def _moved(terms: tuple[Term, ...], by: tuple[int, int]) -> tuple[Term, ...]:
    rows, columns = by
    if rows == columns == 0:  # usually; a sum of thousands of products would copy its terms for each of them
        return terms
    return tuple(
        replace(
            term,
            rows=range(term.rows.start + rows, term.rows.stop + rows),
            columns=range(term.columns.start + columns, term.columns.stop + columns),
        )
        for term in terms
    )


def _shift(first: StridedFactor, second: StridedFactor) -> tuple[int, int] | None:
    """Rows and columns from the first entry of one target to that of the other."""
    if first.strides != second.strides or first.offset.terms != second.offset.terms:
        return None
    distance = second.offset.constant - first.offset.constant
    row, column = first.strides[Axis.M], first.strides[Axis.N]
    if column is None:
        return _whole(distance, row or 1)
    if row is None:
        return None
    columns = round(distance / column)
    rows, rest = divmod(distance - columns * column, row)
    return None if rest else (rows, columns)


def _whole(distance: int, stride: int) -> tuple[int, int] | None:
    return None if distance % stride else (distance // stride, 0)


def _is_injective(target: StridedFactor, rows: int, columns: int) -> bool:
    """True if no two entries of the enlarged target are one."""
    row, column = target.strides[Axis.M] or 0, target.strides[Axis.N] or 0
    inner, outer = sorted(((row, rows), (column, columns)))
    return columns == 1 or rows == 1 or inner[0] * inner[1] <= outer[0]


def _split(product: ProductSum, like: ProductSum) -> ProductSum:
    """A product whose target is a vector of packed columns, with a matrix of the other's columns as its target."""
    row, column = product.target.strides[:2]
    other_row, other_column = like.target.strides[:2]
    if column is not None or row is None or other_column is None or row != other_row or other_column % row:
        return product
    rows = other_column // row
    if product.rows % rows or any(term.rows != range(product.rows) for term in product.terms):
        return product
    columns = product.rows // rows
    terms = tuple(_split_term(term, rows, columns) for term in product.terms)
    return replace(product, target=_split_factor(product.target, rows), rows=rows, columns=columns, terms=terms)


def _split_term(term: Term, rows: int, columns: int) -> Term:
    factors = tuple(_split_factor(factor, rows) for factor in term.factors)
    return replace(term, factors=factors, rows=range(rows), columns=range(columns))


def _split_factor(factor: StridedFactor, rows: int) -> StridedFactor:
    row, _, depth = factor.strides
    return replace(factor, strides=(row, None if row is None else row * rows, depth))


# -- steps -------------------------------------------------------------------------------------------------------------


def steps_of(region: tl.Region, places: Places) -> tuple[Step, ...]:
    """The steps in an order that keeps the meaning of the region."""
    return merge(tuple(_step(instruction, places) for instruction in region if not _is_silent(instruction)))


def _is_silent(instruction: tl.Instruction) -> bool:
    """True if the instruction says where something is, and needs no code."""
    if isinstance(instruction, tl.Load):
        return isinstance(instruction.type, GroupType)
    return isinstance(
        instruction, tl.Alloca | tl.Barrier | tl.Expand | tl.Fuse | tl.GroupId | tl.LifetimeStop | tl.Subview
    )


def _step(instruction: tl.Instruction, places: Places) -> Step:
    if isinstance(instruction, tl.Collective):
        return step_of(product_of(instruction, places))
    inside = tuple(everything(instruction))
    return Step(
        instruction,
        frozenset(places.place(memref).base for each in inside for memref in reads(each)),
        frozenset(places.place(memref).base for each in inside for memref in writes(each)),
    )


def everything(instruction: tl.Instruction) -> Iterator[tl.Instruction]:
    """The instruction and all in its regions."""
    yield instruction
    for region in regions(instruction):
        for inner in region:
            yield from everything(inner)
