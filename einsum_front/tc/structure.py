"""What a definition says of loops: its iterators in the order of the text, and a map for each tensor."""

from collections.abc import Iterator

from einsum_front.core.dataclass import dataclass
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
