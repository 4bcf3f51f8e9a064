"""Numbers that are batch-invariant and stay in memory while a loop with unrolled terms runs.

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

from collections.abc import Iterable, Iterator, Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext
from einsum_front.tl_backend.schedules.batch_simd.numbers import number_at

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
    if not context.embeds_broadcasts or context.is_uniform(target):
        return None
    of: dict[str, list[int]] = {}
    for base, position in numbers:
        if context.is_uniform(base) and base in context.early:
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
