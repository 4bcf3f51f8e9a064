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
from einsum_front.core.coefficient import MINUS_ONE, ONE, Coefficient, Number, scalars_of, times
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.core.names import parts_of_scalar
from einsum_front.notation import checked
from einsum_front.notation.parts.complexity import complex_names
from einsum_front.notation.parts.program import real_program


def elaborate(kernel: checked.Kernel, program: checked.CheckedProgram) -> ir.Graph:
    """The contraction graph of a kernel of `program`; leaves stand in the order of the declarations."""
    return _Elaboration(kernel, program).graph()


class _Elaboration:
    """The arguments that a kernel uses, then its statements one after the other."""

    def __init__(self, kernel: checked.Kernel, program: checked.CheckedProgram) -> None:
        self._complex = complex_names(program.tensors, program.scalars)
        named = set(chain.from_iterable(map(_names_in_statement, kernel.statements)))
        parts = {name: parts_of_scalar(name) for name in named & self._complex}
        self._wholes = {part: name for name, pair in parts.items() for part in pair}
        self._kernel, real = real_program(kernel, program)
        used = named.union(self._wholes, *map(_names_in_statement, self._kernel.statements))
        tensors = [tensor for tensor in real.tensors if tensor.name in used]
        scalars = [scalar for scalar in real.scalars if scalar.name in used]
        element_type = tensors[0].element_type  # all have that of the text
        self._atomic = {tensor.name for tensor in tensors if tensor.is_atomic}
        self._builder = ir.GraphBuilder(kernel.name, element_type, kernel.origin)
        for size in real.sizes:
            self._builder.size(size.name, size.least, size.most, size.hint)
        for tensor in tensors:
            self._declare(tensor)
        for scalar in scalars:
            self._builder.scalar(scalar.name, scalar.origin, self._wholes.get(scalar.name, ""))

    def _declare(self, tensor: checked.Tensor) -> None:
        self._builder.tensor(
            tensor.name,
            tensor.shape,
            tensor.storage,
            tensor.strides,
            batch_after=tensor.batch_after,
            nonzeros=tensor.nonzeros,
            values=tensor.values,
            memory=tensor.memory,
            is_complex=tensor.name in self._complex,
            origin=tensor.origin,
        )

    def graph(self) -> ir.Graph:
        """The graph behind all statements."""
        for statement in self._kernel.statements:
            target = statement.target
            if isinstance(target, checked.Gather):
                self._scatter(statement, target)
            else:
                value = self._assigned(statement, target)
                self._builder.assign(target.tensor, self._positions(target), value, statement.origin)
        return self._builder.graph()

    def _scatter(self, statement: checked.Assignment, target: checked.Gather) -> None:
        """What the elements add where integers say."""
        sign = MINUS_ONE if statement.operator is checked.AssignmentOperator.SUB else ONE
        value = self._builder.sum(self._terms(statement.value, sign), statement.origin)
        positions, element, _ = self._places(target)
        (name,) = target.tensors
        self._builder.scatter(
            name, positions, value, element, statement.origin, is_atomic=name in self._atomic
        )  # fmt: skip

    def _assigned(self, statement: checked.Assignment, target: checked.Access) -> ir.Value:
        """The whole new value of the target's part: with the old one for `+=` and `-=`."""
        match statement.operator:
            case checked.AssignmentOperator.SET:
                return self._value(statement.value)
            case checked.AssignmentOperator.ADD:
                sign = ONE
            case checked.AssignmentOperator.SUB:
                sign = MINUS_ONE
        return self._builder.sum([self._value(target), *self._terms(statement.value, sign)], statement.origin)

    def _value(self, expression: checked.Expression) -> ir.Value:
        """The expression, of which products are nodes already."""
        match expression:
            case checked.Access(tensor=tensor, origin=origin):
                return self._builder.read(tensor, self._positions(expression), origin)
            case checked.Gather():
                return self._gathered(expression)
            case checked.ScalarTerm(value=value):
                return self._builder.number(value)
            case checked.Sum(origin=origin):
                return self._builder.sum(self._terms(expression, ONE), origin)
            case checked.Apply(function=function, arguments=arguments, origin=origin):
                return self._builder.elementwise(function, [self._value(each) for each in arguments], origin)
            case checked.Quotient(dividend=dividend, divisor=divisor, origin=origin):
                return self._builder.elementwise(Function.DIV, [self._value(dividend), self._value(divisor)], origin)
            case checked.Extremum(function=function, indices=indices, operand=operand, origin=origin):
                names = tuple(index.name for index in indices)
                return self._builder.extremum(function, self._value(operand), names, origin)
            case checked.Component():
                raise CompilerBug("a part of a complex number behind the pass that has taken all parts")
            case checked.Scaled() | checked.Product() | checked.Reduction():
                return self._builder.evaluated(self._product(expression), expression.origin)

    def _terms(self, expression: checked.Expression, sign: Coefficient) -> list[ir.Value]:
        """The terms of nested sums as one list, each multiplied by `sign`."""
        match expression:
            case checked.Sum(terms=terms):
                return [value for term in terms for value in self._terms(term, sign)]
            case checked.Scaled(coefficient=Number(value=-1.0), operand=checked.Sum() as operand):
                return self._terms(operand, times(MINUS_ONE, sign))
            case (
                checked.Access() | checked.ScalarTerm() | checked.Scaled() | checked.Product() | checked.Reduction()
                | checked.Apply() | checked.Quotient() | checked.Extremum() | checked.Component() | checked.Gather()
            ):  # fmt: skip
                return [self._builder.scaled(sign, self._value(expression))]

    def _product(self, expression: checked.Expression) -> ir.Value:
        """Nested products and what is summed over them, for one node."""
        match expression:
            case checked.Scaled(coefficient=coefficient, operand=operand):
                return self._builder.scaled(coefficient, self._product(operand))
            case checked.Reduction(indices=indices, operand=operand, origin=origin):
                return self._builder.product([self._product(operand)], tuple(index.name for index in indices), origin)
            case checked.Product(factors=factors, origin=origin):
                return self._builder.product([self._product(factor) for factor in factors], (), origin)
            case checked.Access() | checked.ScalarTerm() | checked.Sum() | checked.Apply() | checked.Extremum():
                return self._value(expression)
            case checked.Quotient() | checked.Component() | checked.Gather():
                return self._value(expression)

    def _gathered(self, gather: checked.Gather) -> ir.Value:
        """What is read where integers say."""
        positions, element, member = self._places(gather)
        return self._builder.gather(gather.tensors, positions, element, member, gather.origin)

    def _places(self, gather: checked.Gather) -> tuple[list[ir.Position | ir.Entry], ir.Entry | None, ir.Entry | None]:
        """The positions, the element and the member."""
        positions = [
            self._entry(each.entry) if isinstance(each, checked.EntryPosition) else self._position(each)
            for each in gather.positions
        ]
        element, member = (None if each is None else self._entry(each) for each in (gather.element, gather.member))
        return positions, element, member

    def _entry(self, entry: checked.Access) -> ir.Entry:
        return ir.Entry(entry.tensor, self._positions(entry))

    def _positions(self, access: checked.Access) -> tuple[ir.Position, ...]:
        return tuple(map(self._position, access.positions))

    def _position(self, position: checked.IndexPosition | checked.FixedPosition) -> ir.Position:
        match position:
            case checked.IndexPosition(index=index, offset=offset):
                return ir.Window(index.name, offset, index.extent)
            case checked.FixedPosition(position=fixed):
                return fixed


def _names_in_statement(statement: checked.Assignment) -> Iterator[str]:
    yield from _names_in(statement.target)
    yield from _names_in(statement.value)


def _names_in(value: checked.Expression) -> Iterator[str]:
    """The tensors and scalars in an expression."""
    match value:
        case checked.Access(tensor=name):
            yield name
        case checked.Gather(tensors=names, entries=entries):
            yield from chain(names, (entry.tensor for entry in entries))
        case checked.ScalarTerm(value=number):
            yield from scalars_of(number)
        case checked.Scaled(coefficient=number, operand=inner):
            yield from chain(scalars_of(number), _names_in(inner))
        case (
            checked.Product() | checked.Sum() | checked.Reduction() | checked.Apply() | checked.Quotient()
            | checked.Component() | checked.Extremum()
        ):  # fmt: skip
            yield from chain.from_iterable(map(_names_in, checked.parts(value)))
