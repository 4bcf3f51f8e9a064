"""What the lowering of elements in lanes knows besides: where memory is in C, and what differs from lane to lane.

Numbers that depend on a counter: computed if they are equidistant, otherwise looked up in a table.

Prefetches of a loop: in each of its iterations it asks for the memory of elements that come later.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine, Terms
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.product import added, scaled
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Array:
    """The entries of a base in C: position p is `name[p - low]`.

    `name` points `place` entries behind the start of `home`, the C array that it may share with other bases.
    """

    name: str
    low: int
    size: int
    home: str
    place: int = 0

    @property
    def room(self) -> range:
        """The positions that it has."""
        return range(self.low, self.low + self.size)


@dataclass(frozen=True, slots=True)
class LaneContext(Context):
    """An element in each lane of `width`; `tables` and `hoisted` grow while lowering, too.

    `hoisted` are the statements that a work-item runs once, before its first elements; `early` are the bases and
    scalars that are complete then, and `top` supplies the names of variables there. If it `has_scatters`, the compiler
    would store vectors of numbers at places that are far apart: that takes longer than one number after the other. If
    it `embeds_broadcasts`, it multiplies vectors by numbers in memory, which instructions broadcast. Tables of
    values have at most `most_values` numbers together, or any number.
    """

    facts: Facts
    element: ScalarType
    width: int
    arrays: Mapping[str, Array]
    early: frozenset[str]
    top: Names
    has_scatters: bool = False
    embeds_broadcasts: bool = False
    most_values: int | None = None
    tables: list[tree.Table] = field(default_factory=list)
    hoisted: list[tree.Statement] = field(default_factory=list)

    # -- what an instruction is here -----------------------------------------------------------------------------------

    @property
    def has_functions(self) -> bool:
        """Compilers for GPUs have no vectors of elements either."""
        return True

    def type_of(self, result: tl.Local, type_: ScalarType) -> Scalar | Vector:
        """A vector where it differs from lane to lane."""
        return self.vector_type if self.differs(result) else REGISTER[type_]

    def zero_of(self, operand: tl.Operand, _type: Scalar) -> tree.Expression:
        """A vector where it differs from lane to lane."""
        return self.zero(not self.differs(operand))

    def call_operands(self, call: tl.MathCall) -> list[tree.Expression]:
        """Each operand of a function of vectors is one."""
        operands = []
        for operand in call.operands:
            value = self.scalar(operand, call.type)
            is_spread = isinstance(operand, tl.Local) and self.differs(operand)
            is_vector = is_spread or not self.differs(call.result)
            operands.append(value if is_vector else tree.Pack(self.vector_type, (value,)))
        return operands

    def place(self, memref: tl.Local, indices: tuple[tl.IndexOperand, ...]) -> tree.Place:
        """An entry of an array."""
        return self.entry(*self._position(memref, indices))

    def loaded(self, load: tl.Load) -> tree.Expression:
        """An entry; one that is known to be zero is not read."""
        base, position = self._position(load.operand, load.indices)
        if not position.terms and not self.facts.patterns[base][position.constant]:
            return self.zero(not self.differs(load.result))
        return self.entry(base, position)

    def _position(self, memref: tl.Local, indices: tuple[tl.IndexOperand, ...]) -> tuple[str, Affine]:
        places = self.facts.places
        place = places.place(memref)
        return place.base, place.at(tuple(map(places.index, indices)))

    def scaled(self, factor: tl.TypedScalar, value: tree.Expression) -> tree.Expression:
        """`factor value`."""
        return scaled(factor, value, self.scalar_type, self)

    def updated(
        self, value: tree.Expression, beta: tl.TypedScalar, old: tree.Expression, is_uniform: bool
    ) -> tree.Expression:
        """`value + beta old`, for an entry that is batch-invariant or one for each lane."""
        zero = self.zero(is_uniform and not self.differs(beta.value))
        return added(beta, old, value, zero, self.scalar_type, self)

    # -- numbers and memory --------------------------------------------------------------------------------------------

    @property
    def scalar_type(self) -> Scalar:
        """The type of a number that is one for all lanes."""
        return REGISTER[self.element]

    @property
    def vector_type(self) -> Vector:
        """The type of a number for each lane."""
        return Vector(self.scalar_type, self.width)

    def number_type(self, is_uniform: bool) -> Scalar | Vector:
        """The type of a number that is one for all lanes, or one for each."""
        return self.scalar_type if is_uniform else self.vector_type

    def zero(self, is_uniform: bool) -> tree.Expression:
        """The number zero in this type."""
        zero = tree.Floating(0.0, self.scalar_type)
        return zero if is_uniform else tree.Pack(self.vector_type, (zero,))

    def differs(self, operand: tl.Operand) -> bool:
        """True if a scalar differs from lane to lane."""
        return self.facts.differs(operand)

    def affine(self, affine: Affine) -> tree.Expression:
        """An index in C."""
        return self._index_of(affine.constant, affine.terms)

    def _index_of(self, constant: int, named: Terms) -> tree.Expression:
        if not named:
            return index.constant(constant)
        variables = [(self.index(tl.Local(name)), factor) for name, factor in named]
        terms = [index.multiply(variable, index.constant(factor)) for variable, factor in variables]
        if constant < 0:
            return index.subtract(index.total(terms), index.constant(-constant))
        return index.add(index.total(terms), index.constant(constant))

    def entry(self, base: str, position: Affine) -> tree.Place:
        """An entry of a base: a vector, or a scalar if it is batch-invariant."""
        array = self.arrays[base]
        return tree.Subscript(tree.Name(array.name), self._index_of(position.constant - array.low, position.terms))

    def slot(self, base: str, position: int) -> int:
        """Where a position of a base stands in its home."""
        array = self.arrays[base]
        return array.place + position - array.low

    def pointer(self, base: str) -> Pointer:
        """The type of a pointer to entries of a base."""
        storage = self.facts.storages[base]
        is_global = storage.is_argument and storage.is_uniform
        space = AddressSpace.GLOBAL if is_global else AddressSpace.PRIVATE
        return Pointer(self.number_type(storage.is_uniform), space, is_const=True)

    def table(self, hint: str, numbers: tuple[int, ...]) -> tree.Name:
        """A table of the file with these numbers: one that is there already, or a new one."""
        return self._find_table(Scalar.I32, numbers) or self._add_table(hint, Scalar.I32, numbers)

    def table_of_values(self, hint: str, values: tuple[float, ...]) -> tree.Name | None:
        """The same for finite numbers of the element type; None if there is no room for them."""
        found = self._find_table(self.scalar_type, values)
        if found is not None or not self._has_room(len(values)):
            return found
        return self._add_table(hint, self.scalar_type, values)

    def _has_room(self, values: int) -> bool:
        taken = sum(len(table.values) for table in self.tables if table.element is self.scalar_type)
        return self.most_values is None or taken + values <= self.most_values

    def _find_table(self, element: Scalar, numbers: tuple[int, ...] | tuple[float, ...]) -> tree.Name | None:
        for table in self.tables:
            is_equal = table.element is element and table.values == numbers
            if is_equal and repr(table.values) == repr(numbers):  # 0.0 and -0.0 are two numbers
                return tree.Name(table.name)
        return None

    def _add_table(self, hint: str, element: Scalar, numbers: tuple[int, ...] | tuple[float, ...]) -> tree.Name:
        name = self.top.fresh(hint)
        self.tables.append(tree.Table(element, name, numbers))
        return tree.Name(name)

    def with_value(self, name: str, value: tree.Expression) -> Self:
        """The context with one value more, in this scope only."""
        return replace(self, values={**self.values, name: value})


# -- numbers -----------------------------------------------------------------------------------------------------------


Numbers = Sequence[int] | NDArray[np.int64]


def is_progression(numbers: Numbers) -> bool:
    """True if all neighbours differ by the same."""
    steps = np.diff(numbers)
    return bool((steps == steps[:1]).all())


def number_at(counter: tree.Expression, numbers: Numbers, hint: str, context: LaneContext) -> tree.Expression:
    """The number with the number that the counter has, which starts at 0."""
    if is_progression(numbers):
        first, second = int(numbers[0]), int(numbers[min(1, len(numbers) - 1)])
        return index.add(index.constant(first), index.multiply(counter, index.constant(second - first)))
    if isinstance(counter, tree.Integer):
        return index.constant(int(numbers[counter.value]))
    return tree.Subscript(context.table(hint, tuple(np.asarray(numbers).tolist())), counter)


# -- loop prefetch -----------------------------------------------------------------------------------------------------


LoopPrefetch = Callable[[tree.Expression], tree.Statements]
"""Statements for the iteration with a counter."""


def no_prefetch(_counter: tree.Expression) -> tree.Statements:
    """Nothing: the loop prefetches no memory."""
    return ()
