"""Sizes and strides as C computes them, and the values of constants as they lie in memory."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import lcm, prod

import numpy as np

from einsum_front.core.extent import Polynomial
from einsum_front.runtime import element_mask, modes_of_element, span
from einsum_front.runtime.artifact import COMPLEX, ArrayParameter, Extent, TensorParameter


def polynomial(extent: Polynomial, names: Mapping[str, str]) -> str:
    """A dynamic extent such as `n**2/2 + 3*n` in C; `names` are those of the sizes there.

    Quotients of terms need not be integers though the sum is: all terms have one divisor.
    """
    divisor = lcm(*(factor.denominator for _, factor in extent.terms))
    total = ""
    for monomial, factor in extent.terms:
        number = int(abs(factor) * divisor)
        factors = [str(number)] if number != 1 or not monomial else []
        product_ = " * ".join((*factors, *(names[size.name] for size in monomial)))
        sign = "-" if factor < 0 else "+"
        total += f" {sign} {product_}" if total else f"{sign}{product_}".removeprefix("+")
    if divisor > 1:
        return f"({total}) / {divisor}"
    return f"({total})" if len(extent.terms) > 1 else total


def number_of_bytes(extent: Polynomial, names: Mapping[str, str]) -> str:
    """Bytes such as `72*n + 63` in C, none of whose sums and products wraps: INT64_MAX stands for what is too large."""
    divisor = lcm(*(factor.denominator for _, factor in extent.terms))
    signs: dict[bool, str] = {}
    for monomial, factor in extent.terms:
        term = str(int(abs(factor) * divisor))
        for size in monomial:
            term = f"@name@_times({term}, {names[size.name]})"
        before = signs.get(factor > 0)
        signs[factor > 0] = term if before is None else f"@name@_plus({before}, {term})"
    total = signs[True] + (f" - {signs[False]}" if False in signs else "")
    return total if divisor == 1 else f"({total}) / {divisor} + 1"


def user_order(parameter: ArrayParameter, extents: Sequence[Extent]) -> tuple[Extent, ...]:
    """Sizes or strides of the modes of an element, in the order of the text."""
    by_mode = {mode: extents[place] for mode, place in zip(parameter.modes, modes_of_element(parameter), strict=True)}
    return tuple(by_mode[mode] for mode in sorted(by_mode))


def values_in_memory(parameter: TensorParameter) -> list[float]:
    """The known values where the layout has them, zeros between them; they are given in packed column-major order."""
    shape = [parameter.shape[mode] or 0 for mode in modes_of_element(parameter)]
    parts = 2 if parameter.type in COMPLEX else 1
    memory = [0.0] * (parts * span(parameter))
    numbers = zip(*(parameter.values[part::parts] for part in range(parts)), strict=True) if parameter.values else ()
    positions = (reversed(position) for position in product(*(range(size) for size in reversed(shape))))
    for position, number in zip(positions, numbers, strict=True):
        place = parts * sum(i * (parameter.strides[mode] or 1) for mode, i in enumerate(position))
        memory[place : place + parts] = number
    return memory


def nonzero_runs(parameter: ArrayParameter) -> tuple[tuple[int, int], ...]:
    """Half-open runs of packed column-major positions, modes as in the text, that may differ from zero; sizes known."""
    shape = tuple(size or 0 for size in user_order(parameter, parameter.shape))
    mask = element_mask(parameter, tuple(parameter.shape[mode] or 0 for mode in modes_of_element(parameter)))
    if mask is None:
        return ((0, prod(shape)),)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.flatten(order="F").astype(np.int8), [0]))))
    return tuple((int(start), int(stop)) for start, stop in edges.reshape(-1, 2))
