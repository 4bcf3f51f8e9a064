"""Operations of `arith` and `math` on numbers, as instructions of the tensor language."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite

import numpy as np

from einsum_front.core.functions import Function
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.scalars import DTYPES, OF_SIGNED, SCALARS, compute
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.tl_backend import Builder, Number, Value, apply
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType

TYPES = {
    mlir.ScalarType.F32: ScalarType.F32,
    mlir.ScalarType.F64: ScalarType.F64,
    mlir.ScalarType.INDEX: ScalarType.INDEX,
    mlir.ScalarType.I1: ScalarType.BOOL,
    mlir.ScalarType.I8: ScalarType.I8,
    mlir.ScalarType.I16: ScalarType.I16,
    mlir.ScalarType.I32: ScalarType.I32,
    mlir.ScalarType.I64: ScalarType.I64,
    mlir.ScalarType.F16: ScalarType.F16,
    mlir.ScalarType.BF16: ScalarType.BF16,
}
"""The types of numbers of loops. Each result of f16 and bf16 is computed in f32, and rounded."""

NARROW = (mlir.ScalarType.F16, mlir.ScalarType.BF16)

BINARY = {
    "arith.addi": tl.BinaryOperator.ADD,
    "arith.subi": tl.BinaryOperator.SUB,
    "arith.muli": tl.BinaryOperator.MUL,
    "arith.divsi": tl.BinaryOperator.DIV,
    "arith.remsi": tl.BinaryOperator.REM,
    "arith.remf": tl.BinaryOperator.REM,
    "arith.andi": tl.BinaryOperator.AND,
    "arith.ori": tl.BinaryOperator.OR,
    "arith.xori": tl.BinaryOperator.XOR,
}
UNSIGNED = {
    "arith.divui": "arith.divsi",
    "arith.remui": "arith.remsi",
    "arith.minui": "arith.minsi",
    "arith.maxui": "arith.maxsi",
    "arith.extui": "arith.trunci",
    "arith.uitofp": "arith.sitofp",
    "arith.index_castui": "arith.index_cast",
}
"""Operations on numbers without a sign, and the same with one. Positions are not negative: one is the other there."""

WITHOUT_SIGN = {
    ScalarType.I8: ScalarType.U8,
    ScalarType.I16: ScalarType.U16,
    ScalarType.I32: ScalarType.U32,
    ScalarType.I64: ScalarType.U64,
}
SMALLER = {"arith.minsi": tl.Condition.LT, "arith.maxsi": tl.Condition.GT}
DIVISIONS = {"arith.floordivsi": True, "arith.ceildivsi": False}
FUNCTIONS = {each.row.mlir: each for each in Function if each.row.mlir}
CONDITIONS = {each.value: each for each in tl.Condition}
OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


class Scalars:
    """Writes operations on numbers; a number that is known is one of Python."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def value(self, number: Number, type_: mlir.ScalarType) -> Value:
        """A number as a value."""
        if isinstance(number, Value):
            return number
        if type_ in NARROW:
            return self.builder.cast(self.value(number, mlir.ScalarType.F32), type_of(type_))
        return self.builder.constant(float(number) if type_.is_floating else int(number), type_of(type_))

    def known(self, number: float, type_: mlir.ScalarType) -> Number:
        """A number of the text; the tensor language has none that are infinite or NaN, which are computed."""
        if isinstance(number, int) or isfinite(number):
            return number
        least = apply(self.builder, Function.LOG, (self.value(0.0, type_),))
        if number == -inf:
            return least
        largest = self.builder.unary(tl.UnaryOperator.NEG, least)
        return largest if number == inf else self.builder.arith(tl.BinaryOperator.ADD, least, largest)

    def operation(self, operation: mlir.Scalar, operands: Sequence[Number]) -> Number:
        """The result. Raises `CompileError` (E0826) for an operation that there is no instruction for."""
        name, type_ = operation.name, operation.result.element
        types = [each.element for each in operation.operands]
        if not any(isinstance(each, Value) for each in operands):
            known = [np.asarray(each, DTYPES[of]) for each, of in zip(operands, types, strict=True)]
            found = compute(name, operation.predicate, known, type_).item()
            return int(found) if isinstance(found, bool) else self.known(found, type_)
        if name in UNSIGNED and types[0] is mlir.ScalarType.INDEX:
            name = UNSIGNED[name]
        wide = [mlir.ScalarType.F32 if of in NARROW else of for of in types]
        given = [self._wide(each) for each in operands]
        if wide == types and type_ not in NARROW:
            return self._unsigned(name, operation, given, types)
        result = mlir.ScalarType.F32 if type_ in NARROW else type_
        found = self._unsigned(name, _of_type(operation, wide, result), given, wide)
        return found if type_ is result else self.builder.cast(self.value(found, result), type_of(type_))

    def _wide(self, number: Number) -> Number:
        """A number of f16 and bf16 in f32."""
        is_narrow = isinstance(number, Value) and number.scalar.is_narrow
        return self.builder.cast(number, ScalarType.F32) if isinstance(number, Value) and is_narrow else number

    def _unsigned(self, name: str, operation: mlir.Scalar, given: list[Number], types: list[mlir.ScalarType]) -> Number:
        """The operation, on integers without a sign where it is one of those."""
        given[0] = self.value(given[0], types[0])  # the type of an instruction is that of a value
        is_comparison = name == "arith.cmpi" and operation.predicate[0] == "u"
        plain = WITHOUT_SIGN.get(type_of(types[0]))
        if plain is None or not (is_comparison or name in UNSIGNED):
            return self._operation(name, operation, given, types)
        builder, result = self.builder, operation.result.element
        left, *others = (builder.cast(self.value(each, types[0]), plain) for each in given)
        match name:
            case "arith.cmpi":
                return builder.compare(CONDITIONS[operation.predicate[1:]], left, others[0])
            case "arith.minui" | "arith.maxui":
                function = Function.MIN if name == "arith.minui" else Function.MAX
                return builder.cast(apply(builder, function, (left, *others)), type_of(result))
            case "arith.divui" | "arith.remui":
                return builder.cast(builder.arith(BINARY[UNSIGNED[name]], left, others[0]), type_of(result))
            case _:  # open: the others give the number another type
                return builder.cast(left, type_of(result))

    def _operation(
        self, name: str, operation: mlir.Scalar, given: list[Number], types: list[mlir.ScalarType]
    ) -> Number:
        builder, type_ = self.builder, operation.result.element
        if name in BINARY:
            return builder.arith(BINARY[name], given[0], given[1])
        if name in SMALLER:
            return self._chosen(builder.compare(SMALLER[name], given[0], given[1]), given[0], given[1], type_)
        if name in DIVISIONS:
            return self._divided(given[0], given[1], type_, is_floor=DIVISIONS[name])
        if name in FUNCTIONS and FUNCTIONS[name].row.numpy is not None:
            return apply(builder, FUNCTIONS[name], given)
        match name:
            case "arith.negf":
                return builder.unary(tl.UnaryOperator.NEG, self.value(given[0], types[0]))
            case "math.rsqrt":
                return builder.arith(tl.BinaryOperator.DIV, 1.0, apply(builder, Function.SQRT, given))
            case "math.fma":
                product = builder.arith(tl.BinaryOperator.MUL, given[0], given[1])
                return builder.arith(tl.BinaryOperator.ADD, product, given[2])
            case "math.fpowi":
                exponent = builder.cast(self.value(given[1], types[1]), type_of(types[0]))
                return apply(builder, Function.POW, (given[0], exponent))
            case "arith.select":
                return self._chosen(self.value(given[0], types[0]), given[1], given[2], type_)
            case "arith.cmpf":
                return self._compared(operation.predicate, self.value(given[0], types[0]), given[1])
            case "arith.cmpi":
                return builder.compare(CONDITIONS[operation.predicate[-2:]], given[0], given[1])
            case _ if name in SCALARS and SCALARS[name].numpy is None:
                return self._converted(name, self.value(given[0], types[0]), types[0], type_)
            case _:  # open: what is left has no instruction
                raise refused(f"loops cannot compute `{operation.name}`", operation.origin)

    def _chosen(self, condition: Value, taken: Number, other: Number, type_: mlir.ScalarType) -> Value:
        (chosen,) = self.builder.if_else(condition, (type_of(type_),), lambda: (taken,), lambda: (other,))
        return chosen

    def _divided(self, left: Number, right: Number, type_: mlir.ScalarType, *, is_floor: bool) -> Value:
        """Quotients of the tensor language are cut towards zero: 1 less, or more, where there is a rest."""
        builder = self.builder
        right = self.value(right, type_)
        quotient = builder.arith(tl.BinaryOperator.DIV, left, right)
        rest = builder.arith(tl.BinaryOperator.REM, left, right)
        first, second = (builder.compare(tl.Condition.LT, each, 0) for each in (rest, right))
        differ = builder.arith(tl.BinaryOperator.XOR, first, second)
        moves = differ if is_floor else builder.unary(tl.UnaryOperator.NOT, differ)
        moves = builder.arith(tl.BinaryOperator.AND, moves, builder.compare(tl.Condition.NE, rest, 0))
        step = self._chosen(moves, -1 if is_floor else 1, 0, type_)
        return builder.arith(tl.BinaryOperator.ADD, quotient, step)

    def _compared(self, predicate: str, left: Value, right: Number) -> Number:
        """`olt` is false where an operand is NaN, `ult` true: not `oge`."""
        builder = self.builder

        def compared(word: str) -> Value:
            return builder.compare(CONDITIONS[word], left, right)

        def both(one: Value, other: Value, operator: tl.BinaryOperator = tl.BinaryOperator.AND) -> Value:
            return builder.arith(operator, one, other)

        def negated(value: Value) -> Value:
            return builder.unary(tl.UnaryOperator.NOT, value)

        match predicate:
            case "true" | "false":
                return int(predicate == "true")
            case "ord" | "uno":
                other = self.value(right, mlir.ScalarType(left.scalar.value))
                first, second = (builder.compare(tl.Condition.EQ, each, each) for each in (left, other))
                found = both(first, second)
                return found if predicate == "ord" else negated(found)
            case "oeq" | "une":
                return compared(predicate[1:])
            case "one" | "ueq":
                found = both(compared("lt"), compared("gt"), tl.BinaryOperator.OR)
                return found if predicate == "one" else negated(found)
            case _:  # open: `olt` and its like, as the verifier has seen
                return compared(predicate[1:]) if predicate[0] == "o" else negated(compared(OPPOSITE[predicate[1:]]))

    def _converted(self, name: str, value: Value, source: mlir.ScalarType, target: mlir.ScalarType) -> Value:
        builder = self.builder
        if source is mlir.ScalarType.I1:
            one: float = -1 if name in OF_SIGNED else 1
            taken, other = (float(one), 0.0) if target.is_floating else (one, 0)
            return self._chosen(value, taken, other, target)
        if target is mlir.ScalarType.I1:
            last = builder.arith(tl.BinaryOperator.AND, value, 1)
            return builder.compare(tl.Condition.NE, last, 0)
        if name == "arith.fptoui":
            value = builder.cast(value, WITHOUT_SIGN[type_of(target)])
        return value if value.scalar is type_of(target) else builder.cast(value, type_of(target))


def _of_type(operation: mlir.Scalar, types: Sequence[mlir.ScalarType], result: mlir.ScalarType) -> mlir.Scalar:
    """The operation on numbers of other types."""
    pairs = zip(operation.operands, types, strict=True)
    operands = tuple(replace(each, type=of) for each, of in pairs)
    return replace(operation, operands=operands, result=replace(operation.result, type=result))


def type_of(type_: mlir.ScalarType) -> ScalarType:
    """The type of a number in the tensor language."""
    return TYPES[type_]


def check_type(value: mlir.Value) -> None:
    """Raises `CompileError` (E0826) for numbers that loops do not compute with."""
    type_ = value.type if isinstance(value.type, mlir.ScalarType) else value.type.element
    if type_ not in TYPES:
        raise refused(
            f"kernels compute with f32, f64 and integers, and `%{value.name}` is of `{type_.value}`", value.origin
        )
