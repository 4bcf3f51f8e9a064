"""From a kernel of a checked program to its contraction graph: the door to `ir`.

Nested products become one contraction with all their factors, so that the planner is free to order them; coefficients
move out of products; `T += x` becomes `T = T + x`; a tensor that is read after a statement is read from there.

    y[i] = 2 * sum{k}(A[i,k] * sum{j}(B[k,j] * x[j]))

    %0 = leaf A        %3 = contract {ik, kj, j to i} %0, %1, %2
    %1 = leaf B        %4 = scale 2, %3
    %2 = leaf x        %5 = y[i] := {i} %4
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from einsum_front.diagnostics import CompilerBug, Origin
from einsum_front.ir import coefficient as ir_coefficient
from einsum_front.ir.coefficient import MINUS_ONE, ONE, ZERO, Coefficient, plus, times
from einsum_front.ir.contraction.graph import Graph, GraphBuilder
from einsum_front.ir.contraction.nodes import (
    Along,
    Assignment,
    At,
    Contraction,
    Leaf,
    Part,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
    covers,
)
from einsum_front.ir.index import Index, IterationSpace, names
from einsum_front.ir.names import fresh_numbered
from einsum_front.ir.run_time import RunTimeNumber, Size, with_samples
from einsum_front.ir.tensor import ElementType, Scalar, Storage, Tensor
from einsum_front.notation import checked
from einsum_front.notation.check.run_time_size import RunTimeExtent


@dataclass(frozen=True, slots=True)
class _Value:
    """A coefficient times a node, with the indices that walk the node's modes; no node: the coefficient alone."""

    coefficient: Coefficient
    node: int | None
    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class _Factors:
    """A coefficient times a product of nodes, summed over `reduction`."""

    coefficient: Coefficient
    factors: tuple[_Value, ...]
    reduction: tuple[Index, ...]


def elaborate(kernel: checked.Kernel, program: checked.CheckedProgram) -> Graph:
    """The contraction graph of a kernel of `program`; leaves stand in the order of the declarations."""
    used = _tensors_of(kernel)
    declared = [tensor for tensor in program.tensors if tensor.name in used]
    numbers = _Numbers(program.sizes, declared)
    elaboration = _Elaboration([_tensor(tensor, numbers) for tensor in declared], numbers)
    for statement in kernel.statements:
        elaboration.assign(statement)
    scalars = tuple(
        Scalar(scalar.name, ElementType(scalar.element_type.value), scalar.origin)
        for scalar in program.scalars
        if scalar.name in elaboration.scalars
    )
    return elaboration.builder.graph(kernel.name, scalars, kernel.origin)


class _Numbers:
    """Extents and strides of a kernel's tensors as the graph has them."""

    def __init__(self, sizes: Iterable[checked.Size], tensors: Iterable[checked.Tensor]) -> None:
        extents = [extent for tensor in tensors for extent in tensor.shape]
        polynomials = [extent.value for extent in extents if isinstance(extent, RunTimeExtent)]
        known = [extent for extent in extents if not isinstance(extent, RunTimeExtent)]
        used = {symbol.name for polynomial in polynomials for symbol in polynomial.free_symbols}
        declared = (Size(each.name, each.least, each.most, each.hint) for each in sizes if each.name in used)
        enough = 1 + len(polynomials)  # positions of a diagonal, however many modes it goes through: see `Restored`
        self._sizes = with_samples(declared, polynomials, max([enough, *known]))

    def __call__(self, number: int) -> int:
        return RunTimeNumber(number.value, self._sizes) if isinstance(number, RunTimeExtent) else number


class _Elaboration:
    """The graph so far, and the node that holds the present version of each tensor."""

    def __init__(self, tensors: Iterable[Tensor], numbers: "_Numbers") -> None:
        self.builder = GraphBuilder()
        self._numbers = numbers
        self.scalars: set[str] = set()
        self._tensors = {tensor.name: tensor for tensor in tensors}
        self._versions = {name: self.builder.add(Leaf(t, t.origin)) for name, t in self._tensors.items()}

    def assign(self, statement: checked.Assignment) -> None:
        """Add a statement; the target's present version becomes the new assignment."""
        target = statement.target
        space = IterationSpace(self._indices_of(target))
        parts = _parts(target)
        value = self._node(self._assigned(statement), statement.origin)
        if value.node is None:
            raise CompilerBug("an assigned value has a node")
        tensor = self._tensors[target.tensor]
        survivors = () if covers(parts, space, tensor.shape) else (self._versions[target.tensor],)
        node = Assignment(tensor, space, parts, names(value.indices), statement.origin)
        self._versions[target.tensor] = self.builder.add(node, (value.node, *survivors))

    def _assigned(self, statement: checked.Assignment) -> _Value:
        """The whole new value of the target's part: with the old one for `+=` and `-=`."""
        match statement.operator:
            case checked.AssignmentOperator.SET:
                return self._value(statement.value)
            case checked.AssignmentOperator.ADD:
                sign = ONE
            case checked.AssignmentOperator.SUB:
                sign = MINUS_ONE
        terms = [self._value(statement.target), *self._terms(statement.value, sign)]
        return self._sum(terms, statement.origin)

    def _value(self, expression: checked.Expression) -> _Value:
        match expression:
            case checked.Access():
                return _Value(ONE, self._access(expression), self._indices_of(expression))
            case checked.ScalarTerm(value=value):
                return _Value(self._coefficient(value), None, ())
            case checked.Sum(origin=origin):
                return self._sum(self._terms(expression, ONE), origin)
            case checked.Scaled() | checked.Product() | checked.Reduction():
                product = self._factors(expression, {}, set(names(self._free_indices(expression))))
                return self._contraction(product, expression.origin)

    def _access(self, access: checked.Access) -> int:
        """The present version of the tensor itself where the access names all of it, else a slice of it."""
        version = self._versions[access.tensor]
        space, parts = IterationSpace(self._indices_of(access)), _parts(access)
        whole = covers(parts, space, self._tensors[access.tensor].shape)
        if whole and all(isinstance(part, Along) for part in parts):
            return version
        return self.builder.add(Slice(space, parts, access.origin), (version,))

    def _terms(self, expression: checked.Expression, sign: Coefficient) -> list[_Value]:
        """The terms of nested sums as one list, each multiplied by `sign`."""
        match expression:
            case checked.Sum(terms=terms):
                return [value for term in terms for value in self._terms(term, sign)]
            case checked.Scaled(coefficient=checked.Number(value=-1.0), operand=checked.Sum() as operand):
                return self._terms(operand, times(MINUS_ONE, sign))
            case _:
                value = self._value(expression)
                return [replace(value, coefficient=times(sign, value.coefficient))]

    def _sum(self, terms: list[_Value], origin: Origin) -> _Value:
        """The sum of the terms; those without a node are one."""
        numbers = reduce(plus, (term.coefficient for term in terms if term.node is None), ZERO)
        nodes = [self._node(term, origin) for term in terms if term.node is not None]
        if len(nodes) < len(terms):
            nodes.append(self._node(_Value(numbers, None, ()), origin))
        if len(nodes) == 1:
            return nodes[0]
        space = IterationSpace(tuple(dict.fromkeys(index for node in nodes for index in node.indices)))
        sum_node = Sum(space, tuple(names(node.indices) for node in nodes), origin)
        return _Value(ONE, self.builder.add(sum_node, _keys(nodes)), space.parallel)

    def _factors(self, expression: checked.Expression, renaming: dict[str, str], taken: set[str]) -> _Factors:
        """The factors of nested products; the names of summed indices become unique among `taken`."""
        match expression:
            case checked.Scaled(coefficient=coefficient, operand=operand):
                inner = self._factors(operand, renaming, taken)
                return replace(inner, coefficient=times(self._coefficient(coefficient), inner.coefficient))
            case checked.Reduction(indices=indices, operand=operand):
                own = {index.name: _fresh(index.name, taken) for index in indices}
                reduced = tuple(Index(own[index.name], self._numbers(index.extent)) for index in indices)
                inner = self._factors(operand, {**renaming, **own}, taken)
                return replace(inner, reduction=reduced + inner.reduction)
            case checked.Product(factors=factors):
                return _joined([self._factors(factor, renaming, taken) for factor in factors])
            case checked.ScalarTerm(value=value):
                return _Factors(self._coefficient(value), (), ())
            case checked.Access() | checked.Sum():
                factor = self._value(expression)
                renamed = tuple(Index(renaming.get(i.name, i.name), i.extent) for i in factor.indices)
                return _Factors(ONE, (replace(factor, indices=renamed),), ())

    def _contraction(self, product: _Factors, origin: Origin) -> _Value:
        factors = product.factors
        if not factors:
            return _Value(product.coefficient, None, ())
        if len(factors) == 1 and not product.reduction:
            return replace(factors[0], coefficient=product.coefficient)
        reduced = names(product.reduction)
        found = tuple(dict.fromkeys(index for factor in factors for index in factor.indices))
        space = IterationSpace(tuple(index for index in found if index.name not in reduced), product.reduction)
        node = Contraction(space, tuple(names(factor.indices) for factor in factors), origin)
        return _Value(product.coefficient, self.builder.add(node, _keys(factors)), space.parallel)

    def _node(self, value: _Value, origin: Origin) -> _Value:
        """The same value as a node without a coefficient beside it."""
        if value.node is None:
            return _Value(ONE, self.builder.add(ScalarTerm(value.coefficient, origin)), ())
        if value.coefficient == ONE:
            return value
        scaling = Scaling(IterationSpace(value.indices), value.coefficient, origin)
        return replace(value, coefficient=ONE, node=self.builder.add(scaling, (value.node,)))

    def _coefficient(self, coefficient: checked.Coefficient) -> Coefficient:
        match coefficient:
            case checked.Number(value=value, origin=origin):
                return ir_coefficient.Number(value, origin)
            case checked.ScalarUse(name=name, origin=origin):
                self.scalars.add(name)
                return ir_coefficient.ScalarUse(name, origin)
            case checked.ScalarPower(base=base, exponent=exponent, origin=origin):
                return ir_coefficient.Power(self._coefficient(base), exponent, origin)
            case checked.ScalarOperation(operator=operator, left=left, right=right, origin=origin):
                kind = ir_coefficient.Operator(operator.value)
                return ir_coefficient.Operation(kind, self._coefficient(left), self._coefficient(right), origin)

    def _free_indices(self, expression: checked.Expression) -> tuple[Index, ...]:
        """The indices of the expression's result."""
        match expression:
            case checked.Access():
                return self._indices_of(expression)
            case checked.ScalarTerm():
                return ()
            case checked.Scaled(operand=operand):
                return self._free_indices(operand)
            case checked.Reduction(indices=indices, operand=operand):
                bound = [index.name for index in indices]
                return tuple(index for index in self._free_indices(operand) if index.name not in bound)
            case checked.Product(factors=operands) | checked.Sum(terms=operands):
                return tuple(dict.fromkeys(index for operand in operands for index in self._free_indices(operand)))

    def _indices_of(self, access: checked.Access) -> tuple[Index, ...]:
        """The distinct indices of an access, in the order of its modes."""
        walked = (position.index for position in access.positions if isinstance(position, checked.IndexPosition))
        return tuple(dict.fromkeys(Index(index.name, self._numbers(index.extent)) for index in walked))


def _keys(values: Iterable[_Value]) -> tuple[int, ...]:
    return tuple(value.node for value in values if value.node is not None)


def _joined(products: list[_Factors]) -> _Factors:
    coefficient: Coefficient = ONE
    for product in products:
        coefficient = times(coefficient, product.coefficient)
    factors = tuple(factor for product in products for factor in product.factors)
    return _Factors(coefficient, factors, tuple(index for product in products for index in product.reduction))


def _fresh(name: str, taken: set[str]) -> str:
    """`name` itself or with the first number that makes it a new one; it is taken from now on."""
    fresh = fresh_numbered(name, taken)
    taken.add(fresh)
    return fresh


def _parts(access: checked.Access) -> tuple[Part, ...]:
    parts: list[Part] = []
    for position in access.positions:
        match position:
            case checked.IndexPosition(index=index, offset=offset):
                parts.append(Along(index.name, offset))
            case checked.FixedPosition(position=fixed):
                parts.append(At(fixed))
    return tuple(parts)


def _tensors_of(kernel: checked.Kernel) -> set[str]:
    used = {statement.target.tensor for statement in kernel.statements}
    return used.union(*(_tensors_in(statement.value) for statement in kernel.statements))


def _tensors_in(expression: checked.Expression) -> set[str]:
    match expression:
        case checked.Access(tensor=tensor):
            return {tensor}
        case checked.ScalarTerm():
            return set()
        case checked.Scaled(operand=operand) | checked.Reduction(operand=operand):
            return _tensors_in(operand)
        case checked.Product(factors=operands) | checked.Sum(terms=operands):
            return set().union(*(_tensors_in(operand) for operand in operands))


def _tensor(tensor: checked.Tensor, numbers: _Numbers) -> Tensor:
    return Tensor(
        tensor.name,
        ElementType(tensor.element_type.value),
        Storage(tensor.storage.value),
        tuple(map(numbers, tensor.shape)),
        tuple(map(numbers, tensor.strides)),
        tensor.nonzeros,
        tensor.values,
        tensor.origin,
    )
