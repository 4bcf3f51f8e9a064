"""From a kernel of a checked program to its contraction graph, by `ir.GraphBuilder`.

Nested products become one contraction with all their factors, so that the planner is free to order them; coefficients
move out of products; `T += x` becomes `T = T + x`; a tensor that is read after a statement is read from there.

    y[i] = 2 * sum{k}(A[i,k] * sum{j}(B[k,j] * x[j]))

    %0 = leaf A        %3 = contract {ik, kj, j to i} %0, %1, %2
    %1 = leaf B        %4 = scale 2, %3
    %2 = leaf x        %5 = y[i] := {i} %4
"""

from collections.abc import Iterator
from itertools import chain

from einsum_front import ir
from einsum_front.notation import checked
from einsum_front.notation.check.run_time_size import RunTimeExtent


def elaborate(kernel: checked.Kernel, program: checked.CheckedProgram) -> ir.Graph:
    """The contraction graph of a kernel of `program`; leaves stand in the order of the declarations."""
    return _Elaboration(kernel, program).graph()


class _Elaboration:
    """The arguments that a kernel uses, then its statements one after the other."""

    def __init__(self, kernel: checked.Kernel, program: checked.CheckedProgram) -> None:
        self._kernel = kernel
        used = set(chain.from_iterable(map(_names_in_statement, kernel.statements)))
        tensors = [tensor for tensor in program.tensors if tensor.name in used]
        scalars = [scalar for scalar in program.scalars if scalar.name in used]
        sizes = (ir.Size(each.name, each.least, each.most, each.hint) for each in program.sizes)
        self._sizes = {size.name: ir.with_named_sample(size) for size in sizes}
        element_type = tensors[0].element_type  # all have that of the text
        self._builder = ir.GraphBuilder(kernel.name, element_type, kernel.origin)
        for size in self._sizes.values():
            self._builder.size(size.name, size.least, size.most, size.hint)
        for tensor in tensors:
            self._declare(tensor)
        for scalar in scalars:
            self._builder.scalar(scalar.name, scalar.origin)

    def _declare(self, tensor: checked.Tensor) -> None:
        shape, strides = tuple(map(self._number, tensor.shape)), tuple(map(self._number, tensor.strides))
        self._builder.tensor(
            tensor.name,
            shape,
            tensor.storage,
            strides,
            nonzeros=tensor.nonzeros,
            values=tensor.values,
            origin=tensor.origin,
        )

    def _number(self, number: int) -> int:
        return ir.RunTimeNumber(number.value, self._sizes) if isinstance(number, RunTimeExtent) else number

    def graph(self) -> ir.Graph:
        """The graph behind all statements."""
        for statement in self._kernel.statements:
            target = statement.target
            value = self._assigned(statement)
            self._builder.assign(target.tensor, self._positions(target), value, statement.origin)
        return self._builder.graph()

    def _assigned(self, statement: checked.Assignment) -> ir.Value:
        """The whole new value of the target's part: with the old one for `+=` and `-=`."""
        match statement.operator:
            case checked.AssignmentOperator.SET:
                return self._value(statement.value)
            case checked.AssignmentOperator.ADD:
                sign = ir.ONE
            case checked.AssignmentOperator.SUB:
                sign = ir.MINUS_ONE
        return self._builder.sum([self._value(statement.target), *self._terms(statement.value, sign)], statement.origin)

    def _value(self, expression: checked.Expression) -> ir.Value:
        """The expression, of which products are nodes already."""
        match expression:
            case checked.Access(tensor=tensor, origin=origin):
                return self._builder.read(tensor, self._positions(expression), origin)
            case checked.ScalarTerm(value=value):
                return self._builder.number(_coefficient(value))
            case checked.Sum(origin=origin):
                return self._builder.sum(self._terms(expression, ir.ONE), origin)
            case checked.Scaled() | checked.Product() | checked.Reduction():
                return self._builder.evaluated(self._product(expression), expression.origin)

    def _terms(self, expression: checked.Expression, sign: ir.Coefficient) -> list[ir.Value]:
        """The terms of nested sums as one list, each multiplied by `sign`."""
        match expression:
            case checked.Sum(terms=terms):
                return [value for term in terms for value in self._terms(term, sign)]
            case checked.Scaled(coefficient=checked.Number(value=-1.0), operand=checked.Sum() as operand):
                return self._terms(operand, ir.times(ir.MINUS_ONE, sign))
            case _:
                return [self._builder.scaled(sign, self._value(expression))]

    def _product(self, expression: checked.Expression) -> ir.Value:
        """Nested products and what is summed over them, for one node."""
        match expression:
            case checked.Scaled(coefficient=coefficient, operand=operand):
                return self._builder.scaled(_coefficient(coefficient), self._product(operand))
            case checked.Reduction(indices=indices, operand=operand, origin=origin):
                return self._builder.product([self._product(operand)], tuple(index.name for index in indices), origin)
            case checked.Product(factors=factors, origin=origin):
                return self._builder.product([self._product(factor) for factor in factors], (), origin)
            case checked.Access() | checked.ScalarTerm() | checked.Sum():
                return self._value(expression)

    def _positions(self, access: checked.Access) -> tuple[ir.Position, ...]:
        return tuple(map(self._position, access.positions))

    def _position(self, position: checked.IndexPosition | checked.FixedPosition) -> ir.Position:
        match position:
            case checked.IndexPosition(index=index, offset=offset):
                return ir.Window(index.name, offset, self._number(index.extent))
            case checked.FixedPosition(position=fixed):
                return fixed


def _coefficient(coefficient: checked.Coefficient) -> ir.Coefficient:
    match coefficient:
        case checked.Number(value=value, origin=origin):
            return ir.Number(value, origin)
        case checked.ScalarUse(name=name, origin=origin):
            return ir.ScalarUse(name, origin)
        case checked.ScalarPower(base=base, exponent=exponent, origin=origin):
            return ir.Power(_coefficient(base), exponent, origin)
        case checked.ScalarOperation(operator=operator, left=left, right=right, origin=origin):
            kind = ir.Operator(operator.value)
            return ir.Operation(kind, _coefficient(left), _coefficient(right), origin)


def _names_in_statement(statement: checked.Assignment) -> Iterator[str]:
    yield statement.target.tensor
    yield from _names_in(statement.value)


def _names_in(value: checked.Expression | checked.Coefficient) -> Iterator[str]:
    """The tensors and scalars in an expression, or in a coefficient."""
    match value:
        case checked.Access(tensor=name) | checked.ScalarUse(name=name):
            yield name
        case checked.Number():
            return
        case checked.ScalarTerm(value=inner) | checked.Reduction(operand=inner) | checked.ScalarPower(base=inner):
            yield from _names_in(inner)
        case checked.Scaled(coefficient=one, operand=other):
            yield from chain(_names_in(one), _names_in(other))
        case checked.ScalarOperation(left=left, right=right):
            yield from chain(_names_in(left), _names_in(right))
        case checked.Product(factors=operands) | checked.Sum(terms=operands):
            yield from chain.from_iterable(map(_names_in, operands))
