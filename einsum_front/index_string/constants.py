"""Operands that are the same in all calls of an expression: what they are multiplied to before, and where they go.

    hbc,[bdef],[cdkj],[ji],[ikeh],lfo        hbc,[bcfh],lfo

What is left is a string with fewer operands. Products of constants cost nothing, but they may be larger than their
operands: of several ways the one is taken that leaves the fewest multiplications for a call.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import COMPLEX
from einsum_front.index_string.element_types import ELEMENT_TYPES
from einsum_front.index_string.numpy_sums import Term
from einsum_front.index_string.order import path_of_terms, products
from einsum_front.index_string.program import read_terms
from einsum_front.index_string.steps import Positions
from einsum_front.index_string.subscripts import letters

KINDS = (*ELEMENT_TYPES, *COMPLEX)


@dataclass(frozen=True, slots=True)
class Folded:
    """What a call does: the string, constants with the places that they get, in ascending order, and keywords."""

    subscripts: str
    places: tuple[int, ...]
    constants: tuple[Any, ...]
    keywords: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Node:
    """An operand of the string that is left: operands by number, which are multiplied before, and its indices."""

    numbers: tuple[int, ...]
    term: Term


def folded(
    einsum: Callable[..., Any],
    text: str,
    sizes: tuple[tuple[int, ...], ...],
    constants: Mapping[int, Any],
    keywords: Mapping[str, Any],
) -> Folded:
    """The cheapest way to compute calls; `sizes` are usual ones."""
    whole = Folded(text, tuple(constants), tuple(constants.values()), keywords)
    kinds = [_kind(each) for each in constants.values()]
    if not constants or "memory_limit" in keywords or ("dtype" not in keywords and not _are_floats(kinds)):
        return whole
    terms, output, extents = read_terms(text, sizes)
    optimize = keywords.get("optimize", True)
    path = optimize if isinstance(optimize, list) else None
    nodes, left = _best(terms, output, extents, constants, path)
    if all(len(node.numbers) == 1 and node.term == terms[node.numbers[0]] for node in nodes):
        return whole
    symbols = dict(zip(dict.fromkeys(name for term in terms for name in term), letters(), strict=False))

    def written(some: Sequence[Term], result: Term) -> str:
        return f"{','.join(''.join(symbols[name] for name in term) for term in some)}->" + "".join(
            symbols[name] for name in result
        )

    made: dict[int, Any] = {}
    words = {name: each for name, each in keywords.items() if name not in ("optimize", "memory_limit", "order")}
    for place, node in enumerate(nodes):
        first = node.numbers[0]
        if first in constants:
            operands = [constants[number] for number in node.numbers]
            is_same = len(operands) == 1 and node.term == terms[first]
            string = written([terms[number] for number in node.numbers], node.term)
            made[place] = operands[0] if is_same else einsum(string, *operands, **words)
    keywords = keywords if path is None else {**keywords, "optimize": left}
    return Folded(written([node.term for node in nodes], output), tuple(made), tuple(made.values()), keywords)


def _kind(constant: Any) -> Any:
    kind = getattr(constant, "dtype", None)
    names = {f"torch.{each.name}": each for each in KINDS}
    return kind if isinstance(kind, np.dtype) else names.get(str(kind))


def _are_floats(kinds: Sequence[Any]) -> bool:
    """True if products of some of them are of floating-point numbers, and of the type of all: integers would wrap
    around before they meet a longer type."""
    return all(each in KINDS for each in kinds) and len(set(kinds)) == 1


# -- what is multiplied ------------------------------------------------------------------------------------------------


def _best(
    terms: Sequence[Term], output: Term, extents: Mapping[str, int], constants: Mapping[int, Any], path: Any
) -> tuple[list[_Node], Positions]:
    """Operands of the calls, and the path that is left of the caller's."""
    if path is not None:
        return _along(terms, output, constants, path)
    ways = [
        [_Node((number,), term) for number, term in enumerate(terms)],
        _along(terms, output, constants, path_of_terms(terms, output, extents))[0],
        _neighbours(terms, output, constants),
    ]
    costs = [_cost([node.term for node in way], output, extents) for way in ways]
    return ways[costs.index(min(costs))], ()


def _along(
    terms: Sequence[Term], output: Term, constants: Mapping[int, Any], path: Positions
) -> tuple[list[_Node], Positions]:
    """Products of constants that a path has, and the rest of the path."""
    groups: dict[int, tuple[int, ...]] = {number: (number,) for number in range(len(terms))}
    left = list(range(len(terms)))
    rest: list[tuple[list[int], int]] = []
    for made, places in enumerate(path, len(terms)):
        taken = [left[place] for place in places]
        left = [*(each for place, each in enumerate(left) if place not in places), made]
        if all(each in groups and groups[each][0] in constants for each in taken):
            groups[made] = tuple(sorted(number for each in taken for number in groups.pop(each)))
        else:
            rest.append((taken, made))
    names = sorted(groups, key=lambda each: groups[each])
    steps = []
    left = list(names)
    for taken, made in rest:
        steps.append(tuple(sorted(left.index(each) for each in taken)))
        left = [*(each for each in left if each not in taken), made]
    return [_node(groups[each], terms, output, constants) for each in names], tuple(steps)


def _neighbours(terms: Sequence[Term], output: Term, constants: Mapping[int, Any]) -> list[_Node]:
    """All constants that share indices, directly or by others, are one product."""
    groups: list[set[int]] = []
    for number in constants:
        names = set(terms[number])
        near = [group for group in groups if any(names & set(terms[other]) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append({number}.union(*near))
    others = [{number} for number in range(len(terms)) if number not in constants]
    return [_node(tuple(sorted(group)), terms, output, constants) for group in sorted([*groups, *others], key=min)]


def _node(numbers: tuple[int, ...], terms: Sequence[Term], output: Term, constants: Mapping[int, Any]) -> _Node:
    """The product of these operands keeps indices that others or the result have; what is no constant stays."""
    if numbers[0] not in constants:
        return _Node(numbers, terms[numbers[0]])
    needed = {*output, *(name for other, term in enumerate(terms) if other not in numbers for name in term)}
    every = dict.fromkeys(name for number in numbers for name in terms[number])
    return _Node(numbers, tuple(name for name in every if name in needed))


def _cost(terms: Sequence[Term], output: Term, extents: Mapping[str, int]) -> int:
    """Multiplications of a call, and entries that it reads."""
    path = path_of_terms(terms, output, extents)
    work = sum(prod(extents[name] for name in step.every) for step in products(terms, output, path))
    return work + sum(prod(extents[name] for name in set(term)) for term in terms)


# -- where constants are -----------------------------------------------------------------------------------------------


def moved(constants: Sequence[Any], arrays: Sequence[Any], known: dict[object, tuple[Any, ...]]) -> Sequence[Any]:
    """The constants where the arrays are, if these are on a device; `known` has what was copied there before."""
    from einsum_front.runtime import is_on_cuda, is_on_device  # noqa: PLC0415 - it loads OpenCL

    array = next((each for each in arrays if is_on_device(each) or is_on_cuda(each)), None)
    if array is None:
        return constants
    key: object = ("opencl", array.context) if is_on_device(array) else (type(array), str(array.device))
    if key not in known:
        known[key] = tuple(each for each in _copies(constants, array))
    return known[key]


def _copies(constants: Sequence[Any], array: Any) -> Iterator[Any]:
    from einsum_front.runtime import host_view, is_on_cuda, is_on_device, uploaded_beside  # noqa: PLC0415

    for constant in constants:
        if is_on_device(constant) or is_on_cuda(constant):
            yield constant
        elif is_on_device(array):
            yield uploaded_beside(array, np.asarray(host_view(constant)))
        elif hasattr(array, "new_empty"):  # torch
            yield sys.modules["torch"].as_tensor(constant, device=array.device)
        else:
            yield sys.modules["cupy"].asarray(np.asarray(host_view(constant)))


def on_host(constant: Any) -> Any:
    """A constant that can be pickled."""
    if type(constant) is np.ndarray:
        return constant
    from einsum_front.runtime import is_on_cuda, is_on_device, to_host  # noqa: PLC0415 - it loads OpenCL

    if is_on_device(constant):
        return to_host(constant)
    if is_on_cuda(constant):
        return constant.cpu() if hasattr(constant, "cpu") else constant.get()
    return constant
