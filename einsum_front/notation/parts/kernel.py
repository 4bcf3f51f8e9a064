"""The statements of a kernel over parts: see `program`."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from einsum_front.core.coefficient import MINUS_ONE, ONE, ZERO, Coefficient, is_zero, times
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import hint, static_shape
from einsum_front.core.functions import SELECTIONS, Function
from einsum_front.core.names import fresh_numbered, parts_of_scalar
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation import checked
from einsum_front.notation.checked import Access, Assignment, AssignmentOperator, Expression, packed
from einsum_front.notation.parts.complexity import Names, complex_names, is_complex
from einsum_front.notation.parts.expressions import (
    BOTH,
    NOTHING,
    Item,
    cost_of,
    entries_of,
    indices_of,
    keeps_parts,
    names_in,
    number_of,
    part_at,
    parts_of,
    product_of,
    reads,
    scaled,
    squared,
    sum_of,
)


class RealKernel:
    """The statements of a kernel over parts; what they need besides are `temporaries`."""

    def __init__(self, kernel: checked.Kernel, program: checked.CheckedProgram) -> None:
        self.statements: list[Assignment] = []
        self.temporaries: dict[str, checked.Tensor] = {}
        self._tensors = {tensor.name: tensor for tensor in program.tensors}
        self._names: Names = complex_names(program.tensors, program.scalars)
        sizes = {size.name for size in program.sizes}
        scalars = {scalar.name for scalar in program.scalars}
        parts = {part for name in scalars & self._names for part in parts_of_scalar(name)}
        self._taken = {*self._tensors, *scalars, *sizes, *parts}
        self._element_type = program.tensors[0].element_type
        indices = {name for statement in kernel.statements for name in names_in(statement)}
        self._index = checked.Index(fresh_numbered("part", indices), BOTH)
        self._turned: dict[Access, Access] = {}
        self._values: dict[Expression, Access] = {}

    # -- statements ----------------------------------------------------------------------------------------------------

    def statement(self, statement: Assignment) -> None:
        """Append what does the same to parts."""
        target, value, operator = statement.target, statement.value, statement.operator
        if isinstance(target, checked.Gather) or target.tensor not in self._names:
            self._assign(target, operator, self._real(value), statement)
        elif not self._is_complex(value):
            self._assign(part_at(target, 0), operator, self._real(value), statement)
            if operator is AssignmentOperator.SET:
                self._assign(part_at(target, 1), operator, NOTHING, statement)
        else:
            self._complex_statement(statement, target)
        if statement.written not in self.temporaries:  # or the statement is a part of another one
            self._turned = {each: made for each, made in self._turned.items() if each.tensor != statement.written}
            self._values.clear()

    def _complex_statement(self, statement: Assignment, target: Access) -> None:
        """Both parts at once where the value has them side by side, then what it has in one part."""
        value, operator = statement.value, statement.operator
        terms = value.terms if isinstance(value, checked.Sum) else (value,)
        together = [term for term in terms if self._is_together(term)]
        rest = sum_of(term for term in terms if not self._is_together(term))
        if rest is not None and reads(rest, target.tensor) and (together or not keeps_parts(rest)):
            together, rest = [*together, rest], None
        parts = [] if rest is None else [self._part_or_zero(rest, part) for part in range(BOTH)]
        if together:
            value = sum_of([self._side(term, target) for term in together]) or NOTHING
            self._assign(self._both(target), operator, value, statement)
            operator = AssignmentOperator.ADD if operator is AssignmentOperator.SET else operator
        for part, each in enumerate(parts):
            if operator is AssignmentOperator.SET or each is not NOTHING:
                self._assign(part_at(target, part), operator, each, statement)

    def _assign(
        self, target: Access | checked.Gather, operator: AssignmentOperator, value: Expression, statement: Assignment
    ) -> None:
        self.statements.append(replace(statement, target=target, operator=operator, value=value))

    # -- values --------------------------------------------------------------------------------------------------------

    def _is_complex(self, expression: Expression) -> bool:
        return is_complex(expression, self._names)

    def _is_together(self, expression: Expression) -> bool:
        """True if a complex expression is computed with both parts side by side: its operands have them so."""
        if isinstance(expression, checked.Scaled):
            return self._is_complex(expression.operand) and self._is_together(expression.operand)
        return self._is_complex(expression) and not isinstance(expression, checked.ScalarTerm | checked.Component)

    def _both(self, access: Access) -> Access:
        """Both parts of what a complex tensor has there."""
        return replace(access, positions=(*access.positions, checked.IndexPosition(self._index)))

    def _real(self, expression: Expression) -> Expression:
        """A real expression, in which nothing is complex."""
        return self._part_or_zero(expression, 0)

    def _part_or_zero(self, expression: Expression, part: int) -> Expression:
        return self._part(expression, part) or NOTHING

    def _part(self, expression: Expression, part: int) -> Expression | None:
        """The real (0) or imaginary (1) part of an expression; None where it is zero whatever tensors hold."""
        if part == 1 and not self._is_complex(expression):
            return None
        match expression:
            case Access():
                return part_at(expression, part) if expression.tensor in self._names else expression
            case checked.Gather():
                return expression
            case checked.ScalarTerm(value=value):
                return number_of(parts_of(value, self._names)[part], expression)
            case checked.Scaled(coefficient=coefficient, operand=operand):
                return self._scaled_part(coefficient, operand, part)
            case checked.Sum(terms=terms):
                return sum_of(each for term in terms if (each := self._part(term, part)) is not None)
            case checked.Product() | checked.Reduction():
                return self._part_of_product(expression, part)
            case checked.Apply():
                return self._part_of_function(expression, part)
            case checked.Quotient(dividend=dividend, divisor=divisor):
                if self._is_complex(divisor):
                    return self._part(self._without_complex_divisor(expression), part)
                return replace(expression, dividend=self._part_or_zero(dividend, part), divisor=self._real(divisor))
            case checked.Component(part=kind, operand=operand):
                wanted = 1 if kind is checked.Part.IMAGINARY else part
                found = self._part(operand, wanted)
                if found is None or kind is not checked.Part.CONJUGATE or part == 0:
                    return found
                return scaled(MINUS_ONE, found)
            case checked.Extremum(operand=operand):
                return replace(expression, operand=self._real(operand))

    def _part_of_function(self, apply: checked.Apply, part: int) -> Expression:
        """A choice between complex values chooses between their parts; other functions are real."""
        first = apply.arguments[0]
        if apply.function is Function.ABS and self._is_complex(first):
            return checked.Apply(Function.SQRT, (self._real(squared(self._accessed(first))),), apply.origin)
        compared = 2 if apply.function in SELECTIONS else len(apply.arguments)
        arguments = (
            self._real(each) if place < compared else self._part_or_zero(each, part)
            for place, each in enumerate(apply.arguments)
        )
        return replace(apply, arguments=tuple(arguments))

    def _scaled_part(self, coefficient: Coefficient, operand: Expression, part: int) -> Expression | None:
        """A part of a number times something."""
        real, imaginary = parts_of(coefficient, self._names)
        if not is_zero(imaginary) and not isinstance(operand, Access) and self._is_complex(operand):
            operand = self._materialized(operand)
        signed = imaginary if part == 1 else times(MINUS_ONE, imaginary)
        pairs = (real, self._part(operand, part)), (signed, self._part(operand, 1 - part))
        return sum_of(scaled(number, each) for number, each in pairs if each is not None and number != ZERO)

    def _part_of_product(self, expression: checked.Product | checked.Reduction, part: int) -> Expression | None:
        """A part of a product: a sum of two real products if two factors are complex."""
        over, items = self._few_factors(expression)
        reals = [self._part(each.value, 0) for each in items if not each.is_complex]
        if any(each is None for each in reals):
            return None
        factors = [each for each in reals if each is not None]
        others = [each.value for each in items if each.is_complex]
        if not others:
            return product_of(factors, over, expression)
        if len(others) == 1:
            pairs: list[tuple[Coefficient, list[Expression | None]]] = [(ONE, [self._part(others[0], part)])]
        else:
            first, second = (self._with_parts_at_hand(each) for each in others)
            sign = ONE if part == 1 else MINUS_ONE
            pairs = [
                (ONE, [self._part(first, 0), self._part(second, part)]),
                (sign, [self._part(first, 1), self._part(second, 1 - part)]),
            ]
        terms = []
        for sign, several in pairs:
            known = [each for each in several if each is not None]
            if len(known) == len(several):
                terms.append(scaled(sign, product_of([*factors, *known], over, expression)))
        return sum_of(terms)

    def _side(self, expression: Expression, target: Access | None = None) -> Expression:
        """An expression with its parts side by side, along the index of parts.

        `target` is where it goes, whose order in memory decides between ways to do that.
        """
        if not self._is_together(expression):
            return self._both(self._materialized(expression))
        match expression:
            case Access():
                return self._both(expression)
            case checked.Sum(terms=terms):
                return replace(expression, terms=tuple(self._side(term, target) for term in terms))
            case checked.Scaled(coefficient=coefficient, operand=operand):
                return self._scaled_side(coefficient, operand, target)
            case checked.Product() | checked.Reduction():
                return self._side_of_product(expression, target)
            case checked.Apply(arguments=arguments):
                left, right, *others = arguments
                compared = [self._real(each) for each in (left, right)]
                return replace(expression, arguments=(*compared, *(self._side(each, target) for each in others)))
            case checked.Quotient(dividend=dividend, divisor=divisor):
                if self._is_complex(divisor):
                    return self._side(self._without_complex_divisor(expression), target)
                return replace(expression, dividend=self._side(dividend, target), divisor=self._real(divisor))
            case checked.ScalarTerm() | checked.Component() | checked.Extremum() | checked.Gather():
                raise CompilerBug("it has no parts side by side")

    def _scaled_side(self, coefficient: Coefficient, operand: Expression, target: Access | None) -> Expression:
        """A complex number goes into one of the complex factors: what is added up then is no larger than that."""
        real, imaginary = parts_of(coefficient, self._names)
        if is_zero(imaginary):
            return scaled(real, self._side(operand, target))
        if isinstance(operand, checked.Product | checked.Reduction):
            over, items = self._few_factors(operand)
            place = next(number for number, each in enumerate(items) if each.is_complex)
            values = [each.value for each in items]
            values[place] = checked.Scaled(coefficient, values[place], operand.origin)
            return self._side(product_of(values, over, operand), target)
        access = operand if isinstance(operand, Access) else self._materialized(operand)
        terms = [(real, self._both(access)), (imaginary, self._both(self._times_i(access)))]
        return sum_of(scaled(number, each) for number, each in terms if not is_zero(number)) or NOTHING

    def _side_of_product(self, expression: checked.Product | checked.Reduction, target: Access | None) -> Expression:
        over, items = self._few_factors(expression)
        factors = [self._real(each.value) for each in items if not each.is_complex]
        others = [each.value for each in items if each.is_complex]
        if len(others) == 1:
            return product_of([*factors, self._side(others[0], target)], over, expression)
        fastest = self._fastest(target) if target is not None else ""
        whole = max(others, key=lambda each: self._is_whole(each, fastest))
        split = next(each for each in others if each is not whole)
        split, kept = self._with_parts_at_hand(split), self._accessed(whole)
        terms = []
        for part, each in enumerate((kept, self._times_i(kept))):
            factor = self._part(split, part)
            if factor is not None:
                terms.append(product_of([*factors, factor, self._both(each)], over, expression))
        return sum_of(terms) or NOTHING

    def _is_whole(self, expression: Expression, fastest: str) -> tuple[bool, bool, bool, float]:
        """Greatest for the factor whose parts stay side by side: it has the fastest index, is an array and is small."""
        free = indices_of(expression)
        is_batched = isinstance(expression, Access) and self._tensor(expression).storage is not Storage.CONSTANT
        return fastest in free, isinstance(expression, Access), is_batched, -entries_of(free.values())

    def _fastest(self, target: Access) -> str:
        """The index of the mode of the target whose entries are neighbours."""
        strides = self._tensor(target).strides
        modes = [
            (hint(strides[mode]), p.index.name)
            for mode, p in enumerate(target.positions)
            if isinstance(p, checked.IndexPosition) and p.index.extent != 1
        ]
        return min(modes, default=(0, ""))[1]

    def _tensor(self, access: Access) -> checked.Tensor:
        return self._tensors[access.tensor]

    # -- what is computed before ---------------------------------------------------------------------------------------

    def _few_factors(
        self, expression: checked.Product | checked.Reduction
    ) -> tuple[tuple[checked.Index, ...], list[Item]]:
        """The summed indices and the factors of a product, of which at most two are complex.

        Of more, the pair with the fewest products of entries is multiplied first, as often as it takes.
        """
        over = expression.indices if isinstance(expression, checked.Reduction) else ()
        inner = expression.operand if isinstance(expression, checked.Reduction) else expression
        values = inner.factors if isinstance(inner, checked.Product) else (inner,)
        items = [Item(each, self._is_complex(each)) for each in values]
        while sum(each.is_complex for each in items) > BOTH:
            one, other = min(combinations(items, 2), key=lambda pair: cost_of(pair, items, over))
            rest = [each for each in items if each is not one and each is not other]
            needed = {name for each in rest for name in indices_of(each.value)}
            summed = tuple(index for index in over if index.name not in needed)
            over = tuple(index for index in over if index not in summed)
            found = product_of([one.value, other.value], summed, expression)
            if one.is_complex and other.is_complex:
                found = self._materialized(found)
            items = [*rest, Item(found, one.is_complex or other.is_complex)]
        return over, items

    def _with_parts_at_hand(self, expression: Expression) -> Expression:
        """The expression, or a temporary with it where its parts would be computed twice."""
        inner = expression.operand if isinstance(expression, checked.Scaled | checked.Component) else expression
        is_at_hand = isinstance(inner, Access | checked.ScalarTerm)
        return expression if is_at_hand else self._materialized(expression)

    def _accessed(self, expression: Expression) -> Access:
        return expression if isinstance(expression, Access) else self._materialized(expression)

    def _materialized(self, expression: Expression) -> Access:
        """A temporary with a complex (or real) expression; its modes are the indices of the expression."""
        if expression not in self._values:
            access = self._temporary("value", expression)
            self.statement(Assignment(access, AssignmentOperator.SET, expression, expression.origin))
            self._values[expression] = access
        return self._values[expression]

    def _temporary(self, name: str, like: Expression) -> Access:
        """A complex temporary over the indices of an expression."""
        free = indices_of(like)
        name = fresh_numbered(name, self._taken)
        self._taken.add(name)
        shape = tuple(free.values())
        tensor = checked.Tensor(
            name, name, self._element_type, Storage.TEMPORARY, shape, packed(shape, reversed(range(len(shape)))),
            is_complex=True, origin=like.origin,
        )  # fmt: skip
        self._tensors[name] = tensor
        self._names |= {name}
        self.temporaries[name] = real_tensor(tensor)
        positions = tuple(checked.IndexPosition(checked.Index(each, extent)) for each, extent in free.items())
        return Access(name, positions, like.origin)

    def _times_i(self, access: Access) -> Access:
        """A temporary with the imaginary unit times what a complex tensor has there."""
        if access not in self._turned:
            made = self._temporary("turned", access)
            for part, coefficient in enumerate((MINUS_ONE, ONE)):
                value = scaled(coefficient, part_at(access, 1 - part))
                self.statements.append(Assignment(part_at(made, part), AssignmentOperator.SET, value, access.origin))
            self._turned[access] = made
        return self._turned[access]

    def _without_complex_divisor(self, quotient: checked.Quotient) -> Expression:
        """`x / y` as `x * conj(y) / |y|**2`."""
        divisor = self._accessed(quotient.divisor)
        conjugate = checked.Component(checked.Part.CONJUGATE, divisor, quotient.origin)
        product = checked.Product((quotient.dividend, conjugate), quotient.origin)
        return checked.Quotient(product, squared(divisor), quotient.origin)


# -- tensors of complex numbers as those of their parts ----------------------------------------------------------------


def real_tensor(tensor: checked.Tensor) -> checked.Tensor:
    """The tensor of the parts: its last mode is theirs, and the fastest."""
    shape = (*tensor.shape, BOTH)
    pattern = tensor.nonzeros
    if pattern is not None:
        pattern = pattern.over([*range(len(tensor.shape)), None], static_shape(shape))
    values = None
    if tensor.values is not None:
        array = np.array(tensor.values).view(np.complex128)
        values = (*array.real.tolist(), *array.imag.tolist())
        known = Pattern.of_array(np.reshape(np.array(values), static_shape(shape), order="F"))
        pattern = None if known.is_full else known
    return replace(
        tensor,
        shape=shape,
        strides=(*(BOTH * stride for stride in tensor.strides), 1),
        batch_after=None if tensor.batch_after is None else tensor.batch_after + 1,
        nonzeros=pattern,
        values=values,
        is_complex=False,
    )
