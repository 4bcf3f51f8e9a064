"""What loops behind a product do to its entries, done in the registers that the sums are in.

    gemm.n.n 1.0, %W, %X, 0.0, %Y
    for %j = 0, 32 {                              float8 b_entry = *(global const float8_u *)(b + i);
      foreach %i = 0, 32 {                        float8 add = sum[0] + b_entry;
        %b_entry = load %b[%i]                    float8 relu = add < 0.0f ? 0.0f : add;
        %Y_entry = load %Y[%i, %j]                *(global float8_u *)(Y + (i + 32 * j)) = relu;
        %add = arith.add %Y_entry, %b_entry
        %relu = math.where_lt %add, 0.0, 0.0, %add
        store %relu, %Y[%i, %j]
      }
    }

The loops are those of `analysis.epilogue`. Functions that are many lines (`exp`, `tanh`, …) stay loops: every sum would
repeat them. So does what reads other memory in steps along the rows, where there are no vectors.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function as Mathematical
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Epilogue, find_epilogue, fused_views, memory_of
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import scalar
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.outer_product import entries_from
from einsum_front.tl_backend.schedules.work_group.context import Strategies, Vectors
from einsum_front.tl_backend.traverse import operands, regions, walked
from einsum_front.tl_backend.types import MemrefType, ScalarType

MOST_STEPS = 12
"""Instructions of a body, which stands in the text once for each sum."""


def with_epilogues(strategies: Strategies, function: Function) -> Strategies:
    """The strategies, in which products in vectors also do what stands behind them, where that can be.

    Strategies belong to equal instructions: one that is there twice may have loops behind it at one place only.
    """
    if not any(isinstance(each, Vectors) for each in strategies.values()):
        return strategies
    products = [each for each in function.get(walked) if isinstance(each, tl.Collective)]
    memory, fusions = memory_of(function), fused_views(function)
    found = dict(strategies)
    for product, behind, views in _pairs(function.body):
        strategy = strategies[product]
        if isinstance(strategy, Vectors) and products.count(product) == 1 and _is_whole(product, strategy):
            epilogue = find_epilogue(product.target, behind, memory, fusions)
            if epilogue is None or any(view in operands(each) for each in epilogue.body for view in views):
                continue
            if _is_for_registers(epilogue, product.target.type.element):
                found[product] = replace(strategy, epilogue=epilogue)
    return found


def without_epilogues(region: tl.Region, strategies: Strategies) -> Iterator[tl.Instruction]:
    """The instructions that are lowered for themselves."""
    waiting: tl.Instruction | None = None
    for instruction in region:
        if instruction is waiting:
            waiting = None
            continue
        if isinstance(instruction, tl.Collective) and (epilogue := epilogue_of(instruction, strategies)):
            waiting = epilogue.loop
        yield instruction


def epilogue_of(instruction: tl.Instruction, strategies: Strategies) -> Epilogue | None:
    """What a product does besides, if it is one that does."""
    strategy = strategies[instruction] if isinstance(instruction, tl.Collective) else None
    return strategy.epilogue if isinstance(strategy, Vectors) else None


def epilogue_views(epilogue: Epilogue | None, context: Context) -> list[View]:
    """The matrices that it reads besides the result."""
    loads = [] if epilogue is None else [each for each in epilogue.body if isinstance(each, tl.Load)]
    names = dict.fromkeys(
        each.operand for each in loads if epilogue is not None and each.operand.name != epilogue.target
    )
    return [context.view(name) for name in names]


# -- which loops -------------------------------------------------------------------------------------------------------


def _pairs(region: tl.Region) -> Iterator[tuple[tl.Collective, tl.For | tl.Foreach, tuple[tl.Local, ...]]]:
    """Products, each with the loop behind it, and the views between them, which the product does not know."""
    product: tl.Collective | None = None
    views: tuple[tl.Local, ...] = ()
    for instruction in region:
        match instruction:
            case tl.Barrier() | tl.LifetimeStop():
                pass
            case tl.Fuse(result=view):
                views = *views, view
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.GroupId()
                | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective() | tl.If()
                | tl.For() | tl.Foreach() | tl.Store() | tl.Yield()
            ):  # fmt: skip
                if product is not None and isinstance(instruction, tl.For | tl.Foreach):
                    yield product, instruction, views
                product, views = instruction if isinstance(instruction, tl.Collective) else None, ()
        for inner in regions(instruction):
            yield from _pairs(inner)


def _is_whole(product: tl.Collective, strategy: Vectors) -> bool:
    """True if every entry of the result is written: where nothing is added to some, they are left out."""
    return product.beta.is_number(0) or strategy.active is None


def _is_for_registers(epilogue: Epilogue, real: ScalarType) -> bool:
    """True if the body is short, and computes in one type with what lies as the rows do."""
    *steps, _ = epilogue.body
    return len(steps) <= MOST_STEPS and all(has_vectors(each, epilogue.row, real) for each in steps)


# -- their statements --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finished:
    """So many neighbouring entries of the result, from (`row`, `column`) on, and their values."""

    row: tree.Expression
    column: tree.Expression
    count: int
    value: tree.Expression


def lower_epilogue(
    epilogue: Epilogue, place: tree.Place, sums: Finished, type_: Scalar, context: Context
) -> tree.Statements:
    """The statements for some entries of the result, which are stored at a `place`."""
    positions = {epilogue.row: sums.row} | ({} if epilogue.column is None else {epilogue.column: sums.column})
    entries = Entries(epilogue.row, positions, sums.count, type_, context)
    *steps, store = epilogue.body
    statements = tuple(
        statement
        for step in steps
        for statement in (
            entries.define(step.result, sums.value)
            if isinstance(step, tl.Load) and step.operand.name == epilogue.target
            else entries.step(step)
        )
    )
    if not isinstance(store, tl.Store):
        raise CompilerBug("what stands behind a product ends with the store")
    return *statements, tree.Assign(place, entries.operand(store.value, store.type.element))


# -- instructions on single entries, for several neighbouring ones at once ---------------------------------------------
# Each value is a vector.
#
#     %b_entry = load %b[%i]                        double4 b_entry = *(global const double4_u *)(b + i);
#     %c_entry = load %c[%j]                        double4 c_entry = (double4)(c[j]);
#     %add = arith.add %b_entry, %c_entry           double4 add = b_entry + c_entry;
#     store %add, %Y[%i, %j]                        *(global double4_u *)(Y + (i + 32 * j)) = add;
#
# What is the same for all of them is read once. Functions that are many lines (`exp`, `tanh`, …) are not done so, nor
# is what lies in steps along the entries.

LONG = ELEMENTARY - {Mathematical.ABS}
"""Functions of many lines."""


def has_vectors(step: tl.Instruction, row: str, real: ScalarType, *, may_be_long: bool = False) -> bool:
    """True if an instruction computes numbers of one type, of neighbours along the variable `row`.

    Functions of many lines are for those who have the text once.
    """
    match step:
        case tl.ArithBinary(operator=operator, type=type_):
            return type_ is real and operator is not tl.BinaryOperator.REM
        case tl.ArithUnary(type=type_):
            return type_ is real
        case tl.MathCall(function=function, type=type_):
            return type_ is real and (may_be_long or function not in LONG)
        case tl.Load(indices=indices, type=MemrefType() as memref):
            return memref.element is real and strides_along(indices, memref, row) in ([], [1])
        case tl.Store(indices=indices, type=memref):
            return memref.element is real and strides_along(indices, memref, row) == [1]
        case (
            tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Load()
            | tl.Size() | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Yield() | tl.Barrier()
            | tl.LifetimeStop()
        ):  # fmt: skip
            return False


def strides_along(indices: tuple[tl.IndexOperand, ...], memref: MemrefType, row: str) -> list[int | None]:
    """The strides of the modes that a variable walks."""
    return [stride for place, stride in zip(indices, memref.strides, strict=True) if place == tl.Local(row)]


class Entries:
    """`count` neighbouring entries along the variable `row`; `positions` are those of the first one, by variables."""

    def __init__(
        self, row: str, positions: Mapping[str, tree.Expression], count: int, type_: Scalar, context: Context
    ) -> None:
        self._row, self._count = row, count
        self._context = replace(context.inner(), values=context.values | dict(positions))
        self._own: dict[str, tree.Expression] = {}
        self.type = type_ if count == 1 else Vector(type_, count)

    def beside(self, positions: Mapping[str, tree.Expression]) -> "Entries":
        """Others in the same scope, whose names differ."""
        other = copy(self)
        other._context = replace(self._context, values=self._context.values | dict(positions))
        other._own = {}
        return other

    def step(self, step: tl.Instruction, beside: Sequence["Entries"] = ()) -> tree.Statements:
        """The statements of an instruction, for these entries and others in turn."""
        if isinstance(step, tl.MathCall) and step.function in ELEMENTARY:
            calls = dict(entries._argument(step) for entries in (self, *beside))
            return elementary(step.function, calls, self.type, self._context.names)
        return tuple(statement for entries in (self, *beside) for statement in entries._step(step))

    def _argument(self, call: tl.MathCall) -> tuple[str, tree.Expression]:
        """The name of the result of a function of one operand, and that."""
        (operand,) = (self.operand(each, call.type) for each in call.operands)
        return self._named(call.result), operand

    def _step(self, step: tl.Instruction) -> tree.Statements:
        match step:
            case tl.Load(result=result):
                return self.define(result, self._loaded(step))
            case tl.Store(target=target, indices=indices, value=value, type=memref):
                place = entries_from(self._context.view(target), self._position(indices), self._count)
                return (tree.Assign(place, self.operand(value, memref.element)),)
            case tl.ArithBinary() | tl.ArithUnary() | tl.MathCall():
                return self.define(step.result, scalar.computed(step, self.operand)[1])
            case (
                tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize()
                | tl.Size() | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Yield()
                | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                return ()

    def operand(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """An operand for all entries."""
        if isinstance(operand, tl.Local) and operand.name in self._own:
            return self._own[operand.name]
        return self._spread(self._context.scalar(operand, type_))

    def define(self, result: tl.Local, value: tree.Expression) -> tree.Statements:
        """A variable with the value."""
        return (tree.Declare(self.type, self._named(result), value),)

    def _spread(self, value: tree.Expression) -> tree.Expression:
        return tree.Pack(self.type, (value,)) if isinstance(self.type, Vector) else value

    def _loaded(self, load: tl.Load) -> tree.Expression:
        view, position = self._context.view(load.operand), self._position(load.indices)
        if tl.Local(self._row) not in load.indices:
            return self._spread(view.value(position))
        return entries_from(view, position, self._count)

    def _position(self, indices: tuple[tl.IndexOperand, ...]) -> tuple[tree.Expression, ...]:
        return tuple(map(self._context.index, indices))

    def _named(self, result: tl.Local) -> str:
        name = self._context.names.fresh(local_name(result.name))
        self._own[result.name] = tree.Name(name)
        return name
