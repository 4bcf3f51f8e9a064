"""One function of the YATeTo language in the tensor language."""

from diagnostics import CompilerBug
from ir.emit_tensor_language.access import Access
from ir.emit_tensor_language.elementwise import emit_axpby, emit_broadcast, emit_fill
from ir.emit_tensor_language.log import Factors, emit_log
from ir.emit_tensor_language.product import emit_product
from ir.emit_tensor_language.sum import emit_sum
from ir.emit_tensor_language.types import argument_type, facts_of, memref_type, scalar_type
from ir.emit_tensor_language.work_item import emit_moved_work_item, emit_work_item
from ir.emit_tensor_language.writer import ZERO, Memref, Writer
from ir.yateto import nodes as yir
from ir.yateto.traverse import TensorOperation, accesses, defined, instructions, moved_groups
from tl_backend.instructions import (
    Alloca,
    ArithBinary,
    Barrier,
    BinaryOperator,
    FloatConstant,
    IndexOperand,
    IntegerConstant,
    LifetimeStop,
    Local,
    Operand,
    Position,
    Slice,
)
from tl_backend.program import Argument, Function
from tl_backend.types import ScalarType


def emit_function(function: yir.Function) -> Function:
    """The function with the same arguments, facts and meaning."""
    moved = moved_groups(function)
    arguments = tuple(
        Argument(_local(argument.name), argument_type(argument.type, argument.name.name in moved), argument.origin)
        for argument in function.arguments
    )
    body = _Body(function, moved)
    body.emit(function.body)
    return Function(function.name, arguments, body.writer.body, facts=facts_of(function, moved), origin=function.origin)


class _Body:
    """One function while its instructions are emitted."""

    def __init__(self, function: yir.Function, moved: frozenset[str]) -> None:
        results = [defined(instruction) for instruction in instructions(function.body)]
        names = [argument.name for argument in function.arguments] + [local for local in results if local is not None]
        self.writer = Writer(frozenset(local.name for local in names))
        self._moved = moved
        self._arguments = {argument.name.name: argument.type for argument in function.arguments}
        self._group_id = self._first_group_id(function)

    def _first_group_id(self, function: yir.Function) -> Local | None:
        """One number of the work-group for all instructions, loops included."""
        for instruction in instructions(function.body):
            if isinstance(instruction, yir.GetWorkItem):
                self.writer.origin = instruction.origin
                return self.writer.group_id()
        return None

    def emit(self, region: yir.Region) -> None:
        """Write the instructions one after the other."""
        for instruction in region:
            self._emit(instruction)

    def _emit(self, instruction: yir.Instruction) -> None:
        writer = self.writer
        writer.origin = instruction.origin
        match instruction:
            case yir.Alloca(result=result, type=memref):
                writer.add(Alloca(_local(result), memref_type(memref), instruction.origin))
            case yir.GetWorkItem():
                self._work_item(instruction)
            case yir.Subview(result=result, operand=operand, parts=parts, from_type=type_):
                slices = tuple(self._part(part) for part in parts)
                writer.subview(Memref(_local(operand), memref_type(type_)), slices, _local(result))
            case yir.Arith(result=result, operator=operator, left=left, right=right, type=scalar):
                operands = (_scalar(left), _scalar(right))
                kind = BinaryOperator(operator.value)
                writer.add(ArithBinary(_local(result), kind, *operands, scalar_type(scalar), instruction.origin))
            case yir.For(variable=variable, start=start, stop=stop, body=body):
                with writer.loop(_local(variable), start, stop):
                    self.emit(body)
            case yir.Barrier():
                writer.add(Barrier(instruction.origin))
            case yir.LifetimeStop(operand=operand):
                writer.add(LifetimeStop(_local(operand), instruction.origin))
            case yir.Axpby() | yir.Log() | yir.Product() | yir.Sum() | yir.Broadcast() | yir.Fill():
                self._tensor_operation(instruction)

    def _tensor_operation(self, operation: TensorOperation) -> None:
        writer = self.writer
        alpha, beta = _scalar(operation.alpha), _scalar(operation.beta)
        *sources, target = (_access(operand, indices) for operand, indices in accesses(operation))
        match operation:
            case yir.Log(map=map_):
                emit_log(writer, map_, Factors(alpha, sources[0], sources[1], beta, target))
            case yir.Product():
                emit_product(writer, Factors(alpha, sources[0], sources[1], beta, target))
            case yir.Axpby():
                emit_axpby(writer, alpha, sources[0], beta, target)
            case yir.Sum():
                emit_sum(writer, alpha, sources[0], beta, target)
            case yir.Broadcast():
                emit_broadcast(writer, alpha, sources[0], beta, target)
            case yir.Fill():
                emit_fill(writer, alpha, beta, target)

    def _work_item(self, instruction: yir.GetWorkItem) -> None:
        if self._group_id is None:
            raise CompilerBug("a function with work items has their number")
        group, result = _local(instruction.group), _local(instruction.result)
        if group.name not in self._moved:
            emit_work_item(self.writer, group, instruction.type, self._group_id, result)
            return
        offset = ZERO if instruction.offset is None else self._index(instruction.offset)
        emit_moved_work_item(self.writer, group, instruction.type, self._group_id, offset, result)

    def _part(self, part: yir.Position | yir.Slice) -> Position | Slice:
        match part:
            case yir.Position(index=int() as index):
                return Position(IntegerConstant(index))
            case yir.Position(index=yir.Local() as local):
                return Position(self._index(local))
            case yir.Position():
                raise CompilerBug("a position is an integer or a value")
            case yir.Slice(start=start, stop=stop):
                first = 0 if start is None else start
                return Slice(IntegerConstant(first), None if stop is None else IntegerConstant(stop - first))

    def _index(self, local: yir.Local) -> IndexOperand:
        """The integer as type `index`: a variable of a loop has it, an argument is converted."""
        type_ = self._arguments.get(local.name)
        if isinstance(type_, yir.ScalarType):
            return self.writer.cast(_local(local), scalar_type(type_), ScalarType.INDEX, f"{local.name}_index")
        return _local(local)


def _local(local: yir.Local) -> Local:
    return Local(local.name, local.origin)


def _scalar(scalar: yir.Scalar) -> Operand:
    match scalar:
        case yir.Local():
            return _local(scalar)
        case yir.FloatConstant(value=value, origin=origin):
            return FloatConstant(value, origin)


def _access(operand: yir.Operand, indices: yir.Indices) -> Access:
    return Access(Memref(_local(operand.value), memref_type(operand.type)), indices)
