"""Products with constants that only select entries become parts of the other factors.

    A[i,j] := I[i,k] * B[k,j]          A[i,j] := B[i,j]
    V[i,l] := Q[i,j] * S[l,j]          V[i,l] := Q[i, l+6]
    U[i,j] := V[i,l] * S[l,j]          U[i,j] := V at [i, j+6], zero elsewhere
    T[i,l] := Q[i,j] * R[l,j]          T := Q[i,0] at [i,0] + Q[i,3] at [i,1] + Q[i,5] at [i,2]

where I is an identity, S is one at (l, l+6), and R at (0,0), (1,3) and (2,5). A number in place of the ones becomes a
coefficient.

Left: products that parts cannot say (an index of the result that no other factor has, two of the result in step), and
copies of runs, as in the last line, if they are many or take more than what they save.
"""

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from einsum_front.core.diagnostics import Origin
from einsum_front.ir.algebra.known import has_known_constants
from einsum_front.ir.algebra.price import Alternatives
from einsum_front.ir.algebra.product import Product, Run, Selection, gathered, runs_of, selection_of
from einsum_front.ir.algebra.rewrite import Replacement, in_words, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.contraction.unparse import unparse_parts
from einsum_front.ir.index import IndexMap

MOST_RUNS = 8
"""Runs of a selection that are copied one by one, each by a step of its own."""


def select_entries(graph: Graph) -> Graph:
    """The graph without products that only select entries."""
    if not has_known_constants(graph):
        return graph
    return rewritten(graph, lambda builder: _Selecting(graph, builder).replacement)


class _Selecting:
    """Takes selections out of the products of a graph, one product after the other."""

    def __init__(self, graph: Graph, builder: NodeTable) -> None:
        self._graph = graph
        self._builder = builder
        self._alternatives = Alternatives(builder)
        self._known = self._alternatives.known
        self._origin: Origin = ()
        self._rewritings: list[Rewriting] = []

    def replacement(self, key: int, operands: tuple[int, ...]) -> Replacement | None:
        """A product without its selections; None if nothing changes, or all of it is known."""
        node = self._graph.node(key)
        if not isinstance(node, cg.Contraction) or self._known.of_all(operands) is not None:
            return None
        self._origin, self._rewritings = node.origin, []
        product = Product.of(node, operands)
        while (fewer := self._with_fewer_factors(product)) is not None:
            product = fewer
        product = self._with_copies(product)
        if not self._rewritings:
            return None
        before = zip(self._graph.operands(key), operands, strict=True)
        shared = {now for old, now in before if len(self._graph.users(old)) > 1}
        return product.finished(self._builder, shared, self._origin), tuple(self._rewritings)

    def _with_fewer_factors(self, product: Product) -> Product | None:
        """The product without the first factor that selects a range, or ranges in step."""
        for position, (key, map_) in enumerate(product.factors):
            array = self._known.of(key)
            selection = None if array is None else selection_of(array)
            if selection is not None:
                selected = product.selected(self._builder, position, selection)
                if selected is not None:
                    self._note(key, f", which is {selection.value:g} at {_places(selection, map_)}")
                    return selected
        return None

    def _with_copies(self, product: Product) -> Product:
        """The product with copies of rows in the place of factors that are selections in several runs."""
        for position, (key, _) in enumerate(product.factors):
            array = self._known.of(key)
            runs = None if array is None else runs_of(array)
            if runs is not None and 1 < len(runs) <= MOST_RUNS:
                given = [each for each, _ in product.factors]
                price = self._alternatives.price(product, given, self._origin)
                priced = [
                    (self._alternatives.price(copies, given, self._origin), copies)
                    for copies in self._copies(product, position, runs)
                ]
                least, cheapest = min(priced, key=itemgetter(0), default=(price, product))
                if least.is_below(price):
                    self._note(key, f": {len(runs)} runs of entries are copied")
                    return self._with_copies(cheapest)
        return product

    def _copies(self, product: Product, position: int, runs: tuple[Selection, ...]) -> Iterator[Product]:
        """The product without the factor, whose runs are copied in another factor or in the product of all others."""
        map_ = product.factors[position][1]
        rest = product.without(position)
        rest = replace(rest, coefficient=rest.coefficient * runs[0].value)
        links = [run.links[0] for run in runs]
        for to, source in ((0, 1), (1, 0)):
            kept, replaced = map_[to], map_[source]
            if replaced in product.result:
                continue
            moves = [Run(link.starts[source], link.starts[to], link.extent) for link in links]
            walked = [number for number, (_, inner) in enumerate(rest.factors) if replaced in inner]
            if len(walked) == 1 and kept not in rest.factors[walked[0]][1]:
                yield self._copied_before(rest, walked[0], replaced, kept, moves)
            if walked and len(rest.factors) > 1 and rest.is_only_in_result(kept):
                yield self._copied_after(rest, replaced, kept, moves)

    def _copied_before(self, rest: Product, number: int, replaced: str, kept: str, moves: list[Run]) -> Product:
        """The rest with runs of one factor copied."""
        key, map_ = rest.factors[number]
        copy = gathered(self._builder, key, map_.index(replaced), moves, rest.extents[kept])
        factor = copy, tuple(kept if name == replaced else name for name in map_)
        extents = {name: extent for name, extent in rest.extents.items() if name != replaced}
        return replace(rest, factors=(*rest.factors[:number], factor, *rest.factors[number + 1 :]), extents=extents)

    def _copied_after(self, rest: Product, replaced: str, kept: str, moves: list[Run]) -> Product:
        """The product of all other factors with its runs copied."""
        result = tuple(replaced if name == kept else name for name in rest.result)
        extents = {name: extent for name, extent in rest.extents.items() if name != kept}
        shape = tuple(extents[name] for name in result)
        inner = Product(1, rest.factors, extents, result, (0,) * len(result), shape)
        key = inner.finished(self._builder, [key for key, _ in rest.factors], self._origin)
        copy = gathered(self._builder, key, result.index(replaced), moves, rest.extents[kept])
        return replace(rest, factors=((copy, rest.result),), extents={n: rest.extents[n] for n in rest.result})

    def _note(self, key: int, text: str) -> None:
        self._rewritings.append(Rewriting(f"no product with {in_words(self._builder, key)}{text}", self._origin))


def _places(selection: Selection, map_: IndexMap) -> str:
    """Where a selection is not zero, as the part of the matrix: `[l, l+6]`."""
    parts = {
        mode: cg.Along(map_[link.modes[0]], start)
        for link in selection.links
        for mode, start in zip(link.modes, link.starts, strict=True)
    }
    return unparse_parts(tuple(parts[mode] for mode in range(len(map_))))
