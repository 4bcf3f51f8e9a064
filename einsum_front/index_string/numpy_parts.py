"""Products of real with complex arrays by NumPy: two real products for each, not four.

An array of complex numbers is one of real numbers with an index more, of extent 2, whose entries lie side by side.
"""

from collections.abc import Mapping

from einsum_front.core.numbers import COMPLEX, in_parts
from einsum_front.index_string.numpy_steps import product
from einsum_front.index_string.numpy_sums import COPIED, VIEW, Array, Operand, Step, Term, entries

PART = "\0part"
"""The index of real and imaginary parts, which no string has."""


def any_product(
    first: Operand, second: Operand, wanted: Term | None, needed: set[str], extents: Mapping[str, int]
) -> Step:
    """`product`, also where one operand is real and the other complex: by parts, or the real one becomes complex."""
    found = product(first, second, wanted, needed, extents)
    if first.kind == second.kind:
        return found
    real, other = (first, second) if second.kind == found.kind else (second, first)
    converted = found.cost + COPIED * entries(real.term, extents)
    parts = COMPLEX[found.kind]
    split = Operand((*other.term, PART), other.is_close, other.is_unit, parts)
    result = (*found.result, PART)
    pair = (first, split) if other is second else (split, second)
    step = product(*pair, result, {*needed, PART}, {**extents, PART: 2})
    if step.cost + VIEW * 4 >= converted:
        return found
    return _joined(step, found, is_second=other is second)


def _joined(step: Step, like: Step, *, is_second: bool) -> Step:
    """The step on real numbers, from complex operands to a complex result."""
    run, write, kind = step.run, step.into, like.kind

    def both(a: Array, b: Array) -> tuple[Array, Array]:
        return (a, in_parts(b)) if is_second else (in_parts(a), b)

    def joined(a: Array, b: Array) -> Array:
        return run(*both(a, b)).view(kind)[..., 0]

    def into(a: Array, b: Array, target: Array) -> Array:
        assert write is not None
        return write(*both(a, b), in_parts(target))

    return Step(joined, like.result, kind, step.cost + VIEW * 4, step.copied, None if write is None else into)
