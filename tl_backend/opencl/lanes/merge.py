"""Products into the same target become one, so that its entries are summed up in registers and stored once.

    T0 := I S0;  Q += K0 T0;  T1 := I S1;  Q += K1 T1        ->        T0 := I S0;  T1 := I S1;  Q += K0 T0 + K1 T1

An earlier product moves down to a later one that adds to the same target. Nothing between them may touch the target or
write what the earlier one reads, and the later one may not read the target: that is not there yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tl_backend.instructions import Instruction
from tl_backend.opencl.lanes.product import Axis, Factor, Product, Term


@dataclass(frozen=True, slots=True)
class Step:
    """A product, or another instruction, with the bases of the memory that it reads and writes."""

    action: Product | Instruction
    reads: frozenset[str]
    writes: frozenset[str]

    @property
    def touches(self) -> frozenset[str]:
        """All memory that it uses."""
        return self.reads | self.writes


def step_of(product: Product) -> Step:
    """The step that a product is; a target that is only added to is not read from elsewhere."""
    reads = frozenset(factor.base for term in product.terms for factor in term.factors)
    return Step(product, reads, frozenset({product.target.base}))


def merge(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps with fewer products."""
    merged: list[Step] = []
    for step in steps:
        partner = _partner(step, merged)
        if partner is None:
            merged.append(step)
        else:
            number, product = partner
            del merged[number]
            merged.append(step_of(product))
    return tuple(merged)


def _partner(step: Step, before: list[Step]) -> tuple[int, Product] | None:
    """The product before the step that it can be joined with, and what becomes of both."""
    if not isinstance(step.action, Product) or not step.action.beta.is_number(1) or step.reads & step.writes:
        return None
    written: frozenset[str] = frozenset()
    for number in reversed(range(len(before))):
        earlier = before[number]
        if earlier.touches & step.writes:
            is_free = isinstance(earlier.action, Product) and not earlier.reads & (step.writes | written)
            joined = join(earlier.action, step.action) if is_free and isinstance(earlier.action, Product) else None
            return None if joined is None else (number, joined)
        written |= earlier.writes
    return None


def join(first: Product, second: Product) -> Product | None:
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
    back = rows.start * (first.target.strides[Axis.ROW] or 0) + columns.start * (first.target.strides[Axis.COLUMN] or 0)
    target = replace(first.target, offset=replace(first.target.offset, constant=first.target.offset.constant + back))
    instructions = (*first.instructions, *second.instructions)
    return Product(target, len(rows), len(columns), first.beta, terms, instructions)


def _box(product: Product, start: tuple[int, int]) -> tuple[range, range]:
    return range(start[0], start[0] + product.rows), range(start[1], start[1] + product.columns)


def _hull(one: range, other: range) -> range:
    return range(min(one.start, other.start), max(one.stop, other.stop))


def _moved(terms: tuple[Term, ...], by: tuple[int, int]) -> tuple[Term, ...]:
    rows, columns = by
    return tuple(
        replace(
            term,
            rows=range(term.rows.start + rows, term.rows.stop + rows),
            columns=range(term.columns.start + columns, term.columns.stop + columns),
        )
        for term in terms
    )


def _shift(first: Factor, second: Factor) -> tuple[int, int] | None:
    """Rows and columns from the first entry of one target to that of the other."""
    if first.strides != second.strides or first.offset.terms != second.offset.terms:
        return None
    distance = second.offset.constant - first.offset.constant
    row, column = first.strides[Axis.ROW], first.strides[Axis.COLUMN]
    if column is None:
        return _whole(distance, row or 1)
    if row is None:
        return None
    columns = round(distance / column)
    rows, rest = divmod(distance - columns * column, row)
    return None if rest else (rows, columns)


def _whole(distance: int, stride: int) -> tuple[int, int] | None:
    return None if distance % stride else (distance // stride, 0)


def _is_injective(target: Factor, rows: int, columns: int) -> bool:
    """Whether no two entries of the enlarged target are one."""
    row, column = target.strides[Axis.ROW] or 0, target.strides[Axis.COLUMN] or 0
    inner, outer = sorted(((row, rows), (column, columns)))
    return columns == 1 or rows == 1 or inner[0] * inner[1] <= outer[0]


def _split(product: Product, like: Product) -> Product:
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


def _split_factor(factor: Factor, rows: int) -> Factor:
    row, _, depth = factor.strides
    return replace(factor, strides=(row, None if row is None else row * rows, depth))
