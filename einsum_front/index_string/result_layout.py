"""How the result of a call lies in memory: the `order` of `numpy.einsum`, for operands as they lie.

`K` is what NumPy's iterator makes of the strides of all operands: in C order where they say nothing.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from einsum_front.index_string.numpy_plan import Look
from einsum_front.index_string.numpy_sums import Term


def result_layout(order: str, terms: Sequence[Term], looks: Sequence[Look], output: Term) -> Term:
    """The indices of the output from the slowest to the fastest in memory; `order` is one of NumPy's."""
    if order == "A":
        order = "F" if all(map(_is_fortran, terms, looks)) else "C"
    if order == "F":
        return output[::-1]
    if order == "C" or len(output) < 2:
        return output
    axes = (*output, *sorted({name for term in terms for name in term}.difference(output)))
    places = {name: place for place, name in enumerate(axes)}
    steps: list[dict[str, int]] = []
    is_plain = True
    for term, look in zip(terms, looks, strict=True):
        found: dict[str, int] = {}
        for name, step, size in zip(term, look.strides, look.shape, strict=True):
            found[name] = found.get(name, 0) + (step if size > 1 else 0)
        steps.append({name: abs(step) for name, step in found.items() if step})
        known = sorted([(places[name], step) for name, step in steps[-1].items()])
        is_plain = is_plain and all(one[1] >= other[1] for one, other in pairwise(known))
    if is_plain:
        return output
    return tuple([name for name in _sorted(axes, steps) if name in output])


def _is_fortran(term: Term, look: Look) -> bool:
    """True if an operand is in Fortran order, its diagonals taken as one mode."""
    steps: dict[str, int] = {}
    for name, step in zip(term, look.strides, strict=True):
        steps[name] = steps.get(name, 0) + step
    reach = look.dtype.itemsize
    for name, size in dict(zip(term, look.shape, strict=True)).items():
        if size > 1 and steps[name] != reach:
            return False
        reach *= size
    return True


def _sorted(axes: Term, steps: Sequence[Mapping[str, int]]) -> Term:
    """NumPy's order of the axes of a loop: sorted by insertion, the fastest first.

    Two axes change places if the first operand that has both says so; where operands disagree they do not.
    """
    order = list(reversed(axes))
    for start in range(1, len(order)):
        name, target = order[start], start
        for place in range(start - 1, -1, -1):
            is_known, is_less = False, False
            for step in steps:
                one, other = step.get(name, 0), step.get(order[place], 0)
                if one and other:
                    if other <= one:
                        is_less = False
                    elif not is_known:
                        is_less = True
                    is_known = True
            if is_known and not is_less:
                break
            if is_known:
                target = place
        order.insert(target, order.pop(start))
    return tuple(reversed(order))
