"""Effect of a kernel's statements on zeros and temporaries, entry by entry.

Two rules: an assignment puts nothing but zero where its target is declared to be zero; and an entry of a temporary is
written before it is read. Both follow the statements in their order, with the exact pattern of every tensor so far.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from einsum_front.core.binding import replaced
from einsum_front.core.coefficient import Coefficient, Number
from einsum_front.core.extent import Polynomial, static, static_shape
from einsum_front.core.functions import Function
from einsum_front.core.functions import pattern as function_pattern
from einsum_front.core.limits import LARGEST_FOLLOWED
from einsum_front.core.pattern_network import Factor, constrained, exists
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern, Place
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.scope import Scope
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
    IndexPosition,
    Kernel,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
    parts,
)


def check_entries(kernel: Kernel, scope: Scope) -> None:
    """Raise what the statements of a kernel do to entries that they must not read or write.

    A mode whose extent is dynamic has no parts, so two positions of it show what happens to all.
    """
    names = dict.fromkeys(access.tensor for access in accesses_of(kernel))
    tensors = tuple(scope.family_of(name)[1] for name in names)
    if any(isinstance(extent, Polynomial) for tensor in tensors for extent in tensor.shape):
        tensors, kernel = replaced((tensors, kernel), _few)
    gather(_Entries(tensors, scope).check, kernel.statements)


def _few(_extent: Polynomial) -> int:
    """Positions that stand for all of a dynamic mode: two tell a diagonal from the rest."""
    return 2


def accesses_of(kernel: Kernel) -> tuple[Access, ...]:
    """Everything that the statements of a kernel read or write, in the order of the text."""
    return tuple(access for s in kernel.statements for access in (*_accesses(s.target), *_accesses(s.value)))


class _Entries:
    """Facts about the entries of the kernel's tensors between two statements.

    `declared` are the patterns of the declarations, `patterns` those that hold here; both only of tensors with known
    zeros. `written` are the entries of temporaries that hold something.
    """

    def __init__(self, tensors: tuple[Tensor, ...], scope: Scope) -> None:
        self._scope = scope
        self.tensors = {tensor.name: tensor for tensor in tensors}
        self.declared = {t.name: t.nonzeros for t in tensors if t.nonzeros is not None}
        self.written = {t.name: self._known_zero(t) for t in tensors if t.storage is Storage.TEMPORARY}
        empty = {name: Pattern.empty(known.shape) for name, known in self.written.items()}
        self.patterns = {**self.declared, **empty}

    def check(self, statement: Assignment) -> None:
        """Follow one statement."""
        try:
            gather(self._reject_unwritten, _read_by(statement))
            value = pattern(statement.value, self.patterns)
            if isinstance(statement.target, Access):  # of others no zeros are known
                self._reject_nonzeros(statement, statement.target, value)
                self._write(statement, statement.target, value)
        except TooManyCellsError as error:
            message = f"zeros are followed here over {error.cells} parts of a tensor, more than {LARGEST_FOLLOWED}"
            note = "a part is a box of entries between those at which something changes"
            raise mistake("E0218", message, (statement.origin, ""), notes=(note,)) from None

    def _known_zero(self, tensor: Tensor) -> Pattern:
        if tensor.name in self.declared:
            return ~self.declared[tensor.name]
        return Pattern.empty(static_shape(tensor.shape))

    def _write(self, statement: Assignment, target: Access, value: Factor) -> None:
        name = target.tensor
        if name in self.written:
            known = self.written[name]
            self.written[name] = with_entries(known, target, Pattern.full(entries_of(known, target).pattern.shape))
        if name not in self.patterns and value.pattern.is_full:
            return
        before = self.patterns.get(name, Pattern.full(static_shape(self.tensors[name].shape)))
        entries = entries_of(before, target)
        new = walked_by(value, entries)
        if name in self.declared:
            new &= entries_of(self.declared[name], target).pattern
        if statement.operator is not AssignmentOperator.SET:
            new |= entries.pattern
        try:
            self.patterns[name] = with_entries(before, target, new)
        except TooManyCellsError:
            if name in self.declared or name in self.written:
                raise
            self.patterns.pop(name, None)  # of an argument, everything may differ from zero

    def _reject_nonzeros(self, statement: Assignment, target: Access, value: Factor) -> None:
        if target.tensor not in self.declared:
            return
        allowed = entries_of(self.declared[target.tensor], target)
        forbidden = walked_by(value, allowed) - allowed.pattern
        if not forbidden.is_empty:
            family, tensor = self._scope.family_of(target.tensor)
            entry = _position(target, allowed.indices, forbidden.first())
            message = f"entry {entry} of `{tensor.spelling}` is declared to be zero, but may become something else here"
            declared = (family.declaration.origin, "its zeros are declared here")
            raise mistake("E0217", message, (statement.origin, ""), declared)

    def _reject_unwritten(self, access: Access) -> None:
        if access.tensor not in self.written:
            return
        written = entries_of(self.written[access.tensor], access)
        if not written.pattern.is_full:
            entry = _position(access, written.indices, (~written.pattern).first())
            self.written[access.tensor] = Pattern.full(self.written[access.tensor].shape)
            spelling = self.tensors[access.tensor].spelling
            message = f"`{spelling}` is read before it is written: entry {entry}"
            note = "a `temp` holds nothing when the kernel starts"
            raise mistake("E0223", message, (access.origin, "read here"), notes=(note,))


def _read_by(statement: Assignment) -> tuple[Access, ...]:
    updated = () if statement.operator is AssignmentOperator.SET else _accesses(statement.target)
    return (*updated, *_accesses(statement.value))


def _accesses(expression: Expression) -> tuple[Access, ...]:
    if isinstance(expression, Access):
        return (expression,)
    if isinstance(expression, Gather):
        return (*(Access(name, (), expression.origin) for name in expression.tensors), *expression.entries)
    return tuple(access for part in parts(expression) for access in _accesses(part))


def _position(access: Access, names: tuple[str, ...], place: tuple[int, ...]) -> str:
    """An entry of the tensor, where the indices of an access have the values `place`."""
    values = dict(zip(names, place, strict=True))
    entry = (p.position if isinstance(p, FixedPosition) else p.offset + values[p.index.name] for p in access.positions)
    return f"({', '.join(map(str, entry))})"


# -- which entries of an expression may differ from zero ---------------------------------------------------------------
# Exact boolean arithmetic on the patterns of its tensors.

Patterns = Mapping[str, Pattern]
"""The pattern of each tensor that has zeros; what is not named has none."""


def pattern(expression: Expression, patterns: Patterns) -> Factor:
    """The entries of the expression that may differ from zero, over its indices.

    Raises `TooManyCellsError` where a pattern on the way is too large.
    """
    match expression:
        case Access():
            return _entries(expression, patterns)
        case Gather():
            walked = {index.name: static(index.extent) for index in expression.indices}
            return Factor(tuple(walked), Pattern.full(walked.values()))
        case ScalarTerm(value):
            return _number(value)
        case Scaled(coefficient, operand):
            found = pattern(operand, patterns)
            return found if _may_differ(coefficient) else Factor(found.indices, Pattern.empty(found.pattern.shape))
        case Product(factors):
            return _joined([pattern(factor, patterns) for factor in factors], frozenset())
        case Sum(terms):
            names, spread = _spread([pattern(term, patterns) for term in terms])
            return Factor(names, reduce(or_, spread))
        case Apply(function, arguments):
            return _of_function(function, [pattern(argument, patterns) for argument in arguments])
        case Component(_, operand):
            return pattern(operand, patterns)
        case Quotient(dividend, divisor):
            return _of_function(Function.DIV, [pattern(dividend, patterns), pattern(divisor, patterns)])
        case Extremum(_, indices, operand):
            return _joined([pattern(operand, patterns)], frozenset(index.name for index in indices))
        case Reduction(indices, operand):
            parts = operand.factors if isinstance(operand, Product) else (operand,)
            summed = frozenset(index.name for index in indices)
            return _joined([pattern(part, patterns) for part in parts], summed)


def entries_of(pattern: Pattern, access: Access) -> Factor:
    """What a tensor has at the entries of an access."""
    names = tuple(p.index.name for p in access.positions if isinstance(p, IndexPosition))
    return Factor(tuple(dict.fromkeys(names)), pattern.part(_places(access)).diagonal(names))


def with_entries(pattern: Pattern, access: Access, value: Pattern) -> Pattern:
    """The pattern of a tensor, in which the entries of an access are those of a value over its distinct indices."""
    names = [p.index.name for p in access.positions if isinstance(p, IndexPosition)]
    distinct = list(dict.fromkeys(names))
    return pattern.with_part(_places(access), [distinct.index(name) for name in names], value)


def walked_by(value: Factor, target: Factor) -> Pattern:
    """The pattern of a value over the indices of a target, which has all of its indices."""
    modes = [value.indices.index(name) if name in value.indices else None for name in target.indices]
    return value.pattern.over(modes, target.pattern.shape)


def _of_function(function: Function, operands: list[Factor]) -> Factor:
    names, spread = _spread(operands)
    return Factor(names, function_pattern(function, spread))


def _spread(operands: Sequence[Factor]) -> tuple[tuple[str, ...], list[Pattern]]:
    """All indices of the operands, and the operands over them."""
    extents = _extents(operands)
    whole = Factor(tuple(extents), Pattern.full(extents.values()))
    return whole.indices, [walked_by(operand, whole) for operand in operands]


def _joined(factors: Sequence[Factor], summed: frozenset[str]) -> Factor:
    """True where there is a position of the summed indices at which all factors are."""
    kept = {name: extent for name, extent in _extents(factors).items() if name not in summed}
    whole = Factor(tuple(kept), Pattern.full(kept.values()))
    left = exists(constrained(factors), whole.indices)
    return Factor(whole.indices, reduce(and_, (walked_by(each, whole) for each in left), whole.pattern))


def _extents(factors: Sequence[Factor]) -> dict[str, int]:
    return {name: extent for each in factors for name, extent in zip(each.indices, each.pattern.shape, strict=True)}


def _entries(access: Access, patterns: Patterns) -> Factor:
    if access.tensor in patterns:
        return entries_of(patterns[access.tensor], access)
    walked = {p.index.name: static(p.index.extent) for p in access.positions if isinstance(p, IndexPosition)}
    return Factor(tuple(walked), Pattern.full(walked.values()))


def _places(access: Access) -> list[Place]:
    return [
        p.position if isinstance(p, FixedPosition) else (p.offset, p.offset + static(p.index.extent))
        for p in access.positions
    ]


def _number(value: Coefficient) -> Factor:
    return Factor((), Pattern.full(()) if _may_differ(value) else Pattern.empty(()))


def _may_differ(coefficient: Coefficient) -> bool:
    return not (isinstance(coefficient, Number) and coefficient.value == 0)
