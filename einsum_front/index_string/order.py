"""Orders of products as paths, for terms with names: within a limit of memory, and with indices cut where none is.

    ij,jk,kl->il        ((1, 2), (0, 1))        for slices of i: ij,jk,kl->il

A path takes arrays by their places among what is left, and its products go to the end, as in NumPy and opt_einsum.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf, prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.pair_order import pair_order
from einsum_front.index_string.numpy_sums import Term, entries
from einsum_front.index_string.steps import Positions

MOST_COMPARED = 12
"""Terms of which all pairs are compared for each product."""


def path_of_terms(terms: Sequence[Term], output: Term, extents: Mapping[str, int], times: float = 1) -> Positions:
    """The path that calls without a kernel have; one step if there are no pairs.

    It is looked for as long as so many uses of it are worth (`inf`: as long as it gets better).
    """
    if len(terms) < 3:
        return (tuple(range(len(terms))),)
    places = {name: place for place, name in enumerate(dict.fromkeys(name for term in terms for name in term))}
    bits = [sum(1 << places[name] for name in set(term)) for term in terms]
    pairs = pair_order(bits, sum(1 << places[name] for name in output), [extents[name] for name in places], times)
    left = list(range(len(terms)))
    path = []
    for number, pair in enumerate(pairs):
        path.append(tuple(sorted(left.index(each) for each in pair)))
        left = [*(each for each in left if each not in pair), len(terms) + number]
    return tuple(path)


@dataclass(frozen=True, slots=True)
class Product:
    """A step of a path: the terms that it takes, all of their indices, and those that it keeps."""

    taken: tuple[Term, ...]
    every: frozenset[str]
    kept: frozenset[str]


def products(terms: Sequence[Term], output: Term, path: Positions) -> Iterator[Product]:
    """The steps of a path, one after the other; the last one keeps what the output has."""
    left = list(map(tuple, terms))
    for places in path:
        taken = tuple(left[place] for place in places)
        left = [term for place, term in enumerate(left) if place not in places]
        every = frozenset(name for term in taken for name in term)
        kept = every & {*output, *(name for term in left for name in term)}
        yield Product(taken, every, kept)
        left.append(tuple(sorted(kept)))


def largest_between(terms: Sequence[Term], output: Term, extents: Mapping[str, int], path: Positions) -> int:
    """Entries of the largest array between two products; 0 if there is none."""
    return max((entries(tuple(each.kept), extents) for each in list(products(terms, output, path))[:-1]), default=0)


@dataclass(frozen=True, slots=True)
class Limited:
    """A path, and the indices that are cut, with positions in a slice, so that no array on the way is too large."""

    path: Positions
    cut: tuple[tuple[str, int], ...]


def limited(
    terms: Sequence[Term], output: Term, extents: Mapping[str, int], limit: int, path: Positions | None
) -> Limited:
    """The cheapest way within a limit of entries that is found: other orders first, then indices are cut.

    `path` is one that the caller wants. An index is chosen that leaves the least to do for all slices together.
    """
    cut: Term = ()
    sizes = dict(extents)
    while True:
        paths = [path] if path is not None else _candidates(terms, output, sizes, limit)
        fitting = [each for each in paths if _fits(terms, output, sizes, limit, each)]
        if fitting:
            found = min(fitting, key=lambda each: _work(terms, output, sizes, each))
            return Limited(found, _wide(terms, output, extents, limit, found, cut))
        over = {name for each in paths for name in _too_large(terms, output, sizes, each) if sizes[name] > 1}
        best: tuple[float, float, str] = (inf, inf, "")
        for name in sorted(over):
            smaller = {**sizes, name: 1}
            for each in [path] if path is not None else _candidates(terms, output, smaller, limit):
                excess = max(1.0, largest_between(terms, output, smaller, each) / limit)
                work = _work(terms, output, smaller, each) * sizes[name]
                best = min(best, (work * excess, excess, name))
        cut = (*cut, best[2])
        sizes[best[2]] = 1


def _wide(
    terms: Sequence[Term], output: Term, extents: Mapping[str, int], limit: int, path: Positions, cut: Term
) -> tuple[tuple[str, int], ...]:
    """The indices that are cut, each with as many positions in a slice as there is room for."""
    sizes = {**extents, **dict.fromkeys(cut, 1)}
    for name in reversed(cut):
        low, high = 1, extents[name]
        while low < high:
            sizes[name] = (low + high + 1) // 2
            low, high = (sizes[name], high) if _fits(terms, output, sizes, limit, path) else (low, sizes[name] - 1)
        slices = -(-extents[name] // low)
        sizes[name] = -(-extents[name] // slices)  # of one length, as far as possible
    return tuple((name, sizes[name]) for name in cut if sizes[name] < extents[name])


def _fits(terms: Sequence[Term], output: Term, extents: Mapping[str, int], limit: int, path: Positions) -> bool:
    return largest_between(terms, output, extents, path) <= limit


def _candidates(terms: Sequence[Term], output: Term, extents: Mapping[str, int], limit: int) -> list[Positions]:
    """The usual path, and for few terms the one that only makes what is within the limit, if there is one."""
    usual = path_of_terms(terms, output, extents)
    return [usual, *(_greedy(terms, output, extents, limit) if len(terms) <= MOST_COMPARED else [])]


def _greedy(terms: Sequence[Term], output: Term, extents: Mapping[str, int], limit: int) -> list[Positions]:
    """Pairs whose products are within the limit, those first that leave the fewest entries; the rest all at once.

    None if the rest are more than two arrays: such a step makes no array on the way, but runs through all indices.
    """
    left = [frozenset(term) for term in terms]
    path: list[tuple[int, ...]] = []
    while len(left) > 2:
        counts: dict[str, int] = dict.fromkeys(output, 1)
        for term in left:
            for name in term:
                counts[name] = counts.get(name, 0) + 1
        best: tuple[int, int, tuple[int, int], frozenset[str]] | None = None
        for one, first in enumerate(left):
            for other in range(one + 1, len(left)):
                second = left[other]
                if best is not None and not first & second:
                    continue
                kept = frozenset(n for n in first | second if counts[n] > (n in first) + (n in second))
                size = entries(tuple(kept), extents)
                gain = size - entries(tuple(first), extents) - entries(tuple(second), extents)
                if size <= limit and (best is None or (gain, size) < best[:2]):
                    best = gain, size, (one, other), kept
        if best is None:
            return []
        path.append(best[2])
        left = [*(term for place, term in enumerate(left) if place not in best[2]), best[3]]
    return [(*path, tuple(range(len(left))))]


def _work(terms: Sequence[Term], output: Term, extents: Mapping[str, int], path: Positions) -> int:
    """Multiplications, and an entry of each array that is read or written besides."""
    found = 0
    for each in products(terms, output, path):
        found += entries(tuple(each.every), extents) + entries(tuple(each.kept), extents)
        found += sum(prod(extents[name] for name in term) for term in each.taken)
    return found


def _too_large(terms: Sequence[Term], output: Term, extents: Mapping[str, int], path: Positions) -> frozenset[str]:
    """The indices of the largest array on the way."""
    between = [each.kept for each in products(terms, output, path)][:-1]
    return max(between, key=lambda kept: entries(tuple(kept), extents), default=frozenset())
