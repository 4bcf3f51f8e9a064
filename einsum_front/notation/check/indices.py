"""Einstein's rule, from outside inwards: which indices are summed where, written out as reductions.

- The terms of a sum are independent of each other.
- In a product, an index that is not bound yet and occurs in two or more factors is summed over that product and is
  bound in its factors; one that occurs in a single factor is that factor's own matter.
- A single access sums its own unbound indices.

Ones, `1[b]`, take part in that as a tensor would, but have no extents of their own: an index of theirs is bound, or
another factor has it. So they leave nothing behind. A term that lacks an index is the same everywhere, and an
assignment whose value lacks one repeats it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from einsum_front.core.coefficient import Number
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.limits import MOST_INDICES
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.checked import (
    Access,
    Apply,
    Component,
    Expression,
    Extremum,
    Gather,
    Index,
    IndexPosition,
    Position,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    parts,
)

ONE = Number(1)
UNSAID = 0
"""The extent of an index as ones have it."""


def with_reductions(target: Access | Gather, value: Expression) -> Expression:
    """The value of an assignment with every implied summation written out."""
    for term in value.terms if isinstance(value, Sum) else (value,):
        _reject_too_many(target, term)
    _reject_missing(target, value)
    return _explicit(value, frozenset(occurring(target)))


def occurring(expression: Expression) -> Mapping[str, Index]:
    """The indices that are written anywhere in an expression, by name, in the order of the text."""
    match expression:
        case Access(positions=positions):
            return _first_of_each(p.index for p in positions if isinstance(p, IndexPosition))
        case Gather(indices=indices):
            return {index.name: index for index in indices}
        case ScalarTerm(ones=names):
            return {name: Index(name, UNSAID) for name in names}
        case Scaled(operand=operand) | Reduction(operand=operand) | Component(operand=operand):
            return occurring(operand)
        case Product() | Sum() | Apply() | Quotient():
            return _first_of_each(index for part in parts(expression) for index in occurring(part).values())
        case Extremum(indices=indices, operand=operand):
            inside = {index.name for index in indices}
            return {name: index for name, index in occurring(operand).items() if name not in inside}


def _reject_too_many(target: Access | Gather, term: Expression) -> None:
    count = len({**occurring(target), **occurring(term)})
    if count > MOST_INDICES:
        message = f"a product and its target have {count} indices, more than {MOST_INDICES}"
        raise mistake("E0303", message, (term.origin, ""))


def _first_of_each(indices: Iterable[Index]) -> dict[str, Index]:
    first: dict[str, Index] = {}
    for index in indices:
        if index.name not in first or first[index.name].extent == UNSAID:
            first[index.name] = index
    return first


def _explicit(expression: Expression, bound: frozenset[str]) -> Expression:
    match expression:
        case Access() | Gather():
            return _reduced(occurring(expression), bound, expression)
        case ScalarTerm():
            _reject_unsaid(expression, bound)
            return replace(expression, ones=())
        case Scaled(coefficient, operand, origin):
            scaled = _explicit(operand, bound)
            is_ones = isinstance(scaled, ScalarTerm)
            return ScalarTerm(coefficient, origin=origin) if is_ones else Scaled(coefficient, scaled, origin)
        case Sum(terms, origin):
            return Sum(tuple(_explicit(term, bound) for term in terms), origin)
        case Product(factors, origin):
            shared = _in_several(factors)
            inner = bound | {name for name, index in shared.items() if index.extent != UNSAID}
            explicit = (_explicit(factor, inner) for factor in factors)
            others = tuple(factor for factor in explicit if not isinstance(factor, ScalarTerm))  # those are ones
            product = Product(others, origin) if len(others) > 1 else next(iter(others), ScalarTerm(ONE, origin=origin))
            return _reduced(shared, bound, product)
        case Apply(function, arguments, origin):
            return Apply(function, tuple(_explicit(argument, bound) for argument in arguments), origin)
        case Component(part, operand, origin):
            return Component(part, _explicit(operand, bound), origin)
        case Quotient(dividend, divisor, origin):
            shared = _in_several((dividend, divisor))
            inner = bound | {name for name, index in shared.items() if index.extent != UNSAID}
            quotient = Quotient(_explicit(dividend, inner), _explicit(divisor, inner), origin)
            return _reduced(shared, bound, quotient)
        case Extremum():
            return _extremum(expression, bound)
        case Reduction():
            raise CompilerBug("a reduction before summation is written out")


def _extremum(expression: Extremum, bound: frozenset[str]) -> Extremum:
    """The indices of `max` and `min` have the extents that they have in the operand."""
    found, word = occurring(expression.operand), expression.function.value
    for index in expression.indices:
        if index.name in bound:
            message = f"index `{index.name}` of `{word}` has a meaning outside of it"
            note = f"`{word}` binds its indices: another name tells it from the one outside"
            raise mistake("E0238", message, (expression.origin, ""), notes=(note,))
        if index.name not in found or found[index.name].extent == UNSAID:
            message = f"`{word}` is over index `{index.name}`, which nothing inside has"
            free = {name for name, each in found.items() if each.extent != UNSAID} - bound
            are_letters = 1 < len(index.name) == len(free & set(index.name))
            helps = (f"several indices stand with commas: `{word}{{{','.join(index.name)}}}`",) if are_letters else ()
            raise mistake("E0238", message, (expression.origin, ""), helps=helps)
    indices = tuple(found[index.name] for index in expression.indices)
    inner = bound | {index.name for index in indices}
    return Extremum(expression.function, indices, _explicit(expression.operand, inner), expression.origin)


def _in_several(factors: tuple[Expression, ...]) -> Mapping[str, Index]:
    by_factor = [occurring(factor) for factor in factors]
    count = Counter(name for indices in by_factor for name in indices)
    return _first_of_each(index for indices in by_factor for name, index in indices.items() if count[name] > 1)


def _reduced(candidates: Mapping[str, Index], bound: frozenset[str], operand: Expression) -> Expression:
    indices = tuple(index for name, index in candidates.items() if name not in bound)
    return Reduction(indices, operand, operand.origin) if indices else operand


def _reject_unsaid(term: ScalarTerm, bound: frozenset[str]) -> None:
    for name in term.ones:
        if name not in bound:
            message = f"nothing says how many positions index `{name}` has: only `1[…]` has it here"
            note = "an index of `1[…]` is one of the left-hand side, or of another factor of the product"
            raise mistake("E0232", message, (term.origin, ""), notes=(note,))


def _is_scalar(value: Expression) -> bool:
    """True if a value is made of scalars alone."""
    if isinstance(value, ScalarTerm):
        return not value.ones
    return not isinstance(value, Access) and all(map(_is_scalar, parts(value)))


def _reject_missing(target: Access | Gather, value: Expression) -> None:
    """An index of the target must be in a term, unless the value is a scalar, which fills everything."""
    if _is_scalar(value):
        return
    present = occurring(value)
    entries = target.entries if isinstance(target, Gather) else ()
    for position in (*target.positions, *(each for entry in entries for each in entry.positions)):
        if isinstance(position, IndexPosition) and position.index.name not in present:
            name = position.index.name
            message = f"index `{name}` of the left-hand side is in no term of the right-hand side"
            raise mistake("E0204", message, (position.origin, ""), (value.origin, f"no `{name}` here"))


# -- every index has one extent wherever it is bound; `k` may be another index in another term -------------------------


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """An index in one mode of one access."""

    access: Access
    mode: int
    position: IndexPosition


def check_sizes(target: Access | Gather, value: Expression, scope: Scope) -> None:
    """Raise one error that names every index of an assignment whose extents differ; reductions are written out."""
    walk = _Walk()
    walk.visit(target)
    walk.visit(value)
    if walk.clashes:
        raise _error(list(walk.clashes.values()), scope)


class _Walk:
    """From the target through the value in the order of the text: `first` are the indices bound at this place."""

    def __init__(self) -> None:
        self.first: dict[str, _Occurrence] = {}
        self.clashes: dict[str, tuple[_Occurrence, _Occurrence]] = {}

    def visit(self, expression: Expression) -> None:
        match expression:
            case Access(positions=positions):
                self._walked(expression, positions)
            case Gather(tensors=(name, *_), positions=positions, origin=origin):
                self._walked(Access(name, (), origin), positions)
                for entry in expression.entries:
                    self._walked(entry, entry.positions)
            case Gather() | ScalarTerm():
                pass
            case Scaled() | Product() | Sum() | Apply() | Quotient() | Component():
                for part in parts(expression):
                    self.visit(part)
            case Reduction(indices=indices, operand=operand) | Extremum(indices=indices, operand=operand):
                self.visit(operand)
                for index in indices:
                    del self.first[index.name]

    def _walked(self, access: Access, positions: tuple[Position, ...]) -> None:
        for mode, position in enumerate(positions):
            if isinstance(position, IndexPosition):
                self._compare(_Occurrence(access, mode, position))

    def _compare(self, here: _Occurrence) -> None:
        index = here.position.index
        first = self.first.setdefault(index.name, here)
        if first.position.index.extent != index.extent:
            self.clashes.setdefault(index.name, (first, here))


def _error(clashes: list[tuple[_Occurrence, _Occurrence]], scope: Scope) -> CompileError:
    first, here = clashes[0]
    sizes = [_size(occurrence, first, here, scope) for occurrence in (here, first)]
    message = f"index `{here.position.index.name}` has size {sizes[0]} but {sizes[1]}"
    notes = tuple(_also(before, there, scope) for before, there in clashes[1:])
    family, tensor = scope.family_of(first.access.tensor)
    return mistake(
        "E0203",
        message,
        (here.position.origin, _described(here, scope)),
        (first.position.origin, _described(first, scope)),
        (family.declaration.shape[first.mode].origin, f"`{tensor.spelling}` declared here"),
        notes=notes,
    )


def _also(first: _Occurrence, here: _Occurrence, scope: Scope) -> str:
    sizes = [_size(occurrence, first, here, scope) for occurrence in (first, here)]
    return f"index `{here.position.index.name}` does not fit either: {sizes[0]}, {sizes[1]}"


def _size(occurrence: _Occurrence, first: _Occurrence, here: _Occurrence, scope: Scope) -> str:
    """The extent and the tensor; the mode as well if it is the same tensor at both places."""
    name = f"`{scope.family_of(occurrence.access.tensor)[1].spelling}`"
    place = f"mode {occurrence.mode} of {name}" if first.access.tensor == here.access.tensor else name
    return f"{occurrence.position.index.extent} in {place}"


def _described(occurrence: _Occurrence, scope: Scope) -> str:
    tensor = scope.family_of(occurrence.access.tensor)[1]
    whole = tensor.shape[occurrence.mode] == occurrence.position.index.extent
    part = "" if whole else "a slice of "
    return f"{occurrence.position.index.extent}: {part}mode {occurrence.mode} of `{tensor.spelling}`"
