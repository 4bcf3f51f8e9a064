"""Products with their terms unrolled, in a loop over the rows or the columns of the target.

    for (int i = 0; i < 10; ++i) {
        double4 held0 = I[i + 120]; …
        T[9 * i] = held0 * star[6] + held1 * star[7] + held2 * star[8];
        …
    }

The loop is cut where the summands change. Entries that occur several times in its body are held in variables. Many
numbers that are batch-invariant have an array of their own (see `kept`).

Numbers that are batch-invariant and stay in memory while a loop with unrolled terms runs.

    for (int i = 0; i < 194; ++i)                  once, before all elements
        T_values[i] = K[T_sources[i]];
    …
    for (int i = 0; i < 9; ++i) {
        // 0, which the compiler does not know: …
        long moved = (elements >> 62) * i;
        T[15 * i] = T_values[moved] * held + T_values[moved + 1] * held_1 + …
        …
    }

At places that are the same in each iteration, the compiler would load every number before the loop, spread it over a
vector and store that: 32 bytes instead of 8, and again for the elements of the next vectors. AVX-512VL spreads a number
on its way from memory to a multiplication, at no cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch, number_at
from einsum_front.tl_backend.schedules.batch_simd.sparsity import Part, Sparsity, UnrollPlan
from einsum_front.tl_backend.schedules.batch_simd.transfer import FusedTransfer
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Points, Positions, ProductSum, StridedFactor
from einsum_front.tl_backend.semantics import Axis

SIZE_BITS = 62
"""A batch has less than 2^62 elements, since each has an address."""

WHY = (
    "0, which the compiler does not know: else it would spread all numbers over vectors before the loop,",
    "instead of each on its way from memory",
)

Number = tuple[str, int]
"""A base and a position."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An array of numbers, each at its own place behind the one where `moved` is."""

    array: tree.Name
    moved: tree.Name
    places: Mapping[Number, int]

    def declaration(self, counter: tree.Name, context: LaneContext) -> tree.Section:
        """The place at which the array begins, in an iteration."""
        none = tree.Binary(tree.BinaryOperator.SHIFT_RIGHT, context.group_count, index.constant(SIZE_BITS))
        return tree.Section(WHY, (tree.Declare(Scalar.I64, self.moved.text, index.multiply(none, counter)),))

    def at(self, number: Number) -> tree.Expression | None:
        """The number; None if it is not here."""
        place = self.places.get(number)
        return None if place is None else tree.Subscript(self.array, index.add(self.moved, index.constant(place)))


def keep(numbers: Iterable[Number], target: str, context: LaneContext) -> Kept | None:
    """The numbers that stay in memory, of those by which a loop multiplies for entries of the target in each iteration.

    None if the compiler does as well with them.
    """
    if not context.embeds_broadcasts or context.facts.is_uniform(target):
        return None
    of: dict[str, list[int]] = {}
    for base, position in numbers:
        if context.facts.is_uniform(base) and base in context.early:
            of.setdefault(base, []).append(position)
    kept = [(base, position) for base, positions in of.items() for position in positions]
    machine = context.facts.machine
    limits, in_line = machine.batch_simd.unrolling, machine.memory.lines.unit // size_of(context.scalar_type)
    lines = {(base, position // in_line) for base, position in kept}
    if len(kept) <= limits.spread and len(lines) <= limits.spread_lines:
        return None
    array = tree.Name(context.top.fresh(f"{context.arrays[target].name}_values"))
    context.hoisted.append(tree.DeclareArray(context.scalar_type, array.text, len(kept), AddressSpace.PRIVATE))
    context.hoisted.extend(_fill(array, of, target, context))
    moved = tree.Name(context.names.fresh("moved"))
    return Kept(array, moved, {number: place for place, number in enumerate(kept)})


def _fill(array: tree.Name, of: Mapping[str, list[int]], target: str, context: LaneContext) -> Iterator[tree.Statement]:
    """A loop over the numbers of each base."""
    first = 0
    for base, positions in of.items():
        counter, source = tree.Name(context.top.fresh("value")), context.arrays[base]
        places = [position - source.low for position in positions]
        from_ = number_at(counter, places, f"{context.arrays[target].name}_sources", context)
        to = tree.Subscript(array, index.add(counter, index.constant(first)))
        copy = tree.Assign(to, tree.Subscript(tree.Name(source.name), from_))
        stop, over = index.constant(len(places)), f"values of {source.name}"
        yield tree.For(Scalar.I32, counter.text, index.ZERO, stop, index.ONE, (copy,), over=over)
        first += len(places)


# -- unrolled ----------------------------------------------------------------------------------------------------------


COUNTER = " counter"
"""The loop's variable among the values, under a name that no value of the tensor language has."""


@dataclass(frozen=True, slots=True)
class MovingEntry:
    """An entry of a base: its position in the first iteration, and what it moves by in each."""

    base: str
    position: Affine
    step: int


@dataclass(frozen=True, slots=True)
class Share:
    """Contribution of a term to an entry of the target: the factors of each of its summands."""

    term: int
    summands: tuple[tuple[MovingEntry, ...], ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """An entry of the target, and what is added up for it."""

    target: MovingEntry
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class UnrolledLoop:
    """A loop of `count` iterations, all of which have the same sums, and its size as `UnrollPlan` has it."""

    count: int
    size: int
    sums: tuple[Sum, ...]
    axis: Axis = Axis.M

    def uses(self) -> Iterator[MovingEntry]:
        """The entries that an iteration multiplies, each as often as it does."""
        shares = (share for each in self.sums for share in each.shares)
        return (entry for share in shares for summand in share.summands for entry in summand)

    def entries(self) -> Iterator[MovingEntry]:
        """All entries that are read or computed; some come several times."""
        yield from self.uses()
        yield from (each.target for each in self.sums)

    def cycles(self, facts: Facts) -> float:
        """About how long all iterations take: as the numbers that they load."""
        used, times = Counter(self.uses()), facts.machine.batch_simd.unrolling
        return times.cycles * self.count * (used.total() - sum(used[entry] - 1 for entry in held(used, facts)))


def held(uses: Counter[MovingEntry], facts: Facts) -> list[MovingEntry]:
    """The entries that are used several times and have a register."""
    return [entry for entry, count in uses.most_common(facts.machine.batch_simd.unrolling.held) if count > 1]


def unroll(unroll_plan: UnrollPlan, sparsity: Sparsity) -> tuple[UnrolledLoop, ...]:
    """The loops of an unroll plan with their summands."""
    return tuple(
        UnrolledLoop(len(part.run), size, _sums(part, unroll_plan.axis, sparsity), unroll_plan.axis)
        for part, size in zip(unroll_plan.parts, unroll_plan.sizes, strict=True)
    )


def _sums(part: Part, axis: Axis, sparsity: Sparsity) -> tuple[Sum, ...]:
    entries = np.array(part.entries)
    points = _points(axis, part.run.start, entries, np.zeros_like(entries))
    targets = _moving(sparsity.product.target, points, axis, part)
    summands = [_summands(number, part, axis, sparsity) for number in range(len(sparsity.product.terms))]
    return tuple(
        Sum(target, tuple(Share(number, tuple(of[entry])) for number, of in enumerate(summands) if entry in of))
        for entry, target in zip(part.entries, targets, strict=True)
    )


def _summands(number: int, part: Part, axis: Axis, sparsity: Sparsity) -> dict[int, list[tuple[MovingEntry, ...]]]:
    """The summands of a term for each entry of the target that has some."""
    term, found = sparsity.product.terms[number], dict[int, list[tuple[MovingEntry, ...]]]()
    if part.run.start in term.along(axis):
        across = part.run.start - term.along(axis).start
        along, depths = np.nonzero(sparsity.terms[number].take(across, axis))
        points = _points(axis, across, along, depths)
        factors = [_moving(factor, points, axis, part) for factor in term.factors]
        first = term.along(Axis.N if axis is Axis.M else Axis.M).start
        for entry, *summand in zip((along + first).tolist(), *factors, strict=True):
            found.setdefault(entry, []).append(tuple(summand))
    return found


def _points(axis: Axis, number: int, along: Positions, depths: Positions) -> Points:
    """Points of one row, or of one column."""
    across = np.full_like(along, number)
    return (across, along, depths) if axis is Axis.M else (along, across, depths)


def _moving(factor: StridedFactor, points: Points, axis: Axis, part: Part) -> list[MovingEntry]:
    """The entries of a factor at some points of its term."""
    step = factor.strides[axis] or 0 if len(part.run) > 1 else 0
    positions = factor.at(points).tolist()
    return [MovingEntry(factor.base, Affine(position, factor.offset.terms), step) for position in positions]


# -- code --------------------------------------------------------------------------------------------------------------


def lower_unrolled(
    unrolled: UnrolledLoop,
    product: ProductSum,
    context: LaneContext,
    prefetch: LoopPrefetch,
    fused: Sequence[FusedTransfer] = (),
) -> tree.Statements:
    """The loop, or what is in it if it runs once.

    `prefetch` is what else is done in an iteration, `fused` are the arguments that it loads and stores itself.
    """
    context = context.inner()
    counter = tree.Name(context.names.fresh("turn"))
    body = tuple(_Body(unrolled, product, counter, context, fused).statements())
    if unrolled.count == 1:
        return (tree.Block(body),)
    stop = index.constant(unrolled.count)
    inside, over = (*prefetch(counter), *body), product.letter(unrolled.axis)
    return (tree.For(Scalar.I32, counter.text, index.ZERO, stop, index.ONE, inside, over=over),)


class _Body:
    """The body of one loop."""

    def __init__(
        self,
        unrolled: UnrolledLoop,
        product: ProductSum,
        counter: tree.Name,
        context: LaneContext,
        fused: Sequence[FusedTransfer],
    ) -> None:
        self._unrolled = unrolled
        self._product = product
        self._counter = counter
        self._context = context.with_value(COUNTER, counter)
        self._fused = {each.fusion.base: each for each in fused}
        uses = Counter(unrolled.uses())
        kept = Counter({entry: count for entry, count in uses.items() if entry.base not in self._fused})
        self._held = {entry: tree.Name(context.names.fresh("held")) for entry in held(kept, context.facts)}
        numbers = [number for entry in kept if entry not in self._held and (number := _number(entry)) is not None]
        self._kept = keep(numbers, product.target.base, context) if unrolled.count > 1 else None
        self._values = {entry: self._held.get(entry) or self._source(entry) for entry in uses}

    def statements(self) -> Iterator[tree.Statement]:
        """Loads, the held entries, then a statement for every sum and the stores that are possible then."""
        if self._kept is not None:
            yield self._kept.declaration(self._counter, self._context)
        for each in self._fused.values():
            if each.fusion.is_stored:
                yield from (each.declaration(), *each.clears())
            else:
                yield each.section("load", each.declaration(), *each.loads(self._counter))
        for entry, name in self._held.items():
            type_ = self._context.number_type(self._context.facts.is_uniform(entry.base))
            yield tree.Declare(type_, name.text, self._in_memory(entry))
        yield from self._sums()

    def _sums(self) -> Iterator[tree.Statement]:
        target = self._fused.get(self._product.target.base)
        stores = None if target is None else target.stores(self._counter)
        for each in self._unrolled.sums:
            yield self._sum(each)
            if stores is not None:
                yield from stores.behind(each.target.position.constant)

    def _source(self, entry: MovingEntry) -> tree.Expression:
        """Where an entry that is not held is read."""
        number = _number(entry)
        kept = None if self._kept is None or number is None else self._kept.at(number)
        return kept or self._in_memory(entry)

    def _in_memory(self, entry: MovingEntry) -> tree.Place:
        position = entry.position
        if entry.step and entry.base not in self._fused:
            position = Affine(position.constant, (*position.terms, (COUNTER, entry.step)))
        return self._context.entry(entry.base, position)

    def _sum(self, each: Sum) -> tree.Statement:
        target = self._in_memory(each.target)
        is_uniform = self._context.facts.is_uniform(self._product.target.base)
        zero = self._context.zero(is_uniform)
        total = _joined(tree.BinaryOperator.ADD, map(self._share, each.shares)) if each.shares else zero
        return tree.Assign(target, self._context.updated(total, self._product.beta, target, is_uniform))

    def _share(self, share: Share) -> tree.Expression:
        """Contribution of one term."""
        products = (
            _joined(tree.BinaryOperator.MULTIPLY, map(self._values.__getitem__, each)) for each in share.summands
        )
        alpha = self._product.terms[share.term].alpha
        return self._context.scaled(alpha, _joined(tree.BinaryOperator.ADD, products))


def _number(entry: MovingEntry) -> Number | None:
    """Where the entry is, if that is the same in each iteration, and whatever loops are around it."""
    return None if entry.step or entry.position.terms else (entry.base, entry.position.constant)


def _joined(operator: tree.BinaryOperator, operands: Iterable[tree.Expression]) -> tree.Expression:
    """One or more operands with the operator between them, from left to right."""
    return reduce(partial(tree.Binary, operator), operands)
