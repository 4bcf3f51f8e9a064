"""A checked kernel as naive loops in C: what the test program of a package compares with.

Every entry is a number and its magnitude, the sum of the absolute values of all terms: roundings are bounded by it.
Tensors of an element are packed, column-major.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from einsum_front.core.coefficient import Coefficient, Number, ScalarOperation, ScalarPower, ScalarUse
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import static
from einsum_front.core.functions import Function
from einsum_front.notation.checked import (
    Access,
    Apply,
    Assignment,
    AssignmentOperator,
    Component,
    Expression,
    Extremum,
    FixedPosition,
    Gather,
    Index,
    IndexPosition,
    Kernel,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
)
from einsum_front.notation.checked import parts as parts_of

ROUNDINGS_OF_FUNCTION = 8
"""In units in the last place, how far the functions of two libraries may be apart."""

Names = Mapping[str, str]
"""C names of tensors, or of scalars, by those of the text."""


def accesses(kernel: Kernel) -> tuple[Access, ...]:
    """All accesses of a kernel, in the order of the text."""
    return tuple(each for statement in kernel.statements for each in _of_statement(statement))


def _of_statement(statement: Assignment) -> list[Access]:
    return [*_accesses(statement.target), *_accesses(statement.value)]


def _accesses(expression: Expression) -> list[Access]:
    if isinstance(expression, Access):
        return [expression]
    return [each for part in parts_of(expression) for each in _accesses(part)]


def has_gathers(kernel: Kernel) -> bool:
    """True if a kernel reads or adds where integers say: loops have no places to compare at."""
    return any(_has_gathers(each.target) or _has_gathers(each.value) for each in kernel.statements)


def _has_gathers(expression: Expression) -> bool:
    return isinstance(expression, Gather) or any(map(_has_gathers, parts_of(expression)))


def roundings(kernel: Kernel) -> int:
    """A bound of the roundings that any way to compute an entry of a result has."""
    return sum(1 + _roundings(statement.value) for statement in kernel.statements)


def _roundings(expression: Expression) -> int:
    match expression:
        case Access() | Gather():
            return 0
        case ScalarTerm(value):
            return _operations(value)
        case Scaled(coefficient, operand):
            return 1 + _operations(coefficient) + _roundings(operand)
        case Product(parts):
            return len(parts) - 1 + sum(map(_roundings, parts))
        case Sum(parts):
            return len(parts) - 1 + max(map(_roundings, parts))
        case Reduction(indices, operand):
            return prod(static(index.extent) for index in indices) + _roundings(operand)
        case Component(operand=operand):
            return _roundings(operand)
        case Apply() | Quotient() | Extremum():
            return ROUNDINGS_OF_FUNCTION + sum(map(_roundings, parts_of(expression)))


def _operations(coefficient: Coefficient) -> int:
    match coefficient:
        case Number() | ScalarUse():
            return 0
        case ScalarOperation(_, left, right):
            return 1 + _operations(left) + _operations(right)
        case ScalarPower(base, exponent):
            return abs(exponent) + _operations(base)


def points(kernel: Kernel) -> int:
    """How often the innermost expressions of all loops are computed."""
    return sum(
        prod(static(index.extent) for index in _indices(statement.target)) * _points(statement.value)
        for statement in kernel.statements
    )


def _points(expression: Expression) -> int:
    match expression:
        case Access() | Gather() | ScalarTerm():
            return 1
        case Scaled(operand=operand) | Component(operand=operand):
            return _points(operand)
        case Product(parts) | Sum(parts):
            return sum(map(_points, parts))
        case Reduction(indices=indices, operand=operand) | Extremum(indices=indices, operand=operand):
            return prod(static(index.extent) for index in indices) * _points(operand)
        case Apply() | Quotient():
            return sum(map(_points, parts_of(expression)))


def _indices(access: Access | Gather) -> tuple[Index, ...]:
    """The indices of an access, each once."""
    if isinstance(access, Gather):
        return access.indices
    found = (position.index for position in access.positions if isinstance(position, IndexPosition))
    return tuple(dict.fromkeys(found))


def result_size(kernel: Kernel) -> int:
    """The most entries that a statement writes."""
    return max(prod(static(index.extent) for index in _indices(statement.target)) for statement in kernel.statements)


class Loops:
    """Prints the statements of a kernel; `tensors` and `scalars` are their C names."""

    def __init__(self, declared: Mapping[str, Tensor], tensors: Names, scalars: Names) -> None:
        self._declared = declared
        self._tensors = tensors
        self._scalars = scalars
        self._lines: list[str] = []
        self._depth = 1
        self._count = 0

    def text(self, statements: Iterable[Assignment]) -> str:
        """The statements: each is computed as a whole into `result`, then assigned."""
        for statement in statements:
            indices = _indices(statement.target)
            self._line("count = 0;")
            self._open(indices)
            self._line(f"result[count++] = {self._value(statement.value)};")
            self._close(indices)
            self._line("count = 0;")
            self._open(indices)
            if isinstance(statement.target, Gather):
                raise CompilerBug("loops add where integers say")
            target = self._entry(statement.target)
            self._line(f"{target} = {_assigned(statement.operator, target)};")
            self._close(indices)
        return "\n".join(self._lines)

    def _value(self, expression: Expression) -> str:
        match expression:
            case Access():
                return self._entry(expression)
            case Gather():
                raise CompilerBug("loops read where integers say")
            case ScalarTerm(value):
                return f"number({self._number(value)})"
            case Scaled(coefficient, operand):
                return f"times(number({self._number(coefficient)}), {self._value(operand)})"
            case Product(parts):
                return self._chain("times", parts)
            case Sum(parts):
                return self._chain("plus", parts)
            case Reduction(indices, operand):
                return self._reduction(indices, operand, "{0, 0}", "plus")
            case Apply(function, arguments):
                return f"entry_{function.value}({', '.join(map(self._value, arguments))})"
            case Quotient(dividend, divisor):
                return f"entry_div({self._value(dividend)}, {self._value(divisor)})"
            case Component():
                raise CompilerBug("loops are of real numbers")
            case Extremum(function, indices, operand):
                sign = "-" if function is Function.MAX else ""
                return self._reduction(indices, operand, f"{{{sign}INFINITY, 0}}", f"entry_{function.value}")

    def _chain(self, function: str, parts: Sequence[Expression]) -> str:
        first, *others = [self._value(part) for part in parts]
        for other in others:
            first = f"{function}({first}, {other})"
        return first

    def _reduction(self, indices: tuple[Index, ...], operand: Expression, first: str, function: str) -> str:
        self._count += 1
        name = f"sum{self._count}"
        self._line(f"entry {name} = {first};")
        self._open(indices)
        self._line(f"{name} = {function}({name}, {self._value(operand)});")
        self._close(indices)
        return name

    def _entry(self, access: Access) -> str:
        stride, words = 1, []
        for position, extent in zip(access.positions, self._declared[access.tensor].shape, strict=True):
            match position:
                case FixedPosition(fixed):
                    word = str(fixed)
                case IndexPosition(index, offset):
                    word = f"i_{index.name}" if offset == 0 else f"(i_{index.name} + {offset})"
            words.append(word if stride == 1 else f"{stride} * {word}")
            stride *= static(extent)
        return f"{self._tensors[access.tensor]}[{' + '.join(words) or '0'}]"

    def _number(self, coefficient: Coefficient) -> str:
        match coefficient:
            case Number(value):
                return repr(float(value))
            case ScalarUse(name):
                return self._scalars[name]
            case ScalarOperation(operator, left, right):
                return f"({self._number(left)} {operator.value} {self._number(right)})"
            case ScalarPower(base, exponent):
                return f"pow({self._number(base)}, {exponent})"

    def _open(self, indices: Sequence[Index]) -> None:
        for index in indices:
            name = f"i_{index.name}"
            self._line(f"for (int {name} = 0; {name} < {index.extent}; ++{name}) {{")
            self._depth += 1

    def _close(self, indices: Sequence[Index]) -> None:
        for _ in indices:
            self._depth -= 1
            self._line("}")

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)


def _assigned(operator: AssignmentOperator, target: str) -> str:
    match operator:
        case AssignmentOperator.SET:
            return "result[count++]"
        case AssignmentOperator.ADD:
            return f"plus({target}, result[count++])"
        case AssignmentOperator.SUB:
            return f"plus({target}, times(number(-1), result[count++]))"
