"""From what a script builds to a program of the notation.

    Q["kp"] <= Q["kp"] + 2.0 * K["kl"] * I["lq"].subslice("l", 0, 10)      Q[k,p] = Q[k,p] + 2.0 * K[k,l] * I[l=0:10,q]
    C["ab"] <= A["a"]                                                      C[a,b] = A[a] * 1[b]

A tensor with values is a constant, and its pattern is a promise. Its values are one only if the caller says so.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, raise_any
from einsum_front.dsl_expressions import literal
from einsum_front.notation import syntax
from einsum_front.notation.words import WORDS
from einsum_front.yateto.deduction import indices_of_assignment
from einsum_front.yateto.evaluation import PatternTensor, within_pattern
from einsum_front.yateto.formula import (
    Add,
    Assign,
    Einsum,
    Factor,
    IndexedTensor,
    Node,
    Quotient,
    ScalarMultiplication,
    entries_of,
    letters_of,
    scalars_of,
)
from einsum_front.yateto.identifiers import IdentifiedType, Scalar
from einsum_front.yateto.type import Tensor

# -- names of the notation for what a script names ---------------------------------------------------------------------
# Groups become families, `fP(2)` is `fP{2}`. A group with gaps or with members of several shapes is no family: its
# members are declared alone, `dQ_3`. Words that the notation keeps for itself, and names that are taken, get an
# underscore.

T = TypeVar("T", bound=IdentifiedType)
Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Family(Generic[T]):
    """Declarations under one name: one thing (no extents), or the members of a group, numbered from 0 on."""

    name: str
    extents: tuple[int, ...]
    members: Mapping[Group, T]

    def arguments(self) -> dict[str, T]:
        """The members by the names of their arguments, `fP_2`."""
        return {argument(self.name, group): member for group, member in self.members.items()}


class Names:
    """The names that are taken, and what each tensor and scalar is called."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._called: dict[IdentifiedType, tuple[str, Group]] = {}

    def claim(self, named: Iterable[T], alike: Callable[[T], Hashable]) -> list[Family[T]]:
        """Declarations for some tensors or scalars; members of a family have the same `alike`."""
        groups: dict[str, dict[Group, T]] = {}
        for each in named:
            groups.setdefault(each.baseName(), {})[each.group()] = each
        return [family for base, members in groups.items() for family in self._families(base, members, alike)]

    def reference(
        self, named: IdentifiedType, positions: tuple[syntax.Position, ...] | None = None
    ) -> syntax.Reference:
        """A tensor with an index list, or a scalar without."""
        name, numbers = self._called[named]
        return syntax.Reference(name, literals(numbers), positions)

    def _families(self, base: str, members: Mapping[Group, T], alike: Callable[[T], Hashable]) -> list[Family[T]]:
        extents = (
            tuple(max(numbers) + 1 for numbers in zip(*members, strict=True)) if _are_of_one_order(members) else ()
        )
        is_whole = set(members) == set(product(*map(range, extents)))
        if is_whole and len({alike(member) for member in members.values()}) == 1:
            return [self._family(base, extents, dict(sorted(members.items())))]
        return [self._family(argument(base, group), (), {(): member}) for group, member in sorted(members.items())]

    def _family(self, wanted: str, extents: tuple[int, ...], members: Mapping[Group, T]) -> Family[T]:
        name = wanted
        while name in WORDS or not self._taken.isdisjoint({name, *(argument(name, group) for group in members)}):
            name += "_"
        self._taken |= {name, *(argument(name, group) for group in members)}
        self._called |= {member: (name, group) for group, member in members.items()}
        return Family(name, extents, members)


def free(wanted: str, taken: Iterable[str]) -> str:
    """A name of the notation that is not taken."""
    while wanted in WORDS or wanted in taken:
        wanted += "_"
    return wanted


def argument(name: str, group: Group) -> str:
    """The name of a member as an argument of kernels."""
    return "_".join((name, *map(str, group)))


def literals(numbers: Iterable[int]) -> tuple[syntax.Expression, ...]:
    """Numbers of the notation."""
    return tuple(syntax.Literal(str(number)) for number in numbers)


def _are_of_one_order(members: Iterable[Group]) -> bool:
    return len({len(group) for group in members}) == 1


Array = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Statements:
    """A kernel: its name in C++ (`dynamicRupture::rotateStress`), what runs, and where the script adds it."""

    name: str
    assignments: tuple[Assign, ...]
    place: str


@dataclass(frozen=True, slots=True)
class Translated:
    """A program, the arrays in its file of patterns, and the name of each kernel in the order in which they came.

    `tensors` and `scalars` are those of the script by the names that kernels have for their arguments.
    """

    program: syntax.Program
    arrays: Mapping[str, Array]
    kernels: tuple[str, ...]
    tensors: Mapping[str, Tensor]
    scalars: Mapping[str, Scalar]


def translate(kernels: Sequence[Statements], real: str, file: str, *, promises_values: bool) -> Translated:
    """The program of some kernels; `file` is what its file of patterns and values is called.

    `promises_values` is whether the memory of constants holds the numbers of the script. Raises `CompileError` with
    all statements whose indices do not fit.
    """
    _check(kernels)
    kernels = [replace(kernel, assignments=tuple(map(within_pattern, kernel.assignments))) for kernel in kernels]
    names = Names()
    assignments = [assignment for kernel in kernels for assignment in kernel.assignments]
    used = dict.fromkeys(entries.tensor for each in assignments for entries in entries_of(each))
    tensors = [tensor for tensor in used if isinstance(tensor, Tensor)]
    families = names.claim(
        tensors, lambda tensor: (tensor.shape(), tensor.temporary, tensor.is_compute_constant(), tensor.datatype)
    )
    scalars = names.claim(dict.fromkeys(s for each in assignments for s in scalars_of(each)), lambda _scalar: ())
    facts = {family.name: _facts(family, promises_values=promises_values) for family in families}
    taken: dict[str, Statements] = {}
    for kernel in kernels:
        taken[free(kernel.name.replace("::", "_"), taken)] = kernel
    items: tuple[syntax.Item, ...] = (
        syntax.Computed("real", real),
        *(_tensor(family, facts[family.name], file) for family in families),
        *(syntax.Scalar(family.name, literals(family.extents)) for family in scalars),
        *(_kernel(name, kernel, names) for name, kernel in taken.items()),
    )
    arrays = {name: array for fact in facts.values() if fact is not None for name, array in fact.arrays.items()}
    by_name = {name: tensor for family in families for name, tensor in family.arguments().items()}
    numbers = {name: scalar for family in scalars for name, scalar in family.arguments().items()}
    return Translated(syntax.Program(items), arrays, tuple(taken), by_name, numbers)


def _check(kernels: Sequence[Statements]) -> None:
    found: list[Diagnostic] = []
    for kernel in kernels:
        for assignment in kernel.assignments:
            try:
                indices_of_assignment(assignment)
            except CompileError as error:
                note = f"in kernel `{kernel.name}`, which {kernel.place} adds"
                found += [replace(each, notes=(*each.notes, note)) for each in error.diagnostics]
    raise_any(found)


# -- declarations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Facts:
    """Contents of the attribute `name`, by the arguments of a family."""

    name: str
    arrays: Mapping[str, Array]


def _facts(family: Family[Tensor], *, promises_values: bool) -> _Facts | None:
    """Values if they are promised, else the pattern of each member, if one of them has zeros."""
    values = {name: tensor.values_as_ndarray() for name, tensor in family.arguments().items()}
    known = {name: array for name, array in values.items() if array is not None}
    is_ours = all(isinstance(tensor, PatternTensor) for tensor in family.members.values())
    if known and (promises_values or is_ours):
        return _Facts("values", known)
    patterns = {name: tensor.spp(groupSpp=False) for name, tensor in family.arguments().items()}
    if all(pattern.is_dense() for pattern in patterns.values()):
        return None
    return _Facts("nonzeros", {name: pattern.as_ndarray() for name, pattern in patterns.items()})


def _tensor(family: Family[Tensor], facts: _Facts | None, file: str) -> syntax.Tensor:
    tensor = next(iter(family.members.values()))
    attributes = [syntax.Attribute("constant")] if tensor.is_compute_constant() else []
    if tensor.datatype is not None:
        attributes.insert(0, syntax.Attribute(str(tensor.datatype)))
    if facts is not None:
        attributes.append(syntax.Attribute(facts.name, syntax.File(file)))
    sizes = literals(family.extents), literals(tensor.shape())
    return syntax.Tensor(family.name, *sizes, tuple(attributes), is_temporary=tensor.temporary)


# -- statements --------------------------------------------------------------------------------------------------------


def _kernel(name: str, kernel: Statements, names: Names) -> syntax.Kernel:
    return syntax.Kernel(name, (), tuple(_Letters(names, each).assignment() for each in kernel.assignments))


class _Letters:
    """An assignment with names for its indices, which may be any words in a script."""

    def __init__(self, names: Names, assignment: Assign) -> None:
        self._names = names
        self._assignment = assignment
        self._letters: dict[str, str] = {}
        for letter in letters_of(assignment):
            wanted = letter.strip("_") if letter.isascii() and letter.isidentifier() else ""
            self._letters[letter] = free(wanted or "i", self._letters.values())

    def assignment(self) -> syntax.Assignment:
        """The statement; a value is repeated along indices that it lacks."""
        target, value = self._assignment.target, self._assignment.value
        found = letters_of(value)
        lacking = [syntax.RunningIndex(self._letters[letter]) for letter in target.indices if letter not in found]
        expression = self._expression(value)
        if lacking:
            expression = _product([expression, syntax.Ones(tuple(lacking))], [])
        return syntax.Assignment(self._entries(target), syntax.AssignmentOperator.SET, expression)

    def _expression(self, node: Node) -> syntax.Expression:
        match node:
            case IndexedTensor():
                return self._entries(node)
            case Add():
                return self._sum(list(node))
            case ScalarMultiplication() | Quotient() | Einsum():
                return _product(*self._parts(node))
            case _:
                raise CompilerBug(f"a {type(node).__name__} is no part of a formula")

    def _parts(self, node: Node) -> tuple[list[syntax.Expression], list[syntax.Expression]]:
        """The factors of a formula, and what they are divided by."""
        match node:
            case ScalarMultiplication():
                factors, divisors = self._parts(node.term())
                return [self._factor(node.scalar()), *factors], divisors
            case Quotient():
                factors, divisors = self._parts(node.term())
                return factors, [*divisors, self._factor(node.divisor())]
            case IndexedTensor() | Add():
                return [self._expression(node)], []
            case Einsum():
                return [self._expression(factor) for factor in node], []
            case _:
                raise CompilerBug(f"a {type(node).__name__} is no part of a formula")

    def _factor(self, scalar: Factor) -> syntax.Expression:
        return self._names.reference(scalar) if isinstance(scalar, Scalar) else literal(scalar)

    def _sum(self, terms: Sequence[Node]) -> syntax.Expression:
        signed = [self._term(term) for term in terms]
        (sign, first), *rest = signed
        leading = first if sign is syntax.TermOperator.ADD else syntax.Negation(first)
        return syntax.Sum(leading, tuple(rest)) if rest else leading

    def _term(self, node: Node) -> tuple[syntax.TermOperator, syntax.Expression]:
        """A term with its sign: a number in front of it that is negative becomes a subtraction."""
        match node:
            case ScalarMultiplication() if isinstance(scalar := node.scalar(), float) and scalar < 0:
                positive = node.term() if scalar == -1 else ScalarMultiplication(-scalar, node.term())
                return syntax.TermOperator.SUB, self._expression(positive)
            case _:  # open: only a negative number in front changes the sign
                return syntax.TermOperator.ADD, self._expression(node)

    def _entries(self, node: IndexedTensor) -> syntax.Reference:
        extents = zip(node.indices.size().items(), node.offsets, node.tensor.shape(), strict=True)
        positions = tuple(self._position(letter, start, size, whole) for (letter, size), start, whole in extents)
        return self._names.reference(_tensor_of(node), positions)

    def _position(self, letter: str, start: int, size: int, whole: int) -> syntax.RunningIndex:
        if size == whole:
            return syntax.RunningIndex(self._letters[letter])
        first, end = literals((start, start + size))
        return syntax.RunningIndex(self._letters[letter], syntax.Range(first, end))


def _tensor_of(node: IndexedTensor) -> Tensor:
    if not isinstance(node.tensor, Tensor):
        raise TypeError(f"an index list is of a `Tensor`, not of {node.tensor!r}")
    return node.tensor


def _product(factors: Sequence[syntax.Expression], divisors: Sequence[syntax.Expression]) -> syntax.Expression:
    first, *others = factors
    rest = [(syntax.FactorOperator.MUL, each) for each in others]
    rest += [(syntax.FactorOperator.DIV, each) for each in divisors]
    return syntax.Product(first, tuple(rest)) if rest else first
