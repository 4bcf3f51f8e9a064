"""Writes a function one instruction after the other: names are made up, result types computed, regions nested.

    builder = Builder("axpy", {"alpha": F32, "x": vector, "y": vector})
    alpha, x, y = builder.arguments
    builder.axpby(alpha, x, 1.0, y)
    with builder.foreach_loop(0, 16) as i:
        builder.store(builder.load(x, i), y, i)
    function = builder.function()

What is written is as legal as its parts: `verify` it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Origin
from einsum_front.core.facts import Limit
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Argument, Fact, Function
from einsum_front.tl_backend.rewrite import LocalNames
from einsum_front.tl_backend.semantics import result_type
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type

# -- values with their types, and what a builder makes of Python numbers -----------------------------------------------

ALL = (0, None)
"""The slice of a whole mode."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the function with its type."""

    local: tl.Local
    type: Type

    @property
    def memref(self) -> MemrefType:
        """The type of a tensor."""
        if not isinstance(self.type, MemrefType):
            raise CompilerBug(f"%{self.local.name} is no memref")
        return self.type

    @property
    def scalar(self) -> ScalarType:
        """The type of a number."""
        if not isinstance(self.type, ScalarType):
            raise CompilerBug(f"%{self.local.name} is no scalar")
        return self.type


Number = Value | int | float
Index = Value | int
Part = Index | tuple[Index, Index | None]
"""One position of a mode, or the offset and the size of a slice (None: to the end of the mode)."""


def as_operand(number: Number) -> tl.Operand:
    """A value or a constant as an operand."""
    match number:
        case Value(local=local):
            return local
        case float():
            return tl.FloatConstant(number)
        case int():
            return tl.IntegerConstant(int(number))


def as_index(number: Index) -> tl.IndexOperand:
    """A value or an integer as an index."""
    return number.local if isinstance(number, Value) else tl.IntegerConstant(number)


def as_part(given: Part) -> tl.Position | tl.Slice:
    """A position or a slice of a mode."""
    if not isinstance(given, tuple):
        return tl.Position(as_index(given))
    offset, size = given
    return tl.Slice(as_index(offset), None if size is None else as_index(size))


def type_of(*operands: Number) -> ScalarType:
    """The type of an operation: that of its values."""
    for operand in operands:
        if isinstance(operand, Value):
            return operand.scalar
    raise CompilerBug("an operation on constants alone has no type")


def typed_scalar(number: Number, type_: ScalarType) -> tl.TypedScalar:
    """A factor of a collective instruction; a constant has the type."""
    return tl.TypedScalar(as_operand(number), number.scalar if isinstance(number, Value) else type_)


def typed_memref(value: Value) -> tl.TypedMemref:
    """A tensor as an operand of a collective instruction."""
    return tl.TypedMemref(value.local, value.memref)


N = tl.Transpose.N

__all__ = ["ALL", "Builder", "Index", "Number", "Part", "Value"]


OF_BOOLEANS = {tl.BinaryOperator.ADD: tl.BinaryOperator.OR, tl.BinaryOperator.MUL: tl.BinaryOperator.AND}


class Builder:
    """A function in the making; `origin` goes to every instruction that is added from then on."""

    def __init__(self, name: str, arguments: Mapping[str, Type]) -> None:
        self.origin: Origin = ()
        self._prototype = Function(name, tuple(Argument(tl.Local(key), type_) for key, type_ in arguments.items()), ())
        self._names = LocalNames(self._prototype)
        self._regions: list[list[tl.Instruction]] = [[]]
        self._letters: dict[str, tuple[str, ...]] = {}

    @property
    def arguments(self) -> tuple[Value, ...]:
        """The arguments as values."""
        return tuple(Value(argument.name, argument.type) for argument in self._prototype.arguments)

    def function(
        self,
        *,
        work_group_size: tuple[int, int] | None = None,
        subgroup_size: int | None = None,
        facts: tuple[Fact, ...] = (),
        limits: tuple[Limit, ...] = (),
    ) -> Function:
        """The function as written so far."""
        return replace(
            self._prototype,
            body=self.region,
            work_group_size=work_group_size,
            subgroup_size=subgroup_size,
            facts=facts,
            limits=limits,
        )

    @staticmethod
    def of_region(names: LocalNames, origin: Origin) -> "Builder":
        """A builder of instructions that a pass puts into its function, whose supply of names it shares."""
        builder = Builder("", {})
        builder._names = names
        builder.origin = origin
        return builder

    @property
    def region(self) -> tl.Region:
        """The instructions as written so far."""
        (body,) = self._regions
        return tuple(body)

    def add(self, instruction: tl.Instruction) -> None:
        """Appends an instruction to the innermost region that is being written."""
        self._regions[-1].append(instruction)

    def fresh(self, stem: str) -> tl.Local:
        """A name that the function does not have yet."""
        return self._names.fresh(stem)

    def _value(self, instruction: tl.ValueInstruction) -> Value:
        self.add(instruction)
        return Value(instruction.result, result_type(instruction))

    # -- scalars -------------------------------------------------------------------------------------------------------

    def arith(self, operator: tl.BinaryOperator, left: Number, right: Number, name: str = "t") -> Value:
        """`left operator right`; one of them at least is a value. Sums of `i1` are "or", products "and"."""
        type_ = type_of(left, right)
        if type_ is ScalarType.BOOL:
            operator = OF_BOOLEANS.get(operator, operator)
        return self._value(
            tl.ArithBinary(self.fresh(name), operator, as_operand(left), as_operand(right), type_, self.origin)
        )

    def unary(self, operator: tl.UnaryOperator, operand: Value, name: str = "t") -> Value:
        """`operator operand`."""
        return self._value(tl.ArithUnary(self.fresh(name), operator, operand.local, operand.scalar, self.origin))

    def math(self, function: EntryFunction, operands: Sequence[Number], name: str = "t") -> Value:
        """A function of numbers, of which one at least is a value."""
        numbers = tuple(map(as_operand, operands))
        return self._value(tl.MathCall(self.fresh(name), function, numbers, type_of(*operands), self.origin))

    def cast(self, operand: Value, type_: ScalarType, name: str = "t") -> Value:
        """The operand in another type."""
        return self._value(tl.Cast(self.fresh(name), operand.local, operand.scalar, type_, self.origin))

    def constant(self, number: float, type_: ScalarType, name: str = "value") -> Value:
        """The number as a value of the type, which `store` needs."""
        return self._value(tl.Cast(self.fresh(name), as_operand(number), type_, type_, self.origin))

    def compare(self, condition: tl.Condition, left: Number, right: Number, name: str = "is") -> Value:
        """`left condition right`, a truth value; one of them at least is a value."""
        type_ = type_of(left, right)
        return self._value(
            tl.Compare(self.fresh(name), condition, as_operand(left), as_operand(right), type_, self.origin)
        )

    def group_id(self, name: str = "group") -> Value:
        """The number of the work-group."""
        return self._value(tl.GroupId(self.fresh(name), self.origin))

    def group_size(self, name: str = "groups") -> Value:
        """The number of work-groups."""
        return self._value(tl.GroupSize(self.fresh(name), self.origin))

    # -- tensors -------------------------------------------------------------------------------------------------------

    def alloca(self, memref: MemrefType, name: str = "tmp", sizes: Sequence[Value] = ()) -> Value:
        """Temporary memory; with dynamic modes, whose `sizes` are given, in global memory."""
        given = tuple(size.local for size in sizes)
        return self._value(tl.Alloca(self.fresh(name), memref, self.origin, is_global=bool(given), sizes=given))

    def load(self, operand: Value, *indices: Index, name: str = "t") -> Value:
        """An entry of a tensor, or the tensor of a group."""
        if isinstance(operand.type, ScalarType):
            raise CompilerBug(f"%{operand.local.name} has nothing to load")
        return self._value(
            tl.Load(self.fresh(name), operand.local, tuple(map(as_index, indices)), operand.type, self.origin)
        )

    def store(self, value: Value, target: Value, *indices: Index) -> None:
        """Writes an entry of a tensor."""
        self.add(tl.Store(value.local, target.local, tuple(map(as_index, indices)), target.memref, self.origin))

    def size(self, operand: Value, mode: int, name: str = "n") -> Value:
        """The size of a mode."""
        return self._value(tl.Size(self.fresh(name), operand.local, mode, operand.memref, self.origin))

    def subview(self, operand: Value, *parts: Part, name: str = "view") -> Value:
        """A part of a tensor: for each mode a position or a slice."""
        slices = tuple(map(as_part, parts))
        return self._value(tl.Subview(self.fresh(name), operand.local, slices, operand.memref, self.origin))

    def fuse(self, operand: Value, first: int, last: int, name: str = "fused") -> Value:
        """The modes `first` to `last` seen as one."""
        return self._value(tl.Fuse(self.fresh(name), operand.local, first, last, operand.memref, self.origin))

    def expand(self, operand: Value, mode: int, shape: tuple[Index | None, ...], name: str = "expanded") -> Value:
        """A mode seen as several; None is a size that is inferred."""
        sizes = tuple(None if size is None else as_index(size) for size in shape)
        return self._value(tl.Expand(self.fresh(name), operand.local, mode, sizes, operand.memref, self.origin))

    # -- collective instructions; a constant α or β has the element type of the target ---------------------------------

    def axpby(
        self, alpha: Number, a: Value, beta: Number, b: Value, op: tl.Transpose = N, *, atomic: bool = False
    ) -> None:
        """`B := alpha op(A) + beta B`."""
        self._collective(tl.Axpby, (op,), alpha, (a,), beta, b, atomic=atomic)

    def sum(
        self, alpha: Number, a: Value, beta: Number, b: Value, op: tl.Transpose = N, *, atomic: bool = False
    ) -> None:
        """`B := alpha op(A) 1 + beta B`."""
        self._collective(tl.Sum, (op,), alpha, (a,), beta, b, atomic=atomic)

    def gemm(
        self,
        alpha: Number,
        a: Value,
        b: Value,
        beta: Number,
        c: Value,
        ops: tuple[tl.Transpose, tl.Transpose] = (N, N),
        *,
        atomic: bool = False,
    ) -> None:
        """`C := alpha op_a(A) op_b(B) + beta C`."""
        self._collective(tl.Gemm, ops, alpha, (a, b), beta, c, atomic=atomic)

    def gemv(
        self,
        alpha: Number,
        a: Value,
        b: Value,
        beta: Number,
        c: Value,
        op: tl.Transpose = N,
        *,
        atomic: bool = False,
    ) -> None:
        """`c := alpha op(A) b + beta c`."""
        self._collective(tl.Gemv, (op,), alpha, (a, b), beta, c, atomic=atomic)

    def ger(self, alpha: Number, a: Value, b: Value, beta: Number, c: Value, *, atomic: bool = False) -> None:
        """`C := alpha a b^T + beta C`."""
        self._collective(tl.Ger, (), alpha, (a, b), beta, c, atomic=atomic)

    def hadamard_product(
        self, alpha: Number, a: Value, b: Value, beta: Number, c: Value, *, atomic: bool = False
    ) -> None:
        """`c_i := alpha a_i b_i + beta c_i`."""
        self._collective(tl.HadamardProduct, (), alpha, (a, b), beta, c, atomic=atomic)

    def _collective(
        self,
        kind: type[tl.Collective],
        transposes: tuple[tl.Transpose, ...],
        alpha: Number,
        inputs: tuple[Value, ...],
        beta: Number,
        target: Value,
        *,
        atomic: bool,
    ) -> None:
        element = target.memref.element
        element = element if element.is_computed else ScalarType.F32
        first, last = (typed_scalar(factor, element) for factor in (alpha, beta))
        memrefs = tuple(map(typed_memref, inputs))
        letters = tuple(self._letters.get(each.local.name, ()) for each in (*inputs, target))
        self.add(kind(transposes, atomic, first, memrefs, last, typed_memref(target), self.origin, letters))

    def walk(self, value: Value, letters: tuple[str, ...]) -> Value:
        """The value; `letters` are the indices of the notation that walk its modes in what is added from now on."""
        self._letters[value.local.name] = letters
        return value

    def barrier(self) -> None:
        """The work-items wait for each other."""
        self.add(tl.Barrier(self.origin))

    def lifetime_stop(self, operand: Value) -> None:
        """The memory of an `alloca` is not used any more."""
        self.add(tl.LifetimeStop(operand.local, self.origin))

    # -- regions: what is added inside the `with` ----------------------------------------------------------------------

    @contextmanager
    def for_loop(
        self, start: Index, stop: Index, step: Index = 1, type_: ScalarType = ScalarType.INDEX, name: str = "i"
    ) -> Iterator[Value]:
        """A loop in order; gives its variable."""
        variable = self.fresh(name)
        with self._region() as body:
            yield Value(variable, type_)
        self.add(tl.For(variable, as_index(start), as_index(stop), as_index(step), type_, tuple(body), self.origin))

    @contextmanager
    def foreach_loop(
        self, start: Index, stop: Index, type_: ScalarType = ScalarType.INDEX, name: str = "i"
    ) -> Iterator[Value]:
        """A loop without order, spread over the work-items; gives its variable."""
        variable = self.fresh(name)
        with self._region() as body:
            yield Value(variable, type_)
        self.add(tl.Foreach(variable, as_index(start), as_index(stop), type_, tuple(body), self.origin))

    @contextmanager
    def if_then(self, condition: Value) -> Iterator[None]:
        """Instructions for when the condition holds."""
        with self._region() as then:
            yield
        self.add(tl.If((), condition.local, (), tuple(then), None, self.origin))

    def if_else(
        self,
        condition: Value,
        types: tuple[ScalarType, ...],
        then: Callable[[], tuple[Number, ...]],
        otherwise: Callable[[], tuple[Number, ...]],
        name: str = "chosen",
    ) -> tuple[Value, ...]:
        """The numbers that `then` returns if the condition holds, those of `otherwise` if not; both write regions."""
        results = tuple(self.fresh(name) for _ in types)
        with self._region() as then_region:
            self.add(tl.Yield(tuple(map(as_operand, then())), types, self.origin))
        with self._region() as else_region:
            self.add(tl.Yield(tuple(map(as_operand, otherwise())), types, self.origin))
        self.add(tl.If(results, condition.local, types, tuple(then_region), tuple(else_region), self.origin))
        return tuple(map(Value, results, types))

    @contextmanager
    def outermost(self) -> Iterator[None]:
        """What is added stands in the outermost region, in front of the loops that are being written."""
        regions, self._regions = self._regions, self._regions[:1]
        yield
        self._regions = regions

    @contextmanager
    def _region(self) -> Iterator[list[tl.Instruction]]:
        self._regions.append([])
        yield self._regions[-1]
        self._regions.pop()
