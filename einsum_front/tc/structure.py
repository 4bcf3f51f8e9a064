"""What a definition says of loops: its iterators in the order of the text, and a map for each tensor."""

import re
from collections.abc import Iterable, Iterator, Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.tc.nodes import Access, Affine, Apply, Comprehension, Definition, Expression, accesses


@dataclass(frozen=True, slots=True)
class Structure:
    """The iterators, those of them that are reductions, and the positions of each tensor, inputs first."""

    iterators: tuple[str, ...]
    reductions: frozenset[str]
    maps: tuple[tuple[Affine, ...], ...]


def structure_of(definition: Definition) -> Structure:
    """The loops of a definition that is verified."""
    body = definition.body
    found = {each.tensor: each.positions for each in all_accesses(body)}
    maps = tuple(found[tensor.name] for tensor in definition.tensors)
    return Structure(iterators_of(body), reductions_of(body), maps)


def all_accesses(body: Comprehension) -> Iterator[Access]:
    """The accesses of a comprehension, in the order of the text."""
    yield from body.targets
    for value in body.values:
        yield from accesses(value)


def iterators_of(body: Comprehension) -> tuple[str, ...]:
    """The iterators in the order of the text: those of the outputs first."""
    found: dict[str, None] = {}
    for target in body.targets:
        found |= dict.fromkeys(_names(target))
    for value in body.values:
        found |= dict.fromkeys(_of_expression(value))
    return tuple(found)


def reductions_of(body: Comprehension) -> frozenset[str]:
    """The iterators that operations reduce over."""
    return frozenset(name for value in body.values for name in _reduced(value))


def _of_expression(expression: Expression) -> Iterator[str]:
    match expression:
        case Access():
            yield from _names(expression)
        case Apply(over=over, arguments=arguments):
            yield from over
            for argument in arguments:
                yield from _of_expression(argument)


def _reduced(expression: Expression) -> Iterator[str]:
    if isinstance(expression, Apply):
        yield from expression.over
        for argument in expression.arguments:
            yield from _reduced(argument)


def _names(access: Access) -> Iterator[str]:
    return (name for position in access.positions for name, _ in position.terms)


# -- the operations on numbers that a definition may use, and what they are elsewhere ----------------------------------
# std_addf  addf  AddFOp  arith_addf      all are addition


@dataclass(frozen=True, slots=True)
class Meaning:
    """An operation: the number of its arguments, its name in MLIR today, its function, and its name in OpDSL."""

    arity: int
    mlir: str
    function: Function | None
    opdsl: str
    combines: bool = False


MEANINGS = {
    "addf": Meaning(2, "arith.addf", Function.ADD, "add", combines=True),
    "mulf": Meaning(2, "arith.mulf", Function.MUL, "mul", combines=True),
    "subf": Meaning(2, "arith.subf", Function.SUB, "sub"),
    "divf": Meaning(2, "arith.divf", Function.DIV, "div"),
    "maxf": Meaning(2, "arith.maximumf", Function.MAX, "max_signed", combines=True),
    "minf": Meaning(2, "arith.minimumf", Function.MIN, "min_signed", combines=True),
    "negf": Meaning(1, "arith.negf", None, "negf"),
    "absf": Meaning(1, "math.absf", Function.ABS, "abs"),
    "exp": Meaning(1, "math.exp", Function.EXP, "exp"),
    "log": Meaning(1, "math.log", Function.LOG, "log"),
    "sqrt": Meaning(1, "math.sqrt", Function.SQRT, "sqrt"),
    "tanh": Meaning(1, "math.tanh", Function.TANH, "tanh"),
    "erf": Meaning(1, "math.erf", Function.ERF, "erf"),
}
"""The operations by their plain names."""

SPELLED = {"maximumf": "maxf", "minimumf": "minf", "abs": "absf", "addf": "addf"}
DIALECT = re.compile(r"(?:std|arith|math)_")


def plain(operation: str) -> str:
    """The plain name of an operation: without a dialect in front, and not as a class of C++."""
    name = DIALECT.sub("", operation, count=1)
    if name.endswith("Op") and name[:1].isupper():
        name = name.removesuffix("Op")
        name = name[:-1].lower() + "f" if name.endswith("F") else name.lower()
    return SPELLED.get(name, name)


def meaning(operation: str) -> Meaning | None:
    """What an operation is; None if it is none of those known."""
    return MEANINGS.get(plain(operation))


# -- extents of iterators: what shapes say of them, and where positions lie --------------------------------------------
# Sizes are 1 at least.


def extents_of(definition: Definition) -> dict[str, Affine]:
    """The extent of each iterator that walks a mode by itself: that of the first such mode."""
    shapes = {each.name: each.shape for each in definition.tensors}
    found: dict[str, Affine] = {}
    for access in all_accesses(definition.body):
        for position, extent in zip(access.positions, shapes[access.tensor], strict=True):
            if position.name is not None:
                found.setdefault(position.name, extent)
    return found


def last_position(position: Affine, extents: Mapping[str, Affine]) -> tuple[Affine, Affine]:
    """The first and the last of the positions that iterators of these extents reach."""
    first = last = Affine((), position.constant)
    for name, factor in position.terms:
        reached = times(minus(extents[name], Affine((), 1)), factor)
        first, last = (first, plus(last, reached)) if factor > 0 else (plus(first, reached), last)
    return first, last


def least(affine: Affine) -> int | None:
    """A number from 0 on that the value is at least for all sizes; None if it may be below 0."""
    if any(factor < 0 for _, factor in affine.terms):
        return None
    value = affine.constant + sum(factor for _, factor in affine.terms)
    return value if value >= 0 else None


def plus(left: Affine, right: Affine) -> Affine:
    """The sum."""
    return _summed((*left.terms, *right.terms), left.constant + right.constant)


def minus(left: Affine, right: Affine) -> Affine:
    """The difference."""
    return plus(left, times(right, -1))


def times(affine: Affine, factor: int) -> Affine:
    """A multiple."""
    return Affine(tuple((name, each * factor) for name, each in affine.terms), affine.constant * factor)


def value_of(affine: Affine, sizes: Mapping[str, int]) -> int:
    """The number, where all names are known."""
    return affine.constant + sum(sizes[name] * factor for name, factor in affine.terms)


def _summed(terms: Iterable[tuple[str, int]], constant: int) -> Affine:
    found: dict[str, int] = {}
    for name, factor in terms:
        found[name] = found.get(name, 0) + factor
    return Affine(tuple(each for each in found.items() if each[1]), constant)
