"""A collective instruction as the loads, the arithmetic and the stores that it stands for."""

from collections.abc import Mapping
from contextlib import ExitStack
from functools import reduce

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import Builder, Index, Number, Value
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.semantics import Axis, compute_type, index_maps, mode_uses
from einsum_front.tl_backend.types import ScalarType


def write_out(instruction: tl.Collective, builder: Builder) -> None:
    """A `foreach` over the rows of the target, or its one entry, with a loop over its columns inside.

    One work-item does all that touches an entry. Each entry is computed in the widest type of the operands; a sum
    is rounded to the type of the target at every step, since loops hand on nothing but memory.
    """
    entries = _Entries.of(instruction, builder)
    with ExitStack() as loops:
        sizes = [_extent(builder, entries.target, mode) for mode in range(entries.target.memref.order)]
        row = loops.enter_context(builder.foreach_loop(0, sizes[0] if sizes else 1))
        columns = [loops.enter_context(builder.for_loop(0, size)) for size in sizes[1:]]
        entries.write((row, *columns) if sizes else ())


def _value(memref: tl.TypedMemref) -> Value:
    return Value(memref.value, memref.type)


@dataclass(frozen=True, slots=True)
class _Entries:
    """Writes the entries of the target of an instruction, which is computed in type `computed`; α and β are in it."""

    instruction: tl.Collective
    builder: Builder
    target: Value
    computed: ScalarType
    alpha: Number
    beta: Number

    @staticmethod
    def of(instruction: tl.Collective, builder: Builder) -> "_Entries":
        """Converts the factors, in front of the loops."""
        computed = compute_type(instruction)
        alpha, beta = (_factor(builder, each, computed) for each in (instruction.alpha, instruction.beta))
        return _Entries(instruction, builder, _value(instruction.target), computed, alpha, beta)

    def write(self, entry: tuple[Value, ...]) -> None:
        """`target := alpha product + beta target` at one entry."""
        maps = index_maps(self.instruction)
        at = dict(zip(maps.target, entry, strict=True))
        if maps.reduction:
            self._add_up(at, entry)
            return
        term = self._times(self.alpha, self._product(at))
        kept = self._kept(entry)
        self._store(term if kept is None else self.builder.arith(tl.BinaryOperator.ADD, term, kept), entry)

    def _product(self, at: Mapping[Axis, Value]) -> Value:
        """The product of the entries of the inputs where the axes are at these positions."""
        operands = zip(self.instruction.inputs, index_maps(self.instruction).inputs, strict=True)
        first, *others = (self._loaded(memref, tuple(at[axis] for axis in map_)) for memref, map_ in operands)
        return reduce(lambda one, other: self.builder.arith(tl.BinaryOperator.MUL, one, other), others, first)

    def _add_up(self, at: Mapping[Axis, Value], entry: tuple[Value, ...]) -> None:
        """The sum grows in the entry: a loop hands on nothing but memory."""
        if isinstance(self.beta, Value) or self.beta != 1:
            self._store(self._kept(entry) or self._zero(), entry)
        use = mode_uses(self.instruction)[Axis.K][0]
        with self.builder.for_loop(0, _extent(self.builder, _value(use.operand), use.mode)) as i:
            term = self._times(self.alpha, self._product({**at, Axis.K: i}))
            sum_ = self.builder.arith(tl.BinaryOperator.ADD, self._old(entry), term)
            self._store(sum_, entry)

    def _kept(self, entry: tuple[Value, ...]) -> Value | None:
        """`beta target`, None if β is 0."""
        if not isinstance(self.beta, Value) and self.beta == 0:
            return None
        return self._times(self.beta, self._old(entry))

    def _old(self, entry: tuple[Value, ...]) -> Value:
        return self._converted(self.builder.load(self.target, *entry), self.computed)

    def _loaded(self, memref: tl.TypedMemref, place: tuple[Value, ...]) -> Value:
        return self._converted(self.builder.load(_value(memref), *place), self.computed)

    def _store(self, value: Value, entry: tuple[Value, ...]) -> None:
        self.builder.store(self._converted(value, self.target.memref.element), self.target, *entry)

    def _times(self, factor: Number, value: Value) -> Value:
        is_one = not isinstance(factor, Value) and factor == 1
        return value if is_one else self.builder.arith(tl.BinaryOperator.MUL, factor, value)

    def _converted(self, value: Value, type_: ScalarType) -> Value:
        return value if value.type is type_ else self.builder.cast(value, type_)

    def _zero(self) -> Value:
        return self.builder.constant(0.0 if self.computed.is_floating else 0, self.computed)


def _factor(builder: Builder, factor: tl.TypedScalar, computed: ScalarType) -> Number:
    """The factor in the type that is computed in."""
    if isinstance(factor.value, tl.Local):
        value = Value(factor.value, factor.type)
        return value if factor.type is computed else builder.cast(value, computed)
    number: float = DTYPES[factor.type].type(factor.value.value).item()
    return number


def _extent(builder: Builder, memref: Value, mode: int) -> Index:
    size = memref.memref.shape[mode]
    return builder.size(memref, mode) if size is None else size
