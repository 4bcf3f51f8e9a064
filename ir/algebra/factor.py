"""Common factors are taken out of sums where that is cheaper.

    C[i,j] := A[i,k] * B[k,j] + A[i,k] * D[k,j]        C[i,j] := A[i,k] * (B[k,j] + D[k,j])

All terms that have a factor are tried together, then two of them at a time.

Left: terms that consist of the factor alone, and values that others read as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial

from einsum_front.core.coefficient import ONE, Coefficient, times
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.names import fresh_numbered
from einsum_front.ir.algebra.price import Pricing
from einsum_front.ir.algebra.product import Factor, indices_of
from einsum_front.ir.algebra.rewrite import Replacement, Rewriter, SameForAll, in_words, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.index import IndexMap, IterationSpace


def factor_sums(graph: Graph) -> Graph:
    """The graph with common factors outside of sums."""
    return rewritten(graph, lambda builder: partial(_replacement, graph, builder, Pricing(builder)))


def factor_sums_for_launch(graph: Graph) -> Graph:
    """The same where sums and products that are batch-invariant are computed once, and cost nothing."""

    def rewriter(builder: NodeTable) -> Rewriter:
        return partial(_replacement, graph, builder, Pricing(builder, SameForAll(builder, graph).has))

    return rewritten(graph, rewriter)


def _replacement(
    graph: Graph, builder: NodeTable, pricing: Pricing, key: int, operands: tuple[int, ...]
) -> Replacement | None:
    """A sum without common factors in its terms; None if nothing changes."""
    node = graph.node(key)
    if not isinstance(node, cg.Sum):
        return None
    factoring = _Factoring(builder, pricing, node)
    given = zip(graph.operands(key), operands, node.maps, strict=True)
    terms = [
        factoring.term(now, map_) if _is_private(graph, before) else _Term(now, map_) for before, now, map_ in given
    ]
    return factoring.replacement(terms)


def _is_private(graph: Graph, key: int) -> bool:
    """True if one node alone reads a value, and what it scales."""
    if len(graph.users(key)) > 1:
        return False
    return not isinstance(graph.node(key), cg.Scaling) or _is_private(graph, graph.operands(key)[0])


@dataclass(frozen=True, slots=True)
class _Term:
    """The node `key` as an operand of a sum, walked by `map`: `coefficient` times a product, if it has factors.

    `extents` are those of the indices that walk the factors, those of the sum and others.
    """

    key: int
    map: IndexMap
    coefficient: Coefficient = ONE
    factors: tuple[Factor, ...] = ()
    extents: Mapping[str, Extent] = field(default_factory=dict)

    def rest(self, position: int) -> tuple[Factor, ...]:
        """The factors but one."""
        return self.factors[:position] + self.factors[position + 1 :]


class _Factoring:
    """Takes factors out of one sum."""

    def __init__(self, builder: NodeTable, pricing: Pricing, node: cg.Sum) -> None:
        self._builder = builder
        self._pricing = pricing
        self._space = node.space
        self._origin = node.origin

    def replacement(self, terms: list[_Term]) -> Replacement | None:
        """The sum with fewer terms; None if no two of them become cheaper."""
        rewritings: list[Rewriting] = []
        while (fewer := self._with_fewer(terms)) is not None:
            terms, rewriting = fewer
            rewritings.append(rewriting)
        return (self._sum(terms), tuple(rewritings)) if rewritings else None

    def term(self, key: int, map_: IndexMap) -> _Term:
        """An operand of the sum that nobody else reads, with its factors."""
        coefficient: Coefficient = ONE
        inner = key
        while isinstance(node := self._builder.node(inner), cg.Scaling):
            coefficient = times(coefficient, node.coefficient)
            (inner,) = self._builder.operands(inner)
        if not isinstance(node, cg.Contraction):
            return _Term(key, map_)
        names = dict(zip(node.space.result_map, map_, strict=True))
        for index in node.space.reduction:
            names[index.name] = fresh_numbered(index.name, {*self._space.extents, *names.values()})
        maps = (tuple(names[name] for name in inner_map) for inner_map in node.maps)
        factors = tuple(zip(self._builder.operands(inner), maps, strict=True))
        return _Term(key, map_, coefficient, factors, {names[n]: extent for n, extent in node.space.extents.items()})

    def _with_fewer(self, terms: list[_Term]) -> tuple[list[_Term], Rewriting] | None:
        """The terms, of which some became one that is cheaper."""
        for number, one in enumerate(terms):
            for position, (key, _) in enumerate(one.factors):
                for others, joined in self._joined(one, position, terms[number + 1 :]):
                    if self._pays([one, *others], joined):
                        left = [joined if term is one else term for term in terms if term not in others]
                        text = f"{in_words(self._builder, key)} is taken out of a sum"
                        return left, Rewriting(text, self._origin)
        return None

    def _pays(self, terms: list[_Term], joined: _Term) -> bool:
        """True if one term is cheaper than the terms that it stands for."""
        given = [key for term in terms for key, _ in term.factors]
        price = self._pricing.price(self._sum(terms), given)
        return self._pricing.price(self._sum([joined]), given).is_below(price)

    def _joined(self, one: _Term, position: int, terms: Sequence[_Term]) -> Iterator[tuple[list[_Term], _Term]]:
        """A term for the first one and all others that have its factor as well; and for the pairs among them."""
        joined: _Term = one
        others: list[_Term] = []
        for other in terms:
            pair = self._pair(joined, 0 if others else position, other)
            if pair is not None:
                joined, others = pair, [*others, other]
        if others:
            yield others, joined
        for other in others if len(others) > 1 else ():
            pair = self._pair(one, position, other)
            if pair is not None:
                yield [other], pair

    def _pair(self, one: _Term, position: int, other: _Term) -> _Term | None:
        """The sum of two terms, if both have a factor of the first one, as a term with this factor in front."""
        key, map_ = one.factors[position]
        for number, (same, map_there) in enumerate(other.factors):
            if key == same and self._have_one_role(map_, map_there):
                left = self._rest(one, position, dict(zip(map_, map_, strict=True)))
                right = self._rest(other, number, dict(zip(map_there, map_, strict=True)))
                if left is not None and right is not None:
                    return self._product(one, (key, map_), left, other.coefficient, right)
        return None

    def _have_one_role(self, one: IndexMap, other: IndexMap) -> bool:
        """True if the same indices of the sum walk the same modes of a factor."""
        pairs = zip(one, other, strict=True)
        return all(a == b if a in self._space.extents else b not in self._space.extents for a, b in pairs)

    def _rest(self, term: _Term, position: int, renaming: Mapping[str, str]) -> Factor | None:
        """The product of a term without a factor, whose indices get other names.

        None if there is nothing left, or more than the term has anywhere: that never pays.
        """
        factors = term.rest(position)
        found = tuple(dict.fromkeys(name for _, map_ in factors for name in map_))
        kept = tuple(name for name in found if name in self._space.extents or name in renaming)
        sizes = [hint(product(term.extents[name] for name in map_)) for _, map_ in (*factors, (term.key, term.map))]
        if not factors or hint(product(term.extents[name] for name in kept)) > max(sizes):
            return None
        map_ = tuple(renaming.get(name, name) for name in kept)
        if len(factors) == 1 and found == kept:
            return factors[0][0], map_
        summed = tuple(name for name in found if name not in kept)
        space = IterationSpace(indices_of(kept, term.extents), indices_of(summed, term.extents))
        node = cg.Contraction(space, tuple(map_ for _, map_ in factors), self._origin)
        return self._builder.add(node, tuple(key for key, _ in factors)), map_

    def _product(self, one: _Term, common: Factor, left: Factor, coefficient: Coefficient, right: Factor) -> _Term:
        """The common factor times the sum of two rests, the second with this coefficient."""
        extents = {**one.extents, **self._space.extents}
        is_same = coefficient == one.coefficient
        if not is_same:
            left = self._scaled(one.coefficient, left, extents), left[1]
            right = self._scaled(coefficient, right, extents), right[1]
        inner = tuple(dict.fromkeys((*left[1], *right[1])))
        added = cg.Sum(IterationSpace(indices_of(inner, extents)), (left[1], right[1]), self._origin)
        key = self._builder.add(added, (left[0], right[0]))
        names = dict.fromkeys((*common[1], *inner))
        parallel = tuple(name for name in self._space.extents if name in names)
        reduction = tuple(name for name in names if name not in parallel)
        space = IterationSpace(indices_of(parallel, extents), indices_of(reduction, extents))
        product = self._builder.add(cg.Contraction(space, (common[1], inner), self._origin), (common[0], key))
        outside = one.coefficient if is_same else ONE
        whole = self._scaled(outside, (product, parallel), extents)
        return _Term(whole, parallel, outside, (common, (key, inner)), extents)

    def _scaled(self, coefficient: Coefficient, factor: Factor, extents: Mapping[str, Extent]) -> int:
        key, map_ = factor
        if coefficient == ONE:
            return key
        return self._builder.add(
            cg.Scaling(IterationSpace(indices_of(map_, extents)), coefficient, self._origin), (key,)
        )

    def _sum(self, terms: Sequence[_Term]) -> int:
        """The sum of terms, over the indices that they have."""
        walked = {name for term in terms for name in term.map}
        names = tuple(name for name in self._space.extents if name in walked)
        if len(terms) == 1 and terms[0].map == names:
            return terms[0].key
        space = IterationSpace(indices_of(names, self._space.extents))
        node = cg.Sum(space, tuple(term.map for term in terms), self._origin)
        return self._builder.add(node, tuple(term.key for term in terms))
