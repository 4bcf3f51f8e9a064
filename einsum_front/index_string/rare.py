"""What few calls ask for: an object that looks for a path, a limit of memory, a backend by name.

A call with a limit gets a path that keeps it. If no order does, indices are cut: slices are computed one after another,
each by a call like the others, so all but the first of them are short.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from inspect import signature
from itertools import product
from math import isinf
from numbers import Real
from typing import Any, SupportsFloat, cast

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.builds import as_arrays
from einsum_front.index_string.element_types import is_number
from einsum_front.index_string.keywords import (
    IN_ONE,
    NAMES,
    OURS,
    PATH,
    MemoryLimit,
    Number,
    Optimize,
    is_rare,
    read_keywords,
    read_path,
)
from einsum_front.index_string.numpy_calls import no_memory
from einsum_front.index_string.numpy_plan import Look
from einsum_front.index_string.numpy_sums import Term, entries
from einsum_front.index_string.order import Limited, limited
from einsum_front.index_string.program import read_terms
from einsum_front.index_string.result_layout import result_layout
from einsum_front.index_string.scaled import Factors, on_host, read_factors
from einsum_front.index_string.shapes import shape_of
from einsum_front.index_string.steps import Positions
from einsum_front.index_string.subscripts import letters
from einsum_front.runtime import library

FOLLOWS = "the library of the operands says where `ef.einsum` computes, so `backend` may name that one or be left out"


@dataclass(frozen=True, slots=True)
class Rare:
    """A call's terms, and how they are multiplied; `limit` counts entries, None if there is none."""

    terms: tuple[Term, ...]
    output: Term
    extents: Mapping[str, int]
    limit: int | None
    optimize: Optimize


def read_rare(text: str, operands: Sequence[Any], optimize: Optimize, memory_limit: MemoryLimit) -> Rare:
    """What a call says about its order; raises `CompileError` if that makes no sense."""
    shapes = tuple([shape_of(number, each) for number, each in enumerate(operands)])
    terms, output, extents = read_terms(text, shapes)
    if isinstance(optimize, list | tuple) and len(optimize) == 2 and isinstance(optimize[0], str):
        name, second = optimize
        if name != "einsum_path" and isinstance(second, SupportsFloat):
            optimize, memory_limit = cast("str", name), second
    if not callable(optimize):
        optimize = _known_path(optimize)
    if isinstance(optimize, str) and optimize not in NAMES:
        optimize = _registered(optimize)
    limit = _limit(memory_limit, [*terms, output], extents)
    if callable(optimize):
        optimize = searched_path(optimize, terms, output, extents, limit) if len(terms) > 2 else True
    return Rare(terms, output, extents, limit, optimize)


def _known_path(optimize: Any) -> Any:
    """The path of a tree of cotengra, or of the text that `einsum_path` and opt_einsum's `contract_path` give."""
    if hasattr(optimize, "get_path"):
        return list(optimize.get_path())
    return optimize.path if isinstance(getattr(optimize, "path", None), list | tuple) else optimize


def _registered(name: str) -> Optimize:
    """The search that a program has registered with opt_einsum, as cotengra does; the name itself if there is none."""
    paths: Any = sys.modules.get("opt_einsum.paths")
    try:
        return cast("Callable[..., Any]", paths.get_path_fn(name))
    except (AttributeError, KeyError):
        return name


def searched_path(
    search: Callable[..., Any],
    terms: Sequence[Sequence[str]],
    output: Sequence[str],
    extents: Mapping[str, int],
    limit: int | None,
) -> list[object]:
    """The path that an object finds which is called as opt_einsum calls its own, and cotengra's.

    It gets the indices of each operand and of the result as sets, the extents, and the limit of entries, if it takes
    that.
    """
    network: list[object] = [[frozenset(term) for term in terms], frozenset(output), dict(extents)]
    found = search(*network, limit) if _takes(search, 4) else search(*network)
    if not isinstance(found, Iterable) or isinstance(found, str):
        message = f"`optimize` has found {found!r}, expected a path"
        raise CompileError([Diagnostic("E0518", message, notes=(PATH,))])
    return ["einsum_path", *found]


def _takes(search: Callable[..., Any], arguments: int) -> bool:
    try:
        signature(search).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:  # nobody knows
        return True
    return True


def _limit(given: MemoryLimit, terms: Sequence[Term], extents: Mapping[str, int]) -> int | None:
    """Entries of the largest array on the way."""
    if given is None or given == -1:
        return None
    if given == "max_input":
        return max(entries(tuple(dict.fromkeys(term)), extents) for term in terms)
    number: Any = given
    if type(number) is not bool and isinstance(number, Real | Decimal) and float(number) >= 1:
        return None if isinf(number) else int(cast("float", number))
    message = f"`memory_limit` is {given!r}, expected a number of entries, 'max_input', or None"
    raise CompileError([Diagnostic("E0518", message, notes=("-1 is no limit either",))])


def _check_backend(backend: object, operands: Sequence[object]) -> None:
    """Raises `CompileError` for a backend that is not that of the arrays."""
    if backend in OURS:
        return
    found = dict.fromkeys(_package(each) for each in operands)
    if backend in found or (backend == "numpy" and not found):
        return
    if not isinstance(backend, str):
        message = f"`backend` is of type {type(backend).__name__}, expected the name of a library"
        raise CompileError([Diagnostic("E0518", message, notes=(FOLLOWS,))])
    message = f"`backend` is {backend!r}, and the operands are of {' and '.join(found)}"
    raise CompileError([Diagnostic("E0518", message, notes=(FOLLOWS,))])


def _package(operand: object) -> str:
    found = library(operand)
    return "numpy" if found == "builtins" else "jax" if found == "jaxlib" else found


Cut = tuple[tuple[str, int], ...]
"""Indices, with positions in a slice."""

LAZY = "dask.", "autoray.lazy"
"""Modules of arrays without entries."""

FLOAT = np.dtype(np.float64)

WHOLE = slice(None)


@dataclass(frozen=True, slots=True)
class RareKeywords:
    """Keywords that few calls have."""

    alpha: Number
    beta: Number
    optimize: Optimize
    memory_limit: MemoryLimit
    backend: object


def einsum_rarely(
    einsum: Callable[..., Any],
    text: str,
    operands: Sequence[Any],
    out: Any,
    keywords: RareKeywords,
    others: Mapping[str, Any],
    asked: Mapping[str, Any],
) -> Any:
    """A call with what few have; `einsum` is ours, `asked` is what chunks have, and `others` are all other keywords."""
    _check_backend(keywords.backend, operands)
    factors = read_factors(keywords.alpha, keywords.beta, out)
    is_scaled = (factors.alpha, factors.beta) != (1, 0)
    is_in_chunks = tuple(asked.values()) != IN_ONE
    if is_in_chunks and is_scaled:
        raise CompileError([_not_for("`alpha` and `beta` are", "batches in chunks")])
    compute, path = einsum, keywords.optimize
    if keywords.memory_limit is not None or is_rare(path):
        compute, path = _ordered(einsum, text, operands, keywords, others, is_in_chunks=is_in_chunks)
    if is_in_chunks:
        compute = partial(compute, **asked)
    try:
        if is_scaled:
            return _scaled(compute, text, operands, out, factors, {**others, "optimize": path})
        return compute(text, *operands, out=out, optimize=path, **others)
    except MemoryError as error:
        raise no_memory(error) from None


def _scaled(
    einsum: Callable[..., Any],
    text: str,
    operands: Sequence[Any],
    out: Any,
    factors: Factors,
    keywords: Mapping[str, Any],
) -> Any:
    """A call with factors of which not both are those of a call without; `keywords` are its others, without `out`."""
    if type(out) is np.ndarray and keywords["dtype"] is None:
        kinds = [getattr(each, "dtype", FLOAT) for each in operands]  # lists of numbers are of float64, or become it
        are_ours = all(isinstance(each, np.dtype) for each in kinds) and any(each != out.dtype for each in kinds)
        if are_ours and all(map(is_number, [out.dtype, *kinds])):
            keywords = {**keywords, "dtype": np.result_type(out.dtype, *kinds)}  # as for a call with `out`
    result = einsum(text, *operands, **keywords)
    if type(result) is np.ndarray and (out is None or type(out) is np.ndarray):
        if len(operands) == 1 and np.may_share_memory(result, operands[0]):
            result = result.copy("K")
        return on_host(result, out, factors, keywords["casting"])
    from einsum_front.index_string.scaled_elsewhere import combined  # noqa: PLC0415 - it loads OpenCL

    return combined(result, operands, out, factors, keywords["casting"])


def _ordered(
    einsum: Callable[..., Any],
    text: str,
    operands: Sequence[Any],
    keywords: RareKeywords,
    others: Mapping[str, Any],
    *,
    is_in_chunks: bool,
) -> tuple[Callable[..., Any], Optimize]:
    """What computes such a call, `einsum` or slices, and the path that it follows."""
    rare = read_rare(text, operands, keywords.optimize, keywords.memory_limit)
    are_lazy = any(type(each).__module__.startswith(LAZY) for each in operands)
    if rare.limit is not None and (is_in_chunks or are_lazy):
        raise CompileError([_not_for("`memory_limit` is", "lazy arrays" if are_lazy else "batches in chunks")])
    found = within_limit(rare)
    if found is None:
        return einsum, rare.optimize
    if not found.cut:
        return einsum, list(found.path)
    read_keywords(len(operands), True, others["dtype"], others["order"], others["casting"])
    return _sliced(einsum, rare, found.cut), list(found.path)


def _not_for(what: str, whom: str) -> Diagnostic:
    return Diagnostic("E0230", f"{what} not for {whom}", notes=("these are computed part by part",))


# -- within a limit ----------------------------------------------------------------------------------------------------


def within_limit(rare: Rare) -> Limited | None:
    """The path and the indices to cut; None if nothing between two products can be too large."""
    path = read_path(rare.optimize, len(rare.terms))
    if rare.limit is None or len(rare.terms) < 3:
        return None
    found = _limited(rare.terms, rare.output, tuple(rare.extents.items()), rare.limit, path)
    return None if found.path == path and not found.cut else found


@lru_cache(maxsize=1024)
def _limited(
    terms: tuple[Term, ...], output: Term, extents: tuple[tuple[str, int], ...], limit: int, path: Positions | None
) -> Limited:
    return limited(terms, output, dict(extents), limit, path)


def _sliced(einsum: Callable[..., Any], rare: Rare, cut: Cut) -> Callable[..., Any]:
    """What computes such a call in slices."""

    def compute(text: str, *operands: Any, out: Any = None, order: object = "K", **keywords: Any) -> Any:
        return in_slices(partial(einsum, **keywords), text, rare, cut, operands, out, order)

    return compute


def in_slices(
    einsum: Callable[..., Any], text: str, rare: Rare, cut: Cut, operands: Sequence[Any], out: Any, order: object
) -> Any:
    """The contraction in slices, one after the other; `einsum` computes a slice from its string, operands and `out`."""
    read = as_arrays(operands)
    arrays, home = (operands, None) if read is None else read
    target = None if out is None or any(_may_share(out, each) for each in operands) else out
    for keys, adds in _slices(rare, cut, [tuple(np.shape(array)) for array in arrays]):
        *parts, place = [
            array if array is None else array[key] for array, key in zip((*arrays, target), keys, strict=True)
        ]
        if target is None:
            first = einsum(text, *parts)
            target = _empty(first, rare, order, arrays)
            _copy(einsum, first, target[keys[-1]])
        else:
            einsum(text, *parts, out=place, beta=1 if adds else 0)
    if out is None:
        return target if home is None else home(target)
    if target is not out:
        _copy(einsum, target, out)
    return out


Key = tuple[Any, ...]


def _slices(rare: Rare, cut: Cut, shapes: Sequence[tuple[int, ...]]) -> Iterator[tuple[list[Key], bool]]:
    """For each slice the keys of operands and result, and whether it adds to that.

    All slices of a part of the result follow each other.
    """
    sizes = {name: size for name, size in cut if name in rare.output}
    sizes |= dict(cut)
    for starts in product(*(range(0, rare.extents[name], size) for name, size in sizes.items())):
        at = {name: slice(start, start + sizes[name]) for name, start in zip(sizes, starts, strict=True)}
        keys: list[Key] = []
        for term, shape in zip(rare.terms, shapes, strict=True):
            modes = zip(term, shape, strict=True)
            keys.append((*[at.get(name, WHOLE) if extent > 1 else WHOLE for name, extent in modes], ...))
        keys.append((*[at.get(name, WHOLE) for name in rare.output], ...))
        yield keys, any(at[name].start for name in sizes if name not in rare.output)


def _may_share(out: Any, operand: Any) -> bool:
    """True if both may have the same memory; of arrays that are not NumPy's nobody knows."""
    if isinstance(out, np.ndarray):
        return isinstance(operand, np.ndarray) and np.may_share_memory(out, operand)
    return True


def _empty(first: Any, rare: Rare, order: object, arrays: Sequence[Any]) -> Any:
    """An array for the whole result, of the library that the result of a slice is from."""
    shape = tuple([rare.extents[name] for name in rare.output])
    if type(first) is np.ndarray or isinstance(first, np.generic):
        looks = [Look(each.shape, each.strides, each.dtype) for each in arrays]
        layout = result_layout("K" if order is None else str(order).upper(), rare.terms, looks, rare.output)
        places = [layout.index(name) for name in rare.output]
        return np.empty([rare.extents[name] for name in layout], first.dtype).transpose(places)
    if hasattr(first, "new_empty"):  # torch
        return first.new_empty(shape)
    if hasattr(first, "queue"):  # pyopencl
        return type(first)(first.queue, shape, first.dtype, allocator=first.allocator)
    return type(first)(shape, first.dtype)


def _copy(einsum: Callable[..., Any], source: Any, target: Any) -> None:
    if isinstance(target, np.ndarray):
        target[...] = source
        return
    names = "".join([each for each, _ in zip(letters(), source.shape, strict=False)])
    einsum(f"{names}->{names}", source, out=target, optimize=True)
