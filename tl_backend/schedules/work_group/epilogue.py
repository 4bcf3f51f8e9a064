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

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from einsum_front.core.functions import Function as Mathematical
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Epilogue, find_epilogue, memory_of
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import scalar
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.neighbours import entries_from
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies, Vectors
from einsum_front.tl_backend.traverse import regions, walk
from einsum_front.tl_backend.types import MemrefType, ScalarType

MOST_STEPS = 12
"""Instructions of a body, which stands in the text once for each sum."""

LONG = ELEMENTARY - {Mathematical.ABS}
"""Functions of many lines."""


def with_epilogues(strategies: Strategies, function: Function) -> Strategies:
    """The strategies, in which products in vectors also do what stands behind them, where that can be.

    Strategies belong to equal instructions: one that is there twice may have loops behind it at one place only.
    """
    if not any(isinstance(each, Vectors) for each in strategies.values()):
        return strategies
    products = [each for each in walk(function.body) if isinstance(each, tl.Collective)]
    memory = memory_of(function)
    found = dict(strategies)
    for product, behind in _pairs(function.body):
        strategy = strategies[product]
        if isinstance(strategy, Vectors) and products.count(product) == 1 and _is_whole(product, strategy):
            epilogue = find_epilogue(product.target, behind, memory)
            if epilogue is not None and _is_for_registers(epilogue, product.target.type.element):
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


# -- which loops -------------------------------------------------------------------------------------------------------


def _pairs(region: tl.Region) -> Iterator[tuple[tl.Collective, tl.For | tl.Foreach]]:
    """Products, each with the loop that stands directly behind it."""
    steps = [each for each in region if not isinstance(each, tl.Barrier)]
    for product, behind in pairwise(steps):
        if isinstance(product, tl.Collective) and isinstance(behind, tl.For | tl.Foreach):
            yield product, behind
    for instruction in region:
        for inner in regions(instruction):
            yield from _pairs(inner)


def _is_whole(product: tl.Collective, strategy: Vectors) -> bool:
    """True if every entry of the result is written: where nothing is added to some, they are left out."""
    return product.beta.is_number(0) or strategy.active is None


def _is_for_registers(epilogue: Epilogue, real: ScalarType) -> bool:
    """True if the body is short, and computes in one type with what lies as the rows do."""
    *steps, _ = epilogue.body
    return len(steps) <= MOST_STEPS and all(_is_step(each, epilogue, real) for each in steps)


def _is_step(step: tl.Instruction, epilogue: Epilogue, real: ScalarType) -> bool:
    match step:
        case tl.ArithBinary(operator=operator, type=type_):
            return type_ is real and operator is not tl.BinaryOperator.REM
        case tl.ArithUnary(type=type_):
            return type_ is real
        case tl.MathCall(function=function, type=type_):
            return type_ is real and function not in LONG
        case tl.Load(indices=indices, type=MemrefType() as memref):
            return memref.element is real and _is_row(indices, memref, epilogue.row)
        case _:
            return False


def _is_row(indices: tuple[tl.IndexOperand, ...], memref: MemrefType, row: str) -> bool:
    """True if entries of neighbouring rows are neighbours in memory, or one for all rows."""
    along = [stride for place, stride in zip(indices, memref.strides, strict=True) if place == tl.Local(row)]
    return along in ([], [1])


# -- their statements --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entries:
    """So many neighbouring entries of the result, from (`row`, `column`) on, and their values."""

    row: tree.Expression
    column: tree.Expression
    count: int
    value: tree.Expression


def lower_epilogue(
    epilogue: Epilogue, place: tree.Place, entries: Entries, type_: Scalar, context: Context
) -> tree.Statements:
    """The statements for some entries of the result, which are stored at a `place`."""
    lowering = _Lowering(epilogue, entries, type_, context)
    statements = tuple(statement for step in epilogue.body for statement in lowering.step(step))
    (store,) = (each for each in epilogue.body if isinstance(each, tl.Store))
    return *statements, tree.Assign(place, lowering.operand(store.value, store.type.element))


class _Lowering:
    """The body for some entries: each value is a vector, or a number for a single entry."""

    def __init__(self, epilogue: Epilogue, entries: Entries, type_: Scalar, context: Context) -> None:
        places = {epilogue.row: entries.row} | ({} if epilogue.column is None else {epilogue.column: entries.column})
        self._epilogue, self._entries, self._outer = epilogue, entries, context
        self._context = replace(context.inner(), values=context.values | places)
        self._own: dict[str, tree.Expression] = {}
        self._type = type_ if entries.count == 1 else Vector(type_, entries.count)

    def step(self, step: tl.Instruction) -> tree.Statements:
        """The statements of an instruction; what the entry has is known already."""
        match step:
            case tl.Load(operand=operand, result=result) if operand.name == self._epilogue.target:
                return self._define(result, self._entries.value)
            case tl.Load(result=result):
                return self._define(result, self._loaded(step))
            case tl.MathCall(function=function, result=result, type=real) if function in ELEMENTARY:
                name, names = self._named(result), self._context.names
                (value,) = (self.operand(each, real) for each in step.operands)
                return elementary(function, value, name, self._type, names)
            case tl.ArithBinary() | tl.ArithUnary() | tl.MathCall():
                _, value = scalar.computed(step, self.operand)
                return self._define(step.result, value)
            case _:
                return ()

    def operand(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """An operand for all entries."""
        if isinstance(operand, tl.Local) and operand.name in self._own:
            return self._own[operand.name]
        return self._spread(self._context.scalar(operand, type_))

    def _spread(self, value: tree.Expression) -> tree.Expression:
        return tree.Pack(self._type, (value,)) if isinstance(self._type, Vector) else value

    def _loaded(self, load: tl.Load) -> tree.Expression:
        view, row = self._context.view(load.operand), tl.Local(self._epilogue.row)
        position = tuple(map(self._context.index, load.indices))
        if row not in load.indices:
            return self._spread(view.value(position))
        return entries_from(view, position, self._entries.count)

    def _define(self, result: tl.Local, value: tree.Expression) -> tree.Statements:
        return (tree.Declare(self._type, self._named(result), value),)

    def _named(self, result: tl.Local) -> str:
        name = self._context.names.fresh(local_name(result.name))
        self._own[result.name] = tree.Name(name)
        return name
