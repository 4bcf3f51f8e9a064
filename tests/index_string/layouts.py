"""Index strings with operands of every layout: what `numpy.einsum` is given in programs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

LETTERS = "abcdefg"
SIZES = 1, 2, 3, 4, 5, 9
LAYOUTS = "C", "F", "permuted", "sliced", "reversed", "repeated", "unaligned", "list"

Call = tuple[str, list[Any]]


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A string of one to five operands, each with a layout and a type of its own; lengths of 1 meet others."""
    letters = LETTERS[: draw(st.integers(1, len(LETTERS)))]
    extents = {letter: draw(st.sampled_from(SIZES)) for letter in letters}
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    terms: list[str] = []
    operands: list[Any] = []
    for _ in range(draw(st.integers(1, 5))):
        term = "".join(draw(st.lists(st.sampled_from(letters), max_size=4)))
        ones = {letter for letter in term if draw(st.integers(0, 9)) == 0}
        shape = tuple(1 if letter in ones else extents[letter] for letter in term)
        kind = draw(st.sampled_from((np.float64, np.float64, np.float32)))
        operands.append(laid_out(random, shape, np.dtype(kind), draw(st.sampled_from(LAYOUTS))))
        terms.append(term)
    found = sorted(set("".join(terms)))
    output = draw(st.permutations(draw(st.lists(st.sampled_from(found), unique=True)) if found else []))
    return f"{','.join(terms)}->{''.join(output)}", operands


def laid_out(random: np.random.Generator, shape: Sequence[int], kind: np.dtype[Any], layout: str) -> Any:
    """Random numbers between -1 and 1 in an array of this layout."""
    return arranged(random, np.asarray(random.random([2 * size for size in shape]) * 2 - 1).astype(kind), layout)


def arranged(random: np.random.Generator, whole: Any, layout: str) -> Any:
    """Entries of an array in one of this layout, which has half of the size in each mode."""
    shape, kind = [size // 2 for size in whole.shape], whole.dtype
    array: Any = whole[(*(slice(size) for size in shape), ...)]
    match layout:
        case "C" | "F":
            return np.array(array, order="C" if layout == "C" else "F")
        case "permuted":
            order = random.permutation(len(shape))
            return np.array(array.transpose(order), order="C").transpose(np.argsort(order))
        case "sliced":
            return whole[(*(slice(None, None, 2) for _ in shape), ...)]
        case "reversed":
            return array.copy()[(*(slice(None, None, -1) for _ in shape), ...)]
        case "repeated":
            first = array[(*(slice(1) if random.random() < 0.5 else slice(None) for _ in shape), ...)]
            return np.broadcast_to(first, shape)
        case "unaligned":
            copy = np.frombuffer(b"\0" + np.array(array).tobytes(), np.uint8)[1:]
            return copy.view(kind).reshape(shape)
        case "list":
            return array.astype(float).tolist() if kind.kind == "f" else array.tolist()
        case _:
            raise AssertionError(layout)


def tolerance(subscripts: str, operands: Sequence[Any], kind: np.dtype[Any]) -> Any:
    """The error that NumPy's and another sum of the same products may differ by, for each entry of the result."""
    terms = subscripts.partition("->")[0].split(",")
    extents: dict[str, int] = {}
    for term, operand in zip(terms, operands, strict=True):
        for letter, size in zip(term, np.shape(operand), strict=True):
            extents[letter] = max(size, extents.get(letter, 1))
    roundings = len(operands) + np.prod([float(size) for size in extents.values()])
    sizes = np.einsum(subscripts, *[np.abs(np.asarray(operand, float)) for operand in operands])
    return sizes * 2 * roundings * np.finfo(kind).eps
