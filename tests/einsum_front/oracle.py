"""What a program means, straight from its syntax: every statement multiplied out, every product one numpy.einsum.

Written apart from the checker and the interpreter, so that they can be compared with it: no reduction is made explicit
and no partial sum exists. Each index of the text gets a number where Einstein's rule binds it, and NumPy sums the
numbers that the target lacks.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product
from operator import floordiv, truediv
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.extent import static_shape
from einsum_front.core.numbers import dtype_of, number_in
from einsum_front.core.storage import Storage
from einsum_front.notation import syntax
from einsum_front.notation.checked import CheckedProgram, Tensor
from einsum_front.notation.references import entries_of, references
from tests.einsum_front.strategies import Arguments

Array = NDArray[Any]
Binding = Mapping[str, int]
"""The number of each bound index."""


@dataclass(frozen=True, slots=True)
class Factor:
    """Entries of a tensor with the number of each mode's index."""

    entries: Array
    numbers: tuple[int, ...]


Monomials = list[tuple[complex, tuple[Factor, ...]]]
"""A sum of products: a coefficient and its factors."""


class Oracle:
    """One run of a kernel in double precision, on arrays whose first axis is the batch (number 0) unless constant.

    Integers are those of Python, which do not wrap around.

    With `magnitudes`, every coefficient is taken without its sign and `-=` adds: on arrays without signs that is how
    large an entry would be if nothing cancelled, the measure for rounding errors.
    """

    def __init__(
        self,
        program: syntax.Program,
        arrays: dict[str, Array],
        scalars: Mapping[str, complex],
        *,
        batch: int = 1,
        magnitudes: bool = False,
        of_integers: bool = False,
    ) -> None:
        self.dtype: type = object if of_integers else np.float64
        self.exact: Callable[[Any], Any] = int if of_integers else float
        self.batch = batch
        self.declared = {item.name: item for item in program.items if isinstance(item, syntax.Tensor)}
        self.arrays = arrays
        self.scalars = scalars
        self.magnitudes = magnitudes
        self.variables: dict[str, int] = {}
        self.fresh = count(1)

    def run(self, kernel: syntax.Kernel) -> None:
        for statement in kernel.statements:
            assert isinstance(statement, syntax.Assignment)
            self.assign(statement)

    def assign(self, statement: syntax.Assignment) -> None:
        bound = {name: next(self.fresh) for name in _names(statement.target)}
        entries, numbers = self.entries(statement.target, bound)
        order = list(dict.fromkeys(numbers))
        shape = [entries.shape[numbers.index(number)] for number in order]
        ones = [Factor(np.ones(extent, self.dtype), (number,)) for extent, number in zip(shape, order, strict=True)]
        value: Array = np.zeros(shape, self.dtype)
        for coefficient, factors in self.monomials(statement.value, bound):
            scale = abs(coefficient) if self.magnitudes else coefficient
            value = value + scale * _contracted((*ones, *factors), order)
        if next(entries_of(statement.target), None) is not None:
            sign = 1 if self.magnitudes or statement.operator is syntax.AssignmentOperator.ADD else -1
            self.scatter(statement.target, dict(zip(order[1:], range(1, len(order)), strict=True)), bound, sign * value)
            return
        of_target: list[Any] = [entries, list(map(order.index, numbers)), list(range(len(order)))]
        target = np.einsum(*of_target)
        value = value if np.iscomplexobj(target) else value.real  # a value that is real, as a complex number
        match statement.operator:
            case syntax.AssignmentOperator.SET:
                target[...] = value
            case syntax.AssignmentOperator.ADD:
                target += value
            case syntax.AssignmentOperator.SUB:
                target += value if self.magnitudes else -value

    # -- expressions --

    def monomials(self, expression: syntax.Expression, bound: Binding) -> Monomials:
        match expression:
            case syntax.Literal() | syntax.Power() | syntax.Reference(positions=None):
                return [(self.number(expression), ())]
            case syntax.Imaginary(text):
                return [(float(text) * (1 if self.magnitudes else 1j), ())]
            case syntax.Ones():
                return [(1, ())]  # whoever binds an index multiplies by ones of its extent
            case syntax.Reference():
                own = {name: next(self.fresh) for name in _names(expression) if name not in bound}
                entries, numbers = self.entries(expression, {**bound, **own})
                return [(1, (Factor(entries, numbers),))]
            case syntax.Negation(operand):
                return [(-coefficient, factors) for coefficient, factors in self.monomials(operand, bound)]
            case syntax.Sum(first, rest):
                signed = [(1, first), *((1 if by is syntax.TermOperator.ADD else -1, term) for by, term in rest)]
                return [(sign * c, f) for sign, term in signed for c, f in self.monomials(term, bound)]
            case syntax.RangeSum(variable, body):
                return [m for _ in self.values(variable) for m in self.monomials(body, bound)]
            case syntax.Product(first, rest):
                return self.multiplied(first, rest, bound)
            case syntax.Call():
                (operand,) = syntax.operands(expression)
                return self.component(expression.function, self.monomials(operand, bound))

    def component(self, part: str, monomials: Monomials) -> Monomials:
        """The conjugate of a sum of products, or a part of it."""
        assert part in {"conj", "real", "imag"}, "functions are no sums of products"
        if self.magnitudes:
            return monomials
        conjugates: Monomials = [
            (np.conj(coefficient), tuple(Factor(each.entries.conj(), each.numbers) for each in factors))
            for coefficient, factors in monomials
        ]
        if part == "conj":
            return conjugates
        half, sign = (0.5, 1) if part == "real" else (-0.5j, -1)
        return [*((half * c, f) for c, f in monomials), *((sign * half * c, f) for c, f in conjugates)]

    def multiplied(
        self,
        first: syntax.Expression,
        rest: tuple[tuple[syntax.FactorOperator, syntax.Expression], ...],
        bound: Binding,
    ) -> Monomials:
        parts = (first, *(part for _, part in rest))
        names = [_names(part) for part in parts]
        everything = sorted(set().union(*names))
        shared = [n for n in everything if n not in bound and sum(n in part for part in names) > 1]
        inner = {**bound, **{name: next(self.fresh) for name in shared}}
        # A monomial that lacks a summed index is still added once for each of its values.
        ones = tuple(Factor(np.ones(self.extent(name, parts), self.dtype), (inner[name],)) for name in shared)
        result = [(c, (*ones, *f)) for c, f in self.monomials(first, inner)]
        for by, part in rest:
            if by is syntax.FactorOperator.DIV:
                divided = floordiv if self.dtype is object else truediv  # of integers, only what is whole is divided
                result = [(divided(c, self.number(part)), f) for c, f in result]
            else:
                pairs = product(result, self.monomials(part, inner))
                result = [(a * b, (*left, *right)) for (a, left), (b, right) in pairs]
        return result

    def extent(self, name: str, parts: tuple[syntax.Expression, ...]) -> int:
        """How many values an index runs through, wherever the parts have it first."""
        found = (each for part in parts for r in references(part) for each in (r, *entries_of(r)))
        reference = next(each for each in found if name in _running(each))
        shape = self.declared[reference.name].shape
        for position, size in zip(reference.positions or (), shape, strict=True):
            if isinstance(position, syntax.RunningIndex) and position.name == name:
                within = position.within or syntax.Range(syntax.Literal("0"), size)
                return int(self.number(within.stop) - self.number(within.start))
        raise AssertionError(name)

    def number(self, expression: syntax.Expression) -> Any:
        match expression:
            case syntax.Literal(text):
                number = Fraction(text)
                return float(number) if number.denominator > 1 else self.exact(number)
            case syntax.Reference(name):
                return self.variables[name] if name in self.variables else self.scalars[name]
            case syntax.Negation(operand):
                return -self.number(operand)
            case syntax.Power(base, exponent):
                number = self.number(base) ** self.number(exponent)
                return number if isinstance(number, complex) else self.exact(number)
            case _:
                return sum(coefficient for coefficient, _ in self.monomials(expression, {}))

    def values(self, variable: syntax.NamedRange) -> Iterator[None]:
        for value in range(int(self.number(variable.range.start)), int(self.number(variable.range.stop))):
            self.variables[variable.name] = value
            yield
        del self.variables[variable.name]

    # -- tensors --

    def part(self, within: syntax.Range) -> slice:
        """The positions of a range."""
        return slice(int(self.number(within.start)), int(self.number(within.stop)))

    def entries(self, reference: syntax.Reference, binding: Binding) -> tuple[Array, tuple[int, ...]]:
        """The selected entries, a view, with the number of the index along each axis."""
        if next(entries_of(reference), None) is not None:
            return self.gathered(reference, binding)
        name = "_".join((reference.name, *(str(int(self.number(member))) for member in reference.members)))
        array = self.arrays[name]
        attributes = {attribute.name for attribute in self.declared[reference.name].attributes}
        leading = [] if "constant" in attributes else [0]
        selection: list[slice | int] = [slice(None) for _ in leading]
        for position in reference.positions or ():
            match position:
                case syntax.FixedIndex(at):
                    selection.append(int(self.number(at)))
                case syntax.RunningIndex(within=within):
                    selection.append(slice(None) if within is None else self.part(within))
        running = [p for p in reference.positions or () if isinstance(p, syntax.RunningIndex)]
        return array[(*selection, ...)], (*leading, *(binding[p.name] for p in running))

    def gathered(self, reference: syntax.Reference, binding: Binding) -> tuple[Array, tuple[int, ...]]:
        """What integers say, one entry after the other."""
        names = sorted(_names(reference))
        found = np.zeros((self.batch, *(self.extent(name, (reference,)) for name in names)))
        for item, *place in np.ndindex(found.shape):
            at = dict(zip(names, place, strict=True))
            said = {id(entry): int(self.one(entry, "", item, at)) for entry in entries_of(reference)}
            if all(number >= 0 for number in said.values()):
                numbers = [said.get(id(each)) if id(each) in said else self.number(each) for each in reference.members]
                member = "".join(f"_{int(number or 0)}" for number in numbers)
                element = item if reference.element is None else said[id(reference.element)]
                found[(item, *place)] = self.one(reference, member, element, at, said)
        return found, (0, *(binding[name] for name in names))

    def scatter(self, reference: syntax.Reference, axes: Mapping[int, int], bound: Binding, value: Array) -> None:
        """Adds a value, the elements in front, one entry after the other."""
        for item, *place in np.ndindex(value.shape):
            at = {name: place[axes[number] - 1] for name, number in bound.items() if number in axes}
            said = {id(entry): int(self.one(entry, "", item, at)) for entry in entries_of(reference)}
            if all(number >= 0 for number in said.values()):
                element = item if reference.element is None else said[id(reference.element)]
                array, where = self.place(reference, "", element, at, said)
                array[where] += value[(item, *place)]

    def one(
        self,
        reference: syntax.Reference,
        member: str,
        element: int,
        at: Mapping[str, int],
        said: Mapping[int, int] | None = None,
    ) -> float:
        """One entry of a tensor of one element."""
        array, where = self.place(reference, member, element, at, said)
        return float(array[where])

    def place(
        self,
        reference: syntax.Reference,
        member: str,
        element: int,
        at: Mapping[str, int],
        said: Mapping[int, int] | None = None,
    ) -> tuple[Array, tuple[int, ...]]:
        """The array of a tensor, and where one entry of one element is there."""
        where: list[int] = []
        for position in reference.positions or ():
            match position:
                case syntax.FixedIndex(expression) if said is not None and id(expression) in said:
                    where.append(said[id(expression)])
                case syntax.FixedIndex(expression):
                    where.append(int(self.number(expression)))
                case syntax.RunningIndex(name, within):
                    where.append(at[name] + (0 if within is None else int(self.number(within.start))))
        attributes = {attribute.name for attribute in self.declared[reference.name].attributes}
        leading = () if attributes & {"constant", "shared"} else (element,)
        return self.arrays[reference.name + member], (*leading, *where)


def _running(reference: syntax.Reference) -> set[str]:
    return {p.name for p in reference.positions or () if isinstance(p, syntax.RunningIndex)}


LETTERS = 52


def _contracted(factors: tuple[Factor, ...], order: list[int]) -> Array:
    """The sum of products. Of Python's integers pair by pair: NumPy's greedy order fails where all is summed.

    Many indices, too: NumPy knows 52.
    """
    is_exact = any(factor.entries.dtype == object for factor in factors)
    if (
        not is_exact
        and max((*order, *(number for factor in factors for number in factor.numbers)), default=0) < LETTERS
    ):
        operands: list[Any] = [p for factor in factors for p in (factor.entries, list(factor.numbers))]
        return np.asarray(np.einsum(*operands, order, optimize="greedy"))
    type_ = object if is_exact else factors[0].entries.dtype
    entries, numbers = np.asarray(1, type_), list[int]()
    for place, factor in enumerate(factors):
        later = {number for each in factors[place + 1 :] for number in each.numbers} | set(order)
        kept = [number for number in dict.fromkeys((*numbers, *factor.numbers)) if number in later]
        small = {number: n for n, number in enumerate(dict.fromkeys((*numbers, *factor.numbers)))}
        parts = [[small[each] for each in some] for some in (numbers, factor.numbers, kept)]
        of_two: list[Any] = [entries, parts[0], factor.entries, parts[1], parts[2]]
        entries, numbers = np.asarray(np.einsum(*of_two), object if is_exact else None), kept
    small = {number: n for n, number in enumerate(numbers)}
    last: list[Any] = [entries, list(small.values()), [small[each] for each in order]]
    return np.asarray(np.einsum(*last), object if is_exact else None)


def _names(expression: syntax.Expression) -> set[str]:
    """The index names anywhere in an expression."""
    match expression:
        case syntax.Reference():
            return _running(expression).union(*map(_running, entries_of(expression)))
        case syntax.Ones(positions):
            return {p.name for p in positions if isinstance(p, syntax.RunningIndex)}
        case syntax.Literal() | syntax.Imaginary():
            return set()
        case syntax.Negation(part) | syntax.RangeSum(body=part):
            return _names(part)
        case syntax.Power(base, exponent):
            return _names(base) | _names(exponent)
        case syntax.Product(first, rest) | syntax.Sum(first, rest):
            return _names(first).union(*(_names(part) for _, part in rest))
        case syntax.Call():
            return set().union(*map(_names, syntax.operands(expression)))


def results_by_oracle(
    program: syntax.Program, checked: CheckedProgram, arguments: Arguments, batch: int, *, magnitudes: bool = False
) -> dict[str, Array]:
    """All tensors after the kernel of a program; declared zeros of the arguments hold NaN and count as zero.

    `magnitudes`: with absolute values of everything, which bounds what rounding can do.
    """
    is_integer = checked.tensors[0].element_type.is_integer
    known = {name: np.nan_to_num(array) for name, array in arguments.items() if isinstance(array, np.ndarray)}
    arrays = {
        name: (np.abs(a) if magnitudes and a.dtype.kind != "i" else a).astype(
            np.complex128 if a.dtype.kind == "c" and not magnitudes else np.float64
        )
        for name, a in known.items()
    }
    if is_integer:
        computed = dtype_of(checked.tensors[0].element_type)
        counted = np.dtype(np.uint8) if computed.kind == "b" else computed
        arrays = {name: np.asarray(a, computed).astype(counted).astype(object) for name, a in known.items()}
    for tensor in checked.tensors:
        if tensor.storage is Storage.TEMPORARY:
            of_reals = np.complex128 if tensor.is_complex and not magnitudes else np.float64
            shape = (batch, *static_shape(tensor.shape))
            arrays[tensor.name] = np.zeros(shape, object if is_integer else of_reals)
    scalars = {name: value for name, value in arguments.items() if isinstance(value, float | int | complex)}
    kernel = next(item for item in program.items if isinstance(item, syntax.Kernel))
    Oracle(program, arrays, scalars, batch=batch, magnitudes=magnitudes, of_integers=is_integer).run(kernel)
    return arrays


def stored_integers(tensor: Tensor, exact: Array) -> Array:
    """Integers that wrap around once, in the type that is computed with, and are stored in that of the tensor."""
    dtype = dtype_of(tensor.element_type)
    computed = np.array([number_in(number, dtype) for number in exact.ravel()], dtype).reshape(exact.shape)
    return computed.astype(dtype_of(tensor.memory or tensor.element_type))
