"""Payloads as values of the graph builder."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function
from einsum_front.ir import MINUS_ONE, GraphBuilder, Number, Value
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.scalars import OF_SIGNED
from einsum_front.mlir.to_graph.refuse import refused

LINEAR = frozenset((Function.ADD, Function.SUB, Function.MUL))
"""Functions that are sums and products of the graph."""

FUNCTIONS = {each.row.mlir: each for each in Function if each.row.mlir and each not in LINEAR}
"""Operations that are a function of entries."""

SELECTIONS = {
    "oeq": (Function.WHERE_EQ, (0, 1, 2, 3)),
    "une": (Function.WHERE_NE, (0, 1, 2, 3)),
    "olt": (Function.WHERE_LT, (0, 1, 2, 3)),
    "ole": (Function.WHERE_LE, (0, 1, 2, 3)),
    "ogt": (Function.WHERE_LT, (1, 0, 2, 3)),
    "oge": (Function.WHERE_LE, (1, 0, 2, 3)),
    "ult": (Function.WHERE_LE, (1, 0, 3, 2)),
    "ule": (Function.WHERE_LT, (1, 0, 3, 2)),
    "ugt": (Function.WHERE_LE, (0, 1, 3, 2)),
    "uge": (Function.WHERE_LT, (0, 1, 3, 2)),
}
"""`select(a ? b, x, y)` as a selection of ours: the function, and the order of a, b, x, y.

An unordered comparison is the opposite of an ordered one, so that x and y change places.
"""

MOST_FACTORS = 16

COMPARISONS = ("arith.cmpf", "arith.cmpi")
INTEGERS = {"eq": "oeq", "ne": "une"} | {
    f"{sign}{word}": f"o{word}" for sign in "su" for word in ("lt", "le", "gt", "ge")
}
"""Comparisons of integers as those of the real numbers that they are."""

CONDITIONS = frozenset({"arith.andi", "arith.ori", "arith.xori"})
OF_POSITIONS = frozenset(
    f"arith.{word}"
    for word in (
        *("addi", "subi", "muli", "minsi", "maxsi", "minui", "maxui", "index_cast", "index_castui"),
        *("sitofp", "uitofp", "extsi", "extui", "trunci"),
    )
)
"""Operations on positions of iterators, which are integers; they convert them to real numbers, too."""

EXTREMA = {"arith.maximumf": Function.MAX, "arith.minimumf": Function.MIN}
OF_CONDITIONS = {"arith.ori": Function.MAX, "arith.andi": Function.MIN}
"""Whether any condition holds, and whether all do: of 1 and 0, the largest and the smallest."""


def without_conversions(payload: mlir.Payload, element: mlir.ScalarType) -> mlir.Payload:
    """The payload of a kernel, which computes with numbers of one type between what it reads and what it writes.

    What is narrowed to less than that type stays, but for bf16, which is rounded where it is written.
    """
    plain: dict[str, mlir.Value] = {}
    operations: list[mlir.PayloadOperation] = []
    for operation in payload.operations:
        if isinstance(operation, mlir.Scalar):
            operands = tuple(plain.get(each.name, each) for each in operation.operands)
            if operation.name in CONVERSIONS and _is_left_out(operation, element):
                plain[operation.result.name] = operands[0]
            else:
                operations.append(replace(operation, operands=operands))
        else:
            operations.append(operation)
    yields = tuple(plain.get(each.name, each) for each in payload.yields)
    return replace(payload, operations=tuple(operations), yields=yields)


CONVERSIONS = frozenset({"arith.extf", "arith.truncf"})


def _is_left_out(operation: mlir.Scalar, element: mlir.ScalarType) -> bool:
    """True for a conversion between types of which the kernel's is one, or is the wider one of numbers in memory."""
    from_, to = operation.operands[0].type, operation.result.type
    narrow, single, double = mlir.ScalarType.BF16, mlir.ScalarType.F32, mlir.ScalarType.F64
    if {from_, to} == {narrow, single}:
        return element is single
    return {from_, to} == {single, double} and (element is single or operation.name == "arith.extf")


@dataclass(frozen=True, slots=True)
class Accumulation:
    """How an output is reduced: `None` for a sum of `terms`, each with its sign, else by a function of one term."""

    function: Function | None
    terms: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PayloadReader:
    """The values of one payload at one place of the graph; `given` are its arguments and the numbers around it."""

    builder: GraphBuilder
    payload: mlir.Payload
    given: Callable[[str], Value]
    known: Callable[[str], float | None]
    """The number that a value around the payload is, if the text says it."""

    @property
    def definitions(self) -> Mapping[str, mlir.PayloadOperation]:
        """The operations by the names of their results."""
        return {each.result.name: each for each in self.payload.operations}

    def uses(self, name: str, argument: str) -> bool:
        """True if a value depends on an argument."""
        if name == argument:
            return True
        operation = self.definitions.get(name)
        return isinstance(operation, mlir.Scalar) and any(self.uses(each.name, argument) for each in operation.operands)

    def value(self, name: str) -> Value:
        """A value of the payload. Raises `CompileError` (E0826) if the graph cannot compute it."""
        operation = self.definitions.get(name)
        match operation:
            case None:
                return self.given(name)
            case mlir.Literal(value=int(value) | float(value)):
                return number(self.builder, value, operation.origin)
            case mlir.Scalar():
                return self._scalar(operation)
            case mlir.IndexOf():
                message = "a position of an iterator is a number where its extent is known"
                raise refused(message, operation.origin, code="E0828")
            case _:
                raise refused("a payload computes with numbers", operation.origin)

    def _scalar(self, operation: mlir.Scalar) -> Value:
        builder, origin = self.builder, operation.origin
        if operation.name == "arith.select":
            return self._select(operation)
        if operation.name in COMPARISONS:
            return self._compared(operation, builder.number(Number(1.0)), builder.number(Number(0.0)), origin)
        if operation.name in CONDITIONS and operation.result.type is mlir.ScalarType.I1:
            return self._condition(operation)
        if operation.name in OF_POSITIONS and all(map(_is_position, (operation.result, *operation.operands))):
            return self._of_positions(operation)
        if operation.name not in HANDLED:
            message = f"a contraction graph cannot compute `{operation.name}`"
            raise refused(message, origin, f"it computes {', '.join(sorted(HANDLED))}")
        values = [self.value(each.name) for each in operation.operands[: 1 if operation.name == "math.fpowi" else None]]
        match operation.name:
            case "arith.addf":
                return builder.sum(values, origin)
            case "arith.subf":
                return builder.sum((values[0], builder.scaled(MINUS_ONE, values[1])), origin)
            case "arith.mulf":
                return builder.product(values, origin=origin)
            case "arith.negf":
                return builder.scaled(MINUS_ONE, values[0])
            case "math.fma":
                return builder.sum((builder.product(values[:2], origin=origin), values[2]), origin)
            case "math.fpowi":
                return self._power(operation, values[0])
            case "math.rsqrt":
                root = builder.elementwise(Function.SQRT, values, origin)
                return builder.elementwise(Function.RECIPROCAL, (root,), origin)
            case name:  # open: the table raises for other words, and `HANDLED` has been asked
                return builder.elementwise(FUNCTIONS[name], values, origin)

    def _power(self, operation: mlir.Scalar, base: Value) -> Value:
        """A product of so many factors."""
        definition = self.definitions.get(operation.operands[1].name)
        known = definition.value if isinstance(definition, mlir.Literal) else self.known(operation.operands[1].name)
        if not isinstance(known, int | float) or abs(known) > MOST_FACTORS:
            message = f"the exponent of `math.fpowi` is a number in the text, from -{MOST_FACTORS} to {MOST_FACTORS}"
            raise refused(message, operation.origin)
        one = self.builder.number(Number(1.0))
        power = self.builder.product((base,) * abs(int(known)), origin=operation.origin) if known else one
        return power if known >= 0 else self.builder.elementwise(Function.RECIPROCAL, (power,), operation.origin)

    def _of_positions(self, operation: mlir.Scalar) -> Value:
        """Integers that are made of positions, as the real numbers that they are."""
        builder, origin = self.builder, operation.origin
        values = [self.value(each.name) for each in operation.operands]
        match operation.name.removeprefix("arith."):
            case "addi":
                return builder.sum(values, origin)
            case "subi":
                return builder.sum((values[0], builder.scaled(MINUS_ONE, values[1])), origin)
            case "muli":
                return builder.product(values, origin=origin)
            case "minsi" | "minui":
                return builder.elementwise(Function.MIN, values, origin)
            case "maxsi" | "maxui":
                return builder.elementwise(Function.MAX, values, origin)
            case _:  # open: what is left of `OF_POSITIONS` converts
                is_sign = operation.name in OF_SIGNED and operation.operands[0].type is mlir.ScalarType.I1
                return builder.scaled(MINUS_ONE, values[0]) if is_sign else values[0]

    def _condition(self, operation: mlir.Scalar) -> Value:
        """Both, one or exactly one of two conditions; they are 1 and 0."""
        values = [self.value(each.name) for each in operation.operands]
        if operation.name == "arith.andi":
            return self.builder.product(values, origin=operation.origin)
        if operation.name == "arith.ori":
            return self.builder.elementwise(Function.MAX, values, operation.origin)
        numbers = [self.builder.number(Number(each)) for each in (1.0, 0.0)]
        return self.builder.elementwise(Function.WHERE_NE, [*values, *numbers], operation.origin)

    def _select(self, operation: mlir.Scalar) -> Value:
        condition = self.definitions.get(operation.operands[0].name)
        taken, other = (self.value(each.name) for each in operation.operands[1:])
        if isinstance(condition, mlir.Scalar) and condition.name in COMPARISONS:
            if self._is_relu(operation, condition):
                given = (self.value(condition.operands[0].name),)
                return self.builder.elementwise(Function.RELU, given, operation.origin)
            return self._compared(condition, taken, other, operation.origin)
        zero = self.builder.number(Number(0.0))
        given_ = [self.value(operation.operands[0].name), zero, taken, other]
        return self.builder.elementwise(Function.WHERE_NE, given_, operation.origin)

    def _compared(self, condition: mlir.Scalar, taken: Value, other: Value, origin: Origin) -> Value:
        """`taken` where a comparison is true, else `other`."""
        word = condition.predicate
        if condition.name == "arith.cmpi":
            if not all(_is_position(each) for each in condition.operands):
                raise refused(
                    "a contraction graph compares real numbers and positions, no other integers", condition.origin
                )
            word = INTEGERS[word]
        left, right = (self.value(each.name) for each in condition.operands)

        def where(function: Function, a: Value, b: Value, x: Value, y: Value) -> Value:
            return self.builder.elementwise(function, (a, b, x, y), origin)

        match word:
            case "true" | "false":
                return taken if word == "true" else other
            case "one" | "ueq":  # less or larger
                x, y = (taken, other) if word == "one" else (other, taken)
                return where(Function.WHERE_LT, left, right, x, where(Function.WHERE_LT, right, left, x, y))
            case "ord" | "uno":  # NaN differs from itself
                x, y = (taken, other) if word == "ord" else (other, taken)
                return where(Function.WHERE_EQ, left, left, where(Function.WHERE_EQ, right, right, x, y), y)
            case _:  # open: the verifier knows no other words
                function, order = SELECTIONS[word]
                values = (left, right, taken, other)
                return self.builder.elementwise(function, [values[place] for place in order], origin)

    def _is_relu(self, selection: mlir.Scalar, condition: mlir.Scalar) -> bool:
        """True for `x < 0 ? 0 : x`."""
        (left, right), (_, taken, other) = condition.operands, selection.operands
        zeros = [self.definitions.get(each.name) for each in (right, taken)]
        is_zero = all(isinstance(each, mlir.Literal) and each.value == 0 for each in zeros)
        return condition.predicate == "olt" and is_zero and left.name == other.name

    # -- reductions ----------------------------------------------------------------------------------------------------

    def accumulation(self, name: str, output: str) -> Accumulation:
        """What is added to an output. Raises `CompileError` (E0826) if something else is done to it."""
        operation = self.definitions.get(name)
        if isinstance(operation, mlir.Scalar) and (function := _extremum(operation)) is not None:
            others = [each.name for each in operation.operands if each.name != output]
            if len(others) == 1 and not self.uses(others[0], output):
                return Accumulation(function, ((1, others[0]),))
        terms = list(self._terms(name, output, 1))
        accumulated = [sign for sign, term in terms if term == output]
        others_ = tuple((sign, term) for sign, term in terms if term != output)
        if accumulated != [1] or any(self.uses(term, output) for _, term in others_):
            origin = self.payload.origin if operation is None else operation.origin
            message = "a reduction adds to the output, or takes the larger or smaller of it and a value"
            raise refused(message, origin)
        return Accumulation(None, others_)

    def _terms(self, name: str, output: str, sign: int) -> list[tuple[int, str]]:
        """The terms of a sum that the output is one of."""
        operation = self.definitions.get(name)
        if isinstance(operation, mlir.Scalar) and name != output and self.uses(name, output):
            names = [each.name for each in operation.operands]
            if operation.name in ("arith.addf", "arith.subf"):
                second = sign if operation.name == "arith.addf" else -sign
                return [*self._terms(names[0], output, sign), *self._terms(names[1], output, second)]
        return [(sign, name)]


HANDLED = frozenset(
    {
        *("arith.addf", "arith.subf", "arith.mulf", "arith.negf", "arith.select", "arith.cmpf", "math.fma"),
        *("math.rsqrt", "math.fpowi", *FUNCTIONS),
    }
)


def _extremum(operation: mlir.Scalar) -> Function | None:
    """The function of the graph that reduces as this operation does."""
    if operation.result.type is mlir.ScalarType.I1:
        return OF_CONDITIONS.get(operation.name)
    return EXTREMA.get(operation.name)


def _is_position(value: mlir.Value) -> bool:
    """True for numbers that a kernel computes with: real ones, conditions, positions and integers made of them."""
    return value.type in (
        *(mlir.ScalarType.F32, mlir.ScalarType.F64, mlir.ScalarType.INDEX, mlir.ScalarType.I1),
        *(mlir.ScalarType.I32, mlir.ScalarType.I64),
    )


def number(builder: GraphBuilder, value: float, origin: Origin) -> Value:
    """A number as a value; a graph has none that are infinite or NaN, and computes them."""
    if isfinite(value):
        return builder.number(Number(value), origin)
    least = builder.elementwise(Function.LOG, (builder.number(Number(0.0), origin),), origin)
    if value == float("-inf"):
        return least
    largest = builder.scaled(MINUS_ONE, least)
    return largest if value == float("inf") else builder.sum((least, largest), origin)
